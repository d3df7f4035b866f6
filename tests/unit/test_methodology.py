"""The methodology leaves nothing out: every figure named, every line of cost with its formula, every rule of the handbook with its place."""

import re

import pytest

from app.domain.cost.lines import LINES
from app.domain.diagnosis.registry import RULES
from app.services.methodology import methodology
from app.services.methodology.sources import Explained
from app.text.words import words
from tests.architecture.test_rule_ids import HANDBOOK
from tests.factories.workloads import a_deployment, a_training, estimate_of

METHOD = methodology()


def test_every_figure_has_a_name() -> None:
    assert {formula.key for formula in METHOD.formulas} - words().keys() == set()


@pytest.mark.parametrize("document", [a_training(n_gpus=8, sharding="zero3", train_tokens_b=1), a_deployment(concurrency=8)])
def test_every_step_of_an_estimate_is_explained(document: dict[str, object]) -> None:
    explained = {(formula.key, formula.formula) for formula in METHOD.formulas}
    assert {(step.key, step.formula) for step in estimate_of(document).derivation} - explained == set()


def test_every_line_of_cost_has_a_formula() -> None:
    assert [line.key for line in METHOD.lines if not line.formulas] == []
    assert [line.key for line in METHOD.lines] == [line.key for line in LINES]


def test_every_rule_of_the_handbook_has_its_place() -> None:
    assert {named.rule for named in METHOD.rules} == HANDBOOK


def test_every_diagnosis_says_its_limits_with_their_source() -> None:
    assert {rule.id for rule in METHOD.diagnosis} == {rule.id for rule in RULES}
    assert [rule.id for rule in METHOD.diagnosis if not rule.text] == []
    assert [limit.name for rule in METHOD.diagnosis for limit in rule.thresholds if not limit.source] == []


def test_constants_of_physics_say_a_year() -> None:
    named = {constant.name: constant.comment for constant in METHOD.constants if constant.module == "capacity.physics"}
    assert re.search(r"20\d\d", named["context_bytes"])
    assert {"bandwidth_ratio", "RING_RATIO", "SUSTAINED"} <= named.keys()


def test_what_is_refused_is_found_by_asking() -> None:
    assert any(each.model == "graphsage" and each.field == "train" for each in METHOD.refusals)
    assert any(each.model == "resnet-50" and each.value == "lora" for each in METHOD.refusals)
    assert not any(each.field == "train.optimizer" and each.value == "adamw" for each in METHOD.refusals)


def test_docstring_is_taken_apart() -> None:
    found = Explained.parsed("kv", "Keys: 2·l·h.\n\n    Source: a paper, 2023. Valid: full attention.\n    Anchor: kv.csv.")
    assert found == Explained(name="kv", text="Keys: 2·l·h.", source="a paper, 2023.", valid="full attention.", anchor="kv.csv.")
