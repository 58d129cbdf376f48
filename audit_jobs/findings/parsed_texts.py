"""Texts that a condition reads as times by a format: `date_parse(dt, '%Y%m%d')`.

Texts sort as the times that they stand for only where the format goes from years to smaller parts,
each as wide as all of its values. Nobody but who writes them knows that they all are so.
"""

from __future__ import annotations

import re

from sqlglot import exp

from prunescope.collectors.sql.dialects import dialect_of

_PARSED = re.compile(
    r"\b(?P<function>DATE_PARSE|PARSE_DATETIME|STR_TO_DATE|STRPTIME|(?:TRY_)?TO_DATE"
    r"|(?:TRY_)?TO_TIMESTAMP\w*|UNIX_TIMESTAMP|TO_UNIX_TIMESTAMP)"
    r"\([^(),'?]+, '(?P<format>[^']+)'\)",
    re.IGNORECASE,
)
_EXAMPLES = ("2026", "01", "31", "06", "30", "00", "000")
"""An example of each part of a time, the largest first."""
_MYSQL = {"%Y": 0, "%m": 1, "%d": 2, "%H": 3, "%i": 4, "%s": 5, "%S": 5, "%f": 6}
"""The parts that are as wide as all of their values, in the formats that Trino's date_parse()
takes. All else but `%` is written as it is."""
_JAVA = {"yyyy": 0, "uuuu": 0, "MM": 1, "dd": 2, "HH": 3, "mm": 4, "ss": 5, "SSS": 6}
"""The same in Java's formats, of which all letters stand for something."""
_SQL = {"YYYY": 0, "MM": 1, "DD": 2, "HH24": 3, "MI": 4, "SS": 5, "FF3": 6}
"""The same in those of TO_DATE and TO_TIMESTAMP in other engines than Spark, in either case."""
_OF_SQL = re.compile(r"(TRY_)?TO_(DATE|TIMESTAMP)", re.IGNORECASE)
_PUT_TOGETHER = {6: "2026-01", 8: "2026-01-31"}
"""Texts of months and days, by how many digits they have."""
_SEPARATORS = ("-", "/", "_")


def way_out_of_digits(condition: exp.Expr, bare: str) -> tuple[str, str] | None:
    """Short and long advice on a condition that compares the digits of months or days, which it
    makes of a column's texts by removing separators; None for other conditions."""
    removal = condition.find(exp.Replace, exp.RegexpReplace)
    if removal is None or removal.args.get("replacement") not in (None, exp.Literal.string("")):
        return None
    separator = removal.text("expression")
    literals = (node for node in condition.find_all(exp.Literal) if node.parent is not removal)
    lengths = {len(node.name) if node.name.isdecimal() else 0 for node in literals}
    form = _PUT_TOGETHER.get(lengths.pop()) if len(lengths) == 1 else None
    if form is None or separator not in _SEPARATORS:
        return None
    example = form.replace("-", separator)
    advice = (
        f"If it is always written as {example}, it sorts as what it stands for, and nothing has to "
        f"be taken out: compare it with text that is written so, such as {bare} = '{example}'."
    )
    return "compare text with text, or filter by a column that has the value", advice


def way_out_of_parsed(text: str, bare: str, dialect: str) -> tuple[str, str] | None:
    """Short and long advice on a condition that parses a column's texts by one format; None for
    other conditions."""
    formats = {_format(found, dialect) for found in _PARSED.finditer(text)}
    if len(formats) != 1:
        return None
    example = _example(*formats.pop())
    if example is None:
        advice = (
            f"Text in this format does not sort as what it stands for, so no range of {bare} says "
            "the same. List the texts that are wanted, as they are written; a column of the right "
            "type to partition by serves every way of writing it."
        )
        return "name the texts that are wanted, or filter by a column that has the value", advice
    advice = (
        "If it is always written in this format, text sorts as what it stands for: compare it "
        f"with text, such as {bare} >= '{example}'. A partition column of the right type "
        "serves every way of writing the condition."
    )
    return "compare text with text, or filter by a column that has the value", advice


def _format(found: re.Match[str], dialect: str) -> tuple[str, bool]:
    """The format of a call, and whether it has the letters of SQL, in upper case."""
    is_sql = not dialect_of(dialect).has_hive_functions and bool(_OF_SQL.match(found["function"]))
    if not is_sql or "%" in found["format"]:
        return found["format"], False
    return found["format"].upper(), True


def _example(format_: str, is_sql: bool) -> str | None:
    """A text of a format whose texts sort as times; None for other formats."""
    parts, more = (_MYSQL, "%") if "%" in format_ else (_JAVA, "[A-Za-z]")
    if is_sql:
        parts = _SQL
    format_ = format_.replace("%T", "%H:%i:%s")
    part = re.compile("|".join(parts))
    places = [parts[found] for found in part.findall(format_)]
    is_in_order = bool(places) and places == list(range(len(places)))
    if not is_in_order or re.search(more, part.sub("", format_)):
        return None
    return part.sub(lambda found: _EXAMPLES[parts[found[0]]], format_)
