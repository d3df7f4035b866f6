"""Everything else that is paid every month."""

from app.domain.cost.line import OTHER, monthly

LINE = monthly(OTHER)
