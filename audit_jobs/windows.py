"""The window of an audit, as people write it: the last hours, a day, an hour, a range.

Days and hours are those of clocks in a time zone: a day begins at its midnight and may have 23 or
25 hours, and an hour that clocks show twice is both of them.
"""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo, available_timezones

from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.suggestions import zone_suggestion
from prunescope.collectors.errors import PrunescopeError

_LENGTH = re.compile(r"\s*(?P<count>[0-9]{1,9})(?P<unit>[mhd])\s*", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}
_MOST = 100_000
_DAY = dt.timedelta(days=1)
_HOUR = dt.timedelta(hours=1)
_TOLERANCE = dt.timedelta(minutes=5)
"""The largest difference between the clocks of two machines."""
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_HOUR_OF_DAY = re.compile(
    r"(?P<hour>[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2})(?P<zone>Z|[+-][0-9]{2}:[0-9]{2})?"
)

LAST_HOUR = "last-hour"
"""The name of the last full hour: of runs that begin an hour apart, windows neither overlap nor
leave a gap."""

AHEAD = (
    "these times have not come yet by the clock of this machine: set it, or correct the clock or "
    "the time zone of what writes the log"
)
"""Advice about a log of which no time has passed."""


class BadWindow(PrunescopeError):
    """A text that names no span of time."""

    code = "bad_window"


def zone_of(name: str) -> ZoneInfo:
    """The time zone of a name in the tz database. Raises BadWindow."""
    if name in available_timezones():
        return ZoneInfo(name)
    close = zone_suggestion(name, "Europe/Berlin or UTC")
    raise BadWindow(f"Unknown time zone {name!r}. {close}")


def latest(text: str, now: dt.datetime) -> Window:
    """The minutes, hours or days in a text (`90m`, `24h`, `7d`) up to the last full minute. Raises
    BadWindow."""
    end = now.astimezone(dt.UTC).replace(second=0, microsecond=0)
    return Window(end - _length(text), end)


def up_to_now(text: str, now: dt.datetime) -> Window:
    """The minutes, hours or days in a text up to now by the clock of any machine, so that no query
    of a log that was just written is left out. Raises BadWindow."""
    return Window(now - _length(text), now + _TOLERANCE)


def today(zone: dt.tzinfo, now: dt.datetime) -> Window:
    """The present day in a zone, as far as it has passed: a run of it is replaced by later ones."""
    second = now.replace(microsecond=0) + dt.timedelta(seconds=1)  # never the midnight itself
    return _window(_midnight(zone, now), second, zone)


def last_hour(zone: dt.tzinfo, now: dt.datetime) -> Window:
    """The last full hour on the clocks of a zone, which may be half an hour apart from UTC's."""
    clock = now.astimezone(zone)
    passed = dt.timedelta(
        minutes=clock.minute, seconds=clock.second, microseconds=clock.microsecond
    )
    end = now.astimezone(dt.UTC) - passed
    return Window(end - _HOUR, end)


def named(text: str, zone: dt.tzinfo) -> Window:
    """The window of a text: a day (`2026-03-10`), an hour (`2026-03-10T13`), or a range of days or
    times, whose end is exclusive (`2026-03-01/2026-03-08`). In `zone`, unless the text names
    another. Raises BadWindow."""
    try:
        if "/" in text:
            start, end = (dt.datetime.fromisoformat(part.strip()) for part in text.split("/"))
            return _window(start, end, zone)
        if _DATE.fullmatch(text.strip()):
            return _days_from(dt.datetime.fromisoformat(text.strip()), zone)
        found = _HOUR_OF_DAY.fullmatch(text.strip())
        if found is not None:
            begin = dt.datetime.fromisoformat(found[0])
            window = Window(_instant(begin, zone), _instant(begin + _HOUR, zone))
            if window.end > window.start:
                return window
            raise BadWindow(
                f"{found['hour']} does not exist in {zone}: clocks went forward. Use another hour."
            )
    except (ValueError, OverflowError):
        pass
    raise BadWindow(
        f"Invalid window {text!r}. Use a day (2026-03-10), an hour (2026-03-10T13, {LAST_HOUR}) "
        f"or a range with exclusive end (2026-03-01/2026-03-08, 2026-03-10T08/2026-03-10T17:30)."
    )


def has_passed(moment: dt.datetime, now: dt.datetime) -> bool:
    """True if a moment has passed by the clock of any machine."""
    return moment <= now + _TOLERANCE


def require_passed(window: Window, now: dt.datetime) -> None:
    """Raises BadWindow for a window that has not ended: as the newest one, it would hide all that
    end before it."""
    if not has_passed(window.end, now):
        raise BadWindow(
            f"the window from {window.start.isoformat()} to {window.end.isoformat()} is not over: "
            f"it is {now.isoformat(timespec='seconds')} here; audit what has passed (--today is "
            "the day so far), or set the clock of this machine"
        )


def days_text(first: dt.datetime, last: dt.datetime, now: dt.datetime) -> str | None:
    """The `named` text of the UTC days from a moment to another, as far as they have passed; None
    if the first moment has not, because no window with it is over."""
    start, end = first.date(), last.date() + _DAY
    if first > now:
        return None
    if now.date() < end:
        return f"{start}/{now.astimezone(dt.UTC):%Y-%m-%dT%H:%M}"
    return f"{start}" if end - start == _DAY else f"{start}/{end}"


def between(
    start: dt.datetime | None, end: dt.datetime | None, zone: dt.tzinfo, now: dt.datetime
) -> Window:
    """The window from a start (by default yesterday's) to an end (by default a day later). Moments
    without a zone are in `zone`. Raises BadWindow."""
    first = _midnight(zone, now) - _DAY if start is None else start
    return _window(first, first + _DAY if end is None else end, zone)


def _window(start: dt.datetime, end: dt.datetime, zone: dt.tzinfo) -> Window:
    window = Window(_instant(start, zone), _instant(end, zone))
    if window.end > window.start:
        return window
    how = "when" if window.end == window.start else "before"
    raise BadWindow(
        f"the window from {window.start.isoformat()} to {window.end.isoformat()} ends {how} it "
        "starts; the end is exclusive"
    )


def _length(text: str) -> dt.timedelta:
    found = _LENGTH.fullmatch(text)
    count = 0 if found is None else int(found["count"])
    if found is not None and 0 < count <= _MOST:
        return dt.timedelta(**{_UNITS[found["unit"].lower()]: count})
    raise BadWindow(f"Invalid duration {text!r}. Use minutes, hours or days: 90m, 24h, 7d.")


def _midnight(zone: dt.tzinfo, now: dt.datetime) -> dt.datetime:
    """Midnight of the present day in a zone, as its clocks show it."""
    return now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)


def _days_from(midnight: dt.datetime, zone: dt.tzinfo) -> Window:
    return _window(midnight, midnight + _DAY, zone)


def _instant(moment: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """The UTC time of a moment: of two moments that a clock shows alike the first; of those that
    none shows, the moment at which it was set forward."""
    local = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return local.astimezone(dt.UTC)
