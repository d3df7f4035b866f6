"""Switches, adapters and cables."""

from app.domain.cost.line import bought

LINE = bought("network")
