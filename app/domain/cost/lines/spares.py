"""Spare parts kept on the shelf."""

from app.domain.cost.line import bought

LINE = bought("spares")
