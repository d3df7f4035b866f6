"""One module or package a telemetry format, strangers to each other. A new one needs its folder and a line in the registry."""
