"""The GPUs themselves."""

from app.domain.cost.line import bought

LINE = bought("gpu")
