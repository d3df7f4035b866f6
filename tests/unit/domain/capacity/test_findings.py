"""Findings: each rule speaks where it should and is silent elsewhere."""

from typing import Any

import pytest

from app.domain.estimate import Finding
from app.text.render import render
from tests.factories.workloads import a_deployment, a_training, estimate_of


def found(document: dict[str, Any]) -> dict[str, Finding]:
    findings = estimate_of(document).findings
    assert all(render(finding.text, locale) for finding in findings for locale in ("en", "zh_CN"))
    return {finding.text.code: finding for finding in findings}


@pytest.mark.parametrize(
    ("document", "code", "severity"),
    [
        (a_training(gpu="rtx-4090"), "finding.no_fit", "blocker"),
        (a_training(gpu="rtx-4090", n_gpus=4, sharding="fsdp"), "finding.states", "blocker"),
        (a_training(gpu="rtx-4090", n_gpus=4, sharding="fsdp"), "finding.consumer", "warning"),
        (a_training(gpu="rtx-4090", n_gpus=4, sharding="fsdp"), "finding.pcie", "warning"),
        (a_training(method="qlora4", gpu="rtx-4090"), "finding.consumer", "note"),
        (a_training(gpu="t4", precision="bf16-mixed"), "finding.no_precision", "blocker"),
        (a_training(gpu="t4", precision="bf16-mixed"), "estimate.no_peak", "blocker"),
        (a_training(n_gpus=16, tp=16, sharding="none"), "finding.tensor_parallel", "warning"),
        (a_training(n_gpus=16, tp=16, sharding="none"), "finding.communication", "warning"),
        (a_training(n_gpus=16, tp=16, sharding="none"), "finding.scaling", "note"),
        (a_training(offload="optimizer"), "finding.host_memory", "note"),
        (a_training(optimizer="paged_adamw8bit"), "finding.host_memory", "note"),
        (a_training(precision="pure-bf16", knobs=["foreach-optimizer"]), "finding.peak_at_step", "note"),
        (a_training(seq_len=65536), "finding.context", "warning"),
        (a_training({"name": "llama-2-7b", "params_b": 9}), "finding.parameters", "note"),
        (a_training(gpu="h100-sxm5-80gb", precision="fp8-mixed"), "finding.software", "note"),
        (a_deployment("llama-3-70b", gpu="h100-sxm5-80gb", weight_precision="fp8", concurrency=500), "finding.queue", "warning"),
    ],
)
def test_a_finding_where_it_belongs(document: dict[str, Any], code: str, severity: str) -> None:
    assert found(document)[code].severity == severity


def test_nothing_is_found_where_all_is_well() -> None:
    assert found(a_training("llama-3-8b", n_gpus=8, sharding="fsdp", micro_batch=2)) == {}


def test_memory_is_answered_where_the_speed_is_unknown() -> None:
    answer = estimate_of(a_training(gpu="t4", precision="bf16-mixed"))
    assert answer.memory is not None
    assert answer.memory.capacity_bytes is not None
    assert answer.throughput is None


def test_blockers_come_first() -> None:
    severities = [finding.severity for finding in estimate_of(a_training(gpu="rtx-4090", n_gpus=4, sharding="fsdp")).findings]
    assert severities == sorted(severities, key=["blocker", "warning", "note"].index)
