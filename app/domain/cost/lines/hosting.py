"""Cabinet or rack space paid by the month."""

from app.domain.cost.line import monthly

LINE = monthly("hosting")
