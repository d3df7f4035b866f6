"""An offloaded optimizer steps on the host; some families run every expert over every token when adapters are trained."""

import pytest

from tests.factories.workloads import a_training, estimate_of, figures_of

SCOUT = {"name": "llama-4-scout"}


def test_an_offloaded_step_allocates_nothing_on_the_device() -> None:
    away = figures_of(a_training("llama-2-7b", n_gpus=8, sharding="fsdp", offload="optimizer", precision="bf16-mixed")).memory
    here = figures_of(a_training("llama-2-7b", n_gpus=8, sharding="fsdp", precision="bf16-mixed")).memory
    assert away is not None
    assert here is not None
    assert away.optimizer_bytes == 0
    assert away.moment != "step"


def test_adapters_on_llama_4_pay_for_all_sixteen_experts() -> None:
    """Sixteen experts instead of one of sixteen: the routed products take sixteen times as long, the step several times."""
    every = figures_of(a_training(SCOUT, method="qlora4", gpu="h100-sxm5-80gb", n_gpus=1, seq_len=4096, micro_batch=1)).time
    renamed = SCOUT | {"name": "some-experts", "params_b": 109, "n_layers": 48, "hidden": 5120, "n_heads": 40, "n_kv_heads": 8}
    renamed |= {"ffn_hidden": 8192, "vocab": 202048, "moe_experts": 16, "moe_topk": 1, "active_params_b": 17}
    routed = figures_of(a_training(renamed, method="qlora4", gpu="h100-sxm5-80gb", n_gpus=1, seq_len=4096, micro_batch=1)).time
    assert every is not None
    assert routed is not None
    assert 3 < every.compute_s / routed.compute_s < 16
    assert every.step_time_s == pytest.approx(routed.step_time_s + every.compute_s - routed.compute_s, rel=0.3)


def test_offloaded_states_of_seven_billion_need_a_hundred_gigabytes_of_host_memory() -> None:
    """2 + 12 bytes of 6.738 billion parameters in one machine, however many of its GPUs share them."""
    for gpus in (1, 8):
        found = estimate_of(a_training("llama-2-7b", n_gpus=gpus, sharding="zero2", offload="optimizer")).findings
        needed = next(finding.text.params["needed_bytes"] for finding in found if finding.text.code == "finding.host_memory")
        assert needed == pytest.approx(14 * 6.738e9, rel=0.001)
