"""Decision tables beside the estimator: which rows apply to the work, what they suggest, and in figures why the recommendation differs."""

from collections.abc import Iterator, Mapping, Sequence

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.models import LanguageModel
from app.domain.catalogue.policy import PolicyRow
from app.domain.errors import Message, Param, message
from app.domain.intake import Requirements
from app.domain.selection.elimination import Ruled
from app.domain.selection.plan import Candidate, Recommendation, TableAnswer

ADAPTERS = ("lora", "qlora4", "qlora8")


def table_answers(
    needs: Requirements, catalogue: Catalogue, candidates: Sequence[Candidate], recommended: Recommendation, fallen: Mapping[str, Ruled]
) -> tuple[TableAnswer, ...]:
    """One answer a row that applies. `fallen` says of GPUs without a candidate what came closest to ruling them in."""
    best = None if recommended.best is None else candidates[recommended.best]
    return tuple(_answer(row, catalogue, candidates, best, fallen) for row in catalogue.policy_rows if applies(row, needs))


def applies(row: PolicyRow, needs: Requirements) -> bool:
    """Whether every condition of the row holds."""
    return all(_conditions(row, needs))


def _conditions(row: PolicyRow, needs: Requirements) -> Iterator[bool]:
    training, serving, model = needs.training, needs.inference, needs.model
    asked = {"training": training is not None, "inference": serving is not None, "any": True}
    yield asked[row.work]
    yield row.environment in (None, needs.operations.environment)
    if row.stage is not None:
        yield training is not None and training.kind == row.stage
    if row.method is not None:
        yield training is not None and (training.method == "full" if row.method == "full" else training.method in ADAPTERS)
    if row.reads is not None:
        yield isinstance(model, LanguageModel) is (row.reads == "language")
    count = None if model is None else model.parameter_count
    if row.parameters_over_count is not None:
        yield count is not None and count > row.parameters_over_count
    if row.parameters_up_to_count is not None:
        yield count is not None and count <= row.parameters_up_to_count
    if row.seq_len_least_count is not None:
        longest = max(training.seq_len if training else 0, serving.in_len + serving.out_len if serving else 0)
        yield longest >= row.seq_len_least_count
    if row.requests_over_per_s is not None:
        yield serving is not None and serving.qps > row.requests_over_per_s
    if row.data_over_bytes is not None:
        yield needs.data.total_bytes is not None and needs.data.total_bytes > row.data_over_bytes


def _answer(
    row: PolicyRow, catalogue: Catalogue, candidates: Sequence[Candidate], best: Candidate | None, fallen: Mapping[str, Ruled]
) -> TableAnswer:
    said = ", ".join(catalogue.gpu(slug).name for slug in row.gpu_slugs)
    if best is not None and best.gpu.slug in row.gpu_slugs:
        least = row.gpu_least_count
        if least is None or best.gpu_count >= least:
            why = message("selection.table_agrees", said=said, count=best.gpu_count, gpu=best.gpu.name)
            return TableAnswer(row=row, agrees=True, why=why)
        return TableAnswer(
            row=row, agrees=False, why=message("selection.table_fewer", least=least, gpu=best.gpu.name, count=best.gpu_count)
        )
    return TableAnswer(row=row, agrees=False, why=_disagreement(row, said, catalogue, candidates, best, fallen))


def _disagreement(
    row: PolicyRow, said: str, catalogue: Catalogue, candidates: Sequence[Candidate], best: Candidate | None, fallen: Mapping[str, Ruled]
) -> Message:
    """What the estimator holds against the suggested GPUs: cost, what would be given up, or what ruled them out by least."""
    own = [candidate for candidate in candidates if candidate.gpu.slug in row.gpu_slugs]
    if own and best is not None:
        mine = min(own, key=lambda candidate: (not candidate.meets_need, candidate.tco.options[0].total.amount))
        parts: dict[str, Param] = {
            "said": said,
            "count": mine.gpu_count,
            "gpu": mine.gpu.name,
            "best_count": best.gpu_count,
            "best": best.gpu.name,
        }
        if mine.compromises:
            return message("selection.table_gives_up", **parts, what=mine.compromises[0])
        cost, least = (float(candidate.tco.options[0].total.amount) for candidate in (mine, best))
        return message("selection.table_dearer", **parts, currency=best.tco.scenario.currency.value, own_amount=cost, best_amount=least)
    ruled = sorted(((fallen[slug], slug) for slug in row.gpu_slugs if slug in fallen), key=lambda pair: (pair[0].short_ratio, pair[1]))
    if not ruled:
        return message("selection.table_silent", said=said)
    reason, slug = ruled[0]
    named: dict[str, Param] = {"said": said, "gpu": catalogue.gpu(slug).name}
    if reason.short_by is None:
        return message("selection.table_ruled_out", **named, reason=reason.reason)
    return message("selection.table_short", **named, reason=reason.reason, short=reason.short_by)
