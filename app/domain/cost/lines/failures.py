"""Repairs, replaced parts and replacement capacity while machines are down."""

from app.domain.cost.line import monthly

LINE = monthly("failures")
