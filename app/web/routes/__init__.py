"""Pages, one module a noun: read the request, call one service, choose a template."""
