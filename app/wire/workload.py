"""The contract's Workload JSON to domain types: every key known, every value typed and bounded, what is missing assumed and listed."""

import re
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import Any, TypeVar

from app.domain.capacity.collectives import VOLUME
from app.domain.capacity.hardware import is_rack
from app.domain.catalogue.catalogue import Catalogue
from app.domain.catalogue.hardware import Gpu
from app.domain.errors import InvalidInput, NotFound, message
from app.domain.estimate import Assumption
from app.domain.units import billions, gb_per_s, gbit_per_s, gib
from app.domain.workload.defaults import infer_settings, train_settings
from app.domain.workload.settings import (
    CollectiveSettings,
    Knob,
    LinkKind,
    Method,
    Offload,
    Optimizer,
    Recomputation,
    Sharding,
    Task,
    TrainPrecision,
    Workload,
)
from app.wire.fields import Bounds, Fields, read_object
from app.wire.models import parse_model, read_flag

__all__ = ["parse_model", "parse_workload"]

Choice = TypeVar("Choice", bound=StrEnum)
TOP = ("model", "task", "train", "infer", "collective", "gpu", "gpu_memory_gib", "n_gpus", "nodes", "link", "link_text", "network_gbps")
COUNT = Bounds(Decimal(1), Decimal(1_000_000))
LENGTH = Bounds(Decimal(1), Decimal(100_000_000))
LENGTH_OR_NONE = Bounds(Decimal(0), Decimal(100_000_000))
POSITIVE = Bounds(Decimal(0), Decimal("1e9"), above_least=True)
SHARE = Bounds(Decimal(0), Decimal(1), above_least=True)
TRAIN_CHOICES: dict[str, type[StrEnum]] = {
    "method": Method,
    "precision": TrainPrecision,
    "optimizer": Optimizer,
    "sharding": Sharding,
    "offload": Offload,
    "act_ckpt": Recomputation,
}
TRAIN_COUNTS = (
    "tp",
    "pp",
    "cp",
    "ep",
    "dp",
    "seq_len",
    "micro_batch",
    "global_batch",
    "lora_rank",
    "trainable_layers",
    "image_size",
    "interleave",
)
TRAIN_KEYS = (*TRAIN_CHOICES, *TRAIN_COUNTS, "sequence_parallel", "flash_attn", "train_tokens_b", "train_samples", "knobs")
INFER_TEXTS = ("weight_precision", "weight_format", "kv_precision", "engine")
INFER_COUNTS = {"tp": COUNT, "pp": COUNT, "in_len": LENGTH_OR_NONE, "out_len": LENGTH_OR_NONE, "concurrency": LENGTH, "image_size": LENGTH}
RACK_COUNT = 72  # GPUs of one NVL72 rack count as one machine: one NVLink domain
NODE_COUNT = 8
PORT_GBIT = {
    "EDR": 100,
    "HDR": 200,
    "NDR": 400,
    "XDR": 800,
}  # of a four-lane port, one direction (InfiniBand Trade Association roadmap, 2023)
PORTS = re.compile(r"(?P<count>\d+) ?[x×] ?(?:(?P<name>[EHNX]DR)|(?P<rate>\d+(?:\.\d+)?) GB/s)", re.IGNORECASE)
PEER_WORDS = ("p2p", "peer")  # drivers that let GeForce cards read each other
RING_WORDS = ("nvls off", "(ring)")


def parse_workload(data: Any, catalogue: Catalogue) -> tuple[Workload, tuple[Assumption, ...]]:
    """The workload, and everything that was assumed. InvalidInput, NotFound: name the field."""
    document = read_object(data, "")
    document.only(*TOP)
    assumed: list[Assumption] = []
    task = _choice(document, "task", Task) or _task(document)
    gpus = document.whole("n_gpus", COUNT, 1)
    if not document.has("n_gpus"):
        assumed.append(Assumption(field="n_gpus", value=1, why=message("assume.n_gpus")))
    gpu = _gpu(document, catalogue)
    nodes = _nodes(document, gpu, gpus, assumed)
    model = None
    if task is not Task.COLLECTIVE:
        if not document.has("model"):
            raise InvalidInput("model", "document.missing")
        model, guessed = parse_model(document.data["model"], catalogue)
        assumed += guessed
    train, infer, collective = None, None, None
    if task is Task.TRAIN:
        train, more = train_settings(
            _train(document),
            model,
            gpus,
            has_bf16=gpu is None or gpu.peak_bf16_dense_flops is not None,
            capacity_bytes=_capacity(document, gpu),
            is_linked=_link(document) is not LinkKind.PCIE,
        )
        assumed += more
    elif task is Task.INFER:
        infer, more = infer_settings(_infer(document), model, gpus, capacity_bytes=_capacity(document, gpu))
        assumed += more
    else:
        collective = _collective(document)
    workload = Workload(
        model=model,
        task=task,
        train=train,
        infer=infer,
        collective=collective,
        gpu=gpu.slug if gpu else None,
        gpu_memory_bytes=_capacity(document, None),
        gpu_count=gpus,
        node_count=nodes,
        link=_link(document),
        has_peer_access=_names(document, PEER_WORDS),
        has_plain_ring=_names(document, RING_WORDS),
        network_bytes_per_s=_network(document),
    )
    return workload, tuple(assumed)


def _task(document: Fields) -> Task:
    """The task that the settings speak of, training where none does."""
    return Task.COLLECTIVE if document.has("collective") else Task.INFER if document.has("infer") else Task.TRAIN


