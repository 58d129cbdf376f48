"""Grammars of constant expressions by dialect: each function that is known there has a form, and
literals are those where engines differ: parts of milliseconds, leap days, the first and last years,
moments that clocks skip or repeat, the ends of types, empty texts and such beyond ASCII."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tests.collectors.sql.constants.drawn import LEAF, Grammar
from tests.collectors.sql.constants.texts import forms_of

_DAYS = (
    *("2000-02-29", "2024-02-29", "2023-02-28", "2024-01-31", "2024-12-30", "2026-08-16"),
    *("1969-12-31", "1970-01-01", "1900-02-28", "2027-01-03", "2026-03-29", "2026-11-01"),
    *("0001-01-01", "0999-12-31", "1582-10-10", "9999-12-31"),
)
_TIMES = (
    *("2020-02-29 23:59:59.999600", "2019-12-31 23:59:59.999499", "2026-01-01 00:00:00"),
    *("1969-12-31 23:59:59.999500", "1969-12-31 23:59:59.5", "1969-12-31 12:00:00.000001"),
    *("2026-03-08 02:30:00", "2026-03-29 02:30:00.25", "2026-11-01 01:30:00", "2026-10-25 02:30"),
    *("2024-02-29 12:34:56.123456", "2024-01-31 23:00:00.001", "2026-10-04 02:15:00"),
    *("0001-01-01 00:00:00", "1500-06-15 10:11:12.000499", "9999-12-31 23:59:59.999999"),
)
_ZONES = ("UTC", "America/Los_Angeles", "Europe/Berlin", "Asia/Kolkata", "+09:00", "-03:30")
_INTS = (
    *("0", "1", "2", "7", "-1", "-13", "100", "1709164800", "2147483647", "-2147483648"),
    *("2147483648", "86399", "-86401", "9223372036854775807", "20260105"),
)
_DECIMALS = (
    *("0.5", "-0.5", "2.5", "-2.5", "1.50", "0.005", "-0.05", "12345.6789", "100.0", "0.0"),
    *("1.005", "3.999999", "1234567890.5", "CAST(1.5 AS DECIMAL(38, 10))", "86400.000001"),
    "CAST('99999999999999999999999999999.5' AS DECIMAL(38, 8))",
)
_DOUBLES = ("0E0", "-0E0", "2.5E0", "-0.5E0", "1E300", "0.1E0", "1E15", "1.7091648E9", "-1.5E-5")
_TEXTS = (
    *("''", "'K5'", "' a b '", "'a-b_c'", "'x|y|z'", "'A1b22C'", "'a,b,,c'", "'aé😀'", "'0042'"),
    *("'2026-01-05'", "'user@host.org'", "'\u00a0a\u2003'"),
)


_OWN_MARKS = re.compile(r"[\[\]]|\{(?!text\})|'\{")


def _quoted(word: str, texts: Sequence[str]) -> list[str]:
    return [f"{word} '{text}'".strip() for text in texts]


_LEAVES = {
    LEAF + "day": _quoted("DATE", _DAYS),
    LEAF + "time": _quoted("TIMESTAMP", _TIMES),
    LEAF + "zone": _quoted("", _ZONES),
    LEAF + "int": _INTS,
    LEAF + "n": ("0", "1", "-1", "2", "13", "-14", "40", "366"),
    LEAF + "count": ("0", "1", "2", "4", "7"),
    LEAF + "positive": ("1", "2", "7", "60", "1000"),
    LEAF + "decimal": _DECIMALS,
    LEAF + "double": _DOUBLES,
    LEAF + "text": _TEXTS,
    LEAF + "day_text": _quoted("", [day for day in _DAYS if day > "1000"]),
    LEAF + "digits_text": ("'0'", "'-7'", "' 42 '", "'2147483648'", "'1.5'", "'+3'", "'-0.005'"),
    LEAF + "bool": ("TRUE", "FALSE", "CAST(NULL AS BOOLEAN)"),
    LEAF + "year": ("1", "999", "1970", "2024", "9999"),
    LEAF + "month": ("1", "2", "12"),
    LEAF + "dom": ("1", "28", "29", "31"),
}
_COMPARABLE = ("day", "time", "int", "decimal", "double", "text")
_BOOLS = (
    *(f"({{{kind}}} [=|<>|<|<=|>|>=] {{{kind}}})" for kind in _COMPARABLE),
    *(f"({{{kind}}} BETWEEN {{{kind}}} AND {{{kind}}})" for kind in _COMPARABLE),
    *(f"({{{kind}}} IN ({{{kind}}}, {{{kind}}}))" for kind in _COMPARABLE),
    *("({int|decimal} [=|<|>=] {decimal|double})", "({day|time} [=|<|>=] {day|time})"),
    *("(NOT {bool})", "({bool} [AND|OR] {bool})", "({bool} IS NULL)", "({int} IS NOT NULL)"),
    "({int} IS [DISTINCT FROM|NOT DISTINCT FROM] {int})",
    "({text} [LIKE|NOT LIKE] '[%a%|a_b%|K_]')",
    "({text} LIKE 'a!_%' ESCAPE '!')",
    "(({time} - {time}) [<|>=] INTERVAL '36' HOUR)",
)
_ROWS = (
    "(({int}, {day}) IN (({int}, {day}), ({int}, {day})))",
    "(({int}, {text}) [=|<>] ({int}, {text}))",
    "((1, 2) [<|<=|>|>=] (1, [1|2|3]))",
)
_CHOICES = {
    kind: (
        f"if({{bool}}, {{{kind}}}, {{{kind}}})",
        f"CASE WHEN {{bool}} THEN {{{kind}}} ELSE {{{kind}}} END",
        f"coalesce({{{kind}}}, {{{kind}}})",
        f"nullif({{{kind}}}, {{{kind}}})",
        f"[least|greatest]({{{kind}}}, {{{kind}}})",
    )
    for kind in ("day", "time", "int", "decimal", "text")
}
_PARTS = "[year|quarter|month|day|week|day_of_year]"
_NUMBERS = {
    "decimal": (
        *("({decimal} [+|-|*|/] {decimal|count|positive})", "({int} [+|-|*|/] {decimal})"),
        *("({decimal} % {positive|decimal})", "abs({decimal})", "(- {decimal})"),
        *("CAST({decimal|int} AS DECIMAL([10, 2|38, 10|5, 0|20, 6]))", "(1 / {decimal})"),
        "CAST({digits_text} AS DECIMAL([10, 2|38, 10|5, 0]))",
        *_CHOICES["decimal"],
    ),
    "double": (
        *("({double} [+|-|*|/] {double|count|decimal})", "abs({double})", "(- {double})"),
        *("CAST({int|decimal|double|digits_text} AS DOUBLE)", "power({n}, {count})"),
    ),
    "int": (
        *("({int} [+|-|*] {n|int})", "({int} % {positive|n})", "abs({int})", "(- {int})"),
        *("CAST({int|decimal|double|digits_text} AS [INT|BIGINT|SMALLINT|TINYINT])",),
        *("length({text})", "position({text} IN {text})", "([floor|ceil]({decimal|int}))"),
        *_CHOICES["int"],
    ),
}


def _of_texts(forms: Iterable[str]) -> list[str]:
    """Functions of texts as forms: those whose texts have no brackets and braces of their own."""
    found = (form.replace("'{text}'", "{text}") for form in forms)
    return [form for form in found if "{text}" in form and not _OWN_MARKS.search(form)]


_OF_TRINO = {
    "day": (
        *("date_add('[day|week|month|quarter|year]', {n}, {day})", "last_day_of_month({day|time})"),
        *("date_trunc('[day|week|month|quarter|year]', {day})", "date({time|day})"),
        *("CAST({time|zoned|day_text} AS date)", "date({zoned})", "from_iso8601_date({day_text})"),
        *("({day} [+|-] INTERVAL '[1|13]' [DAY|MONTH|YEAR])", "try(CAST({day_text} AS date))"),
        *("try_cast({day_text} AS date)",),
        *_CHOICES["day"],
    ),
    "time": (
        *("date_trunc('[second|minute|hour|day|week|month|quarter|year]', {time})",),
        *("date_add('[millisecond|second|hour|day|week|month|year]', {n}, {time})",),
        *("({time} [+|-] INTERVAL '[1|36]' [SECOND|HOUR|DAY|MONTH])",),
        *("CAST({time} AS timestamp([0|2|3|6|9]))", "CAST({day} AS timestamp([0|3|6]))"),
        *("CAST({time|zoned|day} AS timestamp)", "CAST({day_text} AS timestamp)"),
        *("date_parse({day_text}, '%Y-%m-%d')", "CAST('2026-01-05 01:02:03.9996' AS timestamp(3))"),
        *_CHOICES["time"],
    ),
    "zoned": (
        *("({time} AT TIME ZONE {zone})", "({zoned} AT TIME ZONE {zone})"),
        *("at_timezone({zoned}, {zone})", "with_timezone({time}, {zone})"),
        *("from_unixtime({int|decimal|double})", "from_unixtime({n}, {zone})"),
        *("from_unixtime_nanos({int})", "from_iso8601_timestamp('2026-01-05T01:02:03.123+09:00')"),
        *("from_iso8601_timestamp({day_text})", "from_iso8601_timestamp_nanos({day_text})"),
        *("date_trunc('[second|minute|hour|day|week|month|year]', {zoned})",),
        *("date_add('[millisecond|second|hour|day|month]', {n}, {zoned})",),
        *("({zoned} [+|-] INTERVAL '1' [HOUR|DAY|MONTH])",),
        *(
            "CAST({time|day} AS timestamp([3|6]) with time zone)",
            "CAST({time} AS timestamp with time zone)",
        ),
        *("CAST({zoned} AS timestamp([0|3|6]) with time zone)",),
        "parse_datetime({day_text}, 'yyyy-MM-dd')",
    ),
    "int": (
        *_NUMBERS["int"],
        *("[year|quarter|month|day|week|day_of_year|yow|dow|doy]({day|time|zoned})",),
        *("[hour|minute|second|millisecond]({time|zoned})", "year_of_week({day|time})"),
        *("extract([YEAR|MONTH|WEEK|DOW|DOY|YOW|QUARTER] FROM {day|time|zoned})",),
        *("extract([HOUR|MINUTE|SECOND] FROM {time|zoned})", "codepoint('b')"),
        *("date_diff('[day|week|month|quarter|year]', {day}, {day})",),
        *("date_diff('[millisecond|second|minute|hour|day|week|month|year]', {time}, {time|day})",),
        *("date_diff('[second|hour|day|month]', {zoned}, {zoned})", "({int} / {positive|int})"),
        "millisecond({time|zoned})",
        "day_of_month({day})",
        "bitwise_[and|or|xor]({int}, {int})",
        *("bitwise_right_shift({count}, {count})", "bitwise_left_shift({count}, {count})"),
        *("bitwise_right_shift_arithmetic({int}, {count})", "sign({int})"),
        "width_bucket({double}, 0, 100, 10)",
        *("yow({day})", "dow({day})"),
        *("try(CAST({text} AS bigint))", "try({int} / {n})", "try_cast({text} AS integer)"),
        "round({int}, -2)",
        *("to_milliseconds(INTERVAL '1' DAY)", "to_milliseconds(parse_duration('90m'))"),
        *("CAST(date_format({day|time}, '%Y%m%d') AS [integer|bigint])", "strpos({text}, {text})"),
        *(
            "CAST(to_unixtime({time|zoned}) AS bigint)",
            "try_cast({digits_text} AS [integer|bigint])",
        ),
    ),
    "decimal": (*_NUMBERS["decimal"], "[floor|ceil]({decimal})", "round({decimal}, {count})"),
    "double": (
        *_NUMBERS["double"],
        *("to_unixtime({time|zoned})", "[floor|ceil]({double})", "nan()", "infinity()"),
        *("truncate({double})", "round({double})", "sign({double})"),
        *("CAST({decimal|double} AS real)", "to_unixtime({day})"),
    ),
    "text": (
        *_of_texts(forms_of("trino")),
        *("date_format({day|time|zoned}, '[%Y%m%d|%Y-%m|%Y-%m-%d %H:%i:%s|%Y-%m-%d %T]')",),
        *("format_datetime({day|time|zoned}, '[yyyyMMdd|yyyy-MM-dd HH:mm:ss|yyyy-MM]')",),
        *(
            "CAST({day|int|decimal|bool|time|zoned|double} AS varchar)",
            "concat({text}, {text})",
            "to_iso8601({day|time})",
            "date_format({day|time}, '[%x-%v|%j|%y|%c/%e|%H:%i:%s.%f]')",
        ),
        *("CAST({day|int} AS varchar([5|10]))", "({text} || {text})", "CAST({text} AS char(4))"),
        *("substr({text}, {n}, {count})", "substr({text}, {positive})", "[lower|upper]({text})"),
        *("lpad({text}, {count}, '0')", "substr(CAST({time|day} AS varchar), 1, [7|10])"),
        *_CHOICES["text"],
    ),
    "bool": (
        *_BOOLS,
        *_ROWS,
        "starts_with({text}, {text})",
        "regexp_like({text}, '[^a|b$|a.b]')",
        "({zoned} [=|<|>=] {zoned|time|day})",
        "({time} [=|<] {zoned})",
    ),
}
TRINO: Grammar = {
    **_LEAVES,
    LEAF + "time": (*_quoted("TIMESTAMP", _TIMES), "TIMESTAMP '2020-02-29 23:59:59.999999999'"),
    LEAF + "zoned": [f"TIMESTAMP '{time} {zone}'" for time in _TIMES for zone in _ZONES],
    **_OF_TRINO,
}

_OF_SPARK = {
    "day": (
        *("add_months({day|time|day_text}, {n})", "last_day({day|time|day_text})"),
        *("next_day({day|day_text}, '[MON|tu|Wednesday|SU]')", "[to_date|date]({time|day_text})"),
        *("trunc({day|time|day_text}, '[MM|quarter|week|YEAR]')", "CAST({time|day_text} AS DATE)"),
        *("[date_add|date_sub]({day|day_text}, {n})", "({day} [+|-] {n})"),
        *("make_date({year}, {month}, {dom})", "date_from_unix_date({n|int})"),
        *("({day} [+|-] INTERVAL '[1|13]' [DAY|MONTH|YEAR])", "to_date('20240229', 'yyyyMMdd')"),
        "to_date(date_format({day|time}, 'yyyy-MM-dd'), 'yyyy-MM-dd')",
        "try_to_date({day_text}, 'yyyy-MM-dd')",
        *_CHOICES["day"],
    ),
    "time": (
        *("date_trunc('[SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR]', {day|time|day_text})",),
        *("CAST({ntz} AS TIMESTAMP)", "({day} [+|-] INTERVAL '[1|36]' [SECOND|HOUR])"),
        *("CAST({day|day_text} AS TIMESTAMP)", "CAST({n|int} AS TIMESTAMP)"),
        *("({time} [+|-] INTERVAL '[1|36]' [SECOND|HOUR|DAY|MONTH])",),
        *("timestamp_[seconds|millis|micros]({int})", "timestamp_seconds({n})"),
        *("[from|to]_utc_timestamp({time}, {zone})", "to_timestamp({day_text}, 'yyyy-MM-dd')"),
        *("make_timestamp({year}, {month}, {dom}, 1, 2, 3.5)", "dateadd([DAY|MONTH], {n}, {day})"),
        "try_to_timestamp({day_text}, 'yyyy-MM-dd')",
        "({time} + make_dt_interval(1, 2, 3, 4.5))",
        "({time} - make_interval(0, 1, 0, {n}))",
        "({day} + make_ym_interval(1, 2))",
        *("timestampadd([SECOND|HOUR|DAY|MONTH|YEAR], {n}, {time})", "to_timestamp({day_text})"),
        *("date_trunc('[HOUR|DAY|MONTH]', {zoned})", "({zoned} + INTERVAL '1' [HOUR|DAY|MONTH])"),
        *_CHOICES["time"],
    ),
    "ntz": (
        *("date_trunc('[HOUR|DAY|MONTH]', {ntz})", "({ntz} [+|-] INTERVAL '1' [HOUR|DAY|MONTH])"),
        *("CAST({day_text} AS TIMESTAMP_NTZ)", "to_timestamp_ntz({day_text})"),
        "convert_timezone({zone}, {zone}, {ntz})",
    ),
    "int": (
        *_NUMBERS["int"],
        *("[year|quarter|month|day|weekofyear|dayofyear|dayofweek|weekday]({day|time|ntz})",),
        *("[hour|minute|second]({time|zoned|ntz|day_text})", "[year|month|day]({day_text})"),
        *("extract([YEAR|MONTH|WEEK|DOW|DOY|YEAROFWEEK|QUARTER] FROM {day|time})",),
        *("extract([HOUR|MINUTE] FROM {time})", "unix_date({day})", "date_diff({day}, {day|time})"),
        *("timestampdiff([SECOND|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR], {day|time}, {day|time})",),
        *("datediff([DAY|MONTH], {day}, {day})", "locate({text}, {text}, {positive})"),
        *("dayofmonth({day})", "extract([DOW_ISO|YEAROFWEEK] FROM {day|time})"),
        *("({int} & {int})", "({int} | {int})", "({int} ^ {int})", "shiftright({int}, {count})"),
        *("shiftleft({count}, {count})", "negative({int})", "round({int}, -2)"),
        *("try_[add|subtract|multiply]({count}, {n})", "try_cast({day_text} AS INT)"),
        "decode({n}, 1, {int}, NULL, {int}, {int})",
        "nvl2({n}, {int}, {int})",
        *("pmod({int|n}, {positive})", "unix_timestamp({time|day|zoned|ntz})", "ascii({text})"),
        *(
            "unix_[seconds|millis|micros]({time|zoned})",
            "CAST({time} AS LONG)",
            "instr({text}, 'b')",
        ),
        *("({int} div {positive|int})", "[floor|ceil]({double})", "positive({int})"),
        *("CAST(date_format({day|time}, 'yyyyMMdd') AS [INT|BIGINT])", "datediff({day}, {day})"),
        *("unix_timestamp({day_text}, 'yyyy-MM-dd')", "round({int})", "CAST({bool} AS INT)"),
    ),
    "decimal": (
        *(*_NUMBERS["decimal"], "round({decimal}, [0|1|2|4])", "[floor|ceil]({decimal})"),
        *("extract(SECOND FROM {time|zoned})", "round({decimal})", "bround({decimal})"),
        "CAST({time|zoned} AS DECIMAL(20, [0|3|6]))",
    ),
    "double": (
        *_NUMBERS["double"],
        *("months_between({day|time}, {day|time})", "months_between({day}, {time}, false)"),
        *("({int} / {int})", "CAST({time} AS DOUBLE)", "CAST({decimal|double} AS FLOAT)"),
        *("round({double}, [0|1|2])", "CAST('NaN' AS DOUBLE)", "sign({int|double})"),
        "try_divide({n}, {count})",
    ),
    "text": (
        *_of_texts(forms_of("spark")),
        "date_format({day|time|ntz}, '[yyyy-MM-dd|yyyyMMdd|yyyy-MM-dd HH:mm:ss]')",
        "date_format({zoned|day_text}, '[yyyy-MM-dd|yyyyMMdd|yyyy-MM-dd HH:mm:ss]')",
        *("from_unixtime({int|n})", "from_unixtime({int}, '[yyyy-MM-dd|yyyyMM]')"),
        *(
            "CAST({day|int|decimal|bool|time|ntz|zoned|double} AS STRING)",
            "concat({text}, {text|int|day})",
        ),
        *(
            "({text} || {text|decimal})",
            "substr({text|int|day}, {n}, {count})",
            "[lower|upper]({text})",
        ),
        *("lpad({int|text}, {count}, '0')", "concat_ws('-', {text}, {int}, {day})"),
        *("dayname({day})", "monthname({day})", "date_format({day}, '[E|EEEE|MMM yyyy|MMMM|d/M]')"),
        *(
            "left(CAST({time|day} AS STRING), [7|10])",
            "hex({int|n})",
            "({day_text} + INTERVAL 1 DAY)",
        ),
        *_CHOICES["text"],
    ),
    "bool": (
        *_BOOLS,
        *_ROWS,
        "({text} ILIKE 'A%')",
        "regexp({text}, 'b$')",
        "({text} RLIKE '[^a|b$|a.b]')",
        "({text} LIKE [ANY|ALL] ('a%', '%b'))",
        "[startswith|endswith|contains]({text}, {text})",
        "({int} <=> {int})",
        "({time} [=|<] {ntz|zoned})",
        "({int} [=|<] {digits_text})",
    ),
}
SPARK: Grammar = {
    **_LEAVES,
    LEAF + "zoned": [f"TIMESTAMP '{time} {zone}'" for time in _TIMES for zone in _ZONES],
    LEAF + "ntz": _quoted("TIMESTAMP_NTZ", _TIMES),
    **_OF_SPARK,
}

_OF_DUCKDB = {
    "day": (
        *("last_day({day})", "make_date({year}, {month}, {dom})", "CAST({time|day_text} AS DATE)"),
        *("({day} [+|-] {n})", *_CHOICES["day"]),
    ),
    "time": (
        *("date_trunc('[day|week|month|year]', {day})", "epoch_ms({int})", "make_timestamp({int})"),
        *("date_trunc('[second|hour|day|month]', {time})", "CAST({day} AS TIMESTAMP)"),
        "({time|day} [+|-] INTERVAL '[1|36]' [SECOND|HOUR|DAY|MONTH])",
        "time_bucket(INTERVAL '[1|7|36]' [SECOND|HOUR|DAY|MONTH], {time|day})",
        "time_bucket(INTERVAL '[2|5]' [HOUR|DAY], {time}, {time})",
        *("try_strptime({text|day_text}, '%Y-%m-%d')", "make_timestamp_ms({int})"),
        *("strptime({day_text}, '%Y-%m-%d')", "make_timestamp({year}, {month}, {dom}, 1, 2, 3.5)"),
        *_CHOICES["time"],
    ),
    "int": (
        *(*_NUMBERS["int"], "({int} // {positive})", "strpos({text}, {text})"),
        *("[year|quarter|month|day|dayofmonth|dayofyear|week|weekofyear]({day|time})",),
        *("[isoyear|dayofweek|isodow|weekday]({day|time})", "[hour|minute|second]({time})"),
        "date_diff('[second|hour|day|week|month|quarter|year]', {day|time}, {day|time})",
        "date_sub('[second|hour|day|week|month|quarter|year]', {day|time}, {day|time})",
        "[epoch_us|epoch_ns|epoch_ms]({time|day})",
        "extract([YEAR|MONTH|WEEK|DOW|ISODOW|DOY|ISOYEAR|QUARTER] FROM {day|time})",
        "date_part('[year|week|dow|isoyear|yearweek|decade|century]', {day|time})",
        "[yearweek|decade|century]({day|time})",
        *(
            "millisecond({time})",
            "({day} - {day})",
            "({int} & {int})",
            "({int} | {int})",
            "xor({int}, {int})",
        ),
        *("({int} >> {count})", "({count} << {count})", "sign({int})", "round({int}, -2)"),
        *("try_cast({text|digits_text} AS INT)", "trunc({int})"),
    ),
    "zoned": ("({time} AT TIME ZONE {zone})",),
    "decimal": (*_NUMBERS["decimal"], "round({decimal}, [0|1|2])"),
    "double": (*_NUMBERS["double"], "epoch({time|day})", "round({double})", "trunc({double})"),
    "text": (
        *("CAST({day|int|decimal|bool|time} AS VARCHAR)", "({text} || {text})", "reverse({text})"),
        *(
            "substr({text}, {n}, {count})",
            "[lower|upper]({text})",
            "strftime({day|time}, '%Y%m%d')",
        ),
        *("[left|right]({text}, {count})", "[lpad|rpad]({text}, {count}, '0')"),
        *("repeat({text}, {count})", "trim({text})", "[dayname|monthname]({day})"),
        *("strftime({day|time}, '[%G-W%V|%j|%y|%B %b|%A %a|%H:%M:%S.%f]')", "{text}[1:{count}]"),
        *("string_split({text}, '-')[1]", "concat({text}, {text})"),
        *("({int} || {text})", "printf('[%d|%05d|a%d%%]', {int})"),
        *(
            "replace({text}, '-', 'x')",
            "split_part({text}, '-', {count})",
            "concat_ws('-', {text})",
        ),
        *_CHOICES["text"],
    ),
    "bool": (
        *(*_BOOLS, *_ROWS, "[starts_with|ends_with|contains]({text}, {text})"),
        *("({text} [GLOB|SIMILAR TO] 'a[*b|.*|b]')", "regexp_full_match({text}, 'a.*')"),
        *("regexp_matches({text}, '[^a|b$|a.b]')", "list_contains([1, 2], {n})"),
        "({text} ILIKE 'A%')",
        "({day} = {day_text})",
    ),
}
DUCKDB: Grammar = {**_LEAVES, **_OF_DUCKDB}

GRAMMARS = {"trino": TRINO, "spark": SPARK, "duckdb": DUCKDB}
