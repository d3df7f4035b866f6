"""The configuration sheet: what purchasing orders, operations accepts and finance pays, with everything it rests on.

`SheetOrder` says what it is made from, `build_sheet` makes it, `ConfigurationSheet` is the result: messages, values and steps without words,
so that an issued sheet can be printed in any language and made again from the same inputs and revisions.
"""

from app.domain.sheet.build import build_sheet, decision
from app.domain.sheet.order import SheetOrder
from app.domain.sheet.types import (
    AssumptionRow,
    BillLine,
    ConfigurationSheet,
    CostCell,
    CostColumn,
    CostFigures,
    CostRow,
    CostSection,
    Criterion,
    EliminatedRow,
    Quantity,
    Revisions,
    RiskRow,
    Row,
    SourceRow,
    Value,
)

__all__ = [
    "AssumptionRow",
    "BillLine",
    "ConfigurationSheet",
    "CostCell",
    "CostColumn",
    "CostFigures",
    "CostRow",
    "CostSection",
    "Criterion",
    "EliminatedRow",
    "Quantity",
    "Revisions",
    "RiskRow",
    "Row",
    "SheetOrder",
    "SourceRow",
    "Value",
    "build_sheet",
    "decision",
]
