"""Formats beside dmon: what is read of each, what is left out and why, and that nothing unreadable breaks a reader."""

from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.telemetry import Profile, Rejected, metrics, read
from app.domain.telemetry.registry import FORMATS

QUERY = """timestamp, index, name, utilization.gpu [%], utilization.memory [%], memory.used [MiB], power.draw [W], clocks_throttle_reasons.sw_power_cap, fan.speed [%], serial
2026/01/03 15:36:53.507, 0, NVIDIA A40, 91 %, 40 %, 30000 MiB, 299.10 W, Active, 35 %, 77
2026/01/03 15:36:53.508, 1, NVIDIA A40, 11 %, 4 %, 300 MiB, 70.5 W, Not Active, [N/A], 78
2026/01/03 15:36:55.509, 0, NVIDIA A40, 93 %, 42 %, 30000 MiB, 300.90 W, Not Active, 35 %, 77
2026/01/03 15:36:55.510, 1, NVIDIA A40, [Not Supported], 4 %, 300 MiB, 71 W, Not Active, 36 %, 78
"""
DCGMI = """dcgmi dmon -e 203,1002,1004,1010,1011 -d 500
#Entity   GPUTL       SMACT       TENSO       PCIRX                       NVLTX
ID
GPU 1     20          0.200       0.100       1000000                     2000000
GPU 0     90          0.850       0.400       3000000                     4000000
GPU-I 3   50          0.500       0.500       5                           5
GPU 1     N/A         N/A         N/A         N/A                         N/A
GPU 0     92          0.870       0.420       3000000                     4000000
GPU 0     92          0.87
dmon was stopped due to receiving a signal
"""
EXPORTER = """# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).
# TYPE DCGM_FI_DEV_GPU_UTIL gauge
DCGM_FI_DEV_GPU_UTIL{gpu="0", UUID="GPU-a",Hostname="n1"} 90
DCGM_FI_DEV_GPU_UTIL{gpu="1",UUID="GPU-b",Hostname="n1",note="a\\"b"} 10
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-c",hostname="n2"} 50
DCGM_FI_PROF_DRAM_ACTIVE{gpu="0",UUID="GPU-a",Hostname="n1"} 0.625000
DCGM_FI_DEV_XID_ERRORS{gpu="0",UUID="GPU-a",Hostname="n1"} 0
DCGM_FI_DEV_GPU_UTIL{gpu="0", UUID="GPU-a",Hostname="n1"} 80
"""
PMON = """# gpu         pid   type     sm    mem    enc    dec     fb    command
# Idx           #    C/G      %      %      %      %     MB    name
    0       1001     C     60     20      -      -   1000    python
    0       1002     C     70     10      -      -   2000    NVIDIA Share.exe
    1          -     -      -      -      -      -      -    -
    0       1001     C     50     20      -      -   1000    python
    0       1002     C     10     10      -      -   2000    NVIDIA Share.exe
    1          -     -      -      -      -      -      -    -
"""
AMD = """'CTRL' + 'C' to stop watching output:
 TIMESTAMP  GPU  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   ENC%   DEC%      VRAM_USAGE
1753969973    0  750 W   69 °C   50 °C  1278 MHz  100 %    1 %    N/A    0 %    2.0/192.0 GB
1753969973    1  178 W   47 °C   38 °C  2105 MHz    0 %    0 %    N/A    0 %   60.9/ 96.0 GB
1753969978    0  740 W   69 °C   50 °C  1278 MHz   98 %    1 %    N/A    0 %    2.0/192.0 GB
1753969978    1  178 W   47 °C
"""
NPU = """NpuID(Idx)  ChipId(Idx) Pwr(W)      Temp(C)     AI Core(%)  AI Cpu(%)   Ctrl Cpu(%) Memory(%)   Memory BW(%)
2           0           90.1        34          71          0           2           5           30
2           1           91.0        35          10          0           2           5           3
2           0           90.2        34          73          0           0           5           31
"""
DMON_CSV = "#gpu, pwr, gtemp, sm, mem\n#Idx, W, C, %, %\n0, 250, 60, 90, 40\n0, 251, 60, 92, 41\n"
ALL = {"query": QUERY, "dcgmi": DCGMI, "exporter": EXPORTER, "pmon": PMON, "amd": AMD, "npu": NPU, "dmon-csv": DMON_CSV}