def _gpu(document: Fields, catalogue: Catalogue) -> Gpu | None:
    if not document.has("gpu"):
        return None
    slug = document.text("gpu")
    try:
        return catalogue.gpu(slug)
    except NotFound as error:
        near = [gpu.slug for gpu in catalogue.gpus if gpu.slug.startswith(slug.casefold().strip())]
        if near:
            raise InvalidInput("gpu", "workload.ambiguous_gpu", slug=slug, choices=", ".join(near[:8])) from error
        raise InvalidInput("gpu", "catalogue.no_gpu", slug=slug) from error


def _capacity(document: Fields, gpu: Gpu | None) -> float | None:
    """Memory of one GPU: stated, or the board's."""
    if document.has("gpu_memory_gib"):
        return gib(float(document.number("gpu_memory_gib", POSITIVE)))
    return gpu.memory_usable_bytes if gpu else None


def _nodes(document: Fields, gpu: Gpu | None, gpus: int, assumed: list[Assumption]) -> int:
    if document.has("nodes"):
        nodes = document.whole("nodes", COUNT, 1)
        if nodes > gpus:
            raise InvalidInput("nodes", "workload.more_nodes", nodes=nodes, gpus=gpus)
        if gpus % nodes:
            raise InvalidInput("nodes", "workload.uneven_nodes", gpus=gpus, nodes=nodes)
        return nodes
    rack = gpu is not None and is_rack(gpu)
    nodes = ceil(gpus / (RACK_COUNT if rack else NODE_COUNT))
    if nodes > 1:
        assumed.append(Assumption(field="nodes", value=nodes, why=message("assume.nodes", per_node=RACK_COUNT if rack else NODE_COUNT)))
    return nodes


def _link(document: Fields) -> LinkKind | None:
    """The link by name; a free description (`link_text`) counts where it says which of the two it is."""
    stated = _choice(document, "link", LinkKind)
    if stated is not None or not document.has("link_text"):
        return stated
    text = document.text("link_text").casefold()
    return LinkKind.NVLINK if text.startswith(("nvlink", "nvswitch")) else LinkKind.PCIE if text.startswith("pcie") else None


def _names(document: Fields, words: tuple[str, ...]) -> bool:
    """Whether the free description of the link says one of these."""
    return document.has("link_text") and any(word in document.text("link_text").casefold() for word in words)


def _network(document: Fields) -> float | None:
    """Rate of a machine's ports together, one direction: stated, or as the free description of the link counts them ("4x HDR200")."""
    if document.has("network_gbps"):
        return gb_per_s(float(document.number("network_gbps", POSITIVE)))
    found = PORTS.search(document.text("link_text")) if document.has("link_text") else None
    if found is None:
        return None
    port = gbit_per_s(PORT_GBIT[found["name"].upper()]) if found["name"] else gb_per_s(float(found["rate"]))
    return int(found["count"]) * port


def _train(document: Fields) -> dict[str, Any]:
    entries = document.object("train")
    entries.only(*TRAIN_KEYS)
    said: dict[str, Any] = {}
    for key, choices in TRAIN_CHOICES.items():
        if (choice := _choice(entries, key, choices)) is not None:
            said[key] = choice
    for key in TRAIN_COUNTS:
        if entries.has(key):
            said[key] = entries.whole(key, LENGTH, 1)
    for key in ("sequence_parallel", "flash_attn"):
        if entries.has(key):
            said[key] = read_flag(entries, key)
    if entries.has("train_tokens_b"):
        said["train_tokens"] = billions(float(entries.number("train_tokens_b", POSITIVE)))
    if entries.has("train_samples"):
        said["train_samples"] = float(entries.number("train_samples", Bounds(Decimal(1), Decimal("1e15"))))
    said["knobs"] = _knobs(entries)
    return said


def _knobs(entries: Fields) -> tuple[Knob, ...]:
    value = entries.data.get("knobs")
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > len(Knob):
        raise InvalidInput(entries.at("knobs"), "document.not_a_list")
    known = {knob.value: knob for knob in Knob}
    for name in value:
        if not isinstance(name, str) or name not in known:
            raise InvalidInput(entries.at("knobs"), "estimate.not_modelled", knob=str(name)[:80])
    return tuple(dict.fromkeys(known[name] for name in value))


def _infer(document: Fields) -> dict[str, Any]:
    entries = document.object("infer")
    entries.only(*INFER_TEXTS, *INFER_COUNTS, "memory_fraction", "burst")
    said: dict[str, Any] = {key: entries.text(key) for key in INFER_TEXTS if entries.has(key)}
    said |= {key: entries.whole(key, bounds, 1) for key, bounds in INFER_COUNTS.items() if entries.has(key)}
    if entries.has("memory_fraction"):
        said["memory_fraction_ratio"] = float(entries.number("memory_fraction", SHARE))
    if entries.has("burst"):
        said["is_burst"] = read_flag(entries, "burst")
    if said.get("in_len") == 0 and said.get("out_len") == 0:
        raise InvalidInput("infer.out_len", "workload.no_tokens")
    return said


def _collective(document: Fields) -> CollectiveSettings:
    entries = document.object("collective")
    entries.only("op", "msg_bytes")
    op = entries.text("op", "allreduce")
    if op not in VOLUME:
        raise InvalidInput(entries.at("op"), "document.not_a_choice", typed=op[:80], choices=", ".join(VOLUME))
    size = float(entries.number("msg_bytes", Bounds(Decimal(0), Decimal(2**50))) if entries.has("msg_bytes") else 0)
    return CollectiveSettings(op=op, message_bytes=size or CollectiveSettings().message_bytes)


def _choice(entries: Fields, key: str, choices: type[Choice]) -> Choice | None:
    if not entries.has(key):
        return None
    typed = entries.text(key)
    try:
        return choices(typed)
    except ValueError:
        listed = ", ".join(choice.value for choice in choices)
        raise InvalidInput(entries.at(key), "document.not_a_choice", typed=typed[:80], choices=listed) from None
