"""Every rule of the handbook is implemented, which means named in a docstring or a step of the code, or listed here as still to come."""

import re

from tests.architecture.source import files

HANDBOOK = {
    *(f"R-D{number}" for number in range(1, 11)),
    *(f"R-M{number}" for number in range(1, 10)),
    *(f"R-T{number}" for number in range(1, 9)),
    *(f"R-S{number}" for number in range(1, 10)),
}
NOT_YET: set[str] = set()


def named() -> set[str]:
    return {rule for path in files() for rule in re.findall(r"R-[DMTS]\d+", path.read_text(encoding="utf-8"))}


def test_rules_are_implemented_or_listed() -> None:
    assert HANDBOOK - named() == NOT_YET


def test_code_names_only_rules_of_the_handbook() -> None:
    assert named() - HANDBOOK == set()
