"""The JSON that outsiders rely on: contract shapes to domain types and back, one module a shape; used by the command line and the API alike."""
