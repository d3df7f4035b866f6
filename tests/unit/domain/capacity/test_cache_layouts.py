"""What layers keep of a sequence, by the patterns that the catalogue's rows state; volumes and images by their sides."""

import pytest

from app.domain.capacity.memory.serving import attention_share, cached_tokens
from app.domain.catalogue.models import LanguageModel
from app.seeds import load_catalogue
from tests.factories.workloads import a_deployment, a_training, figures_of


def model(name: str) -> LanguageModel:
    found = load_catalogue().language_model(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "keeping"),
    [
        ("qwen3-next-80b-a3b", 12),
        ("minimax-text-01", 10),
        ("jamba-v0.1", 4),
        ("nemotron-h-56b", 10),
        ("nemotron-3-nano-30b-a3b", 6),
        ("llama-2-7b", 32),
        ("gemma-2-9b", 42),
    ],
)
def test_only_attention_blocks_keep_keys_and_values(name: str, keeping: int) -> None:
    assert attention_share(model(name)) * model(name).layer_count == pytest.approx(keeping)


def test_compressed_context_keeps_the_window_and_the_mean_of_both_ratios() -> None:
    assert cached_tokens(model("deepseek-v4-flash"), 100_000) == pytest.approx(128 + 100_000 * (1 / 4 + 1 / 128) / 2)


def test_copied_caches_slow_long_sequences_only() -> None:
    """Seven queries share a head: the cache is passed over seventeen times instead of once."""

    def rate(engine: str, prompt: int) -> float:
        asked = {"engine": engine, "in_len": prompt, "out_len": 64, "concurrency": 1}
        serving = figures_of(a_deployment("qwen2.5-7b", **asked)).serving
        assert serving is not None
        return 1 / serving.step_s

    assert rate("vllm", 30_000) > 0.8 * rate("vllm", 100)
    assert rate("transformers", 30_000) < 0.7 * rate("transformers", 100)


def test_a_volume_grows_with_the_cube_of_its_side() -> None:
    small, large = (figures_of(a_training("nnunet-3d", image_size=side, micro_batch=2)) for side in (64, 128))
    assert small.memory is not None
    assert large.memory is not None
    assert large.memory.activations_bytes == pytest.approx(8 * small.memory.activations_bytes)
