"""GPU Plan: from workload evidence to a configuration sheet. Start reading at `domain`, then `services`, then `web`."""

from pathlib import Path

_PACKAGED = Path(__file__).parent / "shipped"

SHIPPED = _PACKAGED if _PACKAGED.is_dir() else Path(__file__).parent.parent
"""The folder that holds templates, static, migrations and seed_data: the checkout's top, or inside an installed wheel."""
