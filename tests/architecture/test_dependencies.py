"""What the product imports is what installing it brings: a package that only the tests need is not there for those who run it."""

import ast
import re
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions

from tests.architecture.source import ROOT, files, where

_NAME = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==", re.MULTILINE)


def canonical(name: str) -> str:
    """A distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def foreign_imports(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """The packages of others that a module imports."""
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for package in {name.partition(".")[0] for name in names} - {"app", *sys.stdlib_module_names}:
            yield package, node


def test_every_import_comes_with_the_product() -> None:
    locked = {canonical(name) for name in _NAME.findall((ROOT / "requirements.lock").read_text())}
    brought = {package for package, names in packages_distributions().items() if locked & set(map(canonical, names))}
    missing = [
        f"{where(path, node)}: {package}"
        for path in files()
        for package, node in foreign_imports(ast.parse(path.read_text()))
        if package not in brought
    ]
    assert missing == []


def test_an_import_that_is_not_brought_is_seen() -> None:
    tree = ast.parse("import os\nimport pytest.mark\nfrom bs4 import BeautifulSoup\nfrom app.domain import units\nfrom . import near")
    assert [package for package, _ in foreign_imports(tree)] == ["pytest", "bs4"]
