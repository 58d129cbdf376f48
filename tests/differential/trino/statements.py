"""Random statements that change rows, and queries of views, in Trino's words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.differential.trino.conditions import comparison, random_condition
from tests.differential.trino.tables import COLUMNS

SINK = "sink"
SOURCE = "plain"
GUARDED, GUARD = "guarded", "i > 0"
"""A table, and the condition that access control adds to what reads it."""
TARGETS = (
    "v3", "identity_i", "identity_s", "bucket_l", "truncate_i", "truncate_s", "day_ts", "month_tsn",
    "year_dt", "nested", "specs_evolve",
)  # fmt: skip
"""Tables that statements change; they read `SOURCE` and write to `SINK` besides."""

_SWAPPED = {"n": "i", "i": "n"}
_SWAP = ", ".join(f"{_SWAPPED.get(name, name)} AS {name}" for name in COLUMNS)

VIEWS = {
    "filtered": "SELECT * FROM day_ts WHERE i > 0",
    "twice_filtered": "SELECT * FROM filtered WHERE l < 30",
    "renamed": f"SELECT {_SWAP} FROM truncate_i",
    "united": f"SELECT * FROM {SOURCE} UNION ALL SELECT * FROM identity_s",
    # More than there are: a limit that is reached ends the planning of files.
    "limited": "SELECT * FROM bucket_l LIMIT 1000",
    "numbered": "SELECT *, row_number() OVER (PARTITION BY s ORDER BY n) AS nth FROM truncate_s",
    "grouped": "SELECT s, max(l) AS l, count(*) AS i FROM identity_s GROUP BY s",
    "joined": (
        "SELECT month_tsn.* FROM month_tsn"
        " LEFT JOIN year_dt ON month_tsn.n = year_dt.n AND year_dt.i > 5"
    ),
}
"""The views, by name: each may read those before it."""


@dataclass(frozen=True)
class Statement:
    """A statement, the condition on each of the tables that it scans as SQL defines it, and the
    table whose rows it changes. Where it joins tables, it does so by the column `n`."""

    kind: str
    sql: str
    zone: str
    reads: dict[str, str]
    changes: str | None = None


def random_statements(random_: random.Random, times: int) -> Iterator[Statement]:
    """Each kind of statement, so many times."""
    for kind, make in _KINDS.items():
        for _ in range(times):
            condition = random_condition(random_)
            sql, reads, changes = make(random_, condition.sql)
            yield Statement(kind, sql, condition.zone, reads, changes)


_Made = tuple[str, dict[str, str], str | None]


def _delete(random_: random.Random, where: str) -> _Made:
    return _delete_from(random_.choice(TARGETS), where)


def _delete_partitions(random_: random.Random, _where: str) -> _Made:
    target, column = random_.choice((("identity_s", "s"), ("identity_i", "i"), ("day_ts", "ts")))
    return _delete_from(target, comparison(random_, column))


def _delete_from(target: str, where: str) -> _Made:
    return f"DELETE FROM {target} WHERE {where}", {target: where}, target


def _delete_listed(random_: random.Random, where: str) -> _Made:
    target, other = random_.choice(TARGETS), random_condition(random_).sql
    sql = f"DELETE FROM {target} WHERE {where} AND n IN (SELECT n FROM {SOURCE} WHERE {other})"
    return sql, {target: where, SOURCE: other}, target


def _update(random_: random.Random, where: str) -> _Made:
    return _update_of(random_.choice(TARGETS), where)


def _update_of(target: str, where: str) -> _Made:
    return f"UPDATE {target} SET i = 7, s = 'new' WHERE {where}", {target: where}, target


_DELETES = "WHEN MATCHED THEN DELETE"
_INSERTS = "WHEN NOT MATCHED THEN INSERT (n, i) VALUES (other_n, other_i)"
_ACTIONS = (
    _DELETES,
    _INSERTS,
    "WHEN MATCHED AND l > 5 THEN UPDATE SET i = other_i",
    f"WHEN MATCHED AND l IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET s = 'new' {_INSERTS}",
)


def _merge(random_: random.Random, where: str) -> _Made:
    other = random_condition(random_).sql
    return _merge_into(random_.choice(TARGETS), where, other, random_.choice(_ACTIONS))


def _merge_into(target: str, where: str, other: str, action: str) -> _Made:
    source = f"SELECT n AS other_n, i AS other_i FROM {SOURCE} WHERE {other}"
    sql = f"MERGE INTO {target} USING ({source}) AS source ON n = other_n AND {where} {action}"
    return sql, {SOURCE: other, target: where}, target


def _merge_on_source(target: str, condition: str, action: str) -> _Made:
    """One whose ON asks something of its source alone, all rows of which Trino joins."""
    source = f"SELECT n AS other_n, i AS other_i FROM {SOURCE}"
    sql = f"MERGE INTO {target} USING ({source}) AS source ON n = other_n AND {condition} {action}"
    return sql, {SOURCE: "TRUE", target: "TRUE"}, target


def _insert(random_: random.Random, where: str) -> _Made:
    source = random_.choice(TARGETS)
    return f"INSERT INTO {SINK} SELECT * FROM {source} WHERE {where}", {source: where}, SINK


def _of_view(name: str, reads: Callable[[str], dict[str, str]]) -> Callable[..., _Made]:
    return lambda _, where: (f"SELECT * FROM {name} WHERE {where}", reads(where), None)


def _swapped(where: str) -> str:
    return re.sub(r"\b[ni]\b", lambda found: _SWAPPED[found[0]], where)


def _limited(random_: random.Random, _where: str) -> _Made:
    return f"SELECT * FROM limited WHERE l > {random_.randint(0, 9)}", {"bucket_l": "TRUE"}, None


def _of_groups(name: str, table: str) -> Callable[..., _Made]:
    """Of a view that is computed by groups of `s`: only a condition on these is one on its rows."""

    def made(random_: random.Random, _where: str) -> _Made:
        where = comparison(random_, "s")
        return f"SELECT * FROM {name} WHERE {where} AND l > 3", {table: where}, None

    return made


_KINDS: dict[str, Callable[[random.Random, str], _Made]] = {
    "delete": _delete,
    "delete partitions": _delete_partitions,
    "delete listed": _delete_listed,
    "update": _update,
    "merge": _merge,
    "insert": _insert,
    "twice filtered": _of_view(
        "twice_filtered", lambda where: {"day_ts": f"i > 0 AND l < 30 AND ({where})"}
    ),
    "renamed": _of_view("renamed", lambda where: {"truncate_i": _swapped(where)}),
    "united": _of_view("united", lambda where: {SOURCE: where, "identity_s": where}),
    "limited": _limited,
    "numbered": _of_groups("numbered", "truncate_s"),
    "grouped": _of_groups("grouped", "identity_s"),
    "guarded": _of_view(GUARDED, lambda where: {GUARDED: f"{GUARD} AND ({where})"}),
    "joined": _of_view("joined", lambda where: {"month_tsn": where, "year_dt": "i > 5"}),
}

KINDS: Sequence[str] = tuple(_KINDS)

_ALWAYS: tuple[tuple[str, _Made], ...] = (
    ("delete", _delete_from("day_ts", "CAST(ts AS date) = DATE '2024-02-29'")),
    ("delete", _delete_from("bucket_l", "TRUE")),
    ("delete", _delete_from("identity_s", "upper(s) = 'AB'")),
    ("delete", _delete_from("month_tsn", "l > -0.5 AND l NOT IN (-21, 0) AND l < 7")),
    ("update", _update_of("year_dt", "f >= REAL '0.5' AND i IS NOT NULL")),
    ("update", _update_of("nested", "st.x = 2")),
    ("merge", _merge_into("truncate_i", "l > 5", "i = 1 AND i = 2", _DELETES)),
    ("merge", _merge_into("truncate_s", "l IS NOT NULL", "n > 20", _DELETES)),
    ("merge", _merge_into("day_ts", "l > 5", "n > 20", _INSERTS)),
    ("merge", _merge_into("truncate_i", "1 = 0", "l > 3", _DELETES)),
    ("merge", _merge_on_source("day_ts", "other_i > 5", _DELETES)),
    ("guarded", (f"SELECT * FROM {GUARDED} WHERE l < 30", {GUARDED: f"{GUARD} AND l < 30"}, None)),
    (
        "twice filtered",
        (
            "SELECT * FROM twice_filtered WHERE s = 'ab'",
            {"day_ts": "i > 0 AND l < 30 AND s = 'ab'"},
            None,
        ),
    ),
)
ALWAYS = tuple(
    Statement(kind, sql, "UTC", reads, changes) for kind, (sql, reads, changes) in _ALWAYS
)
"""Statements that are always asked: some of each kind of difference among them."""
