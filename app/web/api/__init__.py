"""The JSON mirror of the pages: the same services, `problem+json` errors."""
