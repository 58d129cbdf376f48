"""The tests and modules that the documentation names are there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NAMED = re.compile(r"`(\w+/[\w/]+\.py)(?:::(\w+))?`")
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
PROMISES = [ROOT / "docs" / name for name in ("reliability.md", "security.md")]


def _named(document: Path) -> list[tuple[str, str]]:
    """The files, and the functions in them, that a document names."""
    return NAMED.findall(document.read_text())


@pytest.mark.slow
def test_everything_that_is_named_exists() -> None:
    named = {document.name: _named(document) for document in DOCUMENTS}
    assert all(len(named[name]) > 10 for name in ("CONTRIBUTING.md", "security.md"))
    assert [
        f"{document}: {path}::{name}"
        for document, found in named.items()
        for path, name in found
        if not _is_there(ROOT / path, name)
    ] == []


@pytest.mark.parametrize("document", [pytest.param(path, id=path.stem) for path in PROMISES])
def test_every_promise_has_a_test(document: Path) -> None:
    untested: list[str] = []
    shown = False
    for line in document.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            shown = False
        elif cells[-1] == "shown by":
            shown = True
        elif shown and not set(line) <= set("|- ") and not NAMED.search(cells[-1]):
            untested.append(cells[0])
    assert untested == []


def _is_there(path: Path, name: str) -> bool:
    if not path.is_file():
        return False
    tree = ast.parse(path.read_text())
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    return not name or name in functions
