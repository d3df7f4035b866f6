"""Rows are told apart, and what they refer to exists."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.invariants.fault import TABLES, Fault, every_row
from app.domain.catalogue.source import Source
from app.domain.errors import message

KEYS: dict[str, tuple[str, ...]] = {
    "gpus": ("slug",),
    "servers": ("slug",),
    "links": ("slug",),
    "precision_support": ("architecture", "precision"),
    "language_models": ("name",),
    "other_models": ("name",),
    "purchase_prices": ("item", "unit", "currency", "region", "on", "seller_type", "source", "unit_price", "quantity_count"),
    "rental_prices": ("provider", "sku", "gpu_quoted", "commitment", "currency", "region", "on"),
    "cost_factors": ("key",),
    "policy_rows": ("key",),
    "policy_values": ("key",),
}


def natural_key(table: str, row: Any) -> str:
    """What tells a row from all others of its table, as one text."""
    parts = (getattr(row, name) for name in KEYS[table])
    return " · ".join(part.title if isinstance(part, Source) else str(part) for part in parts)


def unique_keys(catalogue: Catalogue) -> Iterator[Fault]:
    """No two rows of a table have the same natural key."""
    for table in TABLES:
        seen: set[str] = set()
        for index, row in enumerate(getattr(catalogue, table)):
            key = natural_key(table, row)
            if key in seen:
                yield Fault(table, index, KEYS[table][0], message("check.duplicate", key=key))
            seen.add(key)


def unique_aliases(catalogue: Catalogue) -> Iterator[Fault]:
    """A name or alias means one language model, whatever its case."""
    owner: dict[str, str] = {}
    for index, model in enumerate(catalogue.language_models):
        for alias in (model.name, *model.aliases):
            other = owner.setdefault(alias.casefold(), model.name)
            if other != model.name:
                yield Fault("language_models", index, "aliases", message("check.alias_taken", alias=alias, other=other))


def references_resolve(catalogue: Catalogue) -> Iterator[Fault]:
    """Every GPU that a row names is in the catalogue."""
    known = {gpu.slug for gpu in catalogue.gpus}
    for table, index, row in every_row(catalogue):
        if table == "gpus":
            continue
        slugs: tuple[str, ...] = getattr(row, "gpu_slugs", ())
        single = getattr(row, "gpu_slug", None)
        for slug in (*slugs, *((single,) if single else ())):
            if slug not in known:
                yield Fault(table, index, "gpu_slugs" if slugs else "gpu_slug", message("catalogue.no_gpu", slug=slug))


def idle_factors_resolve(catalogue: Catalogue) -> Iterator[Fault]:
    """An idle power names the cost factor it comes from, and agrees with it."""
    factors = {factor.key: factor for factor in catalogue.cost_factors}
    for index, gpu in enumerate(catalogue.gpus):
        if gpu.idle_factor is None:
            continue
        factor = factors.get(gpu.idle_factor)
        if factor is None or factor.typical is None or float(factor.typical) != gpu.idle_w:
            yield Fault("gpus", index, "idle_factor", message("check.idle_factor", key=gpu.idle_factor))


def form_factors_fit(catalogue: Catalogue) -> Iterator[Fault]:
    """A server takes the form factor of every GPU it lists."""
    forms = {gpu.slug: gpu.form_factor for gpu in catalogue.gpus}
    for index, server in enumerate(catalogue.servers):
        for slug in server.gpu_slugs:
            form = forms.get(slug)
            if form is not None and form not in server.form_factors:
                yield Fault("servers", index, "gpu_slugs", message("check.form_factor", gpu=slug, form=form))


def unconfirmed_fields_exist(catalogue: Catalogue) -> Iterator[Fault]:
    """`unconfirmed_fields` names fields, and supported GPUs in brackets."""
    for table, index, row in every_row(catalogue):
        names = {item.name for item in fields(row)}
        for name in getattr(row, "unconfirmed_fields", ()):
            base, bracket, slug = name.partition("[")
            if base not in names or (bracket and slug.removesuffix("]") not in row.gpu_slugs):
                yield Fault(table, index, "unconfirmed_fields", message("check.no_such_field", name=name))


IDENTITY: tuple[Callable[[Catalogue], Iterator[Fault]], ...] = (
    unique_keys,
    unique_aliases,
    references_resolve,
    idle_factors_resolve,
    form_factors_fit,
    unconfirmed_fields_exist,
)
