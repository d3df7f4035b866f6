"""Lines of a full cost that no figure stands for, each with why and, where somebody published one, what it would be. An input that is stated takes
its line off this list."""

from decimal import Decimal

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu
from app.domain.cost import defaults
from app.domain.cost.defaults import default
from app.domain.cost.scenario import MONTHS_PER_YEAR
from app.domain.errors import Message, message
from app.domain.estimate import Assumption
from app.domain.money import Currency, FxRate, Money

FIELDS = ("storage", "building", "software", "data", "failures", "delay", "selling")


def of_machines(gpu: Gpu, gpu_count: int, catalogue: Catalogue, currency: Currency, fx: FxRate) -> tuple[Assumption, ...]:
    """What owning costs besides the lines that are counted."""
    rate = default(catalogue, defaults.INTERRUPTIONS)
    events = float(rate.typical * gpu_count)
    return (
        _left_out("storage", message("cost.uncounted.storage")),
        _left_out("building", message("cost.uncounted.building")),
        _left_out("software", _licences(gpu, gpu_count, catalogue, currency, fx)),
        _left_out("data", message("cost.uncounted.data")),
        _left_out("failures", message("cost.uncounted.failures", events_count=round(events, 1), source=rate.source)),
        _left_out("delay", message("cost.uncounted.delay")),
        _left_out("selling", message("cost.uncounted.selling")),
    )


def of_rent(catalogue: Catalogue) -> tuple[Assumption, ...]:
    """What renting costs besides the price of the hours."""
    egress = default(catalogue, defaults.EGRESS)
    why = message("cost.uncounted.data_rented", low_price=f"{egress.low:f}", high_price=f"{egress.high:f}", source=egress.source)
    return (_left_out("data", why),)


def _left_out(field: str, why: Message) -> Assumption:
    return Assumption(field=field, value=None, why=why)


def _licences(gpu: Gpu, gpu_count: int, catalogue: Catalogue, currency: Currency, fx: FxRate) -> Message:
    if gpu.vendor != "NVIDIA" or gpu.market_class != "datacenter":
        return message("cost.uncounted.software")
    price = default(catalogue, defaults.ENTERPRISE_LICENCE)
    monthly = Money(price.typical * Decimal(gpu_count) / MONTHS_PER_YEAR, Currency.USD)
    code = currency.value.lower()
    amount = {f"licence_{code}": float(fx.convert(monthly, currency).amount)}
    return message(f"cost.uncounted.software_nvidia_{code}", source=price.source, **amount)
