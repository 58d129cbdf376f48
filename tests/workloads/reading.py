"""Reads pairs as `tests/data/workloads` has them.

A block `pair NAME of LAYOUT` has lines `KEY: TEXT`, whose keys are fields of `Pair`, or engines:

- `trino: SQL <- VALUES` is a query for each of the values, which stand in place of `{}`, and `SQL
  <- 5 times` the same five times. In SQL `this` is the table of the pair. Other fields of `Query`
  stand behind the engine: `spark user=etl: …`;
- `expected: CAUSE(COLUMNS) 0.5..0.8 +statements -rewrite says PATTERN`, and `allowed`;
- `tempting: CAUSE: REASON`;
- `never` and `unsaid`: patterns, with `; ` between;
- `told CAUSE trino: …` are queries of `rewritten`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.scenarios.lake import Query
from tests.workloads.blocks import Block, blocks, evaluated, words_of
from tests.workloads.model import Expected, Pair
from tests.workloads.rows import SPARK, SPARK_35, each, repeated

ENGINES: Mapping[str, Mapping[str, str]] = {
    "trino": {},
    "spark": SPARK,
    "spark35": SPARK_35,
    **{name: {"engine": name} for name in ("athena", "bigquery", "snowflake")},
}

_EXPECTED = re.compile(
    r"(?P<cause>[\w|]+)\((?P<columns>[^)]*)\)(?: (?P<low>[\d.e-]+)\.\.(?P<high>[\d.e-]+))?"
    r"(?: (?P<statements>[+-])statements)?(?: (?P<rewrite>[+-])rewrite)?(?P<says>(?: says .*)?)"
)
_THIS = re.compile(r"(?<!')\bthis\b(?!')")
_TIMES = re.compile(r"(\d+) times")


def pairs_of(path: Path) -> Iterator[Pair]:
    """The pairs of a file, in order."""
    scope = words_of(path)
    for block in blocks(path):
        if block.kind == "pair":
            yield _pair(block, scope)


def _pair(block: Block, scope: Mapping[str, Any]) -> Pair:
    fields: dict[str, Any] = {}
    queries: list[Any] = []
    for line in block.lines:
        key, _, text = line.partition(": ")
        word, _, rest = key.partition(" ")
        match word:
            case "expected" | "allowed":
                fields[word] = (*fields.get(word, ()), _expected(text))
            case "never" | "unsaid":
                fields[word] = tuple(text.split("; "))
            case "tempting":
                cause, _, reason = text.partition(": ")
                fields[word] = {**fields.get(word, {}), cause: reason}
            case "told":
                cause, _, asked = rest.partition(" ")
                told = fields.setdefault("rewritten", {})
                told[cause] = [*told.get(cause, ()), *asked_of(block.name, asked, text, scope)]
            case "why":
                fields[word] = text
            case "days" | "thresholds" | "findings":
                fields[word] = evaluated(text, scope)
            case "logged":
                queries += evaluated(text, {**scope, "this": block.name})
            case _:
                queries += asked_of(block.name, key, text, scope)
    return Pair(block.name, scope[block.of], queries, **fields)


def asked_of(name: str, asked: str, text: str, scope: Mapping[str, Any]) -> list[Query]:
    """The queries of one line: `asked` is the engine, and other fields of a query."""
    engine, *others = asked.split(" ")
    fields = {**ENGINES[engine], **dict(other.split("=") for other in others)}
    template, _, values = text.rpartition(" <- ")
    sql = _THIS.sub(f"lake.db.{name}", template).replace(r"\n", "\n")
    if found := _TIMES.fullmatch(values):
        return repeated(sql, int(found[1]), **fields)
    return each(sql, evaluated(values, scope), **fields)


def _expected(text: str) -> Expected:
    found = _EXPECTED.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is nothing to expect")
    return Expected(
        found["cause"],
        tuple(found["columns"].split(", ")) if found["columns"] else (),
        (float(found["low"]), float(found["high"])) if found["low"] else None,
        _sign(found["statements"]),
        _sign(found["rewrite"]),
        tuple(found["says"].split(" says ")[1:]),
    )


def _sign(text: str | None) -> bool | None:
    return None if text is None else text == "+"
