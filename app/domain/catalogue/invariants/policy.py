"""Policy that a plan can be made with: every number there, within its bounds, and roles that weigh something."""

from collections.abc import Callable, Iterator

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.invariants.fault import Fault
from app.domain.catalogue.policy import LIMITS, ROLES, VALUE_KEYS
from app.domain.errors import message


def values_complete(catalogue: Catalogue) -> Iterator[Fault]:
    """All limits that plans read, and no key that none reads."""
    missing = set(LIMITS) - {row.key for row in catalogue.policy_values}
    if catalogue.policy_values and missing:
        yield Fault("policy_values", 0, "key", message("check.policy_missing", keys=", ".join(sorted(missing))))
    for index, row in enumerate(catalogue.policy_values):
        if row.key not in VALUE_KEYS:
            yield Fault("policy_values", index, "key", message("check.policy_unknown", key=row.key))


def values_within(catalogue: Catalogue) -> Iterator[Fault]:
    """A number between its bounds."""
    for index, row in enumerate(catalogue.policy_values):
        if not row.least <= row.value <= row.most:
            reason = message("check.implausible", number=f"{row.value:g}", low=f"{row.least:g}", high=f"{row.most:g}")
            yield Fault("policy_values", index, "value", reason)


def weights_weigh(catalogue: Catalogue) -> Iterator[Fault]:
    """A role without weights would rank by nothing. A merit without a row weighs nothing."""
    keys = [row.key for row in catalogue.policy_values]
    for role in ROLES:
        if keys and not any(key.startswith(f"weight.{role}.") for key in keys):
            yield Fault("policy_values", 0, "key", message("check.weights_none", role=role))


def rows_suggest(catalogue: Catalogue) -> Iterator[Fault]:
    """A row of a decision table names a GPU, and its sizes are in order."""
    for index, row in enumerate(catalogue.policy_rows):
        if not row.gpu_slugs:
            yield Fault("policy_rows", index, "gpu_slugs", message("check.empty"))
        low, high = row.parameters_over_count, row.parameters_up_to_count
        if low is not None and high is not None and not low < high:
            yield Fault("policy_rows", index, "parameters_up_to_count", message("check.policy_order"))


POLICY: tuple[Callable[[Catalogue], Iterator[Fault]], ...] = (values_complete, values_within, weights_weigh, rows_suggest)
