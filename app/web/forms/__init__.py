"""Forms: a pydantic model per form that becomes a command of a service."""
