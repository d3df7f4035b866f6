"""Racks, power distribution and cooling that are bought."""

from app.domain.cost.line import bought

LINE = bought("rack")
