"""Scores: between 0 and 100, by hand for two candidates, indifferent to a common factor."""

import pytest

from app.domain.selection import Role
from app.domain.selection.plan import Merits
from app.domain.selection.policy import weights_of
from app.domain.selection.roles import normal, scores
from app.seeds import load_catalogue

WEIGHTS = weights_of(load_catalogue())
CHEAP = Merits(cost=100.0, speed=1.0, memory=24.0, link=32.0, power=300.0)
FAST = Merits(cost=400.0, speed=4.0, memory=80.0, link=900.0, power=700.0)


@pytest.mark.parametrize("role", list(Role))
def test_weights_of_a_role_sum_to_one(role: Role) -> None:
    assert sum(WEIGHTS[role].values()) == pytest.approx(1.0)


def test_scores_by_hand() -> None:
    """Development: cost 0.5 and power 0.1 speak for the cheap one, memory 0.3 and speed 0.1 for the fast one."""
    assert scores([CHEAP, FAST], WEIGHTS[Role.DEVELOPMENT], {}) == pytest.approx([60.0, 40.0])


def test_evidence_doubles_a_weight_and_keeps_the_sum() -> None:
    """Cluster: link 0.35 → 0.70 of 1.35 in all; cost 0.15 of 1.35 is all that speaks for the cheap one."""
    assert scores([CHEAP, FAST], WEIGHTS[Role.CLUSTER_TRAINING], {"link": 2.0}) == pytest.approx([15 / 1.35, 100 - 15 / 1.35])


def test_equal_candidates_score_alike_and_full() -> None:
    assert scores([CHEAP, CHEAP], WEIGHTS[Role.SINGLE_NODE_TRAINING], {}) == pytest.approx([100.0, 100.0])


def test_no_candidates_have_no_scores() -> None:
    assert scores([], WEIGHTS[Role.DEVELOPMENT], {}) == []


def test_weights_are_scaled_to_one_and_nothing_weighs_less_than_nothing() -> None:
    assert normal({"cost": 3.0, "speed": 1.0, "link": 0.0}, {}) == {"cost": 0.75, "speed": 0.25}
