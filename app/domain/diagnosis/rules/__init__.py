"""One module a rule of the handbook (§1), strangers to each other. A new one needs its module and a line in the registry."""
