"""Moments that are made with a zone of their own, beside dates and times: the rows that ClickHouse
answers beside what is kept."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from tests.differential.clickhouse.kept import kept_of
from tests.differential.clickhouse.tables import Lake, write_lake

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

_ZONES = ("UTC", "Asia/Tokyo", "America/New_York")
_OPS = ("=", "!=", "<", "<=", ">", ">=")
_FORMS = 200
_TEXTS = (
    *("2026-03-02 00:00:00", "2026-03-01 00:00:00", "2026-03-03 00:00:00", "2026-03-02 10:30:00"),
    *("2026-03-01 15:00:00", "2026-03-02 14:00:00", "2026-03-01 19:00:00", "2026-03-02 05:00:00"),
)
"""Midnights, also those of one zone on the clock of another."""
_MADE = (
    "toDateTime('{text}', '{zone}')",
    "toDateTime64('{text}', 3, '{zone}')",
    "toDateTime('{text}')",
    "CAST('{text}' AS DateTime('{zone}'))",
    "'{text}'::DateTime64(3, '{zone}')",
    "toTimeZone(toDateTime('{text}'), '{zone}')",
    "parseDateTimeBestEffort('{text}', '{zone}')",
    "toDateTime(1772377200, '{zone}')",
    "toDateTime('{text}', concat('{zone}', ''))",
    "toDateTime('{text}', '{zone}') + 86400",
    "toDateTime('{text}', '{zone}') - INTERVAL 12 HOUR",
    "addDays(toDateTime('{text}', '{zone}'), 1)",
    "toStartOfDay(toDateTime('{text}', '{zone}'))",
    "toStartOfDay(toDateTime('{text}'), '{zone}')",
    "toDate(toDateTime('{text}', '{zone}'))",
    "toMonday(toDateTime('{text}', '{zone}'))",
    "toStartOfMonth(toDateTime('{text}', '{zone}'))",
    "toDateTime(toDateTime('{text}', '{zone}'))",
    "if(1, toDateTime('{text}', '{zone}'), toDateTime('{text}'))",
    "coalesce(NULL, toDateTime('{text}', '{zone}'))",
    "now('{zone}')",
)
_ASKED = (
    *("d", "d", "d", "d", "toDate(ts)", "toDate(ts)", "toDate(tz)", "ts", "tz", "toStartOfDay(ts)"),
    *("toStartOfDay(tz)", "toStartOfHour(ts)", "toStartOfMonth(ts)", "toMonday(d)", "d + 1"),
    *("toDate32(ts)", "toDateTime(d)", "CAST(ts AS Date)", "coalesce(d, toDate('2026-03-01'))"),
)
_TESTS = (
    "{asked} {op} {one}",
    "{asked} {op} {one}",
    "{asked} {op} {one}",
    "{one} {op} {asked}",
    "NOT ({asked} {op} {one})",
    "{asked} IN ({one}, {other})",
    "{asked} NOT IN ({one}, {other})",
    "{asked} IN ({one})",
    "{asked} IN (toDate('2026-03-02'), {one})",
    "{asked} BETWEEN {one} AND {other}",
    "{asked} NOT BETWEEN {one} AND {other}",
)


def _forms(random: Random) -> list[str]:
    def made() -> str:
        return random.choice(_MADE).format(text=random.choice(_TEXTS), zone=random.choice(_ZONES))

    return [
        random.choice(_TESTS).format(
            asked=random.choice(_ASKED), op=random.choice(_OPS), one=made(), other=made()
        )
        for _ in range(_FORMS)
    ]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory, require_package: Any) -> Lake:
    require_package("chdb")
    return write_lake(tmp_path_factory.mktemp("own_zones"), usual=True)


@pytest.mark.parametrize("zone", _ZONES)
def test_no_row_is_ruled_out_beside_a_moment_of_its_own_zone(lake: Lake, zone: str) -> None:
    from tests.differential.clickhouse.engine import answers  # noqa: PLC0415  # of the package

    forms: Sequence[str] = _forms(Random(20260302))  # noqa: S311
    told = list(zip(forms, answers(lake, forms, zone), strict=True))
    for session in (zone, None):
        kept = kept_of(lake, forms, session)
        both = zip(told, kept, strict=True)
        lost = [form for (form, answer), rows in both if (answer or frozenset()) - rows]
        assert lost == [], session
    assert sum(answer is not None for _, answer in told) > _FORMS / 2


@pytest.mark.parametrize("zone", _ZONES)
@pytest.mark.parametrize(
    "condition",
    [
        "ts >= toDateTime('2026-03-02 00:00:00', 'Asia/Tokyo')",
        "d = toDate(toDateTime('2026-03-02 03:00:00', 'Asia/Tokyo'))",
        "d IN (toDateTime('2026-03-02 10:30:00', 'Asia/Tokyo'), toDate('2026-03-01'))",
        "d NOT IN (toDateTime('2026-03-02 10:30:00', 'America/New_York'))",
        "tz >= toStartOfMonth(toDateTime('2026-03-02 00:00:00'))",
    ],
)
def test_of_these_no_other_row_is_kept(lake: Lake, condition: str, zone: str) -> None:
    from tests.differential.clickhouse.engine import answers  # noqa: PLC0415

    assert kept_of(lake, [condition], zone) == answers(lake, [condition], zone)
