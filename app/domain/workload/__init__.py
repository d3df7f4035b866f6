"""What is to be run: models from a library, a `config.json` or a bare parameter count, and the settings of training, serving and collectives."""

from app.domain.workload.parameters import Parameters, active_parameters, counted_parameters, parameters
from app.domain.workload.settings import (
    CollectiveSettings,
    InferSettings,
    Knob,
    LinkKind,
    Method,
    Offload,
    Optimizer,
    Recomputation,
    Sharding,
    Task,
    TrainPrecision,
    TrainSettings,
    Workload,
)

__all__ = [
    "CollectiveSettings",
    "InferSettings",
    "Knob",
    "LinkKind",
    "Method",
    "Offload",
    "Optimizer",
    "Parameters",
    "Recomputation",
    "Sharding",
    "Task",
    "TrainPrecision",
    "TrainSettings",
    "Workload",
    "active_parameters",
    "counted_parameters",
    "parameters",
]
