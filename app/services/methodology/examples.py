"""Workloads and a cost scenario that together walk through every derivation, as documents of the contract. Their numbers are shown nowhere."""

from typing import Any


def _training(model: str, gpu: str = "a100-sxm4-80gb", count: int = 8, **train: Any) -> dict[str, Any]:
    return {"model": {"name": model}, "task": "train", "gpu": gpu, "n_gpus": count, "train": {"train_tokens_b": 1, **train}}


def _serving(model: str, gpu: str = "a100-sxm4-80gb", count: int = 1, **infer: Any) -> dict[str, Any]:
    return {"model": {"name": model}, "task": "infer", "gpu": gpu, "n_gpus": count, "infer": infer}


WORKLOADS: tuple[dict[str, Any], ...] = (
    _training("llama-2-7b", sharding="zero3"),
    _training("llama-3-8b", sharding="zero2", act_ckpt="none", micro_batch=2),
    _training("mixtral-8x7b", count=16, ep=8, sharding="fsdp"),
    _training("llama-2-13b", gpu="rtx-4090", count=1, method="qlora4"),
    _training("llama-2-7b", count=2, sharding="zero3", offload="all"),
    _serving("llama-3-8b", concurrency=16),
    _serving("llama-3-70b", gpu="h100-sxm5-80gb", count=4, weight_precision="fp8"),
    {**_training("resnet-50"), "train": {"micro_batch": 128, "precision": "fp16-mixed"}},
    _serving("vit-l-16", gpu="l4", concurrency=64),
    {"task": "collective", "n_gpus": 8, "gpu": "h100-sxm5-80gb", "collective": {"op": "allreduce"}},
)
_BOUGHT = ("gpu", "server", "network", "storage", "rack", "spares", "installation")
_PAID = ("staff", "software", "hosting", "cross-connect", "egress", "repairs", "insurance")
SCENARIO: dict[str, Any] = {
    "currency": "USD",
    "years": 3,
    "options": [
        {
            "name": "own",
            "kind": "buy",
            "n_gpus": 8,
            "capex": [{"item": item, "unit_price": "1000", "qty": 1, "currency": "USD"} for item in _BOUGHT],
            "residual": "100",
            "power": {"idle_w": 50, "typical_w": 275, "busy_ratio": 0.6, "host_w": 1200},
            "hours_per_year": 8760,
            "electricity_per_kwh": "0.12",
            "pue": 1.3,
            "cooling_per_year": "500",
            "maintenance_ratio_per_year": 0.05,
            "opex": [{"item": item, "per_month": "100"} for item in _PAID],
            "one_off": [{"item": "delay", "amount": "1000", "month": 2}, {"item": "migration", "amount": "1000", "month": 1}],
            "utilisation": 0.6,
        },
        {"name": "rent", "kind": "rent", "n_gpus": 8, "price_per_gpu_hour": "2.0", "commitment": "on-demand", "utilisation": 0.6},
        {
            "name": "racks",
            "kind": "colocate",
            "n_gpus": 8,
            "power": {"idle_w": 50, "typical_w": 275, "peak_w": 400},
            "colocation": {"per_kw_month": "190", "setup": "1500"},
        },
        {"name": "lease", "kind": "lease", "n_gpus": 8, "lease": {"per_month": "4200", "term_months": 36, "purchase_price": "9000"}},
    ],
}
