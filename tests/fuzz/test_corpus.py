"""What fuzzing found is refused, and no parser has forgotten how to: every input of the corpus."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).with_name("corpus")
INPUTS = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", [pytest.param(p, id=f"{p.parent.name}/{p.name}") for p in INPUTS])
def test_every_input_ends_with_a_value_or_the_parsers_own_error(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


def test_each_parser_has_a_corpus() -> None:
    assert {path.parent.name for path in INPUTS} == set(TARGETS)


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in INPUTS) < 1_000_000
