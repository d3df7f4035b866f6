"""Answers that contradict each other: refused where no plan could satisfy both, marked where people may have meant it."""

from collections.abc import Iterator

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.errors import InvalidInput, Param, message
from app.domain.intake.defaults import LIKELY_SAMPLES_TOLERANCE_RATIO
from app.domain.intake.gaps import Gaps
from app.domain.intake.needs import Contradiction, Requirements
from app.domain.units import HOURS_PER_YEAR, as_mb, as_tb, hours

CUDA_LIBRARIES = ("deepspeed", "apex", "flash-attn", "megatron", "bitsandbytes", "vllm", "accelerate", "torch")
RACK_TOLERANCE_RATIO = 1.25
ALIKE_COUNT = 4


def refuse_impossible(gaps: Gaps) -> None:
    """InvalidInput: a sample larger than all data, a rack current without a voltage that contradicts the power."""
    total, sample = gaps.number("data.total_tb"), gaps.number("data.sample_mb")
    if total is not None and sample is not None and sample > total:
        raise InvalidInput("data.sample_mb", "intake.sample_larger_than_total", sample_mb=as_mb(sample), total_tb=as_tb(total))
    if gaps.text("training.kind") == "pretrain" and gaps.text("training.method") in ("lora", "qlora4", "qlora8", "freeze"):
        raise InvalidInput("training.method", "intake.pretrain_is_full", method=gaps.text("training.method"))


def contradictions(needs: Requirements, gaps: Gaps, catalogue: Catalogue) -> tuple[Contradiction, ...]:
    """All pairs of answers that do not fit together but may stand."""
    return (
        *_unmodelled(needs, catalogue),
        *_data(gaps),
        *_lengths(needs),
        *_year(needs),
        *_software(needs),
        *_operations(needs, catalogue),
    )


def _found(field: str, code: str, **params: Param) -> Contradiction:
    return Contradiction(field=field, text=message(f"intake.doubt.{code}", **params))


def _unmodelled(needs: Requirements, catalogue: Catalogue) -> Iterator[Contradiction]:
    """A model of which too little is published to compute with: others of its task that can be planned with in its place."""
    model = needs.model
    if isinstance(model, OtherModel) and not model.is_computable:
        alike = [other.name for other in catalogue.other_models if other.task == model.task and other.is_computable]
        code = "unmodelled_alike" if alike else "unmodelled"
        yield _found("model.name", code, model=model.name, alike=", ".join(alike[:ALIKE_COUNT]))


def _data(gaps: Gaps) -> Iterator[Contradiction]:
    total, sample, count = gaps.number("data.total_tb"), gaps.number("data.sample_mb"), gaps.number("training.samples")
    if total and sample and count:
        factor = max(total / (sample * count), sample * count / total)
        if factor > LIKELY_SAMPLES_TOLERANCE_RATIO:
            yield _found(
                "data.total_tb", "volume", total_tb=as_tb(total), product_tb=as_tb(sample * count), samples=count, factor=round(factor, 1)
            )


def _lengths(needs: Requirements) -> Iterator[Contradiction]:
    longest = needs.model.max_context if isinstance(needs.model, LanguageModel) else None
    if not longest or not needs.model:
        return
    if needs.training and needs.training.seq_len > longest:
        yield _found("training.seq_len", "context", length=needs.training.seq_len, longest=longest, model=needs.model.name)
    if needs.inference and needs.inference.in_len + needs.inference.out_len > longest:
        total = needs.inference.in_len + needs.inference.out_len
        yield _found("inference.in_len", "context", length=total, longest=longest, model=needs.model.name)


def _year(needs: Requirements) -> Iterator[Contradiction]:
    if needs.training and needs.training.runs_per_year * needs.training.deadline_s > hours(HOURS_PER_YEAR):
        yield _found("training.runs_per_year", "year", runs=needs.training.runs_per_year, deadline_s=needs.training.deadline_s)
    if needs.inference and needs.inference.concurrency > 0:
        stay_s = needs.inference.ttft_s + (needs.inference.out_len - 1) * needs.inference.tpot_s
        fastest = needs.inference.concurrency / (needs.inference.ttft_s or stay_s)
        if needs.inference.qps > fastest:
            yield _found("inference.concurrency", "concurrency", qps=needs.inference.qps, concurrency=needs.inference.concurrency)


def _software(needs: Requirements) -> Iterator[Contradiction]:
    names = [library.casefold() for library in needs.software.libraries]
    wrong = [name for name in names if name.startswith(CUDA_LIBRARIES)]
    if wrong and needs.software.framework.casefold() not in ("pytorch", "torch"):
        yield _found("software.libraries", "library", library=wrong[0], framework=needs.software.framework)


def _operations(needs: Requirements, catalogue: Catalogue) -> Iterator[Contradiction]:
    asked = needs.operations
    if asked.rack_w and asked.rack_amps and asked.rack_volts:
        apparent = asked.rack_amps * asked.rack_volts
        if asked.rack_w > apparent * RACK_TOLERANCE_RATIO:
            yield _found("operations.rack_kw", "rack", rack_w=asked.rack_w, apparent_w=apparent)
    if asked.environment == "production":
        classes = {gpu.slug: gpu.market_class for gpu in catalogue.gpus}
        for slug in asked.servers:
            taken = {classes.get(gpu, "") for gpu in catalogue.server(slug).gpu_slugs}
            if taken == {"consumer"}:
                yield _found("operations.servers", "consumer_only", server=catalogue.server(slug).name)
