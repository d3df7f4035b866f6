"""Plain functions that make things for tests, with fixed values and keyword overrides."""
