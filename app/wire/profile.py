"""The contract's profile: what a log says and what follows from it, as JSON."""

from collections.abc import Mapping
from typing import Any

from app.domain.diagnosis import Diagnosis
from app.domain.telemetry import Distribution, Profile
from app.text.render import render

DIGITS = 6  # significant; more is noise of the arithmetic


def profile_json(profile: Profile, diagnoses: tuple[Diagnosis, ...], locale: str = "en") -> dict[str, Any]:
    """The profile with its texts in a language. Keys beyond the contract's: verdict, steady, unreported, dropped values, remarks."""
    summary = profile.summary
    return {
        "format": summary.format,
        "verdict": verdict_json(diagnoses, locale),
        "started_at": None if summary.started_at is None else summary.started_at.isoformat(),
        "duration_s": _number(summary.duration_s),
        "interval_s": _number(summary.interval_s),
        "interval_assumed": summary.interval_is_assumed,
        "samples": summary.samples,
        "logs": profile.log_count,
        "skipped_count": profile.skipped_count,
        "skipped_lines": [{"line": one.line, "reason": render(one.reason, locale)} for one in profile.skipped],
        "dropped_count": profile.dropped_count,
        "dropped_values": [
            {"line": one.line, "gpu": one.gpu, "metric": one.metric, "value": _number(one.value), "reason": render(one.reason, locale)}
            for one in profile.dropped
        ],
        "remarks": [render(remark, locale) for remark in profile.remarks],
        "unreported_metrics": list(profile.unreported),
        "steady_s": _number(summary.steady_s),
        "gpus": [
            {"index": gpu.index, "name": gpu.name, "metrics": _metrics(gpu.metrics), "steady_metrics": _metrics(gpu.steady)}
            for gpu in summary.gpus
        ],
        "phases": [{"name": phase.name.value, "from_s": _number(phase.from_s), "to_s": _number(phase.to_s)} for phase in profile.phases],
        "diagnosis": [diagnosis_json(diagnosis, locale) for diagnosis in diagnoses],
        "results": [
            {"kind": one.kind, **one.facts, **({"rows": [dict(row) for row in one.rows]} if one.rows else {})} for one in profile.results
        ],
    }


def diagnosis_json(diagnosis: Diagnosis, locale: str) -> dict[str, Any]:
    """One verdict; the evidence is one text, in the order in which it was found."""
    return {
        "rule": diagnosis.rule,
        "verdict": diagnosis.verdict.value,
        "confidence": diagnosis.confidence.word,
        "gpus": list(diagnosis.gpus),
        "headline": render(diagnosis.headline, locale),
        "evidence": " ".join(render(fact, locale) for fact in diagnosis.evidence),
        "advice": render(diagnosis.advice, locale),
        "command": diagnosis.command,
    }


def verdict_json(diagnoses: tuple[Diagnosis, ...], locale: str) -> dict[str, str]:
    """The first verdict, in one sentence."""
    first = diagnoses[0]
    return {"verdict": first.verdict.value, "confidence": first.confidence.word, "text": render(first.headline, locale)}


def series_json(profile: Profile) -> dict[str, Any]:
    """The time series: minimum, mean and maximum by bucket of `bucket_s` seconds, only buckets that have samples."""
    return {
        "bucket_s": _number(profile.bucket_s),
        "series": [
            {
                "gpu": one.gpu,
                "metric": one.metric,
                "from_s": [_number(bucket * profile.bucket_s) for bucket in one.bucket],
                "min": [_number(value) for value in one.minimum],
                "mean": [_number(value) for value in one.mean],
                "max": [_number(value) for value in one.maximum],
                "n": list(one.n),
            }
            for one in profile.series
        ],
    }


def _metrics(metrics: Mapping[str, Distribution]) -> dict[str, dict[str, float | int]]:
    return {
        name: {
            "p05": _number(one.p05),
            "p50": _number(one.p50),
            "p95": _number(one.p95),
            "mean": _number(one.mean),
            "max": _number(one.max),
            "n": one.n,
        }
        for name, one in metrics.items()
    }


def _number(value: float) -> float | int:
    """Whole numbers without a decimal point, others to six digits."""
    return int(value) if value == int(value) else float(f"{value:.{DIGITS}g}")