def profile(text: str) -> Profile:
    return read([text.encode()])


def mean(found: Profile, gpu: int, metric: str) -> float:
    return next(one for one in found.summary.gpus if one.index == gpu).metrics[metric].mean


def test_query_rows_have_units_placeholders_and_flags() -> None:
    found = profile(QUERY)
    assert (found.summary.format, found.summary.samples, found.summary.interval_s) == ("nvidia-smi-query", 4, 2.0)
    assert str(found.summary.started_at) == "2026-01-03 15:36:53"
    assert (mean(found, 0, metrics.SM), mean(found, 1, metrics.SM)) == (92, 11)
    assert mean(found, 0, metrics.POWER_VIOLATION) == 50
    assert mean(found, 0, metrics.FRAME_BUFFER) == 30000
    assert mean(found, 0, "fan_speed_pct") == 35
    assert "serial" not in " ".join(found.summary.gpus[0].metrics)


@pytest.mark.parametrize(
    "change", [lambda text: text.replace(" %", "").replace(" MiB", "").replace(" W", ""), lambda text: text.replace("\n", "\r\n")]
)
def test_query_without_units_and_with_other_line_ends(change: object) -> None:
    assert mean(profile(change(QUERY)), 0, metrics.SM) == 92  # type: ignore[operator]


def test_a_header_may_come_again_with_other_columns() -> None:
    more = "timestamp, index, power.draw [W]\n2026/01/03 15:36:57.507, 0, 100 W\n"
    found = profile(QUERY + more)
    assert (found.summary.samples, mean(found, 0, metrics.SM)) == (5, 92)


def test_several_rows_a_second_keep_their_interval() -> None:
    rows = "".join(f"2026/01/03 15:36:{at // 20:02d}.{at % 20 * 50:03d}, {at} W\n" for at in range(1000))
    assert profile("timestamp, power.draw [W]\n" + rows).summary.interval_s == pytest.approx(0.05, rel=0.05)


def test_a_query_without_its_header_is_refused_with_what_to_do() -> None:
    with pytest.raises(Rejected) as refused:
        profile("2026/04/25 16:06:06.780, 0 %, 0 %, 2 MiB, 20146 MiB\n" * 9)
    assert refused.value.message.params["looks_like"].code == "looks.query_headless"  # type: ignore[union-attr]


def test_dcgmi_has_its_own_units_and_order() -> None:
    found = profile(DCGMI)
    assert (found.summary.format, found.summary.interval_s, found.summary.cycles) == ("dcgmi-dmon", 0.5, 2)
    assert (mean(found, 0, metrics.SM_ACTIVE), mean(found, 0, metrics.PCIE_RX), mean(found, 1, "nvlink_tx_mbps")) == (
        pytest.approx(86),
        3,
        2,
    )
    assert {line.reason.code for line in found.skipped} == {
        "telemetry.skipped.command",
        "telemetry.skipped.instance",
        "telemetry.skipped.cut",
        "telemetry.skipped.text",
    }


def test_scrapes_are_told_apart_and_hosts_as_well() -> None:
    found = profile(EXPORTER)
    assert (found.summary.samples, sorted(gpu.index for gpu in found.summary.gpus)) == (4, [0, 1, 32])
    assert (mean(found, 0, metrics.SM), mean(found, 0, metrics.DRAM_ACTIVE)) == (85, 62.5)


def test_scrapes_with_times_have_a_clock() -> None:
    text = "".join(f'DCGM_FI_DEV_GPU_UTIL{{gpu="{gpu}"}} 50 {1700000000000 + at * 15000}\n' for at in range(4) for gpu in (0, 1))
    found = profile(text)
    assert (found.summary.samples, found.summary.cycles, found.summary.interval_s) == (8, 4, 15.0)


