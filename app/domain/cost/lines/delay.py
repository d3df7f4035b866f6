"""What waiting for delivery costs: lost value, or rent until the machines are there."""

from app.domain.cost.line import once

LINE = once("delay")
