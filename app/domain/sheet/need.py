"""What was asked for."""

from app.domain.errors import message
from app.domain.estimate import Basis
from app.domain.intake.summary import summary
from app.domain.selection import Plan
from app.domain.sheet.rows import amount, row, said
from app.domain.sheet.types import Row


def need_rows(plan: Plan) -> tuple[Row, ...]:
    """The five answers as far as they bind the configuration."""
    needs = plan.requirements
    rows = [row("need", summary(needs))]
    if needs.model is not None:
        rows.append(row("model", needs.model.name, source=needs.model.source.title))
        if needs.model.parameter_count is not None:
            count = message("sheet.count", count_many=needs.model.parameter_count)
            rows.append(row("parameters", count, source=needs.model.source.title))
    if needs.training is not None:
        training = needs.training
        rows += [
            row("method", message(f"intake.summary.{training.kind}.{training.method}")),
            row("precision", training.precision),
            row("samples", message("sheet.count", count_many=training.sample_count * training.epochs)),
            row("deadline", amount(training.deadline_s, "s", Basis.ASSUMED)),
            row("runs_per_year", amount(training.runs_per_year, "", Basis.ASSUMED)),
        ]
    if needs.inference is not None:
        inference = needs.inference
        rows += [
            row("request_rate", amount(inference.qps, "requests/s", Basis.ASSUMED)),
            row("lengths", message("sheet.lengths_value", prompt=inference.in_len, answer=inference.out_len)),
            row("ttft_target", amount(inference.ttft_s, "s", Basis.ASSUMED)),
            row("tpot_target", amount(inference.tpot_s, "s", Basis.ASSUMED)),
            row("concurrency", amount(inference.concurrency, "", Basis.ASSUMED)),
        ]
    if needs.data.total_bytes is not None:
        rows.append(row("data_volume", amount(needs.data.total_bytes, "bytes_decimal", Basis.ASSUMED)))
    rows.append(row("environment", message(f"sheet.environment.{needs.operations.environment}")))
    if needs.operations.budget is not None:
        rows.append(row("budget", said(needs.operations.budget)))
    if plan.bottleneck is not None:
        rows.append(row("bottleneck", plan.bottleneck.headline))
    return tuple(rows)
