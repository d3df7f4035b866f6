"""Software licences and support."""

from app.domain.cost.line import monthly

LINE = monthly("software")
