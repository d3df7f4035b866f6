"""Requirements as workloads for the estimator: the same need on any number of GPUs in any layout."""

from math import ceil

from app.domain.catalogue.models import LanguageModel
from app.domain.intake.needs import Requirements
from app.domain.workload.settings import InferSettings, Method, Recomputation, Sharding, Task, TrainPrecision, TrainSettings, Workload

GLOBAL_BATCH = 256  # sequences an optimizer step sees, unless more GPUs than that need work; the intake does not ask


def global_batch(micro_batch: int, data_parallel: int) -> int:
    """The multiple of what all ranks read at once that comes closest to `GLOBAL_BATCH`."""
    at_once = micro_batch * data_parallel
    return max(1, round(GLOBAL_BATCH / at_once)) * at_once


def training_workload(
    needs: Requirements,
    *,
    gpu: str,
    gpu_count: int,
    node_count: int = 1,
    sharding: Sharding,
    micro_batch: int = 1,
    act_ckpt: Recomputation = Recomputation.FULL,
    tp: int = 1,
    pp: int = 1,
    ep: int = 1,
) -> Workload:
    """One training run of the project. The run sees samples × epochs; for text, each of `seq_len` tokens."""
    asked = needs.training
    if asked is None:
        raise ValueError("no training asked for")
    seen = asked.sample_count * asked.epochs
    reads_text = isinstance(needs.model, LanguageModel)
    train = TrainSettings(
        method=Method(asked.method),
        precision=TrainPrecision(asked.precision),
        sharding=sharding,
        tp=tp,
        pp=pp,
        ep=ep,
        seq_len=asked.seq_len,
        micro_batch=micro_batch,
        global_batch=global_batch(micro_batch, max(1, gpu_count // (tp * pp))),
        act_ckpt=act_ckpt,
        train_tokens=seen * asked.seq_len if reads_text else None,
        train_samples=None if reads_text else seen,
    )
    return Workload(model=needs.model, task=Task.TRAIN, train=train, gpu=gpu, gpu_count=gpu_count, node_count=node_count)


def serving_workload(needs: Requirements, *, gpu: str, gpu_count: int, node_count: int = 1, tp: int = 1, pp: int = 1) -> Workload:
    """The service at its busiest: as many sequences at a time as were asked for."""
    asked = needs.inference
    if asked is None:
        raise ValueError("no serving asked for")
    is_language = isinstance(needs.model, LanguageModel)  # anything else is served by its own framework, whole on each GPU
    infer = InferSettings(
        engine="vllm" if is_language else "pytorch",
        weight_precision=asked.weight_precision,
        tp=tp,
        pp=pp,
        in_len=asked.in_len,
        out_len=asked.out_len,
        concurrency=ceil(asked.concurrency),
    )
    return Workload(model=needs.model, task=Task.INFER, infer=infer, gpu=gpu, gpu_count=gpu_count, node_count=node_count)
