"""The question pages cover every field, and typed text becomes answers."""

from decimal import Decimal

from app.domain.intake.draft import MODEL_FIELDS, QUESTIONS, TASKS, Typed, read
from app.domain.intake.fields import BY_PATH, FIELDS, Kind
from app.domain.money import Currency, Money
from app.text.words import words


def test_every_field_is_asked_once() -> None:
    asked = [path for question in QUESTIONS for path in question.paths]
    assert len(asked) == len(set(asked))
    assert set(asked) - {TASKS, *MODEL_FIELDS} == {field.path for field in FIELDS} - {"name", "currency"}


def test_every_page_shows_at_most_six_fields_at_first() -> None:
    assert all(2 <= len(question.fields) <= 6 for question in QUESTIONS)


def test_every_field_and_choice_has_its_words() -> None:
    for question in QUESTIONS:
        assert {f"intake.question.{question.key}", f"intake.title.{question.key}", f"intake.lead.{question.key}"} <= words().keys()
        for path in question.paths:
            assert {f"intake.label.{path}", f"intake.hint.{path}"} <= words().keys()
            if path in BY_PATH and BY_PATH[path].kind is Kind.CHOICE:
                assert {f"intake.choice.{path}.{choice}" for choice in BY_PATH[path].choices} <= words().keys()


def test_typed_text_becomes_answers_in_base_units() -> None:
    found = read(Typed(texts={"data.total_tb": "12", "training.samples": "2千万", "operations.budget": "200万"}), Currency.CNY)
    assert found.errors == {}
    assert found.answers["data.total_tb"] == 12e12
    assert found.answers["training.samples"] == 2e7
    assert found.answers["operations.budget"] == Money(Decimal(2_000_000), Currency.CNY)


def test_field_ticked_unknown_is_no_answer_and_no_error() -> None:
    found = read(Typed(texts={"data.total_tb": "lots"}, unknown=frozenset({"data.total_tb"})), Currency.USD)
    assert (dict(found.answers), found.errors) == ({"currency": "USD"}, {})


def test_every_mistake_is_kept_beside_its_field() -> None:
    found = read(Typed(texts={"data.total_tb": "lots", "training.deadline_days": "0", "years": "3"}), Currency.USD)
    assert {path: said.code for path, said in found.errors.items()} == {
        "data.total_tb": "intake.unreadable",
        "training.deadline_days": "intake.not_positive",
    }
    assert found.answers["years"] == 3


def test_answers_about_what_is_not_wanted_do_not_count() -> None:
    texts = {"tasks": "inference", "training.kind": "pretrain", "inference.qps": "5"}
    found = read(Typed(texts=texts), Currency.USD)
    assert found.tasks == ("inference",)
    assert "training.kind" not in found.answers
    assert found.answers["inference.qps"] == 5
