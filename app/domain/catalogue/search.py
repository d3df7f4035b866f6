"""Rows of the catalogue that match what somebody looks for. Words match anywhere, in any order, whatever their case."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Link, PrecisionSupport, Server
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.catalogue.policy import PolicyRow, PolicyValue
from app.domain.catalogue.prices import CostFactor
from app.domain.catalogue.source import Evidence, Source
from app.domain.units import Bytes, BytesPerSecond, Watts

CONFIRMED = frozenset({Evidence.VENDOR, Evidence.CONFIRMED})
SURE = "sure"
COMPUTED = frozenset({"matrix"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuWanted:
    """Which GPUs: empty texts ask for nothing."""

    words: str = ""
    vendor: str = ""
    market_class: str = ""
    form_factor: str = ""
    precision: str = ""
    architecture: str = ""
    link_kind: str = ""
    memory_least_bytes: Bytes | None = None
    bandwidth_least_bytes_per_s: BytesPerSecond | None = None
    tdp_most_w: Watts | None = None
    launched_since_year: int | None = None
    evidence: str = ""
    is_priced_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerWanted:
    """Which servers."""

    words: str = ""
    vendor: str = ""
    form_factor: str = ""
    cooling: str = ""
    gpu_slug: str = ""
    gpu_least_count: int | None = None
    gpu_interconnect: str = ""
    power_most_w: Watts | None = None
    evidence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which links, precision rows, models or cost factors: by words and by one group."""

    words: str = ""
    group: str = ""


def matches(words: str, texts: Iterable[str | None]) -> bool:
    """Every word is somewhere in the texts."""
    text = " ".join(part for part in texts if part).casefold()
    return all(word in text for word in words.casefold().split())


def at_least(value: float | None, least: float | None) -> bool:
    """No condition, or a known value that is not below it."""
    return least is None or (value is not None and value >= least)


def at_most(value: float | None, most: float | None) -> bool:
    """No condition, or a known value that is not above it."""
    return most is None or (value is not None and value <= most)


def is_evident(source: Source, evidence: str) -> bool:
    """No condition, this level of evidence, or for `sure` any that somebody confirmed."""
    return evidence in ("", source.evidence) or (evidence == SURE and source.evidence in CONFIRMED)


def find_gpus(catalogue: Catalogue, wanted: GpuWanted) -> tuple[Gpu, ...]:
    """GPUs that meet every condition; an unknown figure meets none."""
    priced = {price.gpu_slug for price in catalogue.prices} if wanted.is_priced_only else set()

    def suits(gpu: Gpu) -> bool:
        support = catalogue.precision(gpu, wanted.precision) if wanted.precision else None
        return (
            matches(wanted.words, (gpu.name, gpu.slug, gpu.vendor, gpu.architecture, gpu.memory_type, gpu.form_factor))
            and wanted.vendor in ("", gpu.vendor)
            and wanted.market_class in ("", gpu.market_class)
            and wanted.form_factor in ("", gpu.form_factor)
            and (not wanted.precision or (support is not None and support.hardware_support in COMPUTED))
            and wanted.architecture in ("", gpu.architecture)
            and wanted.link_kind in ("", gpu.link_kind)
            and at_least(gpu.memory_usable_bytes, wanted.memory_least_bytes)
            and at_least(gpu.memory_bandwidth_bytes_per_s, wanted.bandwidth_least_bytes_per_s)
            and at_most(gpu.tdp_w, wanted.tdp_most_w)
            and (wanted.launched_since_year is None or (gpu.launched_on or "") >= f"{wanted.launched_since_year:04}")
            and is_evident(gpu.source, wanted.evidence)
            and (not wanted.is_priced_only or gpu.slug in priced)
        )

    return tuple(filter(suits, catalogue.gpus))


def find_servers(catalogue: Catalogue, wanted: ServerWanted) -> tuple[Server, ...]:
    """Servers that meet every condition."""

    def suits(server: Server) -> bool:
        return (
            matches(wanted.words, (server.name, server.slug, server.vendor, server.cpu_options, server.gpu_interconnect, *server.gpu_slugs))
            and wanted.vendor in ("", server.vendor)
            and (not wanted.form_factor or wanted.form_factor in server.form_factors)
            and (not wanted.cooling or server.cooling in (wanted.cooling, "either"))
            and (not wanted.gpu_slug or wanted.gpu_slug in server.gpu_slugs)
            and at_least(server.max_gpu_count, wanted.gpu_least_count)
            and wanted.gpu_interconnect in ("", server.gpu_interconnect)
            and at_most(server.max_power_w, wanted.power_most_w)
            and is_evident(server.source, wanted.evidence)
        )

    return tuple(filter(suits, catalogue.servers))


def find_links(catalogue: Catalogue, wanted: Wanted) -> tuple[Link, ...]:
    """Links of a category."""
    return tuple(
        link
        for link in catalogue.links
        if wanted.group in ("", link.category)
        and matches(wanted.words, (link.name, link.slug, link.generation, link.achievable_what, *link.gpu_slugs))
    )


def find_precision(catalogue: Catalogue, wanted: Wanted) -> tuple[PrecisionSupport, ...]:
    """Rows of one precision."""
    return tuple(
        row
        for row in catalogue.precision_support
        if wanted.group in ("", row.precision)
        and matches(wanted.words, (row.architecture, row.vendor, row.compute_capability, *row.gpu_slugs))
    )


def find_language_models(catalogue: Catalogue, wanted: Wanted) -> tuple[LanguageModel, ...]:
    """Language models of a kind of attention."""
    return tuple(
        model
        for model in catalogue.language_models
        if wanted.group in ("", model.attention) and matches(wanted.words, (model.name, model.family, *model.aliases))
    )


def find_other_models(catalogue: Catalogue, wanted: Wanted) -> tuple[OtherModel, ...]:
    """Other models of a task."""
    return tuple(
        model for model in catalogue.other_models if wanted.group in ("", model.task) and matches(wanted.words, (model.name, model.task))
    )


def find_factors(catalogue: Catalogue, wanted: Wanted) -> tuple[CostFactor, ...]:
    """Cost factors of a group."""
    return tuple(
        factor
        for factor in catalogue.cost_factors
        if wanted.group in ("", factor.group) and matches(wanted.words, (factor.factor, factor.key, factor.region, factor.source.title))
    )


def find_policy_rows(catalogue: Catalogue, wanted: Wanted) -> tuple[PolicyRow, ...]:
    """Rows of a decision table."""
    return tuple(
        row
        for row in catalogue.policy_rows
        if wanted.group in ("", row.decision_table)
        and matches(wanted.words, (row.key, row.scene, row.scene_zh, row.suggestion, *row.gpu_slugs))
    )


def find_policy_values(catalogue: Catalogue, wanted: Wanted) -> tuple[PolicyValue, ...]:
    """Numbers that a rule needs."""
    return tuple(
        row
        for row in catalogue.policy_values
        if wanted.group in ("", row.rule) and matches(wanted.words, (row.key, row.meaning, row.meaning_zh, row.source.title))
    )
