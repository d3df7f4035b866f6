"""Collective operations as latency plus volume over bandwidth, on the link that the group really uses."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2

from app.domain.capacity import physics as constants
from app.domain.capacity.hardware import Hardware
from app.domain.capacity.physics import Physics
from app.domain.capacity.results import CollectiveFigures

VOLUME: dict[
    str, Callable[[int], float]
] = {  # bytes on the busiest link over the message, for n ranks (NVIDIA nccl-tests doc/PERFORMANCE.md)
    "allreduce": lambda n: 2 * (n - 1) / n,
    "allgather": lambda n: (n - 1) / n,
    "reducescatter": lambda n: (n - 1) / n,
    "alltoall": lambda n: (n - 1) / n,
    "broadcast": lambda _: 1.0,
    "reduce": lambda _: 1.0,
    "sendrecv": lambda _: 1.0,
}
REDUCES_IN_SWITCH_FROM = 5  # ranks from which NCCL lets the NVLink switch add up (NCCL 2.18 release notes, 2023)


@dataclass(frozen=True, slots=True)
class Group:
    """Ranks that talk to each other, and the bandwidth each of them gets."""

    ranks: int
    bytes_per_s: float
    hops_inside: int
    hops_outside: int
    network_hop_s: float = constants.NETWORK_HOP_S


def group(hardware: Hardware, ranks: int, stride: int, physics: Physics) -> Group:
    """A group of ranks that are `stride` apart: inside one link domain, inside the machine, or over the network.

    Between machines each member drives its share of the network ports, so a group with m members a machine gets m shares."""
    inside = hardware.link_bytes_per_s * hardware.link_ratio * physics.link_ratio
    span = ranks * stride
    domain = min(hardware.link_gpu_count, max(hardware.gpus_per_node_count, 1)) if hardware.link_gpu_count <= 8 else hardware.link_gpu_count
    if span <= domain:
        return Group(ranks, inside, ranks - 1, 0)
    if hardware.node_count == 1 and span <= hardware.gpus_per_node_count:
        pcie = hardware.pcie_bytes_per_s * 0.75 * physics.link_ratio
        return Group(ranks, min(inside, pcie), ranks - 1, 0)
    per_node = max(1, hardware.gpus_per_node_count)
    members = min(ranks, max(1, per_node // stride))
    network = hardware.network_bytes_per_s * members / per_node * physics.network_ratio
    nodes = ceil(ranks / members)
    return Group(ranks, min(inside, network) if members > 1 else network, ranks - nodes, nodes, constants.NETWORK_HOP_S * physics.hop_ratio)


def collective_s(op: str, message_bytes: float, ranks: Group, hardware: Hardware) -> float:
    """Time of one collective: the faster of a low-latency and a full-bandwidth protocol, hops · hop time + volume / bandwidth.

    Source: NCCL's ring and LL128 protocols as seen by nccl-tests. Valid: ring and in-switch reduction; trees only shorten latency."""
    if ranks.ranks <= 1 or message_bytes <= 0:
        return 0.0
    bandwidth = ranks.bytes_per_s
    if op == "allreduce" and hardware.has_in_switch_reduction and ranks.ranks >= REDUCES_IN_SWITCH_FROM and not ranks.hops_outside:
        bandwidth *= constants.IN_SWITCH_RATIO / constants.RING_RATIO
    volume = VOLUME[op](ranks.ranks) * message_bytes
    if op == "allreduce":  # a tree between machines, a ring inside them
        outside = 2 * log2(ranks.hops_outside + 1) * ranks.network_hop_s
        hops = 2.0 * min(ranks.hops_inside, max(hardware.link_gpu_count, 2) - 1)
    else:
        outside, hops = ranks.hops_outside * ranks.network_hop_s, float(ranks.hops_inside)
    full = hops * constants.HOP_S + volume / bandwidth
    small = hops * constants.SMALL_HOP_S + volume / (bandwidth * constants.SMALL_BANDWIDTH_RATIO)
    return constants.COLLECTIVE_START_S + outside + min(full, small)


def collective(op: str, message_bytes: float, gpu_count: int, hardware: Hardware, physics: Physics) -> CollectiveFigures:
    """A collective over all GPUs with the two bandwidths of nccl-tests: algorithm = message / time, bus = algorithm · volume factor."""
    ranks = group(hardware, gpu_count, 1, physics)
    duration = collective_s(op, message_bytes, ranks, hardware)
    algorithm = message_bytes / duration
    return CollectiveFigures(time_s=duration, algorithm_bytes_per_s=algorithm, bus_bytes_per_s=algorithm * VOLUME[op](gpu_count))
