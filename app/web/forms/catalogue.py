"""What the lists of the catalogue and of the prices are filtered by."""

from typing import Annotated

from pydantic import BaseModel, Field

from app.domain.catalogue.quotes import PricesWanted
from app.domain.catalogue.search import GpuWanted, ServerWanted, Wanted
from app.domain.units import gib

Words = Annotated[str, Field(max_length=100)]
Choice = Annotated[str, Field(max_length=60)]


class GpuFilter(BaseModel):
    """Which GPUs."""

    q: Words = ""
    vendor: Choice = ""
    market_class: Choice = ""
    form_factor: Choice = ""
    precision: Choice = ""
    memory: Annotated[float, Field(ge=0, le=10_000, allow_inf_nan=False)] | None = None
    confirmed: bool = False

    def wanted(self) -> GpuWanted:
        """For the search."""
        return GpuWanted(
            words=self.q,
            vendor=self.vendor,
            market_class=self.market_class,
            form_factor=self.form_factor,
            precision=self.precision,
            memory_least_bytes=None if self.memory is None else gib(self.memory),
            is_confirmed_only=self.confirmed,
        )


class ServerFilter(BaseModel):
    """Which servers."""

    q: Words = ""
    vendor: Choice = ""
    form_factor: Choice = ""
    cooling: Choice = ""
    gpu: Choice = ""
    count: Annotated[int, Field(ge=0, le=10_000)] | None = None

    def wanted(self) -> ServerWanted:
        """For the search."""
        return ServerWanted(
            words=self.q,
            vendor=self.vendor,
            form_factor=self.form_factor,
            cooling=self.cooling,
            gpu_slug=self.gpu,
            gpu_least_count=self.count,
        )


class GroupFilter(BaseModel):
    """Which rows of a list with one group."""

    q: Words = ""
    group: Choice = ""

    def wanted(self) -> Wanted:
        """For the search."""
        return Wanted(words=self.q, group=self.group)


class PriceFilter(BaseModel):
    """Which prices."""

    q: Words = ""
    gpu: Choice = ""
    currency: Choice = ""
    region: Choice = ""
    kind: Choice = ""
    fresh: bool = False

    def wanted(self) -> PricesWanted:
        """For the search."""
        return PricesWanted(
            words=self.q, gpu_slug=self.gpu, currency=self.currency, region=self.region, kind=self.kind, is_fresh_only=self.fresh
        )
