"""The machines around the GPUs."""

from app.domain.cost.line import bought

LINE = bought("server")
