"""Everything else that is bought at the start (freight, installation, duty …)."""

from app.domain.cost.line import OTHER, bought

LINE = bought(OTHER)
