"""Cross-connects, bandwidth and addresses paid by the month."""

from app.domain.cost.line import monthly

LINE = monthly("connect")
