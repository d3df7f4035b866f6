"""What the method models, and the refusal by name of what it does not (U5: a knob is never ignored)."""

from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import InvalidInput
from app.domain.workload.settings import Knob, Method, Offload, Optimizer, Recomputation, Task, Workload

MODELLED_KINDS = ("decoder", "encoder")
REFUSED_OPTIMIZERS = (Optimizer.MUON,)  # of samples: convolutions have no agreed matrix shape
SAMPLE_SETTINGS = {  # what a run over samples must be
    "method": Method.FULL,
    "tp": 1,
    "pp": 1,
    "cp": 1,
    "ep": 1,
    "offload": Offload.NONE,
    "act_ckpt": Recomputation.NONE,
}
SAMPLE_KNOBS = (Knob.COMPILE, Knob.FP32_GRADIENTS)


def refuse(workload: Workload) -> None:
    """InvalidInput names the first setting that the formulas do not know."""
    model = workload.model
    if workload.task is Task.COLLECTIVE:
        if workload.gpu_count < 2:
            raise InvalidInput("n_gpus", "estimate.two_gpus")
        return
    if isinstance(model, OtherModel):
        _refuse_of_samples(workload)
        return
    if model is None:
        raise InvalidInput("model", "estimate.no_model")
    if model.kind not in MODELLED_KINDS:
        raise InvalidInput("model.name", "estimate.not_modelled", knob=f"{model.name} ({model.kind})")
    train = workload.train
    if workload.task is Task.TRAIN and train is not None:
        if train.image_size is not None:
            raise InvalidInput("train.image_size", "estimate.not_modelled", knob=f"image_size ({model.name})")
        if train.ep > 1 and not model.moe_expert_count:
            raise InvalidInput("train.ep", "estimate.no_experts", model=model.name)


def _refuse_of_samples(workload: Workload) -> None:
    """Models known by their samples are trained and served whole on every GPU."""
    train, infer = workload.train, workload.infer
    if workload.task is Task.TRAIN and train is not None:
        for name, usual in SAMPLE_SETTINGS.items():
            if getattr(train, name) != usual:
                raise InvalidInput(f"train.{name}", "estimate.not_modelled", knob=f"{name} = {getattr(train, name)}")
        if train.optimizer in REFUSED_OPTIMIZERS:
            raise InvalidInput("train.optimizer", "estimate.not_modelled", knob=train.optimizer.value)
        for knob in train.knobs:
            if knob not in SAMPLE_KNOBS:
                raise InvalidInput("train.knobs", "estimate.not_modelled", knob=knob.value)
    if workload.task is Task.INFER and infer is not None:
        for name in ("tp", "pp"):
            if getattr(infer, name) > 1:
                raise InvalidInput(f"infer.{name}", "estimate.not_modelled", knob=f"{name} = {getattr(infer, name)}")
        if "torch" not in infer.engine.casefold():
            raise InvalidInput("infer.engine", "estimate.not_modelled", knob=infer.engine)


def required_model(workload: Workload) -> LanguageModel:
    """The language model of a workload. InvalidInput: there is none, or it is of another kind."""
    if not isinstance(workload.model, LanguageModel):
        refuse(workload)
        raise InvalidInput("model", "estimate.no_model")
    return workload.model
