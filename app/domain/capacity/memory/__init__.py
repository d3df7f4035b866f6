"""Memory of one rank, part by part: states, activations, buffers, and what serving keeps."""
