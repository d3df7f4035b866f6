"""The folder of facts as a catalogue."""

import csv
import shutil
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from app.domain.catalogue.source import Evidence
from app.domain.errors import DataMissing, DomainError, InvalidInput, NotFound
from app.domain.money import Currency
from app.domain.units import gb_per_s, gbit_per_s, gib, mib, tflops
from app.seeds import SEED_DATA, default_fx, load_catalogue, read_catalogue
from app.seeds.tables import BY_FIELD
from tests.factories.seeds import cell, spoil


def test_every_line_becomes_a_row() -> None:
    loaded = read_catalogue(SEED_DATA)
    for table, lines in loaded.lines.items():
        file = BY_FIELD[table].file
        with (SEED_DATA / file).open(newline="", encoding="utf-8") as stream:
            assert len(lines) == sum(1 for _ in csv.reader(stream)) - 1, file


def test_units_are_converted_once() -> None:
    catalogue = load_catalogue()
    gpu = catalogue.gpu("h100-sxm5-80gb")
    assert gpu.memory_usable_bytes == mib(81559)
    assert gpu.memory_bandwidth_bytes_per_s == gb_per_s(3350)
    assert gpu.peak_bf16_dense_flops == tflops(989.5)
    assert gpu.l2_bytes == mib(50)
    server = catalogue.server("nvidia-dgx-h100")
    assert (server.max_power_w, server.max_memory_bytes, server.network_bytes_per_s) == (10_200, gib(2048), gbit_per_s(3200))
    assert catalogue.link("nvlink-4").efficiency_ratio == pytest.approx(0.82)
    model = catalogue.language_model("Meta-Llama/Llama-2-7b-hf")
    assert model is not None
    assert model.parameter_count == pytest.approx(6.738e9)
    assert catalogue.factor("electricity.us.industrial").typical == Decimal("0.0826")


def test_boards_of_several_devices_are_per_device() -> None:
    catalogue = load_catalogue()
    a16, mi250x = catalogue.gpu("a16"), catalogue.gpu("mi250x")
    assert (a16.board_tdp_w, a16.gpus_per_board_count, a16.tdp_w) == (250, 4, 62.5)
    assert (mi250x.memory_marketed_gb, mi250x.peak_fp16_dense_flops, mi250x.tdp_w) == (64, tflops(191.5), 280)


def test_unknown_memory_stays_unknown() -> None:
    gpu = load_catalogue().gpu("mlu590")
    assert gpu.memory_usable_bytes is None
    with pytest.raises(DataMissing):
        gpu.known_memory_bytes()


def test_usable_memory_is_derived_from_like_boards() -> None:
    """A40, 48 GiB GDDR6 with ECC on: of the Ampere boards like it only the A10 was read, 23028 of 24576 MiB; 49152 × 0.93701 = 46056."""
    a40, a10 = load_catalogue().gpu("a40"), load_catalogue().gpu("a10")
    assert (a40.memory_usable_bytes, a40.memory_usable_measured) == (mib(46056), False)
    assert (a10.memory_usable_bytes, a10.memory_usable_measured) == (mib(23028), True)


def test_unknown_server_power_is_modelled() -> None:
    catalogue = load_catalogue()
    assert catalogue.server("supermicro-as-8125gs-tnhr").max_power_w == pytest.approx(8 * 700 * 1.82)
    assert catalogue.server("supermicro-as-8125gs-tnhr").power_evidence is Evidence.MODELLED
    assert catalogue.server("dell-r750").max_power_w == pytest.approx((2 * 300 + 2 * 500 + 275) * 1.15)
    assert catalogue.server("nvidia-dgx-b300").power_evidence is Evidence.PRESS
    assert catalogue.server("huawei-cloudmatrix-384").max_power_w is None


def test_look_ups_name_what_is_missing() -> None:
    catalogue = load_catalogue()
    for look_up in (catalogue.gpu, catalogue.server, catalogue.link, catalogue.factor):
        with pytest.raises(NotFound):
            look_up("no-such-thing")


def test_revision_follows_the_content(tmp_path: Path) -> None:
    same = tmp_path / "same"
    shutil.copytree(SEED_DATA, same)
    other = spoil(tmp_path / "other", "gpus.csv", cell("l4", "notes", "another note"))
    assert load_catalogue(same).revision == load_catalogue().revision
    assert load_catalogue(other).revision != load_catalogue().revision


def test_broken_row_names_file_line_and_column(tmp_path: Path) -> None:
    folder = spoil(tmp_path, "servers.csv", cell("nvidia-dgx-a100", "max_gpu_count", "eight"))
    with pytest.raises(InvalidInput) as raised:
        load_catalogue(folder)
    assert raised.value.field == "servers.csv:2: max_gpu_count"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"slug,colour\n", "seed.unknown_column"),
        (b"slug,slug\n", "seed.missing_column"),
        (b"\xff\xfe\x00", "seed.not_text"),
        (b'a\x00"b', "seed.unknown_column"),
        (b"", "seed.missing_column"),
    ],
)
def test_foreign_file_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    folder = tmp_path / "seed_data"
    shutil.copytree(SEED_DATA, folder)
    (folder / "links.csv").write_bytes(content)
    assert code in {problem.reason.code for problem in read_catalogue(folder).problems}


def test_short_line_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "seed_data"
    shutil.copytree(SEED_DATA, folder)
    path = folder / "links.csv"
    path.write_text(path.read_text(encoding="utf-8") + "one,two\n", encoding="utf-8")
    (problem,) = read_catalogue(folder).problems
    assert (problem.line, problem.reason.code) == (100, "seed.cell_count")


def test_missing_file_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "seed_data"
    shutil.copytree(SEED_DATA, folder)
    (folder / "models.csv").unlink()
    (problem,) = read_catalogue(folder).problems
    assert (problem.file, problem.reason.code) == ("models.csv", "seed.no_file")


def test_default_rate_is_of_the_day_or_before() -> None:
    """The first of June 2024 is a Saturday: Friday's rate, 7.8624 CNY a euro ÷ 1.0852 USD a euro."""
    rate = default_fx(date(2024, 6, 1))
    assert (rate.base, rate.quote, rate.on) == (Currency.USD, Currency.CNY, date(2024, 5, 31))
    assert rate.rate == Decimal("7.2408")
    with pytest.raises(DomainError):
        default_fx(date(1990, 1, 1))
