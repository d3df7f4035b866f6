"""Single payments on their dates: set-up, migration, decommissioning."""

from app.domain.cost.line import once

LINE = once("one_off")
