"""Storage bought for the project."""

from app.domain.cost.line import bought

LINE = bought("storage")
