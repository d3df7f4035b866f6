"""Texts that hold results instead of a time series, and what follows from them."""

from contextlib import suppress
from random import Random

import pytest

from app.domain.diagnosis import Verdict, diagnose
from app.domain.telemetry import Profile, Rejected, read

NCCL = """# nccl-tests version 2.17 nccl-headers=22902
# Collective test starting: all_reduce_perf
#  Rank  0 Group  0 Pid 1 on  node0 device  0 [0000:06:00] NVIDIA H100
#  Rank  1 Group  0 Pid 1 on  node0 device  1 [0000:26:00] NVIDIA H100
#  Rank  2 Group  0 Pid 1 on  node1 device  0 [0000:06:00] NVIDIA H100
#  Rank  3 Group  0 Pid 1 on  node1 device  1 [0000:26:00] NVIDIA H100
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    20.67   50.73   76.10      0    20.24   51.79   77.69      0
node0:1:1 [0] NCCL INFO Channel 00/08 :    0   1   2   3
   134217728      33554432     float     sum      -1    621.4  215.99  323.99      0    619.9  216.51  324.76      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 200.0
#
"""
OLD_GATHER = """#   Rank  0 Pid 1 on localhost device  0 [0x00] A100-SXM4-40GB
#   Rank  1 Pid 1 on localhost device  1 [0x00] A100-SXM4-40GB
# all_gather_perf
#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error
     8388608       2097152   float    66.44  126.26  110.50  0e+00    65.35  128.36  112.30  0e+00
"""
WORDINGS = {
    "1.0": "RuntimeError: CUDA out of memory. Tried to allocate 12.50 MiB (GPU 0; 10.92 GiB total capacity; 8.57 MiB already allocated; 9.28 GiB free; 4.68 MiB cached)",
    "1.4": "CUDA out of memory. Tried to allocate 262.00 MiB (GPU 3; 10.76 GiB total capacity; 9.98 GiB already allocated; 121.12 MiB free; 10.03 GiB reserved in total by PyTorch)",
    "2.0": "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 22.78 GiB. GPU 0 has a total capacty of 31.47 GiB of which 12.73 GiB is free. Including non-PyTorch memory, this process has 18.73 GiB memory in use. Of the allocated memory 9.08 GiB is allocated by PyTorch, and 9.35 GiB is reserved by PyTorch but unallocated.",
    "2.2": "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1002.00 MiB. GPU 1 has a total capacity of 8.00 GiB of which 0 bytes is free. Of the allocated memory 7.50 GiB is allocated by PyTorch, and 129.48 MiB is reserved by PyTorch but unallocated.",
    "hip": "HIP out of memory. Tried to allocate 2.00 GiB (GPU 0; 63.98 GiB total capacity; 61.00 GiB already allocated; 1.00 GiB free; 62.00 GiB reserved in total by PyTorch)",
    "npu": "NPU out of memory. Tried to allocate 72.00 MiB (NPU 0; 61.27 GiB total capacity; 56.05 GiB already allocated; 56.05 GiB current active; 5.04 MiB free; 58.39 GiB reserved in total by PyTorch).If reserved memory is >> allocated memory",
}
SUMMARY = """|===========================================================================|
|                  PyTorch CUDA memory summary, device ID 3                 |
|            CUDA OOMs: 0            |        cudaMalloc retries: {retries}         |
|        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  |
| Allocated memory      |   1024 MiB |      2 GiB | 258378 KiB |  73729 KiB |
|       from large pool | 184576 KiB | 192768 KiB | 254208 KiB |  69632 KiB |
| GPU reserved memory   |   2048 MiB |      3 GiB | 235520 KiB |      0 B   |
"""
KERNELS = """-------------------------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------
                           Name    Self CPU %      Self CPU   CPU total %     CPU total     Self CUDA   Self CUDA %    # of Calls
-------------------------------  ------------  ------------  ------------  ------------  ------------  ------------  ------------
                   aten::matmul        10.00%       1.000ms        20.00%       2.000ms       6.000ms        60.00%             3
           ProfilerStep*                0.00%       0.000us         0.00%       0.000us      10.000ms       100.00%             1
   sm90_xmma_gemm_bf16bf16_bf16         0.00%       0.000us         0.00%       0.000us       6.000ms        60.00%             3
ncclDevKernel_AllReduce_Sum_bf16        0.00%       0.000us         0.00%       0.000us       3.000ms        30.00%             3
  Memcpy HtoD (Pageable -> Device)      0.00%       0.000us         0.00%       0.000us       1.000ms        10.00%             3
Self CPU time total: 12.0ms
"""


def profile(text: str) -> Profile:
    return read([text.encode()])


def test_bus_bandwidth_by_size() -> None:
    found = profile(NCCL)
    (result,) = found.results
    assert (found.summary.format, found.summary.samples, result.kind) == ("nccl-tests", 2, "collective")
    assert (result.facts["operation"], result.facts["ranks"], result.facts["hosts"]) == ("all_reduce", 4, 2)
    assert (result.facts["best_busbw_gbps"], result.facts["average_busbw_gbps"], result.facts["out_of_bounds"]) == (323.99, 200.0, 0)
    assert result.rows[1] == {"size_bytes": 134217728, "time_us": 621.4, "algbw_gbps": 215.99, "busbw_gbps": 323.99}


