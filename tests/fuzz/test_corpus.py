"""What fuzzing found is refused, and no parser has forgotten how to: every input of the corpus."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest

import prunescope.collectors.queries
from prunescope.audit_jobs.sources.registry import BY_TYPE
from tests.fuzz import targets
from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).with_name("corpus")
INPUTS = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", [pytest.param(p, id=f"{p.parent.name}/{p.name}") for p in INPUTS])
def test_every_input_ends_with_a_value_or_the_parsers_own_error(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


def test_each_parser_has_a_corpus() -> None:
    assert {path.parent.name for path in INPUTS} == set(TARGETS)


def test_the_records_of_each_source_are_fuzzed() -> None:
    """By what its reader calls itself in them: `SOURCE`."""
    path, prefix = (
        prunescope.collectors.queries.__path__,
        f"{prunescope.collectors.queries.__name__}.",
    )
    modules = [import_module(found.name) for found in walk_packages(path, prefix)]
    readers = {getattr(module, "SOURCE", None): module.__name__ for module in modules}
    called = {getattr(value, "__module__", value.__name__) for value in _named(targets)}
    missing = [name for name in BY_TYPE if readers.get(name) not in called]
    assert missing == [], "SOURCE of no reader that tests/fuzz/targets.py calls"


def _named(module: object) -> list[Any]:
    return [value for value in vars(module).values() if hasattr(value, "__name__")]


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in INPUTS) < 1_000_000
