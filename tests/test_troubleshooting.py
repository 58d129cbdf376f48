"""Messages that docs/troubleshooting.md explains are messages that the program prints."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.documented import ROOT

PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
MESSAGES = re.findall(r"(?m)^\| `(.+?)` \|", PAGE.partition("## By message")[2])
ELISION = "…"


@cache
def _printed() -> tuple[str, ...]:
    """All strings of the code; what is put into them is an elision."""
    return tuple(
        text
        for package in ("audit_jobs", "collectors")
        for path in (ROOT / package).rglob("*.py")
        for text in _strings(ast.parse(path.read_text(encoding="utf-8")))
    )


def _strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr(values=parts):
                texts = (p.value if isinstance(p, ast.Constant) else ELISION for p in parts)
                yield "".join(map(str, texts))
            case ast.Constant(value=str(text)):
                yield text


@pytest.mark.parametrize("message", MESSAGES)
def test_the_program_prints_it(message: str) -> None:
    parts = [re.escape(part.strip()) for part in message.split(ELISION)]
    pattern = re.compile(".*?".join(parts), re.DOTALL)
    assert any(pattern.search(text) for text in _printed()), f"nothing prints {message!r}"


def test_there_are_messages_and_none_twice() -> None:
    assert len(MESSAGES) > 20
    assert len({*MESSAGES}) == len(MESSAGES)
