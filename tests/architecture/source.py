"""Reading our own code: files, calls, literals."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
APP = ROOT / "app"


def files(folder: str = "", suffix: str = ".py") -> list[Path]:
    """The source files below app/ or one folder of it."""
    return sorted((APP / folder).rglob(f"*{suffix}"))


def where(path: Path, node: ast.AST) -> str:
    """A place as editors understand it."""
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def clock_calls(tree: ast.AST) -> Iterator[ast.AST]:
    """Calls that read the clock: `x.now()`, `x.today()`, `x.utcnow()`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("now", "today", "utcnow"):
            yield node


def sql_imports(tree: ast.AST) -> Iterator[ast.AST]:
    """Imports of SQLAlchemy other than its exceptions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sqlalchemy") and node.module != "sqlalchemy.exc":
            yield node
        if isinstance(node, ast.Import) and any(name.name.startswith("sqlalchemy") for name in node.names):
            yield node


def transaction_calls(tree: ast.AST) -> Iterator[ast.AST]:
    """Calls that end a transaction by hand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("commit", "rollback"):
            yield node


def unit_literals(tree: ast.AST) -> Iterator[ast.AST]:
    """Numbers that convert units: they live in app/domain/units.py."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value in (1024, 1e9, 1e12, 1024**2, 1024**3, 3600):
            yield node
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and ast.unparse(node) in ("2 ** 20", "2 ** 30", "2 ** 40"):
            yield node


CODE_AT = {
    "message": 0,
    "DomainError": 0,
    "NotFound": 0,
    "Conflict": 0,
    "DataMissing": 0,
    "InvalidInput": 1,
    "Refused": 1,
    "SignInNeeded": 0,
    "SignInRefused": 0,
    "PydanticCustomError": 0,
}


def said_codes(tree: ast.AST) -> Iterator[tuple[str, set[str] | None, ast.AST]]:
    """Message codes written in calls, with the names of their parameters (None when they are passed as a mapping)."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr if isinstance(node.func, ast.Attribute) else ""
        position = CODE_AT.get(name)
        if position is None or len(node.args) <= position:
            continue
        code = node.args[position]
        if isinstance(code, ast.Constant) and isinstance(code.value, str):
            mapped = name == "PydanticCustomError" or any(keyword.arg is None for keyword in node.keywords)
            yield code.value, None if mapped else {keyword.arg for keyword in node.keywords if keyword.arg}, node
