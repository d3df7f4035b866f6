"""Answers, gaps and contradictions."""

from typing import Any

import pytest

from app.domain.errors import InvalidInput
from app.domain.intake import Requirements
from app.domain.intake.requirements import requirements
from tests.factories.intake import a_catalogue_of, a_language_model, an_image_model

LLAMA, RESNET = a_language_model(), an_image_model()
CATALOGUE = a_catalogue_of(LLAMA, RESNET)


def needs_of(answers: dict[str, Any], **options: Any) -> Requirements:
    return requirements(answers, CATALOGUE, **{"model": LLAMA, **options})


def assumed(needs: Requirements) -> dict[str, Any]:
    return {assumption.field: assumption.value for assumption in needs.assumptions}


def doubts(needs: Requirements) -> list[str]:
    return [contradiction.text.code for contradiction in needs.contradictions]


def test_no_answer_at_all_is_one_fine_tuning_with_everything_assumed() -> None:
    needs = needs_of({}, model=None)
    assert needs.model is LLAMA
    assert needs.training is not None
    assert needs.inference is None
    assert (needs.training.kind, needs.training.method, needs.training.seq_len) == ("finetune", "full", 2048)
    assert needs.training.deadline_s == 7 * 86400
    assert assumed(needs)["training"] == "finetune"
    assert assumed(needs)["training.deadline_days"] == 7
    assert assumed(needs)["model"] == "llama-2-7b"


def test_answer_is_never_listed_as_assumed() -> None:
    needs = needs_of({"training.seq_len": 512, "training.samples": 2e7, "training.deadline_days": 864000.0, "years": 5})
    assert needs.training is not None
    assert (needs.training.seq_len, needs.training.sample_count, needs.training.deadline_s, needs.years) == (512, 2e7, 864000, 5)
    assert not {"training.seq_len", "training.samples", "training.deadline_days", "years"} & assumed(needs).keys()


def test_sample_count_follows_from_volume_and_sample_size() -> None:
    needs = needs_of({"data.total_tb": 12e12, "data.sample_mb": 600_000.0, "training.kind": "finetune"})
    assert needs.training is not None
    assert needs.training.sample_count == 2e7
    assert assumed(needs)["training.samples"] == 20_000_000


def test_sample_size_follows_from_volume_and_count() -> None:
    needs = needs_of({"data.total_tb": 12e12, "training.samples": 2e7})
    assert needs.data.sample_bytes == 600_000
    assert assumed(needs)["data.sample_mb"] == 0.6


def test_assumed_length_never_exceeds_the_models_context() -> None:
    needs = needs_of({}, model=a_language_model(max_context=512))
    assert needs.training is not None
    assert needs.training.seq_len == 512


def test_pretraining_reads_twenty_tokens_a_parameter() -> None:
    needs = needs_of({"training.kind": "pretrain", "training.seq_len": 2048})
    assert needs.training is not None
    assert needs.training.sample_count * 2048 == pytest.approx(20 * 6.738e9, rel=1e-6)
    assert (needs.training.epochs, needs.training.deadline_s, needs.training.method) == (1, 30 * 86400, "full")


def test_image_model_has_no_sequence_length_to_assume() -> None:
    needs = needs_of({}, model=RESNET)
    assert needs.training is not None
    assert (needs.training.seq_len, needs.training.sample_count) == (1, 1_281_167)
    assert "training.seq_len" not in assumed(needs)


def test_concurrency_follows_from_rate_by_littles_law() -> None:
    needs = needs_of({"inference.qps": 4.0, "inference.ttft_ms": 1.0, "inference.tpot_ms": 0.1, "inference.out_len": 11})
    assert needs.training is None
    assert needs.inference is not None
    assert needs.inference.concurrency == pytest.approx(4 * (0.45 + 10 * 0.04))


def test_rate_follows_from_concurrency() -> None:
    needs = needs_of({"inference.concurrency": 8.0, "inference.ttft_ms": 1.0, "inference.tpot_ms": 0.1, "inference.out_len": 11})
    assert needs.inference is not None
    assert needs.inference.qps == pytest.approx(8 / (0.45 + 10 * 0.04))


def test_both_tasks_may_be_asked_for() -> None:
    needs = needs_of({"training.samples": 1000.0}, tasks=("inference",))
    assert needs.training is not None
    assert needs.inference is not None
    assert needs.operations.always_on is True


def test_sample_larger_than_all_data_is_refused() -> None:
    with pytest.raises(InvalidInput) as caught:
        needs_of({"data.total_tb": 1e9, "data.sample_mb": 2e9})
    assert caught.value.field == "data.sample_mb"


def test_pretraining_by_lora_is_refused() -> None:
    with pytest.raises(InvalidInput) as caught:
        needs_of({"training.kind": "pretrain", "training.method": "lora"})
    assert caught.value.field == "training.method"


def test_unknown_server_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput) as caught:
        needs_of({"operations.servers": ("no-such-server",)})
    assert (caught.value.field, caught.value.message.params["slug"]) == ("operations.servers", "no-such-server")


@pytest.mark.parametrize(
    ("answers", "doubt"),
    [
        ({"data.total_tb": 12e12, "data.sample_mb": 2e6, "training.samples": 2e7}, "intake.doubt.volume"),
        ({"training.seq_len": 8192}, "intake.doubt.context"),
        ({"inference.in_len": 4000, "inference.out_len": 500}, "intake.doubt.context"),
        ({"training.runs_per_year": 100.0}, "intake.doubt.year"),
        ({"software.framework": "tensorflow", "software.libraries": ("deepspeed==0.8.3",)}, "intake.doubt.library"),
        ({"operations.rack_kw": 20e3, "operations.rack_amps": 10.0, "operations.rack_volts": 220.0}, "intake.doubt.rack"),
    ],
)
def test_contradiction_that_can_stand_is_marked(answers: dict[str, Any], doubt: str) -> None:
    assert doubts(needs_of(answers)) == [doubt]


def test_published_case_contradicts_itself_only_in_its_volume() -> None:
    agreeing = {"data.total_tb": 12e12, "data.sample_mb": 600_000.0, "training.samples": 2e7}
    assert doubts(needs_of(agreeing)) == []
