"""The five questions: what people answer, what is assumed where they do not know, and which answers contradict each other.

`fields` lists every question once (its contract path, its unit, its range); `numbers` reads what people type; `requirements` turns answers into
`Requirements`. An unknown answer becomes an `Assumption`, never silence; handbook §5.
"""

from app.domain.intake.needs import (
    Contradiction,
    DataNeeds,
    InferenceNeeds,
    OperationsNeeds,
    Requirements,
    SoftwareNeeds,
    TrainingNeeds,
)

__all__ = [
    "Contradiction",
    "DataNeeds",
    "InferenceNeeds",
    "OperationsNeeds",
    "Requirements",
    "SoftwareNeeds",
    "TrainingNeeds",
]
