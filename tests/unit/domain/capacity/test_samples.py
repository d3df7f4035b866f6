"""Models known by their samples."""

from dataclasses import replace

import pytest

from app.domain.capacity import estimate, figures
from app.domain.catalogue.models import OtherModel
from app.domain.workload.names import find_model, spelling
from app.seeds import load_catalogue
from tests.factories.workloads import a_training, estimate_of, figures_of, resolved


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("ResNet-50", "resnet-50"),
        ("resnet50", "resnet-50"),
        ("vit_base_patch16_224", "vit-b-16"),
        ("swin_tiny_patch4_window7_224", "swin-t"),
        ("tf_efficientnet_b4", "efficientnet-b4"),
        ("mobilenetv3_large_100", "mobilenet-v3-large"),
        ("Faster R-CNN R50-FPN (mmdet pytorch)", "faster-rcnn-r50-fpn"),
    ],
)
def test_spellings_of_one_model(name: str, found: str) -> None:
    model = find_model(name, load_catalogue())
    assert model is not None
    assert model.name == found


def test_spellings_stay_apart() -> None:
    names = [model.name for model in load_catalogue().other_models]
    assert len({spelling(name) for name in names}) == len(names)


def test_a_larger_image_costs_its_area() -> None:
    small, large = (figures_of(a_training("resnet-50", micro_batch=64, image_size=size)).memory for size in (224, 448))
    assert small is not None
    assert large is not None
    assert large.activations_bytes == pytest.approx(4 * small.activations_bytes)
    assert large.weights_bytes == small.weights_bytes


def test_samples_and_batch_are_the_units() -> None:
    one, two = (figures_of(a_training("resnet-50", micro_batch=batch, n_gpus=8, train_samples=1.28e6)) for batch in (64, 128))
    assert one.time is not None
    assert two.time is not None
    assert one.duration_s is not None
    assert one.duration_s == pytest.approx(1.28e6 / one.time.samples_per_s)
    assert two.time.samples_per_s > one.time.samples_per_s
    assert one.time.tokens_per_s_per_gpu == 0


def test_tables_of_a_recommender_are_spread() -> None:
    """104.54 GB of tables over eight GPUs, 13 GB each."""
    answer = estimate_of(a_training("dlrm-dcnv2", n_gpus=8, optimizer="sgd", micro_batch=1024))
    assert answer.memory is not None
    weights = next(part.size_bytes for part in answer.memory.parts if part.name == "weights")
    assert weights == pytest.approx(104.54e9 / 8, rel=0.01)


def test_lookups_decide_the_speed_of_a_recommender() -> None:
    """By hand: 214 rows · 128 · 4 bytes, read once, and read and written by plain SGD, at 0.3 of 3.35 TB/s: 3 · 109 568 / 1.005e12 s a sample."""
    workload, hardware = resolved(
        a_training("dlrm-dcnv2", n_gpus=8, optimizer="sgd", precision="fp16-mixed", micro_batch=8192, gpu="h100-sxm5-80gb")
    )
    assert isinstance(workload.model, OtherModel)
    twice = replace(workload, model=replace(workload.model, lookup_count=2 * 214))
    one, two = (figures(each, hardware).time for each in (workload, twice))
    assert one is not None
    assert two is not None
    assert two.memory_s - one.memory_s == pytest.approx(8192 * 3 * 109_568 / (0.3 * 3.35e12), rel=0.001)
    assert one.collectives_s > 0


def test_without_lookups_memory_is_answered_and_speed_is_not() -> None:
    workload, hardware = resolved(a_training("dlrm-dcnv2", n_gpus=8, optimizer="sgd", micro_batch=1024))
    assert isinstance(workload.model, OtherModel)
    answer = estimate(replace(workload, model=replace(workload.model, lookup_count=None)), hardware)
    assert answer.memory is not None
    assert answer.throughput is None
    assert "estimate.no_lookups" in {finding.text.code for finding in answer.findings}
