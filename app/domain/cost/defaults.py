"""Sourced factors that stand in where nobody stated a value, by the market of the plan's currency: the US for USD, China for CNY."""

from dataclasses import dataclass
from decimal import Decimal

from app.domain.catalogue.catalogue import Catalogue
from app.domain.cost.scenario import Spread, TaxRates
from app.domain.errors import DataMissing, Message, message
from app.domain.estimate import Assumption
from app.domain.money import Currency

ELECTRICITY = {Currency.USD: "electricity.us.industrial-by-state", Currency.CNY: "electricity.china.data-centre"}
STAFF_HOUR = {
    Currency.USD: "staff.us.loaded-hourly-cost-of-administrator",
    Currency.CNY: "staff.china.loaded-hourly-cost-of-operations-engineer",
}
SPACE = {  # per kW and month where space is sold by power, per rack unit and month where it is sold by height
    Currency.USD: "colocation.us.wholesale-250-500-kw-primary-markets.2025-06",
    Currency.CNY: "colocation.china.1u-hosting",
}
COLOCATION = {  # per kW and month: metered power comes on top in the first, is part of the second
    Currency.USD: "colocation.us.gpu-density",
    Currency.CNY: "colocation.china.cabinet-price-per-kw",
}
DISCOUNT = {Currency.USD: "finance.us.cost-of-debt-gpu-backed-loans", Currency.CNY: "finance.china.loan-prime-rate-1-year"}
TAX_GOODS = "tax-trade.china.vat-general-goods"
TAX_SERVICES = "tax-trade.china.vat-modern-services-cloud-rental-idc-software-services"
OWN_FROM = "utilisation.global.own-or-rent-rule-of-thumb"
ENTERPRISE_LICENCE = "support.us.nvidia-ai-enterprise-subscription"  # USD a GPU and year
INTERRUPTIONS = "reliability.us.annual-interruption-rate-per-gpu-gpu-related"  # a GPU and year
EGRESS = "storage-egress.us.internet-egress-aws"  # USD/GB
STAFF_HOURS = "staff.global.operations-hours-per-node-month"
PUE_AIR = "pue.global.air-cooled-enterprise"
PUE_LIQUID = "pue.global.direct-liquid-cooling"
MAINTENANCE = "support.us.hardware-maintenance-contract"
NETWORK_SHARE = "hardware-structure.us.interconnect-share-of-cluster-hardware-cost"
SPARE_NODES = "reliability.global.spare-ratio-gpu-nodes"
LOAD_SHARE = "power.global.node-power-in-training-as-share-of-rating"
HOST_SHARE = "power.global.server-non-gpu-power-as-share-of-gpu-power"
IDLE_SHARE_DATACENTRE = "power.global.gpu-idle-share-of-tdp-datacentre-sxm"
IDLE_SHARE_OTHER = "power.global.gpu-idle-share-of-tdp-geforce-and-l40s"


def usual_tax(catalogue: Catalogue, currency: Currency) -> TaxRates | None:
    """China's value-added tax for plans in CNY, recoverable as general taxpayers do; None: sales tax differs from state to state."""
    if currency is not Currency.CNY:
        return None
    goods, services = default(catalogue, TAX_GOODS), default(catalogue, TAX_SERVICES)
    return TaxRates(goods_ratio=goods.typical, services_ratio=services.typical, source=f"{goods.source}; {services.source}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Default:
    """A factor with its range; where no range was published, both ends are the typical value."""

    key: str
    low: Decimal
    typical: Decimal
    high: Decimal
    unit: str
    source: str

    @property
    def spread(self) -> Spread:
        """The range as shares of the typical value."""
        return Spread(low_ratio=float(self.low / self.typical), high_ratio=float(self.high / self.typical), source=self.source)

    def assumption(self, field: str) -> Assumption:
        """Says that this factor was taken for a field."""
        return Assumption(field=field, value=float(self.typical), why=self.why())

    def why(self) -> Message:
        """Where the factor comes from."""
        return message("cost.from_factor", unit=self.unit, source=self.source)


def default(catalogue: Catalogue, key: str) -> Default:
    """The factor with this key. DataMissing: it has no typical value."""
    factor = catalogue.factor(key)
    if factor.typical is None:
        raise DataMissing("cost.no_factor", key=key)
    low = factor.low if factor.low is not None else factor.typical
    high = factor.high if factor.high is not None else factor.typical
    return Default(
        key=key,
        low=min(low, factor.typical),
        typical=factor.typical,
        high=max(high, factor.typical),
        unit=factor.unit,
        source=factor.source.title if factor.on in factor.source.title else f"{factor.source.title} ({factor.on})",
    )
