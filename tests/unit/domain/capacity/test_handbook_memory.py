"""The handbook's memory rules, worked by hand."""

import pytest

from app.domain.capacity import MemoryFigures
from app.domain.units import as_gb, gb
from tests.factories.workloads import a_training, estimate_of, figures_of

SEVEN_BILLION = {"params_b": 7}


def memory_of(**changes: object) -> MemoryFigures:
    memory = figures_of(a_training(SEVEN_BILLION, **changes)).memory
    assert memory is not None
    return memory


def test_r_m4_pure_sixteen_bit_seven_billion() -> None:
    """R-M4: weights 14 GB, gradients 14 GB, Adam 28 GB, exactly: 2 + 2 + (2 + 2) bytes of 7·10⁹ parameters."""
    memory = memory_of(precision="pure-bf16", micro_batch=4, seq_len=2048, global_batch=16)
    assert as_gb(memory.weights_bytes) == 14
    assert as_gb(memory.gradients_bytes) == 14
    assert as_gb(memory.optimizer_bytes) == 28


def test_r_m4_twelve_gigabytes_of_activations_lie_between_full_and_no_recomputation() -> None:
    """R-M4's 12 GB, and so its 68 GB, are reached between recomputing every layer and none (above 40 GB)."""
    full = memory_of(precision="pure-bf16", micro_batch=4, seq_len=2048, global_batch=16, act_ckpt="full", optimizer="adamw8bit")
    none = memory_of(precision="pure-bf16", micro_batch=4, seq_len=2048, global_batch=16, act_ckpt="none")
    least, most = (memory.activations_bytes + memory.logits_bytes for memory in (full, none))
    assert gb(3) < least < gb(12) < most
    assert gb(56) + least < gb(68) < none.allocated_bytes


def test_r_m4_pytorchs_list_adam_peaks_at_the_step_instead() -> None:
    """AdamW over lists of tensors allocates one more array as large as a state, 14 GB, when the activations are gone: 70 GB."""
    said = {"precision": "pure-bf16", "micro_batch": 4, "seq_len": 2048, "global_batch": 16, "act_ckpt": "full"}
    memory = memory_of(knobs=["foreach-optimizer"], **said)
    assert memory.activations_bytes == 0
    assert gb(14) < memory.temporary_bytes < gb(14.1)


def test_r_m4_eighty_gigabytes_have_a_safe_limit_of_sixty_four() -> None:
    estimate = estimate_of(a_training(SEVEN_BILLION, gpu_memory_gib=80))
    assert estimate.memory is not None
    assert estimate.memory.usable_bytes == 64 * 2**30


@pytest.mark.parametrize(
    ("precision", "optimizer", "bytes_per_parameter"),
    [
        ("bf16-mixed", "adamw", 16),  # R-M3: 2 + 2 + 4 + 4 + 4
        ("pure-bf16", "adamw", 8),  # R-M3: 2 + 2 + 2 + 2
        ("fp32", "adamw", 16),
        ("bf16-mixed", "lion", 12),
        ("bf16-mixed", "sgd", 8),
        ("bf16-mixed", "adafactor", 8),
    ],
)
def test_r_m1_and_r_m3_bytes_a_parameter(precision: str, optimizer: str, bytes_per_parameter: int) -> None:
    """R-M1's 16–24 bytes a parameter are mixed precision with AdamW; the "66 GB for 7B" are pure 16 bit with activations."""
    memory = memory_of(precision=precision, optimizer=optimizer, global_batch=2, micro_batch=1)
    states = memory.weights_bytes + memory.gradients_bytes + memory.optimizer_bytes
    assert states == pytest.approx(7e9 * bytes_per_parameter)


def test_r_m7_full_seven_billion_does_not_fit_four_24_gb_cards() -> None:
    """112 GB of states against 96: said as such, and no sharding changes it; 8-bit states do."""
    document = a_training(SEVEN_BILLION, gpu="rtx-4090", n_gpus=4, sharding="fsdp", precision="bf16-mixed")
    estimate = estimate_of(document)
    assert estimate.memory is not None
    assert estimate.memory.fits == "no"
    assert "R-M7" in {finding.rule for finding in estimate.findings}


@pytest.mark.parametrize("size_b", [7, 13])
def test_r_m7_qlora_fits_24_gb(size_b: int) -> None:
    document = a_training({"params_b": size_b}, gpu="rtx-4090", method="qlora4", micro_batch=1, seq_len=1024)
    estimate = estimate_of(document)
    assert estimate.memory is not None
    assert estimate.memory.fits == "yes"


def test_r_m9_thirteen_billion_sharded_over_eight_is_under_the_line() -> None:
    """R-M9: about 62 GB a GPU with everything, under 64 GB; the batch was not stated, and at four sequences we are below."""
    memory = figures_of(a_training("llama-2-13b", n_gpus=8, sharding="fsdp", micro_batch=4, seq_len=2048)).memory
    assert memory is not None
    assert memory.device_bytes < gb(64)


@pytest.mark.parametrize("stage", ["zero1", "zero2", "zero3"])
def test_zero_paper_seven_and_a_half_billion_on_64(stage: str) -> None:
    """Rajbhandari et al. 2019, Figure 1: 31.4, 16.6 and 1.9 GB of states a GPU."""
    model = {"params_b": 7.5, "n_layers": 36, "hidden": 4096, "n_heads": 32, "ffn_hidden": 16384, "vocab": 51200}
    memory = figures_of(a_training(model, n_gpus=64, precision="fp16-mixed", sharding=stage)).memory
    assert memory is not None
    states = memory.weights_bytes + memory.gradients_bytes + memory.optimizer_bytes
    assert as_gb(states) == pytest.approx({"zero1": 31.4, "zero2": 16.6, "zero3": 1.9}[stage], rel=0.02)
