"""How wrong the method is: `python -m tests.accuracy.report` prints the tables, `--write` puts them into docs/accuracy.md."""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import mean, median

from app.domain.capacity.physics import METHOD_REVISION
from app.domain.errors import DomainError
from tests.accuracy import expected
from tests.accuracy.left_out import left_out
from tests.accuracy.peers import PEERS, Said, peers
from tests.accuracy.published import Comparison, answer, compared, corrections, excluded, explanations, rows

DOCUMENT = Path(__file__).parents[2] / "docs" / "accuracy.md"
WORST = 20
SCALED = {"tokens_per_s_per_gpu": False, "hw_tflops_per_gpu": False, "samples_per_s": True}  # speeds, and whether of all GPUs together
SAME_RUN = (
    *(
        "source",
        "metric",
        "model",
        "params_b",
        "gpu_slug",
        "method",
        "precision",
        "compute_precision",
        "optimizer",
        "sharding",
        "tp",
        "pp",
        "cp",
    ),
    *("seq_len", "act_ckpt", "flash_attn", "knobs", "link"),
)
QUANTITIES = {
    "peak_gib_per_gpu": "Peak memory of a training step, GiB a GPU",
    "model_states_gib_per_gpu": "Weights, gradients and optimizer states, GiB a GPU",
    "activations_gib_per_gpu": "Activations, GiB a GPU",
    "tokens_per_s_per_gpu": "Training speed, tokens a second and GPU",
    "samples_per_s": "Training speed, samples a second",
    "step_time_s": "Training step, seconds",
    "hw_tflops_per_gpu": "Training, TFLOPS a GPU with recomputation",
    "mfu": "Training, share of the peak",
    "gpu_hours": "Whole runs, GPU-hours",
    "decode_tok_s_total": "Serving, tokens a second",
    "prefill_tok_s": "Serving, prompt tokens a second",
    "req_s": "Serving, requests a second",
    "ttft_ms": "Serving, time to the first token, ms",
    "kv_cache_tokens": "Serving, tokens that the cache holds",
    "busbw_gbps": "Collectives, bus bandwidth, GB/s",
}
HEAD = f"""# How wrong estimates are

Written by `make accuracy` from `tests/accuracy/published.csv`: every published measurement with a full configuration that we found, our misses included.
Method {METHOD_REVISION}.

- The error of a source is the median over its rows; the **headline** is the mean over sources, so that no source with many rows decides it.
- *Inside* is the share of measurements within our range from low to high, which is meant to hold four of five.
- **No constant is fitted to a source.** They come from documentation and papers, but several were settled, within what those leave open, while
  looking at these rows (`app/domain/capacity/physics.py` says which). *Left out* is therefore measured: for each source those constants are
  settled again on all other sources (`tests/accuracy/left_out.py`), and the error on the source that had no say is counted. Shares of the peak
  by generation move together there, as one factor. A dash: nothing was settled, or there is one source only.
- Runs with the same settings differ up to 2.35 times between sources, through what nobody states. That part stays in the range.
"""


def document() -> str:
    """The tables as Markdown."""
    made = compared(is_watched=False)
    asked = Counter(row["metric"] for row in rows())
    groups = _grouped(made)
    alone = {metric: left_out(metric, {name: [one.row for one in group] for name, group in groups[metric].items()}) for metric in groups}
    parts = [HEAD, _headlines(groups, alone, asked), _fits(), _scaling(made), _peers(groups)]
    parts += [_sources(metric, groups[metric], alone[metric]) for metric in QUANTITIES if metric in groups]
    return "\n".join((*parts, _worst(made), _corrected()))


def _grouped(made: Iterable[Comparison]) -> dict[str, dict[str, list[Comparison]]]:
    groups: dict[str, dict[str, list[Comparison]]] = defaultdict(lambda: defaultdict(list))
    for one in made:
        groups[one.row["metric"]][one.row["source"]].append(one)
    return groups


def _error(group: Iterable[Comparison]) -> float:
    return median(abs(one.error) for one in group)


def _inside(group: Iterable[Comparison]) -> str:
    """Share of measurements within our range; a dash where the figure has none."""
    ranged = [one.is_inside for one in group if one.low < one.high]
    return f"{mean(ranged):.0%}" if ranged else "–"


