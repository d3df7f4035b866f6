"""Money: an exact amount in one currency, and dated exchange rates. Adding two currencies is an error, never a guess."""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from app.domain.errors import DomainError


class Currency(StrEnum):
    """The currencies that plans are made in."""

    USD = "USD"
    CNY = "CNY"


def other_currency(currency: Currency) -> Currency:
    """The one of the two that this is not."""
    return Currency.CNY if currency is Currency.USD else Currency.USD


MINOR_UNIT = Decimal("0.01")


@dataclass(frozen=True, slots=True, order=False)
class Money:
    """An exact decimal amount. Rounding happens once, in `rounded`, where a total is shown."""

    amount: Decimal
    currency: Currency

    def __add__(self, other: "Money") -> "Money":
        self._same(other)
        return Money(self.amount + other.amount, self.currency)

    def __sub__(self, other: "Money") -> "Money":
        self._same(other)
        return Money(self.amount - other.amount, self.currency)

    def __neg__(self) -> "Money":
        return Money(-self.amount, self.currency)

    def __lt__(self, other: "Money") -> bool:
        self._same(other)
        return self.amount < other.amount

    def times(self, quantity: float | int | Decimal) -> "Money":
        """Price × quantity, the one place where a physical number meets money: the float goes through its shortest decimal text."""
        factor = quantity if isinstance(quantity, Decimal) else Decimal(repr(quantity) if isinstance(quantity, float) else quantity)
        return Money(self.amount * factor, self.currency)

    def rounded(self) -> "Money":
        """To the minor unit, half up."""
        return Money(self.amount.quantize(MINOR_UNIT, ROUND_HALF_UP), self.currency)

    def _same(self, other: "Money") -> None:
        if self.currency is not other.currency:
            raise DomainError("money.mixed_currencies", left=self.currency.value, right=other.currency.value)


def zero(currency: Currency) -> Money:
    """No money at all, in a currency."""
    return Money(Decimal(0), currency)


@dataclass(frozen=True, slots=True, kw_only=True)
class FxRate:
    """How many units of `quote` one unit of `base` buys, on a date, by a source."""

    base: Currency
    quote: Currency
    rate: Decimal
    on: date
    source: str

    def convert(self, money: Money, to: Currency) -> Money:
        """The same value in the other currency, unrounded."""
        if money.currency is to:
            return money
        if (money.currency, to) == (self.base, self.quote):
            return Money(money.amount * self.rate, to)
        if (money.currency, to) == (self.quote, self.base):
            return Money(money.amount / self.rate, to)
        raise DomainError("money.no_rate", left=money.currency.value, right=to.value)

    def elsewhere(self, money: Money) -> Money:
        """The same value in the other currency, to the cent."""
        return self.convert(money, other_currency(money.currency)).rounded()
