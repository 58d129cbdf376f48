"""A text beside a date or time is what Spark casts it to: it says of columns what the literal of
that type says."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Predicate, Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.walks import leaves
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import condition

TYPES = {
    "d": "date",
    "tsn": "timestamp",
    "ts": "timestamptz",
    "i": "int",
    "l": "long",
    "s": "string",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), kind, False, False, False)
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    ),
)
DATES = [
    "to_date(CAST(i AS STRING), 'yyyyMMdd')",
    "to_date(i, 'yyyyMMdd')",
    "date_add(d, 1)",
    "last_day(ts)",
    "add_months(d, 1)",
    "next_day(d, 'MON')",
    "d + INTERVAL '1' DAY",
    "d - 7",
    "date_add(DATE '1970-01-01', i)",
    "coalesce(d, DATE '2026-09-01')",
    "nvl(d, DATE '2026-09-01')",
    "coalesce(to_date(ts), DATE '1970-01-01')",
    "if(i > 5, d, DATE '2026-09-01')",
    "nullif(d, DATE '1970-01-01')",
    "trunc(d, 'MM')",
]
ORDERED = ["greatest(d, DATE '2026-09-01')", "least(d, DATE '2026-12-01')"]
TIMES = [
    "timestamp_seconds(l)",
    "timestamp_millis(l)",
    "to_timestamp(CAST(i AS STRING), 'yyyyMMdd')",
    "tsn + INTERVAL 1 HOUR",
    "ts + INTERVAL 1 HOUR",
    "timestampadd(HOUR, 1, ts)",
    "coalesce(ts, TIMESTAMP '2026-09-01 00:00:00')",
    "date_trunc('HOUR', ts)",
    "from_utc_timestamp(ts, 'Asia/Tokyo')",
]


def meant(sql: str, zone: str | None = "UTC", dialect: str = "spark") -> Predicate:
    return bind(condition(sql, dialect, time_zone=zone, types=TYPES), SCHEMA, time_zone=zone)


def told(predicate: Predicate) -> str:
    """What is said of columns, with `…` in the place of what is not known."""
    unknown = {render(leaf): "…" for leaf in leaves(predicate) if isinstance(leaf, Unsupported)}
    text = render(predicate)
    for part, mark in unknown.items():
        text = text.replace(part, mark)
    return text


@pytest.mark.parametrize("dialect", ["spark", "databricks"])
@pytest.mark.parametrize(
    ("subject", "typed"),
    [
        *((subject, "DATE '{}'") for subject in DATES + ORDERED),
        *((subject, "TIMESTAMP '{} 00:00:00'") for subject in TIMES),
    ],
)
def test_a_text_is_a_literal_of_the_type(subject: str, typed: str, dialect: str) -> None:
    literal = typed.format("2026-11-01")
    forms = ["{} >= {}", "{} < {}", "{1} <= {0}"]
    if subject not in ORDERED:
        forms += ["{} = {}", "{0} BETWEEN {1} AND {1}", "{} IN ({})"]
    for form in forms:
        wanted = told(meant(form.format(subject, literal), dialect=dialect))
        assert wanted != "…" or form != forms[0]
        texts = ["'2026-11-01'", "'2026-11'", "'2026-11-01 00:00:00'"]
        for text in texts[:1] if " IN " in form and typed.startswith("DATE") else texts:
            if " IN " not in form:
                found = told(meant(form.format(subject, text), dialect=dialect))
                assert found == wanted, (form, text)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        # A date loses the time of a text, and a time does not.
        ("date_add(d, 1) >= '2026-11-01 10:30:00'", "d >= DATE '2026-10-31'"),
        ("d + INTERVAL 1 DAY > '2026-11-01T10:30'", "d >= DATE '2026-11-01'"),
        ("greatest(d, DATE '2026-11-01') < '2026-11-01 10:30:00'", "FALSE"),
        ("timestamp_seconds(l) >= '2026-11-01 10:30'", "l >= 1793529000"),
        ("timestamp_seconds(l) >= '2026-11-01 10:30:00+02:00'", "l >= 1793521800"),
        ("tsn - INTERVAL 1 HOUR > '2026-11-01 10:30:00Z'", "tsn > TIMESTAMP '2026-11-01 11:30:00'"),
        # In a list, Spark 3.5 compares texts: what is written otherwise may be none of a date.
        ("date_add(d, 1) NOT IN ('2026-11')", "…"),
        # What is no date is null, or an error.
        ("date_add(d, 1) >= 'yesterday'", "…"),
        ("timestamp_seconds(l) >= '20261101'", "…"),
        # A column of text is cast, or the date to text.
        ("greatest(s, DATE '2026-09-01') >= '2026-11-01'", "…"),
        ("coalesce(d, '2026-09-01') >= '2026-11-01'", "d >= DATE '2026-11-01'"),
        # Numbers beside texts are read as such.
        ("greatest(i, 5) >= '7'", "…"),
    ],
)
def test_of_which_type(sql: str, expected: str) -> None:
    assert told(meant(sql)) == expected


def test_the_clock_of_a_text_is_that_of_the_session() -> None:
    # No clock is two days away from another one.
    assert told(meant("timestamp_seconds(l) >= '2026-11-01'", None)) == "l >= 1793318400 AND …"
    assert told(meant("date_add(ts, 1) >= '2026-11-01'", "Europe/Berlin")) == (
        "ts >= TIMESTAMP '2026-10-30 23:00:00 UTC'"
    )


@pytest.mark.parametrize("dialect", ["trino", "postgres"])
def test_not_of_dialects_that_were_not_read(dialect: str) -> None:
    assert told(meant("d + INTERVAL '1' HOUR >= '2026-11-01'", dialect=dialect)) == "…"