def _headlines(
    groups: Mapping[str, Mapping[str, list[Comparison]]], alone: Mapping[str, Mapping[str, float]], asked: Mapping[str, int]
) -> str:
    lines = [
        "## Headlines",
        "",
        "| quantity | sources | rows answered | headline | left out | median of all rows | inside |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for metric, name in QUANTITIES.items():
        sources = groups.get(metric, {})
        every = [one for group in sources.values() for one in group]
        if every:
            headline, inside = mean(_error(group) for group in sources.values()), _inside(every)
            answered = f"{len(every)} of {asked[metric]}"
            lines.append(
                f"| {name} | {len(sources)} | {answered} | **{headline:.0%}** | {_mean(alone[metric])} | {_error(every):.0%} | {inside} |"
            )
    return "\n".join((*lines, ""))


def _mean(errors: Mapping[str, float]) -> str:
    return f"{mean(errors.values()):.0%}" if errors else "–"


def _peers(groups: Mapping[str, Mapping[str, list[Comparison]]]) -> str:
    """Other calculators and we on the rows that each of them answers."""
    lines = [
        "## Other calculators on the same rows",
        "",
        "What each said when it was asked the rows (`tests/accuracy/peers.csv`), its limits included. Ours is over the same rows.",
        "",
        "| quantity | calculator | rows answered | theirs | ours |",
        "|---|---|--:|--:|--:|",
    ]
    said: dict[tuple[str, str], Said] = peers()
    for metric, name in QUANTITIES.items():
        sources = groups.get(metric, {})
        count = sum(len(group) for group in sources.values())
        for peer, link in PEERS.items():
            both = {
                source: found
                for source, group in sources.items()
                if (found := [(one, said[peer, one.row["id"]]) for one in group if (peer, one.row["id"]) in said])
            }
            if both:
                theirs = mean(median(abs(other.value / one.measured - 1) for one, other in pairs) for pairs in both.values())
                ours = mean(_error(one for one, _ in pairs) for pairs in both.values())
                answered = sum(len(pairs) for pairs in both.values())
                lines.append(f"| {name} | [{peer}]({link}) | {answered} of {count} | {theirs:.0%} | **{ours:.0%}** |")
    return "\n".join((*lines, ""))


def _fits() -> str:
    """Runs of which is known whether they ran out of memory."""
    found: Counter[tuple[bool, str]] = Counter()
    for row in rows():
        if row["metric"] == "fits":
            try:
                memory = answer(row).memory
            except DomainError:
                continue
            found[bool(float(row["value"])), str(memory.fits) if memory else ""] += 1
    lines = ["## Does it fit", "", "| measured | we said yes | tight | no |", "|---|--:|--:|--:|"]
    for outcome, name in ((True, "ran"), (False, "ran out of memory")):
        lines.append(f"| {name} | {found[outcome, 'yes']} | {found[outcome, 'tight']} | {found[outcome, 'no']} |")
    return "\n".join((*lines, ""))


def _sources(metric: str, sources: Mapping[str, list[Comparison]], alone: Mapping[str, float]) -> str:
    lines = [f"## {QUANTITIES[metric]}", "", "| source | rows | median error | left out | bias | inside |", "|---|--:|--:|--:|--:|--:|"]
    for source, group in sorted(sources.items()):
        bias, inside = median(one.error for one in group), _inside(group)
        without = f"{alone[source]:.0%}" if source in alone else "–"
        lines.append(f"| [{source}]({group[0].row['url']}) | {len(group)} | {_error(group):.0%} | {without} | {bias:+.0%} | {inside} |")
    return "\n".join((*lines, ""))


def worst(made: Iterable[Comparison]) -> list[Comparison]:
    """The rows furthest from the measurement, as a factor."""
    return sorted((one for one in made if one.said > 0), key=lambda one: -max(one.said / one.measured, one.measured / one.said))[:WORST]


def scaled(made: Iterable[Comparison]) -> dict[str, list[tuple[Comparison, float, float]]]:
    """By source: a run on more GPUs with its speed a GPU over that of the same run on the fewest, measured and as we say it."""
    runs: dict[tuple[str, ...], list[Comparison]] = defaultdict(list)
    for one in made:
        if one.row["metric"] in SCALED:
            runs[tuple(one.row[name] for name in SAME_RUN)].append(one)
    found: dict[str, list[tuple[Comparison, float, float]]] = defaultdict(list)
    for group in runs.values():
        first, *others = sorted(group, key=lambda one: int(one.row["n_gpus"]))
        for one in others:
            gpus = int(one.row["n_gpus"]) / int(first.row["n_gpus"])
            if gpus > 1:
                share = gpus if SCALED[one.row["metric"]] else 1.0
                found[one.row["source"]].append((one, one.measured / first.measured / share, one.said / first.said / share))
    return found


def _scaling(made: Iterable[Comparison]) -> str:
    """What more GPUs lose, whatever the speed itself is wrong by."""
    lines = [
        "## Scaling efficiency",
        "",
        "Speed a GPU over that of the same run on the fewest GPUs, where a source measured both. Batches may differ as in the source.",
        "",
        "| source | pairs | measured, median | ours, median | median error |",
        "|---|--:|--:|--:|--:|",
    ]
    errors = []
    for source, pairs in sorted(scaled(made).items()):
        errors.append(median(abs(said / measured - 1) for _, measured, said in pairs))
        shares = (median(measured for _, measured, _ in pairs), median(said for _, _, said in pairs))
        lines.append(f"| {source} | {len(pairs)} | {shares[0]:.0%} | {shares[1]:.0%} | {errors[-1]:.0%} |")
    return "\n".join((*lines, f"| **headline** | | | | **{mean(errors):.0%}** |", ""))


def _corrected() -> str:
    """Where our transcription differs from the collected one, and rows left out of the tables."""
    lines = ["## Rows read otherwise than collected", "", "| rows | field | read as | evidence |", "|---|---|---|---|"]
    grouped: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for one in corrections():
        grouped[one["field"], one["value"], one["evidence"]].append(one["id"])
    lines += [
        f"| {', '.join(ids)} | {field} | {value.replace('|', ', ') or '–'} | {evidence} |"
        for (field, value, evidence), ids in sorted(grouped.items())
    ]
    lines += ["", f"Left out of the tables by this: {', '.join(row['id'] for row in excluded())}."]
    return "\n".join((*lines, ""))


def _worst(made: Iterable[Comparison]) -> str:
    lines = [f"## The {WORST} worst rows", "", "| row | source | what | measured | ours | why |", "|---|---|---|--:|--:|---|"]
    why = explanations()
    for one in worst(made):
        row = one.row
        what = f"{row['model'] or row['collective']}, {row['n_gpus']} × {row['gpu_slug']}, {row['metric']}"
        lines.append(f"| {row['id']} | {row['source']} | {what} | {one.measured:.4g} | {one.said:.4g} | {why.get(row['id'], '')} |")
    return "\n".join((*lines, ""))


if __name__ == "__main__":
    text = document()
    if "--write" in sys.argv[1:]:
        DOCUMENT.write_text(text, encoding="utf-8")
        expected.write(_grouped(compared(is_watched=False)), METHOD_REVISION)
    sys.stdout.write(text)
