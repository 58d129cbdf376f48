"""Conditions, and the columns of which Spark infers from them that they are not null, as
not_null.txt has them: recorded from a real Spark, which test_spark.py asks again, so that
test_not_null.py can ask prunescope without it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

VERSION = "4.1.4"
_FILE = Path(__file__).with_name("not_null.txt")
_OTHERWISE = "# Of which prunescope infers otherwise"


def recorded() -> Mapping[str, frozenset[str]]:
    """What Spark infers of each condition."""
    return _read(_FILE.read_text())


def inferred_otherwise() -> frozenset[str]:
    """The conditions of which prunescope infers less."""
    return frozenset(_read(_FILE.read_text().partition(_OTHERWISE)[2]))


def _read(text: str) -> dict[str, frozenset[str]]:
    lines = (line.partition(" | ") for line in text.splitlines() if " | " in line)
    return {sql: frozenset(names.split()) - {"-"} for names, _, sql in lines}
