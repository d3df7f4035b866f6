"""Puts a plan together: facts first, then memory, then time, then money; what is left is ranked."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from app.domain.capacity import Hardware, resolve_hardware
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Server
from app.domain.catalogue.models import LanguageModel, OtherModel
from app.domain.cost.inputs import Override
from app.domain.diagnosis import Diagnosis
from app.domain.errors import message
from app.domain.estimate import Assumption
from app.domain.intake import Requirements
from app.domain.intake.workloads import GLOBAL_BATCH, serving_workload, training_workload
from app.domain.money import FxRate
from app.domain.selection.bottleneck import Effect, effect_of
from app.domain.selection.candidates import EQUIVALENT, Draft, cost_and_rank
from app.domain.selection.elimination import Ruled, facts_against
from app.domain.selection.layouts import Found, NoLayout, best_serving_layout, best_training_layout, shardings_of
from app.domain.selection.ledger import Ledger
from app.domain.selection.need import Verdict, judge_serving, judge_training, too_slow_at_peak
from app.domain.selection.options import Option, homeless, pairs, sizes, trust
from app.domain.selection.peaks import Peaks
from app.domain.selection.plan import Plan, Recommendation
from app.domain.selection.policy import Policy, policy_of
from app.domain.selection.repricing import concluded
from app.domain.workload import Sharding

NO_OVERRIDES: Mapping[str, Override] = {}
LARGER = Ruled(rule="R-S3", reason=message("selection.larger_than_needed"))
HOMELESS = Ruled(rule="R-S4", reason=message("selection.no_server"))


def make_plan(
    needs: Requirements, catalogue: Catalogue, diagnosis: Diagnosis | None, fx: FxRate, overrides: Mapping[str, Override] = NO_OVERRIDES
) -> Plan:
    """Searches GPU × server × count × layout for the lowest configuration that meets the need. The same arguments give the same plan.

    `overrides` are cost inputs that people put in place of the sourced ones: candidates cost what the Cost step says."""
    effect = effect_of(diagnosis)
    assumed = (
        (Assumption(field="train.global_batch", value=GLOBAL_BATCH, why=message("selection.assumed_batch")),) if needs.training else ()
    )
    plan = Plan(
        requirements=needs,
        catalogue_revision=catalogue.revision,
        searched=0,
        layouts_tried=0,
        eliminated=(),
        candidates=(),
        recommended=Recommendation(best=None, cheaper=None, safer=None),
        assumptions=(*needs.assumptions, *assumed),
        bottleneck=diagnosis,
        advice=effect.advice,
        policy_revision=catalogue.policy_revision,
    )
    if needs.model is None:
        return replace(plan, advice=(*plan.advice, message("selection.no_model")))
    plan = _searched(plan, needs.model, catalogue, effect, fx, overrides, needs.operations.servers)
    if needs.operations.servers and not plan.candidates:
        bought = _searched(plan, needs.model, catalogue, effect, fx, overrides, ())
        return replace(
            bought,
            advice=(*plan.advice, message("selection.floor_unfit")),
            eliminated=(*plan.eliminated, *bought.eliminated),
            searched=plan.searched + bought.searched,
        )
    return plan


def _searched(
    plan: Plan,
    model: LanguageModel | OtherModel,
    catalogue: Catalogue,
    effect: Effect,
    fx: FxRate,
    overrides: Mapping[str, Override],
    floor: tuple[str, ...],
) -> Plan:
    needs = plan.requirements
    ledger = Ledger()
    policy = policy_of(catalogue)
    search = _Search(needs, model, catalogue, ledger, policy, effect.room_ratio or policy.room_ratio)
    drafts = [draft for machine in _machines(needs, catalogue, floor, ledger) for draft in search.drafts(*machine)]
    candidates = cost_and_rank(drafts, needs, catalogue, effect, fx, ledger, overrides)
    found = replace(
        plan,
        searched=ledger.count + len(candidates),
        layouts_tried=search.tried,
        eliminated=ledger.eliminated(),
        fallen=ledger.by_gpu,
    )
    return concluded(found, candidates, catalogue)


def _machines(needs: Requirements, catalogue: Catalogue, floor: tuple[str, ...], ledger: Ledger) -> Iterator[tuple[Gpu, Server]]:
    """Pairs that no fact rules out, one server of each kind: servers that join as many of the same GPUs in the same way do the same work."""
    alike: dict[tuple[str, int, str], list[Server]] = defaultdict(list)
    for gpu in homeless(catalogue) if not floor else ():
        ledger.add(HOMELESS, gpu.slug, None)
    for gpu, server in pairs(catalogue, floor):
        if ruled := facts_against(gpu, server, needs, catalogue):
            ledger.add(ruled, gpu.slug, server.slug, len(list(sizes(gpu, server))))
            continue
        alike[gpu.slug, server.max_gpu_count, server.gpu_interconnect].append(server)
    for (slug, _, _), servers in alike.items():
        gpu = catalogue.gpu(slug)
        servers.sort(key=partial(trust, gpu))
        ledger.add(EQUIVALENT, gpu.slug, servers[-1].slug, sum(len(list(sizes(gpu, server))) for server in servers[1:]))
        yield gpu, servers[0]


@dataclass(slots=True)
class _Search:
    """Tries the sizes of one machine after the other, smallest first, until the work is done and one size more."""

    needs: Requirements
    model: LanguageModel | OtherModel
    catalogue: Catalogue
    ledger: Ledger
    policy: Policy
    room_ratio: float
    peaks: Peaks = field(default_factory=Peaks)
    known: dict[tuple[Hardware, int, int], Found | NoLayout] = field(
        default_factory=dict
    )  # servers that differ in nothing the formulas read
    tried: int = 0

    def drafts(self, gpu: Gpu, server: Server) -> Iterator[Draft]:
        """The sizes of one machine that do the work, or nearly."""
        enough = 0
        for per_node_count, node_count in sizes(gpu, server):
            option = Option(gpu, server, per_node_count, node_count)
            if enough > self.policy.spare_size_count:
                self.ledger.add(LARGER, gpu.slug, server.slug)
                continue
            draft = self._draft(option)
            if draft is not None:
                yield draft
                enough += draft.is_enough

    def _draft(self, option: Option) -> Draft | None:
        """The best layout of one option, or None with the reason in the ledger."""
        done = []
        for found, hardware, verdict in self._tasks(option):
            if verdict.ruled is not None or found is None:
                assert verdict.ruled is not None
                self.ledger.add(verdict.ruled, option.gpu.slug, option.server.slug)
                return None
            done.append((found, hardware, verdict))
        found, hardware, verdict = done[0]
        compromises = tuple(dict.fromkeys(text for _, _, task in done for text in task.compromises))
        is_enough = all(task.is_in_time and found.is_roomy for found, _, task in done)
        return Draft(
            option=option, hardware=hardware, found=found, compromises=compromises, duration_s=verdict.duration_s, is_enough=is_enough
        )

    def _tasks(self, option: Option) -> Iterator[tuple[Found | None, Hardware, Verdict]]:
        """Training first, serving second, whichever was asked for."""
        needs, model, gpu = self.needs, self.model, option.gpu
        if needs.training is not None:
            workload = training_workload(
                needs, gpu=gpu.slug, gpu_count=option.gpu_count, node_count=option.node_count, sharding=Sharding.NONE
            )
            hardware, _ = resolve_hardware(workload, self.catalogue, option.server)
            if ruled := too_slow_at_peak(needs.training, model, hardware, option.gpu_count, self.policy):
                yield None, hardware, Verdict(ruled=ruled)
                return
            alike = (hardware, option.gpu_count, option.per_node_count)
            found = self.known.get(alike) or best_training_layout(
                workload, hardware, option.per_node_count, self.room_ratio, self.peaks, shardings_of(needs.software)
            )
            self.known[alike] = found
            yield self._judged(found, hardware, option, is_training=True)
        if needs.inference is not None:
            workload = serving_workload(needs, gpu=gpu.slug, gpu_count=option.gpu_count, node_count=option.node_count)
            hardware, _ = resolve_hardware(workload, self.catalogue, option.server)
            found = best_serving_layout(workload, hardware, option.per_node_count, self.policy.serving_room_ratio)
            yield self._judged(found, hardware, option, is_training=False)

    def _judged(
        self, found: Found | NoLayout, hardware: Hardware, option: Option, *, is_training: bool
    ) -> tuple[Found | None, Hardware, Verdict]:
        self.tried += found.tried
        if isinstance(found, NoLayout):
            return None, hardware, Verdict(ruled=_no_layout(found, option.gpu))
        if is_training:
            return found, hardware, judge_training(self.needs, found, hardware.link, self.policy)
        return found, hardware, judge_serving(self.needs, found, self.policy)


def _no_layout(found: NoLayout, gpu: Gpu) -> Ruled:
    if found.short_bytes is None:
        return Ruled(rule="R-S5", reason=message("selection.not_computed", why=found.reason))
    short_ratio = found.short_bytes / (found.short_bytes + (gpu.memory_usable_bytes or 0.0))
    return Ruled(
        rule="R-M1",
        reason=message("selection.memory"),
        short_by=message("selection.short_memory", short_bytes=found.short_bytes),
        short_ratio=short_ratio,
    )