def test_tables_of_one_text_are_told_apart() -> None:
    first, second = profile(NCCL + OLD_GATHER).results
    assert (first.facts["ranks"], second.facts["ranks"]) == (4, 2)
    assert second.rows[0]["busbw_gbps"] == 110.50


def test_prefixes_of_a_launcher_are_taken_away() -> None:
    prefixed = "".join(f"[1,0]<stdout>:{line}\n" for line in NCCL.splitlines())
    assert profile(prefixed).results == profile(NCCL).results


def test_one_rank_measures_nothing() -> None:
    alone = "".join(
        line for line in NCCL.splitlines(keepends=True) if "Rank  1" not in line and "Rank  2" not in line and "Rank  3" not in line
    )
    with pytest.raises(Rejected) as refused:
        profile(alone)
    assert refused.value.message.params["looks_like"].code == "looks.nccl_tests"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("wording", "requested", "capacity", "spare"),
    [
        ("1.0", 12.5 / 1024, 10.92, 0),
        ("1.4", 262 / 1024, 10.76, 0.05),
        ("2.0", 22.78, 31.47, 9.35),
        ("2.2", 1002 / 1024, 8.0, 129.48 / 1024),
        ("hip", 2.0, 63.98, 1.0),
        ("npu", 72 / 1024, 61.27, 2.34),
    ],
)
def test_every_wording_of_an_out_of_memory_message(wording: str, requested: float, capacity: float, spare: float) -> None:
    (result,) = profile(f"Traceback (most recent call last):\n  {WORDINGS[wording]}\n").results
    assert result.facts["requested_gib"] == pytest.approx(requested)
    assert result.facts["capacity_gib"] == capacity
    assert result.facts["unallocated_gib"] == pytest.approx(spare, abs=1e-6)


def test_out_of_memory_is_the_proof_of_a_memory_wall() -> None:
    (verdict,) = diagnose(profile(WORDINGS["2.2"]))
    assert (verdict.rule, verdict.verdict, verdict.advice.code, verdict.gpus) == (
        "R-D3",
        Verdict.MEMORY_CAPACITY,
        "advice.memory_capacity",
        (1,),
    )


def test_what_costs_nothing_comes_before_a_larger_card() -> None:
    pieces = "CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 79.3 GiB of which 1.0 GiB is free. Process 7 has 53.2 GiB memory in use.{} Of the allocated memory 12.0 GiB is allocated by PyTorch, and 40.7 GiB is reserved by PyTorch but unallocated."
    assert diagnose(profile(pieces.format("")))[0].advice.code == "advice.fragmented"
    assert diagnose(profile(pieces.format(" Process 8 has 20.0 GiB memory in use.")))[0].advice.code == "advice.other_processes"


def test_several_messages_are_several_results() -> None:
    assert len(profile("\n".join(WORDINGS.values())).results) == len(WORDINGS)


@pytest.mark.parametrize(("retries", "verdict"), [(0, Verdict.INCONCLUSIVE), (7, Verdict.MEMORY_CAPACITY)])
def test_memory_summary(retries: int, verdict: Verdict) -> None:
    found = profile(SUMMARY.format(retries=retries))
    (result,) = found.results
    assert (result.facts["device"], result.facts["allocated_peak_gib"], result.facts["reserved_gib"]) == (3, 2, 2)
    assert diagnose(found)[0].verdict is verdict


def test_lines_of_megatron() -> None:
    text = "[Rank 2] (after 1 iterations) memory (MB) | allocated: 1024.00 | max allocated: 2048.00 | reserved: 3072.00 | max reserved: 4096.00\n"
    results = profile(text * 2).results
    assert [result.facts["reserved_peak_gib"] for result in results] == [4, 4]


@pytest.mark.parametrize("as_markdown", [False, True])
def test_shares_of_kernels(as_markdown: bool) -> None:
    text = KERNELS
    if as_markdown:
        rows = [line for line in KERNELS.splitlines() if line.count("%") > 1]
        text = "\n".join("| " + " | ".join(cell for cell in line.strip().split("  ") if cell.strip()) + " |" for line in rows)
    found = profile(text)
    (result,) = found.results
    assert result.facts["listed_gpu_time_s"] == pytest.approx(0.010)
    assert (result.facts["collectives_ratio"], result.facts["products_ratio"]) == (pytest.approx(0.3), pytest.approx(0.6))
    assert diagnose(found)[0].verdict is Verdict.COMMUNICATION_BOUND


def test_a_table_that_shows_only_its_first_rows_counts_the_rest_as_unknown() -> None:
    kept = [line for line in KERNELS.splitlines(keepends=True) if "gemm" not in line and "Memcpy" not in line]
    (result,) = profile("".join(kept)).results
    assert (result.facts["collectives_ratio"], result.facts["other_ratio"]) == (pytest.approx(0.3), pytest.approx(0.7))


@pytest.mark.parametrize("seed", range(40))
def test_damaged_results_are_read_or_refused(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    text = list(chance.choice([NCCL, OLD_GATHER, *WORDINGS.values(), SUMMARY.format(retries=1), KERNELS]) * chance.randint(1, 3))
    for _ in range(chance.randint(1, 30)):
        at = chance.randrange(len(text))
        text[at : at + chance.randrange(3)] = chance.choice(["", "9" * 300, "GiB", "|", "\n", ".", "e", "#  Rank  0 ", "Process 1 has "])
    with suppress(Rejected):
        found = read(["".join(text).encode()])
        assert diagnose(found)
