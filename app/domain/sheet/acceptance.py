"""What the delivered machines must show before the invoice is paid, each with the command that shows it."""

from collections.abc import Iterator

from app.domain.errors import message
from app.domain.estimate import Basis, Estimate
from app.domain.sheet.expected import collective_ratio
from app.domain.sheet.order import SheetOrder
from app.domain.sheet.rows import amount, ranged
from app.domain.sheet.types import Criterion

MOST_COLLECTIVE_RATIO = 0.15  # R-D6
COLLECTIVE_TOLERANCE_RATIO = 1.25  # above the estimate, where that is beyond R-D6 already
HOTTEST_CELSIUS = 85  # R-D7
BURN_IN_HOURS = 72  # handbook §8, after delivery
WARM_UP_STEPS, MEASURED_STEPS = 50, 20  # R-T1: twenty steps give the MFU
BUS_MESSAGE = "1G"


def criteria(order: SheetOrder) -> tuple[Criterion, ...]:
    """Speed, memory, communication, heat and power."""
    return (*_speed(order), *_memory(order), *_communication(order), *_burn_in(order))


def _launch(order: SheetOrder) -> str:
    chosen = order.candidate
    per_node = -(-chosen.gpu_count // chosen.node_count)
    nodes = f"--nnodes={chosen.node_count} " if chosen.node_count > 1 else ""
    return f"torchrun {nodes}--nproc-per-node={per_node} train.py --max_steps {WARM_UP_STEPS + MEASURED_STEPS}"


def _speed(order: SheetOrder) -> Iterator[Criterion]:
    throughput = order.candidate.estimate.throughput
    if throughput is None:
        return
    if throughput.step_time_s is not None:
        yield _upper("step_time", throughput.step_time_s, "s", "sheet.how.steps", _launch(order), "R-T1")
    needs = order.plan.requirements.inference
    if needs is not None and throughput.ttft_s is not None:
        model = order.plan.requirements.model.name if order.plan.requirements.model else "MODEL"
        if throughput.tpot_s is None:  # no tokens: a batch of samples behind Triton
            command = f"perf_analyzer -m {model} --request-rate-range {needs.qps:g} --percentile 50"
            yield _upper("latency", throughput.ttft_s, "s", "sheet.how.serve", command, "R-T2")
            return
        command = (
            f"vllm bench serve --model {model} --dataset-name random --random-input-len {needs.in_len} "
            f"--random-output-len {needs.out_len} --request-rate {needs.qps:g}"
        )
        yield _upper("ttft", throughput.ttft_s, "s", "sheet.how.serve", command, "R-T1")
        if throughput.tpot_s is not None:
            yield _upper("tpot", throughput.tpot_s, "s", "sheet.how.serve", command, "R-T2")


def _memory(order: SheetOrder) -> Iterator[Criterion]:
    memory = order.candidate.estimate.memory
    if memory is None:
        return
    limit = memory.device_bytes.high if memory.capacity_bytes is None else min(memory.device_bytes.high, memory.capacity_bytes)
    yield Criterion(
        name=message("sheet.memory_device"),
        expected=ranged(memory.device_bytes, "bytes"),
        limit=amount(limit, "bytes", Basis.MODELLED),
        is_upper=True,
        how=message("sheet.how.memory"),
        command="nvidia-smi --query-gpu=index,memory.used --format=csv,noheader -l 1",
        rule="R-M5",
    )


def _communication(order: SheetOrder) -> Iterator[Criterion]:
    chosen = order.candidate
    if chosen.gpu_count < 2:
        return
    ratio = collective_ratio(chosen)
    if ratio is not None:
        yield Criterion(
            name=message("sheet.collective_share"),
            expected=amount(ratio, "ratio", Basis.MODELLED),
            limit=amount(max(MOST_COLLECTIVE_RATIO, ratio * COLLECTIVE_TOLERANCE_RATIO), "ratio", Basis.PUBLISHED),
            is_upper=True,
            how=message("sheet.how.collectives"),
            command=f"nsys profile --trace=cuda --delay=120 --duration=60 --output=step {_launch(order)} && nsys stats --report cuda_gpu_kern_sum step.nsys-rep",
            rule="R-D6",
        )
    if order.collective is not None:
        bus = order.collective.bus_bytes_per_s
        per_node = -(-chosen.gpu_count // chosen.node_count)
        start = f"mpirun -np {chosen.gpu_count} -N {per_node} " if chosen.node_count > 1 else ""
        each = 1 if chosen.node_count > 1 else per_node
        yield Criterion(
            name=message("sheet.bus_bandwidth"),
            expected=ranged(bus, "bytes_per_s"),
            limit=amount(bus.low, "bytes_per_s", Basis.MODELLED),
            is_upper=False,
            how=message("sheet.how.bus"),
            command=f"{start}all_reduce_perf -b {BUS_MESSAGE} -e {BUS_MESSAGE} -g {each}",
            rule="R-T3",
        )


def _burn_in(order: SheetOrder) -> Iterator[Criterion]:
    yield Criterion(
        name=message("sheet.temperature"),
        expected=None,
        limit=amount(HOTTEST_CELSIUS, "°C", Basis.PUBLISHED),
        is_upper=True,
        how=message("sheet.how.burn_in", hours=BURN_IN_HOURS),
        command=f"nvidia-smi dmon -s pucvmet -d 1 -o DT > burn-in.log; gpuplan profile burn-in.log --gpu {order.candidate.gpu.slug}",
        rule="R-D7",
    )
    server = order.candidate.server
    if server.max_power_w is not None:
        yield Criterion(
            name=message("sheet.node_power"),
            expected=None,
            limit=amount(server.max_power_w, "w", server.power_evidence.basis if server.power_evidence else Basis.ASSUMED),
            is_upper=True,
            how=message("sheet.how.power"),
            command="ipmitool dcmi power reading",
            rule="R-S4",
        )


def _upper(key: str, estimate: Estimate, unit: str, how: str, command: str, rule: str) -> Criterion:
    return Criterion(
        name=message(f"sheet.{key}"),
        expected=ranged(estimate, unit),
        limit=amount(estimate.high, unit, estimate.basis),
        is_upper=True,
        how=message(how, warm_up=WARM_UP_STEPS, measured=MEASURED_STEPS),
        command=command,
        rule=rule,
    )
