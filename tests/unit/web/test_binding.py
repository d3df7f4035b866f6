"""From sent text to a checked form, with every error in our own words."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, Field, field_validator
from pydantic_core import PydanticCustomError
from starlette.datastructures import FormData

from app.domain.errors import Conflict, InvalidInput
from app.text.words import words
from app.web.binding import bind, blank, code_of


class Colour(StrEnum):
    RED = "red"


class Everything(BaseModel):
    text: Annotated[str, Field(min_length=2, max_length=4, pattern="^[a-z]+$")] = "abc"
    whole: Annotated[int, Field(ge=1, le=9)] = 1
    real: Annotated[float, Field(gt=0, lt=9, allow_inf_nan=False)] = 1.0
    exact: Annotated[Decimal, Field(max_digits=4, decimal_places=2)] = Decimal(1)
    colour: Colour = Colour.RED
    choice: Literal["a", "b"] = "a"
    day: date = date(2026, 11, 30)
    is_on: bool = False
    thing: UUID | None = None
    many: list[str] = []
    own: str = "fine"

    @field_validator("own")
    @classmethod
    def _own(cls, value: str) -> str:
        if value != "fine":
            raise PydanticCustomError("form.at_most", "", {"limit": 3})
        return value


class Needed(BaseModel):
    name: str
    count: int


WRONG = [
    ("text", "a"),
    ("text", "abcde"),
    ("text", "ABC"),
    ("whole", "x"),
    ("whole", "1.5"),
    ("whole", "0"),
    ("whole", "10"),
    ("whole", "9" * 5000),
    ("real", "x"),
    ("real", "0"),
    ("real", "9"),
    ("real", "nan"),
    ("real", "inf"),
    ("exact", "x"),
    ("exact", "12345"),
    ("exact", "1.234"),
    ("colour", "blue"),
    ("choice", "c"),
    ("day", "yesterday"),
    ("is_on", "perhaps"),
    ("thing", "no-uuid"),
    ("own", "else"),
]


@pytest.mark.parametrize(("name", "sent"), WRONG)
def test_wrong_value_is_named_and_shown_back(name: str, sent: str) -> None:
    bound = bind(Everything, FormData([(name, sent), ("text" if name != "text" else "own", "abc" if name != "text" else "fine")]))
    assert bound.value is None
    assert list(bound.errors) == [name]
    assert bound.first_bad == name
    assert bound.raw[name] == sent


def test_every_error_type_has_words() -> None:
    seen = set()
    for name, sent in WRONG:
        try:
            Everything.model_validate({name: sent})
        except ValueError as error:
            for item in error.errors():  # type: ignore[attr-defined]
                said = code_of(item)
                assert said.code in words()
                seen.add(said.code)
    assert "form.at_most" in seen


def test_empty_and_absent_are_the_same() -> None:
    for data in (FormData([]), FormData([("name", "  "), ("count", "")])):
        assert dict(bind(Needed, data).errors) == {"name": "Fill this in.", "count": "Fill this in."}


def test_text_is_stripped_and_many_values_are_kept() -> None:
    bound = bind(Everything, FormData([("text", " abc "), ("many", "x"), ("many", "y"), ("whole", " 7 ")]))
    assert bound.value is not None
    assert (bound.value.text, bound.value.many, bound.value.whole) == ("abc", ["x", "y"], 7)


def test_character_that_cannot_be_stored_is_refused() -> None:
    assert list(bind(Needed, FormData([("name", "a\x00b"), ("count", "1")])).errors) == ["name"]


@pytest.mark.parametrize(("error", "name"), [(InvalidInput("name", "form.missing"), "name"), (Conflict("project.stale"), "")])
def test_refusal_of_a_service_stands_at_its_field(error: Any, name: str) -> None:
    bound = bind(Needed, FormData([("name", "x"), ("count", "1")])).rejected(error)
    assert bound.value is None
    assert list(bound.errors) == [name]
    assert bound.raw["name"] == "x"


def test_blank_form_shows_what_is_stored() -> None:
    assert blank(Needed, {"name": "x"}).raw == {"name": "x"}