def test_instances_of_a_divided_gpu_give_what_its_board_reads() -> None:
    labels = 'gpu="0",GPU_I_PROFILE="1g.6gb",GPU_I_ID="{}"'
    text = "".join(
        f"DCGM_FI_DEV_POWER_USAGE{{{labels.format(one)}}} 100\nDCGM_FI_PROF_GR_ENGINE_ACTIVE{{{labels.format(one)}}} 0.5\n"
        for one in (3, 4)
    )
    found = profile(text)
    assert (found.summary.samples, mean(found, 0, metrics.POWER)) == (1, 100)
    assert [line.reason.code for line in found.skipped] == ["telemetry.skipped.instance"] * 2


def test_processes_of_a_gpu_are_added_up() -> None:
    found = profile(PMON)
    assert (found.summary.format, found.summary.samples, found.summary.cycles) == ("nvidia-smi-pmon", 4, 2)
    assert (mean(found, 0, metrics.SM), mean(found, 0, metrics.FRAME_BUFFER)) == (80, 3000)  # 60 + 70 is all of it


def test_other_vendors() -> None:
    amd, npu = profile(AMD), profile(NPU)
    assert (amd.summary.interval_s, mean(amd, 0, metrics.SM), mean(amd, 1, metrics.FRAME_BUFFER)) == (5.0, 99, pytest.approx(60.9 * 1024))
    assert [line.reason.code for line in amd.skipped] == ["telemetry.skipped.text", "telemetry.skipped.cut"]
    assert (mean(npu, 2, metrics.SM), mean(npu, 66, metrics.SM), mean(npu, 2, metrics.MEMORY_BUSY)) == (72, 10, 30.5)


def test_dmon_with_commas() -> None:
    assert mean(profile(DMON_CSV), 0, metrics.SM) == 91


@pytest.mark.parametrize("text", ALL.values(), ids=ALL.keys())
@pytest.mark.parametrize(
    "around",
    [
        "```text\n{}```\n",
        "user@node:~$ nvidia-smi\n{}user@node:~$\n",
        "\ufeff{}",
        "\x1b[32m{}\x1b[0m",
    ],
    ids=["fence", "prompt", "mark", "colour"],
)
def test_what_a_paste_puts_around_a_log_is_skipped(text: str, around: str) -> None:
    plain = profile(text)
    assert profile(around.format(text)).summary.samples == plain.summary.samples


@pytest.mark.parametrize("text", ALL.values(), ids=ALL.keys())
def test_utf16_is_the_same(text: str) -> None:
    assert read([text.encode("utf-16")]).summary == profile(text).summary


@pytest.mark.parametrize("text", ALL.values(), ids=ALL.keys())
def test_pieces_of_any_size_give_the_same(text: str) -> None:
    content = text.encode()
    assert read([content[at : at + 7] for at in range(0, len(content), 7)]).summary == profile(text).summary


@pytest.mark.parametrize("seed", range(60))
def test_damaged_logs_are_read_or_refused(seed: int) -> None:
    chance = Random(seed)  # noqa: S311
    text = bytearray(chance.choice(list(ALL.values())).encode() * chance.randint(1, 4))
    for _ in range(chance.randint(1, 40)):
        at = chance.randrange(len(text))
        match chance.randrange(4):
            case 0:
                text[at] = chance.randrange(256)
            case 1:
                del text[at : at + chance.randrange(1, 30)]
            case 2:
                text[at:at] = chance.choice((b",", b"\n", b"-", b"9" * 400, b"{", b'"', b"N/A", b"\xff\xfe", b"GPU 0 "))
            case _:
                text[at:at] = text[: chance.randrange(1, 80)]
    with suppress(Rejected):
        assert read([bytes(text)]).summary.samples > 0


@given(text=st.text(alphabet=st.characters(codec="utf-8"), max_size=400), head=st.sampled_from(sorted(ALL)))
@settings(max_examples=60, deadline=None)
def test_any_text_behind_a_header_is_read_or_refused(text: str, head: str) -> None:
    lines = ALL[head].splitlines(keepends=True)
    with suppress(Rejected):
        assert read([("".join(lines[:3]) + text).encode()]).summary.samples > 0


def test_every_format_is_told_by_its_content_alone() -> None:
    for name, text in ALL.items():
        scores = {form.key: form.sniff(text.encode()) for form in FORMATS}
        assert sum(score > 0 for score in scores.values()) == 1, (name, scores)
