"""What the method models, and the refusal by name of what it does not (U5: a knob is never ignored)."""

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import InvalidInput
from app.domain.workload.settings import Method, Optimizer, Task, Workload

MODELLED_KINDS = ("decoder", "encoder")
REFUSED_OPTIMIZERS = (Optimizer.MUON,)
REFUSED_METHODS = (Method.FREEZE,)


def refuse(workload: Workload) -> None:
    """InvalidInput names the first setting that the formulas do not know."""
    model = workload.model
    if workload.task is Task.COLLECTIVE:
        if workload.gpu_count < 2:
            raise InvalidInput("n_gpus", "estimate.two_gpus")
        return
    if isinstance(model, OtherModel):
        raise InvalidInput("model.name", "estimate.not_modelled", knob=model.name)
    if model is None:
        raise InvalidInput("model", "estimate.no_model")
    if model.kind not in MODELLED_KINDS:
        raise InvalidInput("model.name", "estimate.not_modelled", knob=f"{model.name} ({model.kind})")
    train = workload.train
    if workload.task is Task.TRAIN and train is not None:
        if train.optimizer in REFUSED_OPTIMIZERS:
            raise InvalidInput("train.optimizer", "estimate.not_modelled", knob=train.optimizer.value)
        if train.method in REFUSED_METHODS:
            raise InvalidInput("train.method", "estimate.not_modelled", knob=train.method.value)
        if train.ep > 1 and not model.moe_expert_count:
            raise InvalidInput("train.ep", "estimate.no_experts", model=model.name)


def required_model(workload: Workload) -> LanguageModel:
    """The language model of a workload. InvalidInput: there is none, or it is of another kind."""
    if not isinstance(workload.model, LanguageModel):
        refuse(workload)
        raise InvalidInput("model", "estimate.no_model")
    return workload.model
