"""Storage and traffic leaving the cloud, paid by the month."""

from app.domain.cost.line import monthly

LINE = monthly("data")
