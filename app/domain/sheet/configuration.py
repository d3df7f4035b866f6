"""The configuration, from the GPU to the software (handbook §8)."""

from collections.abc import Iterator

from app.domain.errors import Message, message
from app.domain.estimate import Basis, Estimate
from app.domain.selection import Candidate
from app.domain.sheet.need import terabytes
from app.domain.sheet.order import SheetOrder
from app.domain.sheet.rows import amount, ranged, row
from app.domain.sheet.types import Row
from app.domain.units import gb

HOST_MEMORY_FLOOR = "512 GB"  # R-S1, as memory is sold
LOCAL_NVME_FLOOR = "2 TB"  # 003 §4.2, training above 7B
CHECKPOINT_BYTES_PER_PARAMETER = 14  # 2 weights + 12 fp32 master and Adam moments, R-M3 and R-T7
SMALL_SAMPLE_BYTES = gb(0.1)  # above it GPUDirect Storage pays, below it decoding does; 003 §4.1


def configuration_rows(order: SheetOrder) -> tuple[Row, ...]:
    """Every part with its figures and where they come from."""
    return (
        *_compute(order.candidate),
        *_host(order),
        *_network(order.candidate),
        *_room(order),
        *_software(order),
        *_data(order),
    )


def _compute(chosen: Candidate) -> Iterator[Row]:
    gpu, layout = chosen.gpu, chosen.layout
    count = message("sheet.gpu_value", count=chosen.gpu_count, gpu=gpu.name, form=gpu.form_factor or "?")
    yield row("gpu", count, source=gpu.source.title)
    if gpu.memory_usable_bytes is not None:
        basis = Basis.MEASURED if gpu.memory_usable_measured else Basis.VENDOR
        yield row("gpu_memory", amount(gpu.memory_usable_bytes, "bytes", basis), source=gpu.source.title)
    server = message("sheet.server_value", count=chosen.node_count, server=chosen.server.name)
    yield row("server", server, source=chosen.server.source.title)
    yield row(
        "layout",
        message(
            "sheet.layout_value",
            dp=layout.dp,
            tp=layout.tp,
            pp=layout.pp,
            sharding=layout.sharding,
            batch=layout.micro_batch,
            recomputation=layout.act_ckpt,
        ),
    )


def _host(order: SheetOrder) -> Iterator[Row]:
    server, needs = order.candidate.server, order.plan.requirements
    yield row("cpu", server.cpu_options or message("sheet.unknown"), source=server.source.title)
    most = server.max_memory_bytes
    floor = message("sheet.memory_value", floor=HOST_MEMORY_FLOOR)
    yield row("host_memory", floor, note=message("sheet.memory_most", most_bytes=most) if most else None, source="R-S1")
    if needs.training is None:
        return
    yield row("nvme", message("sheet.nvme_value", floor=LOCAL_NVME_FLOOR), source="003 §4.2")
    if needs.training.method == "full" and needs.model is not None and needs.model.parameter_count is not None:
        size_bytes = CHECKPOINT_BYTES_PER_PARAMETER * needs.model.parameter_count
        yield row("checkpoint", amount(size_bytes, "bytes", Basis.MODELLED), source="R-M3, R-T7")


def _network(chosen: Candidate) -> Iterator[Row]:
    server = chosen.server
    yield row("link", server.gpu_interconnect, source=server.source.title)
    if chosen.node_count > 1 and server.network_bytes_per_s is not None:
        yield row("network", amount(server.network_bytes_per_s, "bytes_per_s"), note=_text(server.nic_default), source=server.source.title)
    else:
        yield row("network", server.nic_default or message("sheet.network_any"), source=server.source.title)


def _room(order: SheetOrder) -> Iterator[Row]:
    chosen = order.candidate
    server = chosen.server
    if server.max_power_w is not None:
        basis = server.power_evidence.basis if server.power_evidence else Basis.ASSUMED
        yield row("power", amount(server.max_power_w * chosen.node_count, "w", basis), note=_text(server.psu), source=server.source.title)
    units = server.rack_units
    if units is not None:
        racks = message("sheet.rack_count", racks=chosen.rack_count) if chosen.rack_count else None
        yield row("rack", message("sheet.rack_value", units=units * chosen.node_count), note=racks, source=server.source.title)
    yield row("cooling", message(f"sheet.cooling.{server.cooling}") if server.cooling in ("air", "liquid", "either") else server.cooling)


def _software(order: SheetOrder) -> Iterator[Row]:
    needs, gpu = order.plan.requirements.software, order.candidate.gpu
    framework = f"{needs.framework} {needs.framework_version or ''}".strip()
    yield row("framework", framework)
    support = order.catalogue.precision(gpu, "bf16") or order.catalogue.precision(gpu, "fp16")
    least = support.min_cuda if support else None
    if needs.cuda:
        note = message("sheet.cuda_least", least=least, architecture=gpu.architecture) if least else None
        yield row("cuda", needs.cuda, note=note, source=support.source.title if support else "")
    elif least:
        yield row("cuda", message("sheet.cuda_from", least=least), source=support.source.title if support else "")
    yield row("driver", message("sheet.driver_value"))
    if needs.libraries:
        yield row("libraries", ", ".join(needs.libraries))


def _data(order: SheetOrder) -> Iterator[Row]:
    needs = order.plan.requirements
    speed = order.candidate.estimate.throughput.samples_per_s if order.candidate.estimate.throughput else None
    if needs.training is not None and needs.data.sample_bytes and speed is not None:
        size = needs.data.sample_bytes
        rate = Estimate(speed.low * size, speed.typical * size, speed.high * size, speed.basis)
        yield row("storage_rate", ranged(rate, "bytes_per_s"), source="R-T6")
    if needs.data.total_bytes is not None:
        yield row("storage_size", terabytes(needs.data.total_bytes))
    yield row("acceleration", _acceleration(order))


def _acceleration(order: SheetOrder) -> Message:
    """GPUDirect Storage for big samples from a fast store, a GPU decoder where decoding stalls, nothing where nothing stalls."""
    data = order.plan.requirements.data
    verdict = order.plan.bottleneck.verdict if order.plan.bottleneck else None
    if data.stall in ("decode", "cpu") or verdict == "input-starved":
        return message("sheet.acceleration_dali")
    if data.stall == "disk" or (data.sample_bytes or 0) > SMALL_SAMPLE_BYTES:
        return message("sheet.acceleration_gds")
    return message("sheet.acceleration_none")


def _text(text: str) -> Message | None:
    return message("sheet.text", text=text) if text else None
