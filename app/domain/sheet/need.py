"""What was asked for: stated values plain, assumed ones marked."""

from collections.abc import Iterator

from app.domain.errors import Message, message
from app.domain.intake import InferenceNeeds, TrainingNeeds
from app.domain.intake.summary import summary
from app.domain.selection import Plan
from app.domain.sheet.rows import row, said
from app.domain.sheet.types import Row, Value
from app.domain.units import as_tb


def need_rows(plan: Plan) -> tuple[Row, ...]:
    """The five answers as far as they bind the configuration."""
    needs = plan.requirements
    assumed = frozenset(assumption.field for assumption in (*needs.assumptions, *plan.assumptions))
    rows = [row("need", summary(needs))]
    if needs.model is not None:
        rows.append(row("model", needs.model.name, source=needs.model.source.title))
        if needs.model.parameter_count is not None:
            count = message("sheet.count", count_many=needs.model.parameter_count)
            rows.append(row("parameters", count, source=needs.model.source.title))
    if needs.training is not None:
        rows += _training(needs.training, assumed)
    if needs.inference is not None:
        rows += _inference(needs.inference, assumed)
    if needs.data.total_bytes is not None:
        rows.append(_answer("data_volume", terabytes(needs.data.total_bytes), "data.total_tb", assumed))
    environment = message(f"sheet.environment.{needs.operations.environment}")
    rows.append(_answer("environment", environment, "operations.environment", assumed))
    if needs.operations.budget is not None:
        rows.append(row("budget", said(needs.operations.budget)))
    if plan.bottleneck is not None:
        rows.append(row("bottleneck", plan.bottleneck.headline))
    return tuple(rows)


def terabytes(size_bytes: float) -> Message:
    """A volume as data are counted, in decimal terabytes."""
    return message("sheet.terabytes", value=as_tb(size_bytes))


def _training(training: TrainingNeeds, assumed: frozenset[str]) -> Iterator[Row]:
    yield _answer("method", message(f"intake.summary.{training.kind}.{training.method}"), "training.method", assumed)
    yield _answer("precision", training.precision, "training.precision", assumed)
    samples = message("sheet.count", count_many=training.sample_count * training.epochs)
    yield _answer("samples", samples, "training.samples", assumed)
    yield _answer("deadline", message("sheet.duration_value", value_s=training.deadline_s), "training.deadline_days", assumed)
    yield _answer("runs_per_year", message("sheet.plain", value=training.runs_per_year), "training.runs_per_year", assumed)


def _inference(inference: InferenceNeeds, assumed: frozenset[str]) -> Iterator[Row]:
    yield _answer("request_rate", message("sheet.per_second", value=inference.qps), "inference.qps", assumed)
    lengths = message("sheet.lengths_value", prompt=inference.in_len, answer=inference.out_len)
    yield _answer("lengths", lengths, "inference.in_len", assumed)
    yield _answer("ttft_target", message("sheet.duration_value", value_s=inference.ttft_s), "inference.ttft_ms", assumed)
    yield _answer("tpot_target", message("sheet.duration_value", value_s=inference.tpot_s), "inference.tpot_ms", assumed)
    yield _answer("concurrency", message("sheet.plain", value=inference.concurrency), "inference.concurrency", assumed)


def _answer(key: str, value: Value, field: str, assumed: frozenset[str]) -> Row:
    return row(key, value, note=message("sheet.assumed") if field in assumed else None)
