"""Use cases, one module a noun: load, call the domain, store. A service takes a session and never commits; one that raises has
changed nothing. Commands are frozen dataclasses beside the function; time arrives as an argument."""
