"""Hours of times of day are ranges of these."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest

from collectors.predicates.model import Unsupported
from collectors.predicates.render import render
from collectors.sql.extraction.extract import condition
from tests.collectors.sql.rewrites.test_implied_ranges import SIGNS, chosen

TIMES = [
    *(dt.time(hour, minute, 59 * (minute == 59)) for hour in range(24) for minute in (0, 30, 59)),
    dt.time.max,
]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("hour", [0, 3, 23])
@pytest.mark.parametrize("form", ["hour(t)", "EXTRACT(HOUR FROM t)"])
def test_hours_are_those_of_python(form: str, hour: int, sign: str) -> None:
    for negated in ("", "NOT "):
        found = condition(f"{negated}{form} {sign} {hour}", "trino", types={"t": "time"})
        wanted = [time for time in TIMES if SIGNS[sign](time.hour, hour) != bool(negated)]
        assert chosen(found, "t", TIMES, pa.time64("us")) == wanted, render(found)


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("hour(t) = 3", "timestamp"),
        ("hour(t) = 3", None),
        ("hour(t) = 24", "time"),
        ("hour(t) < -1", "time"),
        ("minute(t) = 3", "time"),
    ],
)
def test_other_parts_are_no_ranges(sql: str, kind: str | None) -> None:
    types = {} if kind is None else {"t": kind}
    assert isinstance(condition(sql, "trino", types=types), Unsupported)
