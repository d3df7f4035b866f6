"""A plan as the contract's JSON."""

from collections.abc import Sequence
from typing import Any

from app.domain.errors import Message
from app.domain.selection import Candidate, Eliminated, Plan
from app.domain.selection.plan import TableAnswer
from app.domain.units import as_hours, as_kw
from app.text.catalogues import DEFAULT_LOCALE
from app.text.render import render
from app.wire.derivations import assumption_json
from app.wire.estimate import estimate_json, finding_json
from app.wire.tco import tco_json


def plan_json(plan: Plan, locale: str = DEFAULT_LOCALE) -> dict[str, Any]:
    """Everything that the plan says, sentences in `locale`."""
    return {
        "catalogue_revision": plan.catalogue_revision,
        "policy_revision": plan.policy_revision,
        "searched": plan.searched,
        "layouts_tried": plan.layouts_tried,
        "eliminated": [_eliminated(entry, locale) for entry in plan.eliminated],
        "candidates": [_candidate(candidate, locale) for candidate in plan.candidates],
        "recommended": {"best": plan.recommended.best, "cheaper": plan.recommended.cheaper, "safer": plan.recommended.safer},
        "assumptions": [assumption_json(assumption, locale) for assumption in plan.assumptions],
        "bottleneck": plan.bottleneck.verdict if plan.bottleneck else None,
        "advice": [render(text, locale) for text in plan.advice],
        "decision_tables": [_table(answer, locale) for answer in plan.tables],
    }


def candidates_json(candidates: Sequence[Candidate], locale: str = DEFAULT_LOCALE) -> dict[str, Any]:
    """Some candidates of a plan, as it says them."""
    return {"candidates": [_candidate(candidate, locale) for candidate in candidates]}


def _eliminated(entry: Eliminated, locale: str) -> dict[str, Any]:
    return {
        "rule": entry.rule,
        "reason": render(entry.reason, locale),
        "count": entry.count,
        "example": {"gpu": entry.gpu, "server": entry.server},
        "short_by": _text(entry.short_by, locale),
    }


def _table(answer: TableAnswer, locale: str) -> dict[str, Any]:
    row = answer.row
    return {
        "row": row.key,
        "document": row.decision_table,
        "scene": row.scene_zh if locale.startswith("zh") else row.scene,
        "suggestion": row.suggestion_zh if locale.startswith("zh") else row.suggestion,
        "gpus": list(row.gpu_slugs),
        "agrees": answer.agrees,
        "why": render(answer.why, locale),
    }


def _racks(candidate: Candidate) -> dict[str, Any] | None:
    racks = candidate.racks
    if racks is None:
        return None
    return {
        "count": racks.count,
        "nodes_per_rack": racks.nodes_per_rack,
        "rack_kw": as_kw(racks.limit_w),
        "rack_kw_assumed": racks.is_limit_assumed,
        "node_peak_kw": as_kw(racks.node_peak_w),
        "peak_kw": as_kw(racks.node_peak_w * candidate.node_count),
        "cooling": candidate.server.cooling,
    }


def _candidate(candidate: Candidate, locale: str) -> dict[str, Any]:
    layout = candidate.layout
    return {
        "gpu": candidate.gpu.slug,
        "n_gpus": candidate.gpu_count,
        "server": candidate.server.slug,
        "nodes": candidate.node_count,
        "layout": {
            "dp": layout.dp,
            "tp": layout.tp,
            "pp": layout.pp,
            "sharding": layout.sharding,
            "micro_batch": layout.micro_batch,
            "act_ckpt": layout.act_ckpt,
        },
        "racks": _racks(candidate),
        "hours": _hours(candidate),
        "compromises": [render(text, locale) for text in candidate.compromises],
        "estimate": estimate_json(candidate.estimate, locale),
        "tco": tco_json(candidate.tco, locale),
        "findings": [finding_json(finding, locale) for finding in candidate.findings],
        "scores": {role.value: round(score, 1) for role, score in candidate.scores.items()},
    }


def _hours(candidate: Candidate) -> dict[str, float] | None:
    """One run of the work, the storage's own time included."""
    run = candidate.duration_s
    return None if run is None else {"low": as_hours(run.low), "typical": as_hours(run.typical), "high": as_hours(run.high)}


def _text(text: Message | None, locale: str) -> str | None:
    return render(text, locale) if text is not None else None
