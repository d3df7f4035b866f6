"""Every state in which people hand in a dmon log: the rows are the same rows."""

import gzip

import pytest
import zstandard

from app.domain.telemetry import Profile, read
from tests.factories.dmon import a_log, header, row, steady

PLAIN = (header() + row(0, {"sm": 71}) + row(1, {"sm": 9, "pwr": 70}) + row(0, {"sm": 73}) + row(1, {"sm": "-"})).encode()


def _values(profile: Profile) -> list[tuple[int, str, float, float, int]]:
    return [(gpu.index, name, one.p50, one.max, one.n) for gpu in profile.summary.gpus for name, one in gpu.metrics.items()]


EXPECTED = _values(read([PLAIN]))


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.replace(b"\n", b"\r"),
        PLAIN.rstrip(b"\n"),
        b"\xef\xbb\xbf" + PLAIN,
        PLAIN.decode().encode("utf-16"),
        PLAIN.decode().encode("utf-16-le"),
        PLAIN.decode().encode("utf-32"),
        b"```text {3-4}\n" + PLAIN + b"```\n",
        b"~~~bash\n[root@host ~]# nvidia-smi dmon\n" + PLAIN + b"^C[root@host ~]#\n",
        b"".join(b"> " + line for line in PLAIN.splitlines(True)),
        b"".join(b"> \\" + line if line.startswith(b"#") else b"> " + line for line in PLAIN.splitlines(True)),
        b"".join(b"# " + line for line in PLAIN.splitlines(True)),
        b"/** measured on the node\n" + b"".join(b" * " + line for line in PLAIN.splitlines(True)) + b" */\n",
        PLAIN.replace(b"# gpu", b"gpu  "),
        PLAIN.replace(b" -", " –".encode()),
        PLAIN.replace(b"    0   300", b"    0 ^C  300"),
        PLAIN.replace(b"    1    70", b"\x1b[1m    1    70\x1b[0m"),
        PLAIN.replace(b"\n    1", b"\n\n    1"),
        PLAIN.replace(b"\n    1", b"\n...\n    1"),
        PLAIN.replace(b"\n    1", b"\nHOT_LOOP_COUNT=39542\n    1"),
        PLAIN.replace(b"\n", b" \n"),
        PLAIN.replace(b"   300", b"\t300"),
        "# 多个GPU\n".encode() + PLAIN,
        b"\n".join(b"  ".join(line.split()) for line in PLAIN.replace(b"# ", b"#").splitlines()) + b"\n",
        b"\n".join(b", ".join(line.replace(b"# ", b"#").split()) for line in PLAIN.splitlines()) + b"\n",
        b"| ``` 1 2 3 ``` | ``` $ nvidia-smi dmon " + b" ".join(PLAIN.split(b"\n")) + b"``` |",
        gzip.compress(PLAIN, mtime=0),
        gzip.compress(PLAIN[:90], mtime=0) + gzip.compress(PLAIN[90:], mtime=0),
        zstandard.compress(PLAIN),
    ],
    ids=lambda text: repr(text[:24]),
)
def test_a_variant_of_the_same_log_gives_the_same_values(text: bytes) -> None:
    assert _values(read([text])) == EXPECTED


@pytest.mark.parametrize("size", [1, 7, 64])
def test_the_cut_into_chunks_does_not_matter(size: int) -> None:
    chunks = [PLAIN[start : start + size] for start in range(0, len(PLAIN), size)]

    assert _values(read(chunks)) == EXPECTED


def test_csv_with_units_in_the_cells() -> None:
    text = b"#gpu, pwr, sm, mem\n#Idx, W, %, %\n0, 300 W, 71 %, 40 %\n0, 301 W, [N/A], 41 %\n"

    metrics = read([text]).summary.gpus[0].metrics

    assert metrics["power_w"].max == 301
    assert (metrics["sm_pct"].n, metrics["sm_pct"].max, metrics["mem_pct"].n) == (1, 71, 2)


def test_a_dash_is_not_zero() -> None:
    profile = read([a_log(steady(3, sm="-", mem=5))])

    assert "sm_pct" not in profile.summary.gpus[0].metrics
    assert profile.summary.gpus[0].metrics["mem_pct"].p50 == 5
    assert set(profile.unreported) == {"sm_pct", "memory_temp_c"}


