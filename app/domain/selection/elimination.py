"""What facts alone rule out, before anything is computed: fit, production use, software, precision, cooling, power. First reason wins."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest

from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu, Server
from app.domain.errors import Message, message
from app.domain.intake import Requirements
from app.domain.selection.racks import rack_limit_w

MATRIX_PRECISION = {
    "fp32": "fp32",
    "fp16-mixed": "fp16",
    "bf16-mixed": "bf16",
    "pure-bf16": "bf16",
    "fp8-mixed": "fp8",
    "mxfp8-mixed": "fp8",
    "nvfp4-mixed": "fp4",
}
NVIDIA_LIBRARIES = ("apex", "cuda", "cudnn", "dali", "megatron", "nccl", "tensorrt", "transformer-engine", "triton-inference-server")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """A reason to eliminate, with the rule it rests on and how much was missing."""

    rule: str
    reason: Message
    short_by: Message | None = None
    short_ratio: float = float("inf")  # what was missing over what was needed, to find the option that came closest


def facts_against(gpu: Gpu, server: Server, needs: Requirements, catalogue: Catalogue) -> Ruled | None:
    """The first fact that rules a pair out, or None."""
    for check in _PAIR_CHECKS:
        if ruled := check(gpu, server, needs, catalogue):
            return ruled
    return None


def _form_factor(gpu: Gpu, server: Server, needs: Requirements, catalogue: Catalogue) -> Ruled | None:  # noqa: ARG001 -- one signature
    if gpu.slug in server.gpu_slugs:
        return None
    if gpu.form_factor not in server.form_factors:
        return Ruled(
            rule="R-S4",
            reason=message("selection.form_factor", takes=", ".join(server.form_factors), server=server.name, form=gpu.form_factor or "?"),
        )
    return Ruled(rule="R-S4", reason=message("selection.not_qualified", server=server.name))


def _production(gpu: Gpu, server: Server, needs: Requirements, catalogue: Catalogue) -> Ruled | None:  # noqa: ARG001 -- one signature
    if needs.operations.allows_desktop:
        return None
    if gpu.market_class == "consumer":
        return Ruled(rule="R-S6", reason=message("selection.consumer"))
    if gpu.market_class == "edge":
        return Ruled(rule="R-S6", reason=message("selection.edge"))
    if server.is_desk_side and server.slug not in needs.operations.servers:
        return Ruled(rule="R-S6", reason=message("selection.desk_side"))
    return None


def _software(gpu: Gpu, server: Server, needs: Requirements, catalogue: Catalogue) -> Ruled | None:  # noqa: ARG001 -- one signature
    software = needs.software
    needs_cuda = software.cuda or next((name for name in software.libraries if name.casefold().startswith(NVIDIA_LIBRARIES)), None)
    if needs_cuda and gpu.vendor != "NVIDIA":
        return Ruled(
            rule="R-S5",
            reason=message("selection.needs_cuda", what=str(needs_cuda if needs_cuda != software.cuda else f"CUDA {software.cuda}")),
        )
    if software.hypervisor and gpu.market_class == "consumer":
        return Ruled(rule="R-S7", reason=message("selection.hypervisor", hypervisor=software.hypervisor))
    support = catalogue.precision(gpu, "fp16")
    if software.cuda and support and support.min_cuda and version(software.cuda) < version(support.min_cuda):
        return Ruled(
            rule="R-S5",
            reason=message("selection.cuda_too_old", architecture=gpu.architecture, minimum=support.min_cuda, given=software.cuda),
        )
    if software.cuda and support and support.last_cuda and version(software.cuda) > version(support.last_cuda):
        return Ruled(
            rule="R-S5",
            reason=message("selection.cuda_too_new", architecture=gpu.architecture, last=support.last_cuda, given=software.cuda),
        )
    return None


def _precision(gpu: Gpu, server: Server, needs: Requirements, catalogue: Catalogue) -> Ruled | None:  # noqa: ARG001 -- one signature
    if needs.training is None:
        return None
    precision = MATRIX_PRECISION[needs.training.precision]
    if precision in ("fp8", "fp4") and needs.software.framework.casefold() == "tensorflow":
        return Ruled(rule="R-S5", reason=message("selection.framework_precision", framework="TensorFlow", precision=precision))
    support = catalogue.precision(gpu, precision)
    if support is None or support.hardware_support is None:
        return Ruled(rule="R-S5", reason=message("selection.precision_unknown", precision=precision))
    if support.hardware_support == "no":
        return Ruled(rule="R-S5", reason=message("selection.precision", architecture=gpu.architecture, precision=precision))
    return None


def _cooling(gpu: Gpu, server: Server, needs: Requirements, catalogue: Catalogue) -> Ruled | None:  # noqa: ARG001 -- one signature
    if needs.operations.cooling == "air" and server.cooling == "liquid":
        return Ruled(rule="R-S4", reason=message("selection.liquid"))
    return None


def _power(gpu: Gpu, server: Server, needs: Requirements, catalogue: Catalogue) -> Ruled | None:  # noqa: ARG001 -- one signature
    limit_w = rack_limit_w(needs, catalogue)
    if limit_w is None or server.max_power_w is None or server.max_power_w <= limit_w:
        return None
    return Ruled(
        rule="R-S4",
        reason=message("selection.rack_power"),
        short_by=message("selection.short_power", power_w=server.max_power_w - limit_w),
        short_ratio=1 - limit_w / server.max_power_w,
    )


_PAIR_CHECKS: tuple[Callable[[Gpu, Server, Requirements, Catalogue], Ruled | None], ...] = (
    _form_factor,
    _production,
    _software,
    _precision,
    _cooling,
    _power,
)


def version(text: str) -> "Version":
    """A version for comparing: its leading numbers; a text without numbers compares lowest."""
    numbers = []
    for part in text.replace("+", ".").split("."):
        digits = "".join(character for character in part if character.isdigit())
        if not digits:
            break
        numbers.append(int(digits))
    return Version(tuple(numbers))


@dataclass(frozen=True, slots=True)
class Version:
    """Numbers of a version; missing ones count as zero."""

    numbers: tuple[int, ...]

    def __lt__(self, other: "Version") -> bool:
        for mine, theirs in zip_longest(self.numbers, other.numbers, fillvalue=0):
            if mine != theirs:
                return mine < theirs
        return False

    def __gt__(self, other: "Version") -> bool:
        return other < self
