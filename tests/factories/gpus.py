"""Boards."""

from dataclasses import replace
from typing import Any

from app.domain.catalogue.hardware import Gpu
from app.seeds import load_catalogue


def a_board(slug: str = "a100-sxm4-80gb", **changes: Any) -> Gpu:
    """A board of the catalogue, changed where a test needs it: 400 W, 80 GB, PCIe 4.0 ×16."""
    return replace(load_catalogue().gpu(slug), **changes)
