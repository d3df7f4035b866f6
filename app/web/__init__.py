"""Everything that speaks HTTP. A handler reads the request, calls one service and chooses a template; `templating`, `htmx`, `binding`,
`problems`, `security`, `locale` and `sessions` are what they share. `routes` are the pages, `api` the JSON mirror of the same services."""
