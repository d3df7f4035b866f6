"""Every row says where it comes from and when, in words that the rest of the program knows."""

import re
from collections.abc import Iterator
from datetime import date

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.invariants.fault import Fault, every_row
from app.domain.errors import message

DATE = re.compile(r"(?P<year>(?:19|20)\d\d)(?:-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>0[1-9]|[12]\d|3[01]))?)?")
WORDS: dict[str, set[str | None]] = {
    "market_class": {"datacenter", "consumer", "workstation", "edge"},
    "cooling": {"passive", "active", "either", "liquid", "air", None},
    "commitment": {"on-demand", "1y", "3y", "spot", "monthly", "reserved-unspecified"},
    "confidence": {"high", "medium", "low"},
    "condition": {"new", "used"},
    "precision": {"fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4", "int4"},
    "hardware_support": {"matrix", "vector", "reduced", "no", None},
    "category": {"pcie", "gpu_link", "switch", "infiniband", "ethernet", "adapter", "measured_allreduce", "formula", "storage"},
    "attention": {"mha", "gqa", "mqa", "mla", "hybrid"},
    "kind": {"decoder", "encoder", "encoder-decoder"},
    "work": {"training", "inference", "any"},
    "stage": {"pretrain", "finetune", None},
    "method": {"full", "adapter", None},
    "reads": {"language", "other", None},
    "environment": {"development", "production", None},
    "unit": {"gpu", "server", "workstation", "rack", "baseboard", "switch"},
}
FREE_UNITS = "cost_factors"


def dated(catalogue: Catalogue, today: date) -> Iterator[Fault]:
    """A year, a month or a day, not in the future."""
    for table, index, row in every_row(catalogue):
        for name, text in (
            ("source.on", row.source.on),
            ("on", getattr(row, "on", None)),
            ("launched_on", getattr(row, "launched_on", None)),
        ):
            if text is None:
                continue
            found = DATE.fullmatch(text)
            if found is None:
                yield Fault(table, index, name, message("check.not_a_date", cell=text))
            elif text > today.isoformat()[: len(text)] and name != "launched_on":
                yield Fault(table, index, name, message("check.future", cell=text))


def sourced(catalogue: Catalogue) -> Iterator[Fault]:
    """A title, and an address that is one."""
    for table, index, row in every_row(catalogue):
        if not row.source.title:
            yield Fault(table, index, "source.title", message("check.no_source"))
        if row.source.url is not None and not re.match(r"https?://[^\s/]+\.[^\s]+$", row.source.url):
            yield Fault(table, index, "source.url", message("check.not_an_address", cell=row.source.url))


def known_words(catalogue: Catalogue) -> Iterator[Fault]:
    """Columns with few possible words hold one of them; names are not empty."""
    for table, index, row in every_row(catalogue):
        for name, words in WORDS.items():
            if not hasattr(row, name) or (name == "unit" and table == FREE_UNITS):
                continue
            value = getattr(row, name)
            if value not in words:
                allowed = ", ".join(sorted(word for word in words if word))
                yield Fault(table, index, name, message("check.unknown_word", cell=str(value), words=allowed))
        for name in ("slug", "name", "vendor", "provider", "item", "key"):
            if getattr(row, name, "-") == "":
                yield Fault(table, index, name, message("check.empty"))
