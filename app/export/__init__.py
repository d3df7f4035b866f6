"""Files made of a configuration sheet: one module a format, registered in `writers`. Each takes the issued sheet and a locale, and returns bytes."""
