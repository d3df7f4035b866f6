"""nccl-tests (and rccl-tests): bus bandwidth by message size, old and new tables, with log lines of NCCL between the rows.

Bus bandwidth is algorithm bandwidth × 2(n − 1)/n for all-reduce, × (n − 1)/n for all-gather, reduce-scatter and all-to-all (nccl-tests,
PERFORMANCE.md); it is what the tool prints, in GB/s of 10⁹ bytes."""

import re

from app.domain.telemetry.profile import Result

ROW_LIMIT = 2000
_PREFIX = re.compile(r"^\s*(?:\[\d+,\d+\]<std(?:out|err)>:)?\s*")
_OPERATION = re.compile(r"\b(all_reduce|all_gather|reduce_scatter|alltoall|broadcast|reduce|sendrecv|gather|scatter|hypercube)_perf\b")
_RANK = re.compile(r"#\s*Rank\s+(\d+)\s+(?:Group\s+\d+\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device\s+\d+\s+\[[^\]]*\]\s+(.+?)\s*$")
_HEADER = re.compile(r"#?\s*size\s+count\b.*\bbusbw\b")
_AVERAGE = re.compile(r"#\s*Avg bus bandwidth\s*:\s*([\d.]+)")
_WRONG = re.compile(r"#\s*Out of bounds values\s*:\s*(\d+)\s+(OK|FAILED)")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
TRAILING = 8  # time, algbw, busbw and errors, out of place and in place


def read(text: str) -> tuple[Result, ...]:
    """A result for each table. A table of one rank measures nothing and is left out."""
    found: list[Result] = []
    rows: list[dict[str, float]] = []
    operation, ranks, hosts, gpus, has_header = "", 0, set[str](), list[str](), False
    facts: dict[str, float | str | int] = {}

    def close() -> None:
        if rows and ranks != 1:
            best = max(row["busbw_gbps"] for row in rows)
            last = max(rows, key=lambda row: row["size_bytes"])
            found.append(
                Result(
                    kind="collective",
                    facts={
                        "operation": operation,
                        "ranks": ranks,
                        "hosts": len(hosts),
                        "gpu": ", ".join(dict.fromkeys(gpus)),
                        "best_busbw_gbps": best,
                        "largest_size_bytes": last["size_bytes"],
                        "largest_busbw_gbps": last["busbw_gbps"],
                        **facts,
                    },
                    rows=tuple(rows),
                )
            )
        rows.clear()
        facts.clear()

    for raw in text.split("\n"):
        line = _PREFIX.sub("", raw, count=1)
        if (named := _OPERATION.search(line)) is not None and not rows:
            operation = named[1]
        if (rank := _RANK.match(line)) is not None:
            if int(rank[1]) == 0:
                close()
                ranks, hosts, gpus, has_header = 0, set(), [], False
            ranks = max(ranks, int(rank[1]) + 1)
            hosts.add(rank[2])
            gpus.append(rank[3])
        elif _HEADER.match(line):
            if rows:
                close()
            has_header = True
        elif (average := _AVERAGE.search(line)) is not None:
            facts["average_busbw_gbps"] = float(average[1])
            close()
        elif (wrong := _WRONG.search(line)) is not None:
            facts["out_of_bounds"] = int(wrong[1])
        elif has_header and len(rows) < ROW_LIMIT and (row := _row(line)) is not None:
            rows.append(row)
    close()
    return tuple(found)


def _row(line: str) -> dict[str, float] | None:
    """Size first; time, algorithm and bus bandwidth out of place stand eight cells before the end."""
    cells = line.split()
    if len(cells) < TRAILING + 3 or not cells[0].isdigit() or len(cells[0]) > 15 or not cells[1].isdigit():
        return None
    time, algorithm, bus = cells[-TRAILING], cells[-TRAILING + 1], cells[-TRAILING + 2]
    if not all(_NUMBER.fullmatch(cell) for cell in (time, algorithm, bus)):
        return None
    return {"size_bytes": float(cells[0]), "time_us": float(time), "algbw_gbps": float(algorithm), "busbw_gbps": float(bus)}
