"""What is calculated of the seconds of times keeps the times that Python selects by it."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from collectors.predicates.bind import bind
from collectors.predicates.literals import Timestamp
from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.predicates.walks import leaves
from collectors.schema import Schema, SchemaColumn
from collectors.sql.extraction.extract import condition
from tests.collectors.predicates.row_evaluator import SIGNS, matches

TYPES = {"tz": "timestamptz", "ts": "timestamp"}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
DAY = 86_400
AT = 20_487 * DAY  # 2026-02-03 in UTC
MICROS = [
    (AT + seconds) * 1_000_000 + beside
    for seconds in (-DAY, -3_600, -1, 0, 1, 299, 300, 3_599, 3_600, DAY - 1, DAY, 2 * DAY)
    for beside in (-1, 0, 1, 500_000)
]
BEFORE = [
    seconds * 1_000_000 + beside
    for seconds in (-2 * DAY, -DAY - 1, -DAY, -3_601, -3_600, -300, -2, -1, 0, 1, 300, DAY)
    for beside in (-999_999, -500_000, -1, 0, 1, 500_000)
]


def _said(sql: str, dialect: str, zone: str = "Europe/Berlin") -> str:
    found = condition(sql, dialect, time_zone=zone, types=TYPES)
    return render(bind(found, SCHEMA, time_zone=zone))


FORMS: list[tuple[str, str, int, Callable[[int], float]]] = [
    ("spark", "unix_timestamp(tz) DIV 86400", 20_487, lambda us: us // 1_000_000 // DAY),
    ("spark", "CAST(tz AS LONG) DIV 3600", AT // 3_600, lambda us: us // 1_000_000 // 3_600),
    ("spark", "floor(unix_timestamp(tz) / 86400)", 20_487, lambda us: us // 1_000_000 // DAY),
    ("spark", "unix_timestamp(tz) - 3600", AT, lambda us: us // 1_000_000 - 3_600),
    ("spark", "unix_timestamp(tz) - unix_timestamp(tz) % 300", AT,
     lambda us: us // 1_000_000 // 300 * 300),
    ("spark", "unix_timestamp(tz) * 1000", AT * 1_000, lambda us: us // 1_000_000 * 1_000),
    ("spark", "unix_millis(tz) / 1000", AT, lambda us: us // 1_000 / 1_000),
    ("trino", "floor(to_unixtime(tz) / 86400)", 20_487, lambda us: us // (DAY * 1_000_000)),
    ("trino", "to_unixtime(tz) * 1000", AT * 1_000, lambda us: us / 1_000),
    ("trino", "CAST(to_unixtime(tz) AS bigint)", AT, lambda us: math.floor(us / 1_000_000 + 0.5)),
]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("dialect", "sql", "value", "of"), FORMS, ids=[f[1] for f in FORMS])
def test_no_time_is_lost(
    dialect: str, sql: str, value: int, of: Callable[[int], float], sign: str
) -> None:
    found = condition(f"{sql} {sign} {value}", dialect, time_zone="Europe/Berlin", types=TYPES)
    for micros in MICROS:
        if SIGNS[sign](of(micros), value):
            row = {"tz": Timestamp(micros * 1_000, zoned=True)}
            assert matches(found, row), (micros, render(found))


def _cut(micros: int, unit: int = 1_000_000) -> int:
    """What Spark's unix_timestamp() counts: towards zero."""
    return int(math.copysign(abs(micros) // unit, micros))


COUNTS: list[tuple[str, str, Callable[[int], float]]] = [
    ("spark", "unix_timestamp(tz)", _cut),
    ("spark", "to_unix_timestamp(tz)", _cut),
    ("spark", "unix_timestamp(tz) DIV 3600", lambda us: _cut(_cut(us), 3_600)),
    ("spark", "floor(unix_timestamp(tz) / 3600)", lambda us: _cut(us) // 3_600),
    ("spark", "unix_timestamp(tz) + 5", lambda us: _cut(us) + 5),
    ("spark", "-unix_timestamp(tz)", lambda us: -_cut(us)),
    ("spark", "unix_seconds(tz)", lambda us: us // 1_000_000),
    ("spark", "unix_seconds(tz) DIV 300", lambda us: _cut(us // 1_000_000, 300)),
    ("spark", "unix_millis(tz)", lambda us: us // 1_000),
    ("spark", "unix_micros(tz)", lambda us: us),
    ("spark", "CAST(tz AS LONG)", lambda us: us // 1_000_000),
    ("spark", "CAST(tz AS DOUBLE)", lambda us: us / 1_000_000),
    ("trino", "to_unixtime(tz)", lambda us: us / 1_000_000),
    ("trino", "floor(to_unixtime(tz) / 3600)", lambda us: us / 1_000_000 // 3_600),
]


@pytest.mark.parametrize("value", ["-86400", "-3600", "-2", "-1", "-0.5", "0", "0.5", "1", "2"])
@pytest.mark.parametrize("sign", sorted(set(SIGNS) - {"<>"}))
@pytest.mark.parametrize(("dialect", "sql", "of"), COUNTS, ids=[f"{c[0]}: {c[1]}" for c in COUNTS])
def test_counts_before_1970(
    dialect: str, sql: str, of: Callable[[int], float], sign: str, value: str
) -> None:
    where = f"{sql} {sign} {value}"
    found = condition(where, dialect, time_zone="Europe/Berlin", types=TYPES)
    assert not isinstance(found, Unsupported) or (sign == "=" and "." in value)
    is_exact = not any(isinstance(leaf, Unsupported) for leaf in leaves(found))
    for micros in BEFORE:
        holds = matches(found, {"tz": Timestamp(micros * 1_000, zoned=True)})
        selects = SIGNS[sign](of(micros), float(value))
        assert holds or not selects, (micros, render(found))
        if is_exact:
            assert holds == selects, (micros, render(found))


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("unix_timestamp(tz) > 0", "tz >= TIMESTAMP '1970-01-01 00:00:01 UTC'"),
        ("unix_timestamp(tz) >= 0", "tz > TIMESTAMP '1969-12-31 23:59:59 UTC'"),
        (
            "unix_timestamp(tz) DIV 3600 = 491688",
            (
                "tz >= TIMESTAMP '2026-02-03 00:00:00 UTC'"
                " AND tz < TIMESTAMP '2026-02-03 01:00:00 UTC'"
            ),
        ),
        # What has no zone is counted as of UTC.
        (
            "unix_timestamp(ts) DIV 86400 >= 20487",
            "ts >= TIMESTAMP '2026-02-03 00:00:00'",
        ),
        (
            "NOT unix_timestamp(tz) DIV 86400 >= 20487",
            "tz < TIMESTAMP '2026-02-03 00:00:00 UTC'",
        ),
    ],
)
def test_days_of_seconds(sql: str, expected: str) -> None:
    assert _said(sql, "spark") == expected


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("spark", "unix_timestamp(tz) % 60 = 5"),
        ("spark", "unix_timestamp(tz) - unix_timestamp(ts) < 60"),
        ("spark", "CAST(ts AS LONG) DIV 86400 = 20487"),
    ],
)
def test_others_say_nothing(dialect: str, sql: str) -> None:
    found = condition(sql, dialect, time_zone="Europe/Berlin", types=TYPES)
    assert isinstance(bind(found, SCHEMA, time_zone="Europe/Berlin"), Unsupported)
