"""A configuration sheet of the published retail case, made once a run."""

from dataclasses import replace
from functools import cache
from typing import Any

from app.domain.capacity import CollectiveEstimate
from app.domain.estimate import exact
from app.domain.selection import Plan
from app.domain.sheet import ConfigurationSheet, Revisions, SheetOrder, build_sheet
from app.export.issue import Issue
from app.seeds import load_catalogue
from app.wire.sheet import canonical, fingerprint, with_fixed_words
from tests.factories.plans import RETAIL, a_plan

REVISIONS = Revisions(catalogue="facts-1", policy="policy-1", method="method-1")


@cache
def the_plan() -> Plan:
    """The plan of the retail case."""
    return a_plan(RETAIL)


def an_order(**changes: Any) -> SheetOrder:
    """What the sheet is made from; a keyword replaces any part."""
    plan = the_plan()
    assert plan.recommended.best is not None
    candidate = plan.candidates[plan.recommended.best]
    order = SheetOrder(
        project="Retail copywriter 13B",
        number=2,
        issued_at="2026-11-30T21:00:00+00:00",
        issued_by="Lin",
        revisions=REVISIONS,
        catalogue=load_catalogue(),
        plan=plan,
        candidate=candidate,
        tco=candidate.tco,
        collective=CollectiveEstimate(bus_bytes_per_s=exact(230e9), algorithm_bytes_per_s=exact(131e9), time_s=exact(0.008)),
        inputs={"answers": {"model.name": "llama-2-13b"}},
    )
    return replace(order, **changes)


@cache
def the_sheet() -> ConfigurationSheet:
    """The retail case's sheet."""
    return build_sheet(an_order())


@cache
def the_issue() -> Issue:
    """The same as it would be stored."""
    sheet = with_fixed_words(the_sheet())
    document = canonical(sheet)
    return Issue(sheet=sheet, document=document, sha256=fingerprint(document))
