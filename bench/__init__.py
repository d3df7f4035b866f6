"""A load bench: people at work against a served product of its own. `make bench` runs it; nothing else imports it."""
