"""SQL of the tests, the demo and the samples, with other literals in it."""

from __future__ import annotations

import ast
import os
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

from prunescope.collectors.sql import dialects

ROOT = Path(__file__).parent.parent
DIALECTS = (*dialects.DIALECTS, "bigquery")
"""All of which anything is told, and one of which nothing is."""
_IS_SQL = re.compile(
    r"\s*(--[^\n]*\n\s*)*(SELECT|WITH|FROM|\(SELECT|INSERT|CREATE|DELETE|UPDATE|MERGE|USE|SET|"
    r"COPY|PIVOT|SUMMARIZE)\b",
    re.IGNORECASE,
)
_DAYS = ("2024-01-31", "2024-02-29", "1969-12-31", "0001-01-01", "9999-12-31", "2024-3-1")
_ODD = (
    "",
    "%",
    "a%",
    "_x",
    "it's",
    "-- no",
    "/* no */",
    "?",
    "é\U0001f600",
    '"',
    "`",
    ";",
    "1",
    " ",
)
_ESCAPED = ("a\\", "\\'", "line\nbreak", "\t")
_NUMBERS = ("0", "1", "2", "12", "31", "2024", "9999", "10000", "00", "1712102400", "9" * 40)


@cache
def texts() -> tuple[str, ...]:
    """Distinct SQL texts, and conditions as queries, of all kinds that the tests know."""
    found = dict.fromkeys(_texts())
    return tuple(found)


def _texts() -> Iterator[str]:
    for path in sorted((ROOT / "tests").rglob("*.py")) + sorted(
        (ROOT / "audit_jobs").rglob("*.py")
    ):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if _IS_SQL.match(node.value):
                    yield node.value
                elif re.search(r"\s(=|<|>|IN|LIKE|BETWEEN)\s.*['0-9]", node.value):
                    yield f"SELECT * FROM t WHERE {node.value}"
    for path in sorted((ROOT / "audit_jobs").rglob("*.sql")):
        yield path.read_text()
    folder = Path(os.environ.get("PRUNESCOPE_SHARED", ""))
    if (folder / "samples").is_dir():
        for path in sorted((folder / "samples" / "tpch_queries").glob("*.sql")):
            yield path.read_text()
        truth = (
            folder / "samples/spark_event_logs/spark35_iceberg190_filter_pushdown_ground_truth.txt"
        )
        for line in truth.read_text().splitlines():
            if (where := re.search(r"WHERE (.*)", line)) is not None:
                yield f"SELECT * FROM lake.db.events {where[0]}"


def with_other_literals(sql: str, dialect: str, rng: random.Random) -> str:
    """The text with some of its literals drawn anew, as a tokenizer tells them, and often a
    comment. Equal literals may become different ones and the other way round."""
    try:
        tokens = Dialect.get_or_raise(dialect).tokenize(sql)
    except SqlglotError:
        return sql
    pieces: list[str] = []
    drawn: list[str] = []
    end = 0
    share = rng.choice((0.3, 0.7, 1.0))
    for token in tokens:
        if token.token_type not in (TokenType.STRING, TokenType.NUMBER) or rng.random() > share:
            continue
        old = sql[token.start : token.end + 1]
        is_text = token.token_type is TokenType.STRING
        if is_text and old[:1] not in "'\"":
            continue
        if not is_text and not re.fullmatch(r"[0-9]+(\.[0-9]+)?", old):
            continue
        new = rng.choice(drawn) if drawn and rng.random() < 0.3 else _drawn(old, is_text, rng)
        if is_text == (new[:1] == "'"):
            pieces += [sql[end : token.start], new]
            end = token.end + 1
            drawn.append(new)
    text = "".join([*pieces, sql[end:]])
    return text + rng.choice(("", "", f" -- {rng.random()}'", f'/* {rng.random()} " */'))


def _drawn(old: str, is_text: bool, rng: random.Random) -> str:
    if not is_text:
        whole = rng.choice((*_NUMBERS, str(rng.randrange(10_000))))
        if "." in old:
            return f"{whole}.{rng.randrange(100)}"
        return rng.choice((whole, whole, whole, f"{whole}.5", f"{whole}e2"))
    if re.match(r".\d{4}-\d", old) and rng.random() < 0.7:
        day = rng.choice((*_DAYS, f"20{rng.randrange(24):02}-0{rng.randrange(1, 10)}-15"))
        clock = rng.choice(
            ("", "", " 00:00:00", " 12:30:00.5", " 01:00:00 UTC", "T23:59:59.123456Z")
        )
        return f"'{day}{clock}'"
    odd = rng.choice((*_ODD, *_ESCAPED, str(rng.randrange(1000)), old[1:-1]))
    return "'" + odd.replace("'", "''") + "'"
