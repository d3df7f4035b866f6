"""Which candidate is best for the need, which is cheaper and gives something up, which is safer."""

from collections.abc import Callable, Sequence

from app.domain.capacity import Fit
from app.domain.selection.plan import Candidate, Recommendation
from app.domain.selection.policy import Policy


def recommend(candidates: Sequence[Candidate], deadline_s: float | None, growth_ratio: float, policy: Policy) -> Recommendation:
    """Best: the cheapest that meets the need. Cheaper: the cheapest that costs less and computes for at least half of its step. Safer: the
    cheapest that meets the need even at the slow end of the estimate with the expected growth, and whose memory fits at the high end."""

    def is_safe(candidate: Candidate) -> bool:
        run = candidate.duration_s
        in_time = deadline_s is None or run is None or run.high * growth_ratio <= deadline_s
        memory = candidate.estimate.memory
        return candidate.meets_need and memory is not None and memory.fits is Fit.YES and in_time

    def computes(candidate: Candidate) -> bool:
        """Cards that mostly wait for their link (R-D6) are money spent on waiting, whatever they cost."""
        return (candidate.collective_ratio or 0.0) <= policy.link_bound_ratio

    def cheapest(allowed: Callable[[Candidate], bool]) -> int | None:
        return _cheapest(candidates, allowed, policy.same_cost_ratio)

    best = cheapest(lambda candidate: candidate.meets_need)
    if best is None:
        return Recommendation(best=None, cheaper=cheapest(computes), safer=None)
    cost = _cost(candidates[best])
    cheaper = cheapest(lambda candidate: _cost(candidate) < cost and computes(candidate))
    safer = cheapest(
        lambda candidate: candidate is not candidates[best] and is_safe(candidate) and _is_stronger(candidate, candidates[best])
    )
    return Recommendation(best=best, cheaper=cheaper, safer=safer)


def _is_stronger(candidate: Candidate, best: Candidate) -> bool:
    if candidate.duration_s is None or best.duration_s is None:
        return _memory(candidate) > _memory(best)
    return candidate.duration_s.typical < best.duration_s.typical


def _memory(candidate: Candidate) -> float:
    return (candidate.gpu.memory_usable_bytes or 0.0) * candidate.gpu_count


def _cheapest(candidates: Sequence[Candidate], allowed: Callable[[Candidate], bool], same_ratio: float) -> int | None:
    """The cheapest; of those that cost nearly the same, the one with the fewest machines and cards (R-S3)."""
    indices = [index for index, candidate in enumerate(candidates) if allowed(candidate)]
    if not indices:
        return None
    limit = same_ratio * min(_cost(candidates[index]) for index in indices)
    alike = [index for index in indices if _cost(candidates[index]) <= limit]
    return min(alike, key=lambda index: (candidates[index].node_count, candidates[index].gpu_count, _cost(candidates[index]), index))


def _cost(candidate: Candidate) -> float:
    return float(candidate.tco.options[0].total.amount)
