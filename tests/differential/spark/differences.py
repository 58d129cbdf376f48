"""Where the profile differs from what Spark pushes, each as a rule that says which conditions
explain it. Anything that no rule explains is a fault on one side or the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from tests.differential.spark.comparison import Compared, Counters, leaves


class Kind(Enum):
    """Whether the profile pushes less than Spark, or more; whether `explain`, which goes by the
    profile, keeps more than Iceberg, or fewer; and whether the audit does, which knows what was
    pushed."""

    PUSHES_LESS = auto()
    PUSHES_MORE = auto()
    MORE = auto()
    FEWER = auto()
    AUDITS_MORE = auto()
    AUDITS_FEWER = auto()


@dataclass(frozen=True)
class Difference:
    """A known difference, by what Spark does and the product does not, the scans in which it can
    show, and what the versions begin with in which it does."""

    name: str
    kinds: frozenset[Kind]
    explains: Callable[[Compared], bool]
    versions: tuple[str, ...] = ("",)


def kinds(scan: Compared) -> frozenset[Kind]:
    """How a scan differs."""
    found = {
        Kind.PUSHES_LESS: scan.pushed[0],
        Kind.PUSHES_MORE: scan.pushed[1],
        Kind.MORE: _is_more(scan.explained),
        Kind.FEWER: _is_fewer(scan.explained),
        Kind.AUDITS_MORE: _is_more(scan.audit),
        Kind.AUDITS_FEWER: _is_fewer(scan.audit),
    }
    return frozenset(kind for kind, differs in found.items() if differs)


def _is_more(counters: Counters) -> bool:
    return any(ours is None or ours > theirs for theirs, ours in counters.values())


def _is_fewer(counters: Counters) -> bool:
    return any(ours is None or ours < theirs for theirs, ours in counters.values())


def explanations(version: str, scan: Compared, kind: Kind) -> list[Difference]:
    """Which known differences can make a scan differ in this way in a version of Spark."""
    return [
        known
        for known in DIFFERENCES
        if version.startswith(known.versions) and kind in known.kinds and known.explains(scan)
    ]


def _written(pattern: str) -> Callable[[Compared], bool]:
    found = re.compile(pattern)
    return lambda scan: found.search(scan.asked.condition.sql) is not None


_LESS = frozenset({Kind.PUSHES_LESS, Kind.PUSHES_MORE, Kind.MORE})
_NUMBER = r"(?:BIGINT|INT|DOUBLE|FLOAT|SMALLINT|DECIMAL\(\d+, \d+\))"


_DOUBLE = r"(?:\d+e\d|\dD\b|\.\de0)"
_BEFORE_4 = ("3.",)


def _has_equality(scan: Compared) -> bool:
    """Whether a column is compared twice, one of them an equality (ConstantPropagation)."""
    sql = scan.asked.condition.sql
    equal = {
        name
        for left, right in re.findall(
            r"([\w.]+) (?:=|==|<=>|IS NOT DISTINCT FROM|IN|IS DISTINCT FROM|<>|!=) |"
            r" (?:=|==|<=>) ([\w.]+)",
            sql,
        )
        for name in (left, right)
        if name and not name[0].isdigit()
    }
    return any(len(re.findall(rf"(?<![\w.]){re.escape(name)}\b", sql)) > 1 for name in equal)


def _has_zero(scan: Compared) -> bool:
    """Whether a float or double is compared with zero."""
    return any(
        leaf.field.type in ("float", "double") and 0 in leaf.values
        for predicate in (scan.theirs, scan.ours)
        for leaf in leaves(predicate)
    )


DIFFERENCES = (
    Difference(
        "sorts -0.0 before 0.0 (table spec, bounds; for SQL they are equal)",
        frozenset({Kind.MORE, Kind.FEWER, Kind.AUDITS_MORE, Kind.AUDITS_FEWER}),
        _has_zero,
    ),
    Difference(
        "knows a column by an equality, and folds other conditions on it (ConstantPropagation)",
        _LESS,
        _has_equality,
    ),
    Difference(
        "computes these constants",
        _LESS,
        _written(
            r"timestamp_seconds\(|CONCAT\(|(?:low|upp)er\('|AS STRING\)|AS BINARY\)|'a' \|\|"
            r"|\bbin\b.*'a'|'a'.*\bbin\b|1 = 1|NOT TRUE|= TRUE|\bint\('"
        ),
    ),
    Difference(
        "looks through casts of numbers under OR and NOT, in lists, and casts that change nothing",
        _LESS,
        _written(rf"CAST\(\w+ AS {_NUMBER}\)"),
    ),
    Difference(
        "computes with dates before the year 1 and after 9999",
        _LESS,
        _written(r"9999|0001-01-01"),
    ),
    Difference(
        # Iceberg judges `!=` by no bounds; the ranges on its sides, which are here, it does.
        "sees that the cast of a date to a date is none",
        frozenset({*_LESS, Kind.FEWER}),
        _written(r"(?:CAST\(dt AS DATE\)|date\(dt\))"),
    ),
    Difference(
        "pushes null checks of structs, by which nothing is planned",
        _LESS,
        _written(r"\bst IS (?:NOT )?NULL|\bst ="),
    ),
    Difference(
        "rounds numbers to those that a FLOAT can hold, and knows on which side they were",
        frozenset({Kind.PUSHES_LESS, Kind.PUSHES_MORE}),
        _written(r"\bf\b.*\d\.\d|\d\.\d.*\bf\b"),
    ),
    Difference(
        "takes numbers beyond single precision for beyond infinity, too",
        _LESS,
        _written(r"\bf\b.*1e300|1e300.*\bf\b"),
    ),
    Difference(
        "drops from lists what they hold twice, and from them and ranges what no value can be",
        _LESS,
        _written(r"IN \(.*\d|IN \((.+), \1\)|BETWEEN .*5000000000"),
    ),
    Difference(
        "takes the date of a text that has a time, too",
        _LESS,
        _written(r"\bdt\b.*'\d+-\d+-\d+ \d|'\d+-\d+-\d+ \d.*\bdt\b"),
    ),
    Difference(
        "sees that a range of dates is empty",
        _LESS,
        _written(r"AS DATE\) BETWEEN|\bdt <.*\bdt >="),
    ),
    Difference(
        "lifts comparisons of transforms onto identity partitions as they are"
        " (apache/iceberg#15502)",
        frozenset({Kind.MORE, Kind.AUDITS_MORE}),
        lambda scan: (
            "system.truncate" in scan.asked.condition.sql and "identity" in scan.asked.table
        ),
    ),
    Difference(
        "takes isnull() and isnotnull() for IS NULL and IS NOT NULL",
        _LESS,
        _written(r"is(?:not)?null\("),
    ),
    Difference(
        "looks through casts of integers to DOUBLE (here, not told from those to FLOAT)",
        _LESS,
        _written(rf"\b(?:n|i|st\.x) .*{_DOUBLE}|{_DOUBLE}.* (?:n|i|st\.x)\b"),
        versions=_BEFORE_4,
    ),
    Difference(
        "casts a column to text, or an integer to FLOAT, for what a list holds",
        frozenset({*_LESS, Kind.FEWER}),
        _written(r"IN \(.*(?:'|\dF)"),
        versions=_BEFORE_4,
    ),
    Difference(
        "computes with timestamps without zone (here, they lose that they have none)",
        _LESS,
        _written(r"TIMESTAMP_NTZ '[^']*' [-+] INTERVAL"),
        versions=_BEFORE_4,
    ),
    Difference(
        "makes of LIKE ANY an OR, and of LIKE ALL an AND",
        _LESS,
        _written(r"LIKE (?:ANY|ALL)"),
    ),
    Difference(
        "simplifies an OR, or finds what all of its arms need",
        _LESS,
        _written(r"\bOR\b|NOT \("),
    ),
    Difference(
        "pushes `<=> false` as it is",
        _LESS,
        _written(r"\bb (?:<=>|IS NOT DISTINCT FROM)|(?:<=>) b\b"),
    ),
)
