"""Every code has its sentence, every sentence its Chinese, and no placeholder is lost on the way."""

import ast
import re
from collections.abc import Iterable
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from app.text.words import Plural, words
from tests.architecture import source

PERCENT = re.compile(r"%\((\w+)\)")


def braces(sentence: str | Plural) -> set[str]:
    texts = (sentence,) if isinstance(sentence, str) else (sentence.one, sentence.several, "{" + sentence.count + "}")
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}


def placeholders(texts: Iterable[str]) -> set[str]:
    return {name for text in texts for name in PERCENT.findall(text)} | {
        name for text in texts for name in re.findall(r"(?<!\{)\{([a-z_0-9]+)\}", text)
    }


SAID = [
    (code, names, source.where(path, node))
    for path in source.files()
    for code, names, node in source.said_codes(ast.parse(path.read_text(encoding="utf-8")))
]


def test_calls_are_found() -> None:
    assert len(SAID) > 50


def test_every_code_has_a_sentence() -> None:
    assert [f"{place} {code}" for code, _, place in SAID if code not in words()] == []


def test_every_sentence_gets_its_parameters() -> None:
    lacking = [
        f"{place} {code}: {missing}"
        for code, names, place in SAID
        if names is not None and code in words() and (missing := braces(words()[code]) - names)
    ]
    assert lacking == []


def test_catalogue_finds_the_words() -> None:
    assert source.said_codes(ast.parse('raise InvalidInput("field", "area.code", limit=1)'))
    found = list(source.said_codes(ast.parse('raise InvalidInput("field", "area.code", limit=1)')))
    assert [(code, names) for code, names, _ in found] == [("area.code", {"limit"})]


@pytest.fixture(scope="module")
def chinese() -> object:
    with (source.APP / "locales" / "zh_CN" / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale="zh_CN")


def pairs(catalogue: object) -> list[tuple[tuple[str, ...], tuple[str, ...], bool]]:
    as_tuple = lambda value: (value,) if isinstance(value, str) else tuple(value)  # noqa: E731 -- one use
    return [(as_tuple(item.id), as_tuple(item.string), item.fuzzy) for item in catalogue if item.id]  # type: ignore[attr-defined]


def test_everything_is_translated(chinese: object) -> None:
    assert [english[0] for english, translated, fuzzy in pairs(chinese) if fuzzy or not all(translated)] == []


def test_placeholders_are_equal(chinese: object) -> None:
    differ = [
        english[0] for english, translated, _ in pairs(chinese) if all(translated) and placeholders(english) != placeholders(translated)
    ]
    assert differ == []


def test_every_sentence_of_the_words_is_in_the_catalogue(chinese: object) -> None:
    known = {text for english, _, _ in pairs(chinese) for text in english}
    assert [code for code, said in words().items() if (said if isinstance(said, str) else said.several) not in known] == []
