"""Rows of the catalogue that match what somebody looks for. Words match anywhere, in any order, whatever their case."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Link, PrecisionSupport, Server
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.catalogue.prices import CostFactor
from app.domain.catalogue.source import Evidence
from app.domain.units import Bytes

CONFIRMED = frozenset({Evidence.VENDOR, Evidence.CONFIRMED})
COMPUTED = frozenset({"matrix"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuWanted:
    """Which GPUs: empty texts ask for nothing."""

    words: str = ""
    vendor: str = ""
    market_class: str = ""
    form_factor: str = ""
    precision: str = ""
    memory_least_bytes: Bytes | None = None
    is_confirmed_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerWanted:
    """Which servers."""

    words: str = ""
    vendor: str = ""
    form_factor: str = ""
    cooling: str = ""
    gpu_slug: str = ""
    gpu_least_count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which links, precision rows, models or cost factors: by words and by one group."""

    words: str = ""
    group: str = ""


def matches(words: str, texts: Iterable[str | None]) -> bool:
    """Every word is somewhere in the texts."""
    text = " ".join(part for part in texts if part).casefold()
    return all(word in text for word in words.casefold().split())


def find_gpus(catalogue: Catalogue, wanted: GpuWanted) -> tuple[Gpu, ...]:
    """GPUs that meet every condition; an unknown figure meets none."""

    def suits(gpu: Gpu) -> bool:
        support = catalogue.precision(gpu, wanted.precision) if wanted.precision else None
        return (
            matches(wanted.words, (gpu.name, gpu.slug, gpu.vendor, gpu.architecture, gpu.memory_type, gpu.form_factor))
            and wanted.vendor in ("", gpu.vendor)
            and wanted.market_class in ("", gpu.market_class)
            and wanted.form_factor in ("", gpu.form_factor)
            and (not wanted.precision or (support is not None and support.hardware_support in COMPUTED))
            and (wanted.memory_least_bytes is None or (gpu.memory_usable_bytes or 0) >= wanted.memory_least_bytes)
            and (not wanted.is_confirmed_only or gpu.source.evidence in CONFIRMED)
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
            and (wanted.gpu_least_count is None or server.max_gpu_count >= wanted.gpu_least_count)
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
