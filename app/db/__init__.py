"""The database: `engine` (connections and transactions), `models` (tables), and one module of functions per noun that takes a
session and returns domain types or frozen rows. Nothing outside this package writes SQL or sees a model."""
