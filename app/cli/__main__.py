"""`python -m app.cli`: the same as `gpuplan`, for processes that we start ourselves."""

from app.cli.start import main

main()
