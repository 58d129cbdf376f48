"""Days of other zones are the instants whose local date, as Python's zones have it, compares so;
so are other periods of moved times."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from collectors.predicates.literals import Timestamp
from collectors.predicates.model import TRUE, Predicate, Unsupported
from collectors.predicates.render import render
from collectors.sql.constants.session import Session
from collectors.sql.extraction.extract import condition
from collectors.sql.planners.profiles import planner_of
from tests.collectors.predicates.row_evaluator import SIGNS, is_understood, matches

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
# The clocks of Berlin and New York change on some of these, that of Lord Howe by half an hour;
# those of Cairo and São Paulo at midnight, so that a day begins at one; Samoa has no 2011-12-30.
DAYS = {
    "Europe/Berlin": ["2026-03-29", "2026-10-25", "2026-07-01", "1969-12-31"],
    "America/New_York": ["2026-03-08", "2026-11-01"],
    "Australia/Lord_Howe": ["2026-04-05", "2026-10-04"],
    "America/Sao_Paulo": ["2018-11-04", "2018-02-17", "2018-02-18"],
    "Africa/Cairo": ["2023-04-28", "2023-10-26", "2023-10-27"],
    "Pacific/Apia": ["2011-12-29", "2011-12-31"],
    "Asia/Kolkata": ["2026-01-01"],
    "+05:30": ["2026-01-01"],
}
IN_CAIRO = "ts AT TIME ZONE 'Africa/Cairo'"


def _holds(predicate: Predicate, moment: dt.datetime) -> bool:
    assert is_understood(predicate)
    nanos = int((moment - EPOCH).total_seconds()) * 1_000_000_000
    return matches(predicate, {"ts": Timestamp(nanos, zoned=True)})


def _nanos(moment: str) -> int:
    return int((dt.datetime.fromisoformat(f"{moment}Z") - EPOCH).total_seconds()) * 1_000_000_000


def _zone(name: str) -> dt.tzinfo:
    return dt.timezone(dt.timedelta(hours=5, minutes=30)) if name[0] == "+" else ZoneInfo(name)


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize(("zone", "day"), [(z, d) for z, days in DAYS.items() for d in days])
@pytest.mark.parametrize(
    "form", ["CAST(ts AT TIME ZONE '{}' AS date)", "date(at_timezone(ts, '{}'))"]
)
def test_days_are_those_of_the_zone(sign: str, zone: str, day: str, form: str) -> None:
    found = condition(f"{form.format(zone)} {sign} DATE '{day}'", "trino", time_zone="Asia/Tokyo")
    if isinstance(found, Unsupported):
        # Where the clock goes back over midnight, a day is no range of instants.
        assert (zone, day) in {
            ("America/Sao_Paulo", "2018-02-17"),
            ("Africa/Cairo", "2023-10-26"),
            ("America/Sao_Paulo", "2018-02-18"),
            ("Africa/Cairo", "2023-10-27"),
        }
        return
    wanted = dt.date.fromisoformat(day)
    midnight = dt.datetime.combine(wanted, dt.time(), tzinfo=dt.UTC)
    # A day begins up to 14 hours before that of UTC, and ends up to 12 after it.
    for minutes in range(-15 * 60, 37 * 60, 15):
        for seconds in (-1, 0):
            moment = midnight + dt.timedelta(minutes=minutes, seconds=seconds)
            local = moment.astimezone(_zone(zone)).date()
            assert _holds(found, moment) == SIGNS[sign](local, wanted), moment


READ_BACK = [
    "date_parse(date_format({}, '%Y-%m-%d %H:%i:%s'), '%Y-%m-%d %H:%i:%s')",
    "CAST(date_format({}, '%Y-%m-%d %H:%i:%s') AS timestamp)",
    "date_parse(date_format({}, '%Y-%m-%d %H:%i'), '%Y-%m-%d %H:%i')",
]


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("form", READ_BACK)
@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin", "Asia/Kolkata"])
def test_times_that_are_read_back_are_those_of_the_zone(sign: str, form: str, zone: str) -> None:
    read = form.format(f"ts AT TIME ZONE '{zone}'")
    seconds = 60 if "%s" not in form else 1
    for day in DAYS[zone]:
        for hour in (0, 1, 2, 13):
            asked = dt.datetime.combine(dt.date.fromisoformat(day), dt.time(hour))
            said = f"{read} {sign} TIMESTAMP '{asked}'"
            found = condition(said, "trino", time_zone="UTC")
            midnight = asked.replace(hour=0, tzinfo=dt.UTC)
            locals_ = [
                (moment, moment.astimezone(_zone(zone)).replace(tzinfo=None))
                for minutes in range(-15 * 60, 37 * 60, 15)
                for moment in (midnight + dt.timedelta(minutes=minutes, seconds=s) for s in (-1, 0))
            ]
            if isinstance(found, Unsupported):
                # What a clock reads twice, or never, ends no range of instants.
                times = sorted(local for _, local in locals_)
                assert [local for _, local in locals_] != times or asked not in times
                continue
            for moment, local in locals_:
                cut = local.replace(second=local.second // seconds * seconds % 60)
                assert _holds(found, moment) == SIGNS[sign](cut, asked), (moment, render(found))


@pytest.mark.parametrize("form", READ_BACK)
def test_times_are_rounded_before_they_are_written(form: str) -> None:
    sql = f"{form.format('ts')} >= TIMESTAMP '2026-01-01 00:00:00'"
    found = render(condition(sql, "trino", time_zone="UTC", types={"ts": "timestamp"}))
    assert found == "ts >= TIMESTAMP '2025-12-31 23:59:59.9995'"
    for zone in ("Europe/Berlin", None):
        assert isinstance(condition(sql, "trino", time_zone=zone), Unsupported)


@pytest.mark.parametrize("day", ["CAST({} AS date)", "last_day_of_month(CAST({} AS date))"])
def test_days_that_are_compared_with_an_instant_begin_on_the_clock_of_the_session(day: str) -> None:
    sql = f"{day.format(IN_CAIRO)} >= TIMESTAMP '2026-06-30 04:00:00 UTC'"
    found = condition(sql, "trino", time_zone="America/New_York")
    assert isinstance(found, Unsupported)


def test_what_is_cut_of_a_date_is_a_date_on_no_clock() -> None:
    sql = "date_trunc('{}', CAST(ts AT TIME ZONE 'Asia/Kolkata' AS date)) >= DATE '2026-06-01'"
    for unit in ("day", "month"):
        found = condition(sql.format(unit), "trino", time_zone="America/New_York")
        assert render(found) == "ts >= TIMESTAMP '2026-05-31 18:30:00 UTC'"


def test_years_are_those_of_the_zone() -> None:
    found = condition("year(ts AT TIME ZONE 'Asia/Kolkata') = 2026", "trino")
    for year, is_in in ((2025, False), (2026, True), (2027, False)):
        for beside in (-1, 0):
            local = dt.datetime(year, 1, 1, tzinfo=ZoneInfo("Asia/Kolkata"))
            moment = local + dt.timedelta(seconds=beside)
            assert _holds(found, moment) == (is_in if beside == 0 else year == 2027)


@pytest.mark.parametrize(
    "text",
    [
        "CAST(ts AT TIME ZONE 'Nowhere/Here' AS date) = DATE '2026-01-01'",
        "CAST(CAST(ts AT TIME ZONE 'Asia/Tokyo' AS date) AS varchar) = 'soon'",
        "CAST(ts AT TIME ZONE 'Asia/Tokyo' AS varchar) = '2026-01-01'",
        "hour(ts AT TIME ZONE 'Asia/Tokyo') = 3",
        # Days of a zone may be of 23 hours, and begin when the clock has changed.
        "date(date_add('day', 1, ts AT TIME ZONE 'Asia/Tokyo')) = DATE '2026-01-01'",
        f"date_trunc('day', {IN_CAIRO}) = TIMESTAMP '2023-04-28 01:00:00 Africa/Cairo'",
        f"date_trunc('hour', {IN_CAIRO}) = TIMESTAMP '2023-10-26 23:00:00 Africa/Cairo'",
        # What moves is no constant.
        "CAST(ts + span AS date) = DATE '2026-01-01'",
        # Two zones: the last one is read, which says nothing of the first.
        "date(ts AT TIME ZONE 'Asia/Tokyo' AT TIME ZONE 'Europe/Berlin') = DATE '2026-01-01'",
        "year(ts - INTERVAL '5' HOUR) * 100 + month(ts - INTERVAL '6' HOUR) = 202601",
        "date_add('day', 1, CAST(ts AT TIME ZONE 'Asia/Tokyo' AS date)) = DATE '2026-01-01'",
        "CAST(ts AT TIME ZONE zone AS date) = DATE '2026-01-01'",
        "year(ts AT TIME ZONE 'Asia/Tokyo') = 12026",
    ],
)
def test_others_say_nothing(text: str) -> None:
    assert isinstance(condition(text, "trino"), Unsupported)


def test_spark_has_other_words_for_it() -> None:
    text = "CAST(from_utc_timestamp(ts, 'Asia/Tokyo') AS date) = DATE '2026-01-01'"
    assert isinstance(condition(text, "spark"), Unsupported)


def test_trino_pushes_none() -> None:
    text = "CAST(ts AT TIME ZONE 'Asia/Tokyo' AS date) = DATE '2026-01-01'"
    found = condition(text, "trino", planner=planner_of("trino", "482"))
    assert found == TRUE or isinstance(found, Unsupported)


@pytest.mark.parametrize("sign", SIGNS)
def test_spark_moves_moments_to_a_zone(sign: str) -> None:
    for zone in ("Asia/Tokyo", "Europe/Berlin"):
        moved = f"to_date(from_utc_timestamp(ts, '{zone}')) {sign} DATE '2026-03-29'"
        trinos = f"date(ts AT TIME ZONE '{zone}') {sign} DATE '2026-03-29'"
        found = condition(moved, "spark", time_zone="UTC")
        assert not isinstance(found, Unsupported)
        assert render(found) == render(condition(trinos, "trino", time_zone="UTC"))


@pytest.mark.parametrize("time_zone", ["Asia/Tokyo", None])
def test_spark_reads_what_it_moved_on_another_clock(time_zone: str | None) -> None:
    moved = "to_date(from_utc_timestamp(ts, 'Asia/Tokyo')) = DATE '2026-03-29'"
    assert isinstance(condition(moved, "spark", time_zone=time_zone), Unsupported)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "+05:30"])
@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("month", ["2026-03", "2026-11"])
def test_months_are_those_of_the_zone(zone: str, sign: str, month: str) -> None:
    forms = {
        "trino": f"date_format(ts AT TIME ZONE '{zone}', '%Y-%m') {sign} '{month}'",
        "spark": f"date_format(from_utc_timestamp(ts, '{zone}'), 'yyyy-MM') {sign} '{month}'",
    }
    moments = [
        dt.datetime(2026, of, day, hour, tzinfo=dt.UTC)
        for of in (2, 3, 4, 10, 11, 12)
        for day in (1, 28)
        for hour in range(24)
    ]
    for dialect, sql in forms.items():
        found = condition(sql, dialect, time_zone="UTC")
        known = found if is_understood(found) else found.children[0]  # type: ignore[union-attr]
        for moment in moments:
            local = f"{moment.astimezone(_zone(zone)):%Y-%m}"
            assert _holds(known, moment) == SIGNS[sign](local, month), (dialect, moment)


def test_texts_of_moved_times_hold_what_is_beyond_the_calendar() -> None:
    sql = "date_format(ts - INTERVAL 30 MINUTES, 'yyyyMM') <= '202601'"
    found = render(condition(sql, "spark", time_zone="UTC"))
    assert found == "ts < TIMESTAMP '2026-02-01 00:30:00' OR ts > DATE '9999-12-30'"


def test_trino_takes_the_last_of_two_moments() -> None:
    """In zones whose clock is ahead of UTC, or at it once it is put back."""
    repeated = {
        ("Australia/Lord_Howe", "2024-04-07T01:45"): "2024-04-06T15:15",
        ("Europe/London", "2024-10-27T01:30"): "2024-10-27T01:30",
        ("Atlantic/Azores", "2024-10-27T00:30"): "2024-10-27T00:30",
        ("America/New_York", "2024-11-03T01:30"): "2024-11-03T05:30",
    }
    for (zone, reading), moment in repeated.items():
        found = Session("trino", time_zone=zone).instant_nanos(_nanos(reading))
        assert found == _nanos(moment), zone
    berlin = Session("spark", time_zone="Europe/Berlin")
    assert berlin.instant_nanos(_nanos("2024-10-27T02:30")) == _nanos("2024-10-27T00:30")
    sql = "date_trunc('hour', ts) = TIMESTAMP '2024-04-07 01:30:00'"
    said = render(condition(sql, "trino", time_zone="Australia/Lord_Howe"))
    assert "ts >= TIMESTAMP '2024-04-06 15:00:00 UTC'" in said


@pytest.mark.parametrize(
    ("unit", "zone", "start"),
    [
        # An hour in which the clock of Lord Howe is put back by half of it starts twice.
        ("hour", "Australia/Lord_Howe", "2024-04-07 01:00:00"),
        ("month", "Asia/Kathmandu", "0001-01-01 00:00:00"),
        ("day", "America/Sao_Paulo", "9999-12-31 00:00:00"),
    ],
)
def test_periods_that_start_twice_or_beyond_the_calendar_say_nothing(
    unit: str, zone: str, start: str
) -> None:
    asked = f"date_trunc('{unit}', ts AT TIME ZONE '{zone}') = TIMESTAMP '{start} {zone}'"
    assert isinstance(condition(asked, "trino", time_zone="UTC"), Unsupported)


def test_no_clock_reads_what_it_skips() -> None:
    """It reads one o'clock at three in UTC, and nothing since midnight."""
    local = "CAST(ts AT TIME ZONE 'America/Sao_Paulo' AS timestamp(6))"
    said = render(condition(f"{local} >= TIMESTAMP '2018-11-04 00:00:00'", "trino"))
    assert said == "ts >= TIMESTAMP '2018-11-04 02:59:59.9999995 UTC'"
    later = condition(f"{local} > TIMESTAMP '2018-11-04 00:00:00'", "trino")
    assert isinstance(later, Unsupported)


def test_fields_deep_within_a_column_are_moved_as_well() -> None:
    sql = "CAST(meta.at.utc - INTERVAL '5' HOUR AS date) >= DATE '2026-01-01'"
    assert render(condition(sql, "trino")) == "meta.at.utc >= TIMESTAMP '2026-01-01 05:00:00'"