def test_columns_follow_the_header_not_a_fixed_order() -> None:
    text = b"#Date       Time        gpu     fb   bar1   sm    mem  rxpci  txpci \n#YYYYMMDD   HH:MM:SS    Idx     MB     MB    %      %   MB/s   MB/s \n"
    text += b" 20240229   23:59:59      3    478      6   13      1     44     30 \n 20240301   00:00:01      3     67     10    0      0     30     40 \n"

    summary = read([text]).summary

    assert str(summary.started_at) == "2024-02-29 23:59:59"
    assert (summary.interval_s, summary.duration_s) == (2.0, 4.0)
    assert summary.gpus[0].index == 3
    assert summary.gpus[0].metrics["fb_used_mib"].max == 478
    assert summary.gpus[0].metrics["pcie_tx_mbps"].p50 == 35


def test_time_without_a_date_passes_midnight() -> None:
    text = b"#Time        gpu    sm \n#HH:MM:SS    Idx     % \n 23:59:58      0     5 \n 23:59:59      0     6 \n 00:00:00      0     7 \n"

    summary = read([text]).summary

    assert summary.started_at is None
    assert (summary.interval_s, summary.duration_s) == (1.0, 3.0)


def test_unknown_columns_are_kept_by_name_with_their_unit() -> None:
    text = b"# gpu    sm  mem  nvswx\n# Idx     %    %   MB/s\n    0    50   20   1234\n"

    assert read([text]).summary.gpus[0].metrics["nvswx_mbps"].p50 == 1234


def test_the_header_in_the_middle_of_a_cycle_does_not_part_it() -> None:
    profile = read([a_log(steady(20, gpu_count=8))])

    assert (profile.summary.samples, profile.summary.cycles, profile.log_count) == (160, 20, 1)


def test_two_logs_in_one_paste_are_counted() -> None:
    profile = read([header().encode() + row(3, {}).encode() * 4 + header().encode() + (row(3, {}) + row(6, {})).encode() * 2])

    assert (profile.log_count, profile.summary.cycles, profile.summary.samples) == (2, 6, 8)
    assert [gpu.index for gpu in profile.summary.gpus] == [3, 6]


def test_two_logs_with_different_columns_in_one_paste_are_both_read() -> None:
    first = a_log(steady(3, sm=50))
    second = a_log(steady(2, sm=70, rxpci=44), columns=("sm", "rxpci"))

    metrics = read([first + second]).summary.gpus[0].metrics

    assert (metrics["sm_pct"].n, metrics["pcie_rx_mbps"].n, metrics["power_w"].n) == (5, 2, 3)


@pytest.mark.parametrize("kept", ["    0", "    0   300", "    0   300    60     -    80    40"])
def test_a_row_that_was_cut_is_reported_and_the_rest_used(kept: str) -> None:
    profile = read([(header() + row(0, {}) + kept).encode()])

    assert profile.summary.samples == 1
    assert [(one.line, one.reason.code) for one in profile.skipped] == [(4, "telemetry.skipped.cut")]


def test_the_table_of_another_tool_in_between_is_not_read_as_ours() -> None:
    other = "# gpu         pid  type    sm   mem   enc   dec   command\n# Idx           #   C/G     %     %     %     %   name\n    0       1234     C    90    40     0     0   python\n"
    profile = read([(header() + row(0, {"sm": 10}) + other + header() + row(0, {"sm": 20})).encode()])

    assert profile.summary.samples == 2
    assert profile.summary.gpus[0].metrics["sm_pct"].max == 20


def test_impossible_pcie_rates_are_dropped_and_named() -> None:
    text = a_log([[{"rxpci": 838}], [{"rxpci": 2016001}], [{"rxpci": 775}]], columns=("sm", "rxpci"), width=8)

    profile = read([text])

    assert profile.summary.gpus[0].metrics["pcie_rx_mbps"].max == 838
    assert [(one.line, one.metric, one.value) for one in profile.dropped] == [(4, "pcie_rx_mbps", 2016001.0)]


def test_the_delay_of_the_command_line_is_the_interval() -> None:
    profile = read([b"$ nvidia-smi dmon -s pucm -d 5\n" + a_log(steady(10))])

    assert (profile.summary.interval_s, profile.summary.interval_is_assumed, profile.summary.duration_s) == (5.0, False, 50.0)
