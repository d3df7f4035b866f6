"""The GPUs that cost least to buy and still do the work: what the panel shows beside the default kind."""

from dataclasses import dataclass, field
from functools import lru_cache

from app.domain.capacity import resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu
from app.domain.cost.quotes import ReferencePrice, reference_price
from app.domain.errors import DataMissing, DomainError
from app.domain.intake import Requirements
from app.domain.money import Currency, FxRate
from app.domain.selection.elimination import facts_against
from app.domain.selection.need import too_slow_at_peak
from app.domain.selection.options import BOARD_FORM_FACTORS
from app.domain.selection.policy import policy_of
from app.domain.workload.settings import Task
from app.services.estimates import COUNTS, Choice, Sizing, sized, workload_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Least:
    """The least expensive number of GPUs of one kind, with their share of servers, and how many kinds were compared."""

    gpu: Gpu
    sizing: Sizing
    price: ReferencePrice  # of one GPU
    kind_count: int

    @property
    def cost(self) -> float:
        """The typical price of all."""
        return float(self.price.typical) * self.sizing.choice.gpu_count


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    needs: Requirements
    default: Sizing
    currency: Currency
    fx: FxRate
    revision: str
    catalogue: Catalogue = field(compare=False)

    @property
    def task(self) -> Task:
        return self.default.choice.task


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kind:
    gpu: Gpu
    price: ReferencePrice
    counts: tuple[int, ...]  # worth trying: full boards where it is sold so, and not late even at the cards' peak

    @property
    def least_cost(self) -> float:
        return float(self.price.typical) * self.counts[0]


def least(needs: Requirements, default: Sizing, catalogue: Catalogue, currency: Currency, fx: FxRate) -> Least | None:
    """The least expensive of the kinds that somebody quotes and some server may take; `default` is the one to beat.

    Kinds that would mostly wait for their link are left out, as in recommendations. None: no kind with a price does it."""
    return _least(_Key(needs=needs, default=default, currency=currency, fx=fx, revision=catalogue.revision, catalogue=catalogue))


@lru_cache(maxsize=128)
def _least(key: _Key) -> Least | None:
    priced = _priced(key)
    best = next(
        (Least(gpu=gpu, sizing=key.default, price=price, kind_count=len(priced)) for gpu, price in priced if _is_default(key, gpu)), None
    )
    best_cost = best.cost if best else float("inf")
    for kind in sorted(_started(key, priced), key=lambda kind: (kind.least_cost, kind.gpu.slug)):
        for count in kind.counts:
            cost = float(kind.price.typical) * count
            if cost >= best_cost:
                break
            sizing = sized(key.needs, Choice(task=key.task, gpu=kind.gpu.slug, gpu_count=count), key.catalogue, is_last=False)
            if sizing is not None and sizing.meets and sizing.collective_ratio <= key.catalogue.policy("link_bound"):
                best, best_cost = Least(gpu=kind.gpu, sizing=sizing, price=kind.price, kind_count=len(priced)), cost
                break
    return best


def _is_default(key: _Key, gpu: Gpu) -> bool:
    return key.default.meets and gpu.slug == key.default.choice.gpu


def _priced(key: _Key) -> list[tuple[Gpu, ReferencePrice]]:
    """Kinds that a server may take as far as facts say, and that somebody quoted."""
    needs, catalogue = key.needs, key.catalogue
    servers = [catalogue.server(slug) for slug in needs.operations.servers] or catalogue.servers
    found: dict[str, tuple[Gpu, ReferencePrice]] = {}
    for server in servers:
        for gpu in (catalogue.gpu(slug) for slug in server.gpu_slugs if slug not in found):
            if facts_against(gpu, server, needs, catalogue) is None:
                try:
                    found[gpu.slug] = (gpu, reference_price(gpu, catalogue, key.currency, key.fx))
                except DataMissing:
                    continue
    return list(found.values())


def _spendable(key: _Key, priced: list[tuple[Gpu, ReferencePrice]]) -> dict[str, float]:
    """How much may sensibly be spent on each kind. One that another kind beats in memory, and in bandwidth and compute for the money, pays only where
    the other's smallest purchase would be more than enough: below twice its price, since numbers of cards are tried in powers of two."""
    merits, purchases = {}, {}
    for gpu, price in priced:
        compute, cost = gpu.peak_bf16_dense_flops or gpu.peak_fp16_dense_flops, float(price.typical)
        if compute and gpu.memory_bandwidth_bytes_per_s and gpu.memory_usable_bytes:
            merits[gpu.slug] = (gpu.memory_usable_bytes, gpu.memory_bandwidth_bytes_per_s / cost, compute / cost)
            purchases[gpu.slug] = cost * _board_count(gpu, key.catalogue)

    def beats(theirs: tuple[float, ...], mine: tuple[float, ...]) -> bool:
        return theirs != mine and all(a >= b for a, b in zip(theirs, mine, strict=True))

    return {
        slug: min((2 * purchases[other] for other, theirs in merits.items() if beats(theirs, mine)), default=float("inf"))
        for slug, mine in merits.items()
    }


def _started(key: _Key, priced: list[tuple[Gpu, ReferencePrice]]) -> list[_Kind]:
    """Each kind with the numbers of cards worth trying; kinds without any are left out."""
    started, spendable = [], _spendable(key, priced)
    for gpu, price in priced:
        most = spendable.get(gpu.slug, 0.0) / float(price.typical)
        counts = tuple(count for count in COUNTS if count < most and count % _board_count(gpu, key.catalogue) == 0)
        first = next((index for index, count in enumerate(counts) if not _is_late(key, gpu, count)), None)
        if first is not None:
            started.append(_Kind(gpu=gpu, price=price, counts=counts[first:]))
    return started


def _board_count(gpu: Gpu, catalogue: Catalogue) -> int:
    """How many are sold together: those of the smallest machine where they sit on one board, else one."""
    if not (gpu.form_factor or "").startswith(BOARD_FORM_FACTORS):
        return 1
    return min(server.max_gpu_count for server in catalogue.servers if gpu.slug in server.gpu_slugs)


def _is_late(key: _Key, gpu: Gpu, count: int) -> bool:
    try:
        hardware, _ = resolve_hardware(workload_of(key.needs, Choice(task=key.task, gpu=gpu.slug, gpu_count=count)), key.catalogue)
    except DomainError:
        return True
    training, model = key.needs.training, key.needs.model
    return (
        key.task is Task.TRAIN
        and training is not None
        and model is not None
        and bool(too_slow_at_peak(training, model, hardware, count, policy_of(key.catalogue)))
    )
