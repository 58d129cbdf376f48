"""The laws of ClickHouse's functions, by their names in lower case."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from prunescope.collectors.sql.constants.clickhouse import PARTS
from prunescope.collectors.sql.functions.law import Law, rising
from prunescope.collectors.sql.functions.months import by_whole_days
from prunescope.collectors.sql.functions.times import part

_UNITS, _MONTHS = ("second", "minute", "hour", "day", "week"), ("month", "quarter", "year")
CLICKHOUSE: Mapping[type[exp.Expr] | str, Law] = {
    **{name: part(known, zone=1) for name, known in PARTS.items()},
    **{f"add{unit}s": rising(0, 1) for unit in _UNITS},
    **{f"subtract{unit}s": rising(0, falling=(1,)) for unit in _UNITS},
    **{f"add{unit}s": by_whole_days(rising(0, 1)) for unit in _MONTHS},
    **{f"subtract{unit}s": by_whole_days(rising(0, falling=(1,))) for unit in _MONTHS},
    **dict.fromkeys(
        (
            "todate",
            "todate32",
            "todatetime",
            "todatetime64",
            "totimezone",
            "fromunixtimestamp",
            "tounixtimestamp",
            *(
                f"{way}unixtimestamp64{unit}"
                for way in ("from", "to")
                for unit in ("milli", "micro", "nano")
            ),
            "toyyyymm",
            "toyyyymmdd",
            "toyyyymmddhhmmss",
            "toyearweek",
            "tostartofweek",
            "tostartofinterval",
            "tostartoffiveminutes",
            "tostartoftenminutes",
            "tostartoffifteenminutes",
            "timeslot",
            "tolastdayofmonth",
        ),
        rising(0),
    ),
}
