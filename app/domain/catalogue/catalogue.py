"""All facts of one revision, with the look-ups that everybody needs."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from app.domain.catalogue.hardware import Gpu, Link, PrecisionSupport, Server
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.catalogue.policy import PolicyRow, PolicyValue
from app.domain.catalogue.prices import CostFactor, PurchasePrice, RentalPrice
from app.domain.errors import NotFound


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """Every row, and a revision that changes whenever a row does. Equal revisions give equal answers."""

    revision: str
    gpus: tuple[Gpu, ...]
    servers: tuple[Server, ...]
    links: tuple[Link, ...]
    precision_support: tuple[PrecisionSupport, ...]
    language_models: tuple[LanguageModel, ...]
    other_models: tuple[OtherModel, ...]
    purchase_prices: tuple[PurchasePrice, ...]
    rental_prices: tuple[RentalPrice, ...]
    cost_factors: tuple[CostFactor, ...]
    policy_rows: tuple[PolicyRow, ...]
    policy_values: tuple[PolicyValue, ...]

    @property
    def row_count(self) -> int:
        """How many rows there are in all."""
        tables = (self.gpus, self.servers, self.links, self.precision_support, self.language_models, self.other_models)
        return sum(map(len, (*tables, self.purchase_prices, self.rental_prices, self.cost_factors, self.policy_rows, self.policy_values)))

    @property
    def prices(self) -> tuple[PurchasePrice | RentalPrice, ...]:
        """Prices to buy and to rent."""
        return (*self.purchase_prices, *self.rental_prices)

    def gpu(self, slug: str) -> Gpu:
        """The GPU with this slug. NotFound: there is none."""
        try:
            return self._gpus[slug]
        except KeyError:
            raise NotFound("catalogue.no_gpu", field="gpu", slug=slug) from None

    def server(self, slug: str) -> Server:
        """The server with this slug. NotFound: there is none."""
        try:
            return self._servers[slug]
        except KeyError:
            raise NotFound("catalogue.no_server", field="server", slug=slug) from None

    def language_model(self, name: str) -> LanguageModel | None:
        """The model of this name or alias, whatever its case, or None."""
        return self._language_models.get(name.casefold())

    def other_model(self, name: str) -> OtherModel | None:
        """The non-language model of this name, whatever its case, or None."""
        return self._other_models.get(name.casefold())

    def precision(self, gpu: Gpu, precision: str) -> PrecisionSupport | None:
        """What is known about a GPU's support of a precision; None: nothing."""
        return self._precisions.get((gpu.slug, precision))

    def link(self, slug: str) -> Link:
        """The link with this slug. NotFound: there is none."""
        try:
            return self._links[slug]
        except KeyError:
            raise NotFound("catalogue.no_link", field="link", slug=slug) from None

    def factor(self, key: str) -> CostFactor:
        """The cost factor with this key. NotFound: there is none."""
        try:
            return self._factors[key]
        except KeyError:
            raise NotFound("catalogue.no_factor", field="factor", key=key) from None

    def policy(self, key: str) -> float:
        """The number that policy sets. NotFound: there is none."""
        try:
            return self._policy[key]
        except KeyError:
            raise NotFound("catalogue.no_policy", field="policy", key=key) from None

    @cached_property
    def policy_revision(self) -> str:
        """The hash of the policy alone: two catalogues that differ only in facts judge alike."""
        rows = sorted(map(repr, (*self.policy_rows, *self.policy_values)))
        return sha256("\n".join(rows).encode()).hexdigest()[:16]

    @cached_property
    def _policy(self) -> dict[str, float]:
        return {row.key: row.value for row in self.policy_values}

    @cached_property
    def _gpus(self) -> dict[str, Gpu]:
        return {gpu.slug: gpu for gpu in self.gpus}

    @cached_property
    def _servers(self) -> dict[str, Server]:
        return {server.slug: server for server in self.servers}

    @cached_property
    def _links(self) -> dict[str, Link]:
        return {link.slug: link for link in self.links}

    @cached_property
    def _factors(self) -> dict[str, CostFactor]:
        return {factor.key: factor for factor in self.cost_factors}

    @cached_property
    def _language_models(self) -> dict[str, LanguageModel]:
        names = {alias.casefold(): model for model in self.language_models for alias in model.aliases}
        return names | {model.name.casefold(): model for model in self.language_models}

    @cached_property
    def _other_models(self) -> dict[str, OtherModel]:
        return {model.name.casefold(): model for model in self.other_models}

    @cached_property
    def _precisions(self) -> dict[tuple[str, str], PrecisionSupport]:
        return {(slug, row.precision): row for row in self.precision_support for slug in row.gpu_slugs}
