"""The context of a query besides its text: dialect, start time and time zone."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from prunescope.collectors.predicates.calendar import (
    EPOCH_UTC,
    NANOS_PER_DAY,
    NANOS_PER_SECOND,
    date_of,
)
from prunescope.collectors.predicates.instants import parse_zone
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.values import not_constant
from prunescope.collectors.sql.dialects import dialect_of


@dataclass(frozen=True, slots=True)
class Session:
    """The context that the meaning of a query depends on, besides its text. `started_at` is an
    aware datetime; `time_zone` is an IANA name or an offset; None if unknown. `of_zoned` tells
    whether the column at hand has a time zone, None if its type is unknown; `doubles_quotes`
    whether Spark takes doubled quotes in a text for one; `first_day` is the day (Monday is 0) on
    which weeks begin, if a setting decides that."""

    dialect: str
    started_at: dt.datetime | None = None
    time_zone: str | None = None
    of_zoned: bool | None = None
    doubles_quotes: bool | None = None
    first_day: int | None = None

    @property
    def zone(self) -> dt.tzinfo:
        """The session's time zone; raises CannotConvert if it is unknown."""
        zone = parse_zone(self.time_zone) if self.time_zone else None
        if zone is None:
            raise not_constant()
        return zone

    @property
    def now(self) -> Timestamp:
        """The start of the query; raises CannotConvert if it is unknown."""
        if self.started_at is None:
            raise not_constant()
        return Timestamp(_nanos_since_epoch(self.started_at), zoned=True)

    def wall_nanos(self, value: Timestamp) -> int:
        """The reading of the session's clock at `value`, in nanoseconds since 1970-01-01."""
        if not value.zoned:
            return value.nanos
        return value.nanos + _offset(_datetime(value.nanos, dt.UTC).astimezone(self.zone))

    def instant_nanos(self, wall: int) -> int:
        """The moment at which the session's clock reads `wall`: of two, the first. Trino takes the
        last one if its clock was ahead of UTC by more than it is put back by, like Joda-Time's
        convertLocalToUTC(), which begins with the offset at that reading of UTC."""
        reading = _datetime(wall, self.zone)
        first, last = _offset(reading), _offset(reading.replace(fold=1))
        if last < first and dialect_of(self.dialect).keeps_zones:
            guessed = _offset(_datetime(wall, dt.UTC).astimezone(self.zone))
            return wall - (last if guessed == last else first)
        return wall - first

    def date_nanos(self, midnight: int) -> int:
        """The moment to which Trino casts a date: by the clock's offset at that midnight in UTC,
        which may differ from its own midnight's (DateToTimestampWithTimeZoneCast of 483)."""
        return midnight - _offset(_datetime(midnight, dt.UTC).astimezone(self.zone))

    def is_beside_moved_date(self, instant: int) -> bool:
        """True if a moment lies between the start of a day and the moment to which Trino casts its
        date."""
        wall = self.wall_nanos(Timestamp(instant, zoned=True))
        for days in (-1, 0, 1):
            midnight = wall - wall % NANOS_PER_DAY + days * NANOS_PER_DAY
            ends = sorted((self.instant_nanos(midnight), self.date_nanos(midnight)))
            if ends[0] < ends[1] and ends[0] <= instant <= ends[1]:
                return True
        return False

    def is_boundary(self, wall: int) -> bool:
        """True if the session's clock reads less than `wall` before one moment, that of
        `instant_nanos`, and never afterwards."""
        if not self.is_ambiguous(wall):
            return True
        moment = self.instant_nanos(wall)
        reading, before = (
            self.wall_nanos(Timestamp(at, zoned=True)) for at in (moment, moment - 1)
        )
        # Repeated; or skipped, but not the first reading that is.
        return reading != wall and before < wall

    def moved_wall(self, wall: int) -> int:
        """The session's clock reading at the moment that engines take for `wall`: a skipped reading
        is moved by the length of the gap (java.time.ZonedDateTime.of)."""
        return self.wall_nanos(Timestamp(self.instant_nanos(wall), zoned=True))

    def is_ambiguous(self, wall: int) -> bool:
        """True if the session's clock skips or repeats a reading."""
        moment = _datetime(wall, self.zone)
        return _offset(moment) != _offset(moment.replace(fold=1))


def _nanos_since_epoch(moment: dt.datetime) -> int:
    span = moment - EPOCH_UTC
    return (span.days * 86_400 + span.seconds) * NANOS_PER_SECOND + span.microseconds * 1_000


def _datetime(nanos: int, zone: dt.tzinfo) -> dt.datetime:
    date = date_of(nanos)
    seconds = nanos % NANOS_PER_DAY // NANOS_PER_SECOND
    return dt.datetime(date.year, date.month, date.day, tzinfo=zone) + dt.timedelta(seconds=seconds)


def _offset(moment: dt.datetime) -> int:
    offset = moment.utcoffset()
    assert offset is not None
    return round(offset.total_seconds()) * NANOS_PER_SECOND
