"""People who run the machines."""

from app.domain.cost.line import monthly

LINE = monthly("staff")
