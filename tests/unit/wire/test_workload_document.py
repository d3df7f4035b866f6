"""Any document gets an answer or an error that names the field."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.capacity import estimate, resolve_hardware
from app.domain.errors import DataMissing, DomainError, InvalidInput
from app.domain.workload.settings import Knob, LinkKind, Sharding
from app.seeds import load_catalogue
from app.text.render import render
from app.wire.estimate import estimate_json
from app.wire.workload import parse_workload

CATALOGUE = load_catalogue()
BASE: dict[str, Any] = {"model": {"name": "llama-2-7b"}, "gpu": "a100-sxm4-80gb", "n_gpus": 8}


def parsed(**changes: Any) -> Any:
    return parse_workload(BASE | changes, CATALOGUE)[0]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"n_gpus": 0}, "n_gpus"),
        ({"n_gpus": 1.5}, "n_gpus"),
        ({"n_gpus": 10**400}, "n_gpus"),
        ({"n_gpus": True}, "n_gpus"),
        ({"nodes": 9}, "nodes"),
        ({"gpu": "h100"}, "gpu"),
        ({"gpu": 7}, "gpu"),
        ({"gpu_memory_gib": -80}, "gpu_memory_gib"),
        ({"link": "carrier pigeon"}, "link"),
        ({"network_gbps": float("inf")}, "network_gbps"),
        ({"task": "dream"}, "task"),
        ({"model": None}, "model"),
        ({"train": []}, "train"),
        ({"train": {"seq_len": float("nan")}}, "train.seq_len"),
        ({"train": {"micro_batch": "4x"}}, "train.micro_batch"),
        ({"train": {"precision": "fp12"}}, "train.precision"),
        ({"train": {"flash_attn": "y"}}, "train.flash_attn"),
        ({"train": {"knobs": "compile"}}, "train.knobs"),
        ({"train": {"knobs": ["teleport"]}}, "train.knobs"),
        ({"train": {"batch": 3}}, "train.batch"),
        ({"infer": {"memory_fraction": 1.5}, "task": "infer"}, "infer.memory_fraction"),
        ({"infer": {"in_len": 0, "out_len": 0}, "task": "infer"}, "infer.out_len"),
        ({"collective": {"op": "gossip"}, "task": "collective"}, "collective.op"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_bad_values_name_their_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parsed(**change)
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"train": {"tp": 3}}, "n_gpus"),
        ({"train": {"tp": 2, "dp": 8}}, "train.dp"),
        ({"n_gpus": 6, "train": {"tp": 6}}, "train.tp"),
        ({"n_gpus": 64, "train": {"pp": 64}}, "train.pp"),
        ({"train": {"cp": 8, "seq_len": 2047}}, "train.cp"),
        ({"train": {"micro_batch": 4, "global_batch": 100, "sharding": "fsdp"}}, "train.global_batch"),
        ({"model": {"name": "resnet-50"}, "train": {"optimizer": "muon"}}, "train.optimizer"),
        ({"train": {"method": "freeze", "pp": 2}}, "train.pp"),
        ({"train": {"method": "freeze", "trainable_layers": 99}}, "train.trainable_layers"),
        ({"train": {"ep": 8}}, "train.ep"),
        ({"model": {"name": "mixtral-8x7b"}, "n_gpus": 6, "train": {"ep": 6}}, "train.ep"),
        ({"model": {"name": "mixtral-8x7b"}, "n_gpus": 2, "train": {"ep": 8}}, "train.ep"),
        ({"n_gpus": 10, "nodes": 4}, "nodes"),
        ({"model": {"params_b": 7, "active_params_b": 8}}, "model.active_params_b"),
        ({"model": {"hidden": 4097, "n_heads": 32}}, "model.n_heads"),
        ({"model": {"name": "dlrm-nvidia-small"}}, "model.name"),
        ({"model": {"name": "rgat"}}, "model.name"),
        ({"model": {"name": "rnn-t"}}, "model.name"),
        ({"model": {"name": "resnet-50"}, "train": {"tp": 2}}, "train.tp"),
        ({"model": {"name": "resnet-50"}, "train": {"knobs": ["packed"]}}, "train.knobs"),
        ({"model": {"name": "whisper-small"}, "train": {"image_size": 64}}, "train.image_size"),
        ({"train": {"image_size": 64}}, "train.image_size"),
        ({"model": {"name": "t5-11b"}}, "model.name"),
        ({"task": "infer", "infer": {"engine": "abacus"}}, "infer.engine"),
        ({"task": "infer", "infer": {"weight_format": "origami"}}, "infer.weight_format"),
        ({"task": "infer", "infer": {"kv_precision": "fp2"}}, "infer.kv_precision"),
        ({"task": "infer", "infer": {"tp": 16}}, "infer.tp"),
        ({"task": "collective", "n_gpus": 1}, "n_gpus"),
        ({"gpu": None, "task": "collective"}, "gpu"),
        ({"gpu": "t4", "link": "nvlink"}, "link"),
    ],
)
def test_contradictions_and_unmodelled_settings_name_their_field(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        workload = parsed(**change)
        hardware, _ = resolve_hardware(workload, CATALOGUE)
        estimate(workload, hardware)
    assert refused.value.field == field


def test_what_is_missing_is_assumed_and_listed() -> None:
    workload, assumptions = parse_workload({"model": {"params_b": 7}, "gpu": "a100-sxm4-80gb", "n_gpus": 8}, CATALOGUE)
    assert workload.train is not None
    assert workload.train.sharding is Sharding.FSDP
    fields = {assumption.field for assumption in assumptions}
    assert {"train.seq_len", "train.micro_batch", "train.act_ckpt", "train.optimizer", "model.n_layers"} <= fields
    assert all(render(assumption.why, locale) for assumption in assumptions for locale in ("en", "zh_CN"))


def test_what_is_said_is_not_assumed() -> None:
    said = {"method": "lora", "precision": "bf16-mixed", "seq_len": 512, "micro_batch": 2, "knobs": ["compile", "compile"]}
    workload, assumptions = parse_workload(BASE | {"train": said, "link": "pcie", "network_gbps": 12.5}, CATALOGUE)
    assert workload.train is not None
    assert workload.train.knobs == (Knob.COMPILE,)
    assert workload.link is LinkKind.PCIE
    assert workload.network_bytes_per_s == 12.5e9
    assert not {f"train.{key}" for key in said} & {assumption.field for assumption in assumptions}


def test_sixteen_bit_format_follows_the_board() -> None:
    assert parsed(gpu="t4").train.precision == "fp16-mixed"
    assert parsed(gpu="l4").train.precision == "bf16-mixed"


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["full", "lora", "zero3", "none", "bf16", "vllm", "allreduce", "llama-2-7b", "a100-sxm4-80gb", "train", "infer"]),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
NUMBERS = st.one_of(st.integers(-2, 300), st.sampled_from([0.5, 7, 1e9, 10**30, float("nan"), float("inf"), "8", "x"]))
TRAIN_KEYS = [
    "method",
    "precision",
    "sharding",
    "tp",
    "pp",
    "cp",
    "ep",
    "dp",
    "seq_len",
    "micro_batch",
    "global_batch",
    "lora_rank",
    "knobs",
]
INFER_KEYS = ["weight_precision", "weight_format", "kv_precision", "engine", "tp", "in_len", "out_len", "concurrency", "memory_fraction"]
MODEL_KEYS = [
    "name",
    "params_b",
    "n_layers",
    "hidden",
    "n_heads",
    "n_kv_heads",
    "ffn_hidden",
    "vocab",
    "moe_experts",
    "moe_topk",
    "head_dim",
]
DOCUMENTS = st.dictionaries(
    st.sampled_from(["task", "gpu", "gpu_memory_gib", "n_gpus", "nodes", "link", "network_gbps"]), st.one_of(NUMBERS, JUNK)
).flatmap(
    lambda top: st.fixed_dictionaries(
        {
            "model": st.one_of(JUNK, st.dictionaries(st.sampled_from(MODEL_KEYS), st.one_of(NUMBERS, JUNK))),
            "train": st.one_of(JUNK, st.dictionaries(st.sampled_from(TRAIN_KEYS), st.one_of(NUMBERS, JUNK))),
            "infer": st.one_of(JUNK, st.dictionaries(st.sampled_from(INFER_KEYS), st.one_of(NUMBERS, JUNK))),
            "collective": st.one_of(JUNK, st.dictionaries(st.sampled_from(["op", "msg_bytes"]), JUNK)),
        }
    ).map(lambda parts: {"gpu": "a100-sxm4-80gb"} | parts | top)
)
VALID = st.fixed_dictionaries(
    {
        "model": st.one_of(
            st.just({"name": "llama-3-8b"}),
            st.dictionaries(st.sampled_from(["n_layers", "hidden", "n_heads", "ffn_hidden", "vocab"]), st.integers(1, 10**6)).map(
                lambda dimensions: {"params_b": 7} | dimensions
            ),
        ),
        "n_gpus": st.integers(1, 1000),
        "gpu": st.sampled_from([gpu.slug for gpu in CATALOGUE.gpus]),
        "train": st.dictionaries(st.sampled_from(["tp", "pp", "cp", "seq_len", "micro_batch", "global_batch"]), st.integers(1, 10**6)),
        "task": st.sampled_from(["train", "infer"]),
    }
)


def answered(document: Any) -> dict[str, Any] | DomainError:
    try:
        workload, assumptions = parse_workload(document, CATALOGUE)
        hardware, more = resolve_hardware(workload, CATALOGUE)
        return estimate_json(estimate(workload, hardware, (*assumptions, *more)))
    except DomainError as refused:
        return refused


@settings(max_examples=300, deadline=None)
@given(st.one_of(JUNK, DOCUMENTS, VALID))
def test_any_document_is_answered_or_refused_by_field(document: Any) -> None:
    answer = answered(document)
    if isinstance(answer, DomainError):
        assert render(answer.message, "en")
        assert answer.field is not None or isinstance(answer, DataMissing)
    else:
        assert answer.get("memory") or answer.get("collective")


@pytest.mark.parametrize(("name", "model"), [("unet-3d", "nnunet-3d"), ("sdxl", "sdxl-unet"), ("Stable Diffusion XL", "sdxl-unet")])
def test_benchmark_name_is_read_as_the_catalogue_s_model_and_says_so(name: str, model: str) -> None:
    workload, assumptions = parse_workload({"model": {"name": name}, "gpu": "a100-sxm4-80gb"}, load_catalogue())
    assert workload.model is not None
    assert workload.model.name == model
    [(value, why)] = [(item.value, render(item.why, "en")) for item in assumptions if item.field == "model.name"]
    assert value == model
    assert f"“{name}”, with inputs of 128x128x" in why


def test_another_spelling_is_no_assumption() -> None:
    _, assumptions = parse_workload({"model": {"name": "ResNet50"}, "gpu": "a100-sxm4-80gb"}, load_catalogue())
    assert not [item for item in assumptions if item.field == "model.name"]
