"""What the domain's own text says: docstrings of formulas (meaning, source, validity, anchor), constants with the remark beside them."""

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import walk_packages
from re import DOTALL
from re import compile as pattern
from types import ModuleType
from typing import Any

_SAYS_A_FORMULA = pattern(r"R-[DMTS]\d|Source:| = ")
_PARTS = pattern(r"\s*(Source|Valid|Anchor):\s*", DOTALL)
_LONGEST_VALUE = 400  # characters; longer tables of values are left to the code


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A docstring in its parts; the formula stands in `text`."""

    name: str
    text: str
    source: str = ""
    valid: str = ""
    anchor: str = ""

    @classmethod
    def of(cls, function: Callable[..., Any]) -> "Explained | None":
        """The docstring of a function, or None where it has none."""
        return cls.parsed(function.__name__, inspect.getdoc(function) or "")

    @classmethod
    def parsed(cls, name: str, doc: str) -> "Explained | None":
        """A docstring taken apart at “Source:”, “Valid:” and “Anchor:”."""
        text, *rest = _PARTS.split(" ".join(doc.split()))
        parts = {key.lower(): value.strip() for key, value in zip(rest[::2], rest[1::2], strict=True)}
        return cls(name=name, text=text, **parts) if text else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A module of formulas: what it is about, and its functions that state one."""

    name: str
    text: str
    entries: tuple[Explained, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A value of the method with the remark beside it: unit, source, date."""

    module: str
    name: str
    value: str
    comment: str


def module_text(name: str) -> str:
    """A module's docstring in one paragraph."""
    return " ".join((import_module(name).__doc__ or "").split())


def explanations(*packages: str) -> tuple[Module, ...]:
    """The modules of some packages that state formulas or rules, with the functions that do."""
    found = []
    for module in _modules(*packages):
        name = module.__name__.removeprefix("app.domain.")
        entries = tuple(entry for function in _functions(module) if (entry := Explained.of(function)) and _states(inspect.getdoc(function)))
        text = " ".join((module.__doc__ or "").split())
        if entries or _states(text):
            found.append(Module(name=name, text=text, entries=entries))
    return tuple(found)


def constants(*packages: str) -> tuple[Constant, ...]:
    """Every constant and every default of a field that is or holds a number and has a remark beside it."""
    return tuple(constant for module in _modules(*packages) for constant in _constants(module))


def texts(package: str) -> Iterator[tuple[str, str]]:
    """The whole source of each module of a package, by its short name."""
    for module in _modules(package):
        yield module.__name__.removeprefix("app.domain."), inspect.getsource(module)


def _states(text: str | None) -> bool:
    return bool(text and _SAYS_A_FORMULA.search(text))


def _modules(*packages: str) -> Iterator[ModuleType]:
    for name in packages:
        module = import_module(name)
        yield module
        if hasattr(module, "__path__"):
            for entry in sorted(walk_packages(module.__path__, f"{name}."), key=lambda entry: entry.name):
                yield import_module(entry.name)


def _functions(module: ModuleType) -> Iterator[Callable[..., Any]]:
    own = [one for one in vars(module).values() if inspect.isfunction(one) and one.__module__ == module.__name__]
    yield from sorted(own, key=lambda function: function.__code__.co_firstlineno)


def _constants(module: ModuleType) -> Iterator[Constant]:
    source = inspect.getsource(module)
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id.strip("_").isupper():
            name = node.targets[0].id
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
        else:
            continue
        comment = _comment(lines, node)
        if comment and node.value is not None and not name.startswith("_"):
            value = ast.unparse(node.value)
            shown = value if len(value) <= _LONGEST_VALUE else "…"
            if any(character.isdigit() for character in value):
                yield Constant(module=module.__name__.removeprefix("app.domain."), name=name, value=shown, comment=comment)


def _comment(lines: list[str], node: ast.Assign | ast.AnnAssign) -> str:
    """The remark beside a value, or on the lines right above it."""
    assert node.end_lineno is not None
    for number in (node.end_lineno, *range(node.lineno, node.end_lineno)):
        line = lines[number - 1]
        before, mark, comment = line.partition("  # ")
        if mark and before.strip():
            return "" if comment.startswith(("type:", "noqa")) else comment.strip()
    above: list[str] = []
    for line in reversed(lines[: node.lineno - 1]):
        if not line.strip().startswith("# "):
            break
        above.insert(0, line.strip().removeprefix("# "))
    return " ".join(above)
