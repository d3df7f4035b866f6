"""Other ways to hold the same machines, once somebody states what they need: a lease that was offered, and a base that is owned with the rest
rented. Both are made from the options that stand, with all that was changed in them."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from app.domain.cost.breakeven import used
from app.domain.cost.input_kinds import NOT_COUNTED, STATED
from app.domain.cost.inputs import CostInput, Override
from app.domain.cost.offers import OWN, RENTED
from app.domain.cost.scenario import Driver, Kind, Lease, Option, Scenario
from app.domain.errors import message
from app.domain.estimate import Assumption
from app.domain.money import Money

LEASED, MIXED = "lease", "mix"
MONTHLY, UPFRONT, BUYOUT = f"{LEASED}.monthly_cost", f"{LEASED}.upfront", f"{LEASED}.purchase_price"
NODES, WORK = f"{MIXED}.owned_nodes", f"{MIXED}.owned_work"
MOST = Decimal("1e9")
BUSY_FIRST = "the owned machines are busy first"


def way_inputs(scenario: Scenario, node_count: int, overrides: Mapping[str, Override]) -> tuple[CostInput, ...]:
    """What can be stated of a lease, and of a mixture where there is more than one machine and somebody rents such GPUs out."""
    found = [
        _amount(MONTHLY, "month", scenario, overrides),
        _amount(UPFRONT, "start", scenario, overrides),
        _amount(BUYOUT, "plan", scenario, overrides),
    ]
    if node_count > 1 and _named(scenario, RENTED) is not None:
        held = overrides.get(NODES)
        found.append(_entry(NODES, held.value if held else Decimal(0), "1", "", held, Decimal(0), Decimal(node_count - 1)))
        if held is not None and held.value:
            least, most = _work_bounds(scenario, held.value / node_count)
            stated = overrides.get(WORK)
            value = stated.value if stated else most
            entry = _entry(WORK, value, "ratio", "", stated, least, most)
            found.append(entry if stated else replace(entry, source=BUSY_FIRST))
    return tuple(found)


def with_ways(scenario: Scenario, node_count: int, overrides: Mapping[str, Override]) -> Scenario:
    """The scenario with a lease and a mixture added, as far as they were stated."""
    added = (_leased(scenario, overrides), _mixed(scenario, node_count, overrides))
    return replace(scenario, options=(*scenario.options, *(option for option in added if option is not None)))


def _leased(scenario: Scenario, overrides: Mapping[str, Override]) -> Option | None:
    """The same machines by monthly payments over the plan; given back at its end, or bought for a price and sold like owned ones."""
    own, monthly = _named(scenario, OWN), _money(MONTHLY, scenario, overrides)
    if own is None or monthly is None:
        return None
    bought_out = _money(BUYOUT, scenario, overrides)
    lease = Lease(
        monthly_cost=monthly,
        term_months=scenario.month_count,
        upfront=_money(UPFRONT, scenario, overrides),
        purchase_price=bought_out,
    )
    return replace(
        own,
        name=LEASED,
        kind=Kind.LEASE,
        capex=(),
        residual_value=own.residual_value if bought_out is not None else None,
        lease=lease,
        sources={**own.sources, "lease": STATED},
        spreads={driver: spread for driver, spread in own.spreads.items() if driver is not Driver.PURCHASE},
        assumptions=(*own.assumptions, Assumption(field="lease", value=None, why=message("cost.lease_holds_maintenance"))),
    )


def _mixed(scenario: Scenario, node_count: int, overrides: Mapping[str, Override]) -> Option | None:
    """`k` of `n` machines owned and the rest rented by the hour: w of the work is done on the owned ones.

    u_own = u·w·n/k, u_rent = u·(1 − w)·n/(n − k); what is owned costs its share of everything that all machines would cost."""
    own, rented, held = _named(scenario, OWN), _named(scenario, RENTED), overrides.get(NODES)
    if own is None or rented is None or held is None or not 0 < held.value < node_count:
        return None
    share = held.value / node_count
    least, most = _work_bounds(scenario, share)
    work = min(max(overrides[WORK].value, least), most) if WORK in overrides else most
    use = own.utilisation_ratio
    base = _scaled(used(own, use * work / share), held.value, node_count)
    burst = replace(rented, gpu_count=own.gpu_count - base.gpu_count, utilisation_ratio=use * (1 - work) / (1 - share))
    why = message("cost.mix_assumed", owned_count=base.gpu_count, rented_count=burst.gpu_count, work_ratio=float(work))
    return Option(
        name=MIXED,
        kind=Kind.HYBRID,
        gpu_count=own.gpu_count,
        utilisation_ratio=use,
        hours_per_year=own.hours_per_year,
        parts=(base, burst),
        assumptions=(Assumption(field="mix", value=float(work), why=why),),
    )


def _work_bounds(scenario: Scenario, share: Decimal) -> tuple[Decimal, Decimal]:
    """How much of the work machines that are this share of all can do, and must do for the others to do the rest."""
    own = _named(scenario, OWN)
    use = own.utilisation_ratio if own is not None else Decimal(1)
    if not use:
        return Decimal(0), Decimal(1)
    return max(Decimal(0), 1 - (1 - share) / use), min(Decimal(1), share / use)


def _scaled(option: Option, count: Decimal, of: int) -> Option:
    """So many of the machines: multiplied before it is divided, so that whole things stay whole."""

    def part(amount: Decimal) -> Decimal:
        return amount * count / of

    def paid(money: Money) -> Money:
        return Money(part(money.amount), money.currency)

    power = option.power
    return replace(
        option,
        gpu_count=int(part(Decimal(option.gpu_count))),
        capex=tuple(replace(item, quantity=part(item.quantity)) for item in option.capex),
        opex=tuple(replace(item, monthly_cost=paid(item.monthly_cost)) for item in option.opex),
        one_off=tuple(replace(payment, amount=paid(payment.amount)) for payment in option.one_off),
        residual_value=paid(option.residual_value) if option.residual_value else None,
        power=replace(power, host_w=part(power.host_w)) if power else None,
    )


def _named(scenario: Scenario, name: str) -> Option | None:
    return next((option for option in scenario.options if option.name == name), None)


def _money(key: str, scenario: Scenario, overrides: Mapping[str, Override]) -> Money | None:
    held = overrides.get(key)
    return Money(held.value, held.currency or scenario.currency) if held is not None and held.value else None


def _amount(key: str, per: str, scenario: Scenario, overrides: Mapping[str, Override]) -> CostInput:
    held = _money(key, scenario, overrides)
    value = scenario.fx.convert(held, scenario.currency).amount if held else Decimal(0)
    return _entry(key, value, "money", per, overrides.get(key), Decimal(0), MOST)


def _entry(key: str, value: Decimal, unit: str, per: str, held: Override | None, least: Decimal, most: Decimal) -> CostInput:
    return CostInput(
        key=key,
        label=key.rpartition(".")[2],
        value=value,
        unit=unit,
        per=per,
        source=STATED if held else NOT_COUNTED,
        least=least,
        most=most,
        is_whole=unit == "1",
    )
