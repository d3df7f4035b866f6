"""What else the catalogue knows about a row: machines that take a GPU, links it has, precisions it computes in, prices."""

from dataclasses import dataclass
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Link, PrecisionSupport, Server
from app.domain.catalogue.prices import PurchasePrice, RentalPrice
from app.web.described import word
from app.web.nouns import LINKS, PRECISION


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedRow:
    """A row to go to."""

    noun: str
    key: str
    title: str
    remark: str = ""
    is_unconfirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Rows of one kind."""

    kind: str  # servers | links | precision | gpus
    rows: tuple[RelatedRow, ...]


def related_of(row: Any, catalogue: Catalogue) -> tuple[Related, ...]:
    """Everything that leads on from a row; empty kinds are left out."""
    found: tuple[Related, ...] = ()
    if isinstance(row, Gpu):
        found = (_servers(row, catalogue), _links(row, catalogue), _precisions(row, catalogue))
    elif isinstance(row, Server):
        found = (_gpus(row.gpu_slugs, catalogue, row.unconfirmed_fields),)
    elif isinstance(row, Link | PrecisionSupport):
        found = (_gpus(row.gpu_slugs, catalogue),)
    elif isinstance(row, PurchasePrice | RentalPrice) and row.gpu_slug:
        found = (_gpus((row.gpu_slug,), catalogue),)
    return tuple(related for related in found if related.rows)


def _servers(gpu: Gpu, catalogue: Catalogue) -> Related:
    rows = (
        RelatedRow(noun="servers", key=server.slug, title=server.name, is_unconfirmed=_is_unsure(gpu.slug, server.unconfirmed_fields))
        for server in catalogue.servers
        if gpu.slug in server.gpu_slugs
    )
    return Related(kind="servers", rows=tuple(rows))


def _links(gpu: Gpu, catalogue: Catalogue) -> Related:
    rows = (
        RelatedRow(noun="links", key=link.slug, title=LINKS.title(link), remark=word("category", link.category))
        for link in catalogue.links
        if gpu.slug in link.gpu_slugs
    )
    return Related(kind="links", rows=tuple(rows))


def _precisions(gpu: Gpu, catalogue: Catalogue) -> Related:
    rows = (
        RelatedRow(
            noun="precision",
            key=PRECISION.identify(support),
            title=support.precision.upper(),
            remark=word("hardware_support", support.hardware_support),
            is_unconfirmed=support.source.evidence.is_unconfirmed,
        )
        for support in catalogue.precision_support
        if gpu.slug in support.gpu_slugs
    )
    return Related(kind="precision", rows=tuple(rows))


def _gpus(slugs: tuple[str, ...], catalogue: Catalogue, unconfirmed: tuple[str, ...] = ()) -> Related:
    gpus = (catalogue.gpu(slug) for slug in slugs)
    rows = (RelatedRow(noun="gpus", key=gpu.slug, title=gpu.name, is_unconfirmed=_is_unsure(gpu.slug, unconfirmed)) for gpu in gpus)
    return Related(kind="gpus", rows=tuple(rows))


def _is_unsure(slug: str, unconfirmed: tuple[str, ...]) -> bool:
    return "gpu_slugs" in unconfirmed or f"gpu_slugs[{slug}]" in unconfirmed
