"""The `gpuplan` command: one module a noun, each thin: read the input, call what the pages call, print."""
