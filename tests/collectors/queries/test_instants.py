import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.instants import parse_instant, told_instant
from prunescope.collectors.queries.json_input import UnreadableInput

NOON = dt.datetime(2024, 3, 2, 12, 0, tzinfo=dt.UTC)
PLUS_2 = dt.timezone(dt.timedelta(hours=2))


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("2024-03-02T12:00:00Z", id="iso-z"),
        pytest.param("2024-03-02T12:00:00.000000000Z", id="iso-nanoseconds"),
        pytest.param("2024-03-02T12:00Z", id="iso-without-seconds"),
        pytest.param("2024-03-02T14:00:00+02:00", id="iso-offset"),
        pytest.param("2024-03-02 04:00:00.000 -0800", id="offset-without-colon-after-blank"),
        pytest.param("2024-03-02 14:00:00+02", id="offset-in-hours"),
        pytest.param("2024-03-02 12:00:00.000 UTC", id="named-utc"),
        pytest.param("2024-03-02 12:00:00", id="naive-text-is-utc"),
        pytest.param(" 2024-03-02T12:00:00z ", id="blanks-and-lower-case"),
        pytest.param(1709380800, id="seconds"),
        pytest.param(1709380800.0, id="float-seconds"),
        pytest.param(Decimal("1709380800.000000000"), id="decimal-seconds"),
        pytest.param(1709380800000, id="milliseconds"),
        pytest.param("1709380800", id="seconds-as-text"),
        pytest.param("1709380800000", id="milliseconds-as-text"),
        pytest.param(1709380800000000, id="microseconds"),
        pytest.param("1709380800000000000", id="nanoseconds-as-text"),
        pytest.param(1709380800000000000, id="nanoseconds"),
        pytest.param("2024-03-02 13:00:00.000 Europe/Paris", id="zone-name"),
        pytest.param(dt.datetime(2024, 3, 2, 12), id="naive-datetime-is-utc"),
        pytest.param(dt.datetime(2024, 3, 2, 14, tzinfo=PLUS_2), id="aware-datetime"),
    ],
)
def test_the_same_instant_in_every_spelling(value: object) -> None:
    instant = parse_instant(value)
    assert instant == NOON
    assert instant.tzinfo is dt.UTC


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("2024-03-02T12:00:00.123456789Z", id="text"),
        pytest.param(Decimal("1709380800.123456789"), id="decimal"),
        pytest.param("1709380800.123456789", id="number-as-text"),
        pytest.param(Decimal("1709380800123.456789"), id="milliseconds"),
    ],
)
def test_digits_beyond_microseconds_are_dropped(value: object) -> None:
    assert parse_instant(value) == NOON.replace(microsecond=123456)


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(None, id="null"),
        pytest.param(True, id="boolean"),
        pytest.param("", id="empty"),
        pytest.param("yesterday", id="words"),
        pytest.param("2024-03-02", id="date-alone"),
        pytest.param(dt.date(2024, 3, 2), id="date-object"),
        pytest.param("2024-13-02T12:00:00Z", id="no-such-month"),
        pytest.param("2024-03-02T12:00:00+99:00", id="no-such-offset"),
        pytest.param("0001-01-01T00:00:00+02:00", id="before-year-1-in-utc"),
        pytest.param("2024-03-02T12:00:00 Europe/Nowhere", id="no-such-zone"),
        pytest.param("2024-03-02T12:00:00 PST", id="zone-that-is-several"),
        pytest.param("2024-W09-6T12:00:00Z", id="week-date"),
        pytest.param(0, id="zero-is-unset"),
        pytest.param(-1, id="negative"),
        pytest.param(10**20, id="beyond-nanoseconds"),
        pytest.param(float("nan"), id="nan"),
        pytest.param(float("inf"), id="infinity"),
        pytest.param(Decimal("sNaN"), id="signalling-nan"),
        pytest.param("9" * 400, id="endless-number"),
        pytest.param([2024, 3, 2], id="list"),
        pytest.param({"seconds": 1709380800}, id="object"),
    ],
)
def test_what_is_no_instant_is_none(value: object) -> None:
    assert parse_instant(value) is None


@pytest.mark.parametrize("value", [None, "", "  ", 0, 0.0, "0", "0.0", Decimal(0)])
def test_a_time_may_be_unset(value: object) -> None:
    assert told_instant(value, "at", malformed=Outcome.MALFORMED_RECORD) is None


@pytest.mark.parametrize(
    "value",
    [
        *("20.11.2026 10:00", "11/20/2026 10:00 AM", "2024-03-02", "2024-02-30T00:00:00Z"),
        *(-5, "-1", -1775822400, Decimal(-1), float("-inf")),
        *(True, [1], {"a": 1}, 10**400, float("inf"), Decimal("sNaN"), dt.date(2024, 3, 2)),
    ],
)
def test_what_is_told_and_no_time_is_an_error(value: object) -> None:
    with pytest.raises(UnreadableInput, match="Field 'at' is not a timestamp") as found:
        told_instant(value, "at", malformed=Outcome.MALFORMED_RECORD)
    assert found.value.code is Outcome.MALFORMED_RECORD


def test_numbers_below_1e11_are_seconds_and_from_there_milliseconds() -> None:
    assert parse_instant(10**11 - 1) == dt.datetime(5138, 11, 16, 9, 46, 39, tzinfo=dt.UTC)
    assert parse_instant(10**11) == dt.datetime(1973, 3, 3, 9, 46, 40, tzinfo=dt.UTC)


def test_pandas_timestamps_become_plain_datetimes_and_nat_becomes_none() -> None:
    pandas = pytest.importorskip("pandas")
    instant = parse_instant(pandas.Timestamp("2024-03-02 12:00:00", tz="UTC"))
    assert type(instant) is dt.datetime
    assert instant == NOON
    assert parse_instant(pandas.NaT) is None


@given(
    st.datetimes(
        min_value=dt.datetime(1974, 1, 1),
        max_value=dt.datetime(2200, 1, 1),
        timezones=st.timezones(),
    )
)
def test_iso_text_of_any_datetime_reads_back(moment: dt.datetime) -> None:
    # Local mean times before 1974 have offsets in seconds, which ISO-8601 cannot spell.
    utc = moment.astimezone(dt.UTC)
    assert parse_instant(moment) == utc
    assert parse_instant(utc.isoformat()) == utc
    assert parse_instant(utc.isoformat(sep=" ").replace("+00:00", " UTC")) == utc
