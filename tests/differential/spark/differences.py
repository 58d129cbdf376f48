"""Where the profile differs from what Spark pushes, each as a rule that says which conditions
explain it. Anything that no rule explains is a fault on one side or the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.column_domains import tightened
from prunescope.collectors.predicates.model import Always, BoundComparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.text import boolean
from prunescope.collectors.sql.text.boolean import AnyOf, Formula, Leaf, formula, own_columns
from prunescope.collectors.sql.text.parse import parse_condition
from tests.differential.leaves import leaves
from tests.differential.spark.comparison import Compared, Counters


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
    show, a condition on a table of which it does, alone, and what the versions begin with in which
    it does."""

    name: str
    kinds: frozenset[Kind]
    explains: Callable[[Compared], bool]
    case: str
    table: str = "plain"
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
_DOUBLE = r"(?:\d+e\d|\dD\b|\.\de0)"
_BEFORE_4 = ("3.",)


def _has_equality(scan: Compared) -> bool:
    """Whether a column is compared twice, one of them an equality (ConstantPropagation)."""
    sql = scan.asked.condition.sql
    words = r"=|==|<=>|IS NOT DISTINCT FROM|IN(?= \([^,()]*\))"
    if "NOT (" in sql:  # around what is unequal, it is an equality
        words += "|<>|!=|IS DISTINCT FROM|NOT IN"
    found = re.findall(rf"([\w.]+) (?:{words}) |(?: (?:=|==|<=>) ([\w.]+))", sql)
    equal = {name for pair in found for name in pair if name and not name[0].isdigit()}
    return any(len(re.findall(rf"(?<![\w.]){re.escape(name)}\b", sql)) > 1 for name in equal)


def _has_alternatives(scan: Compared) -> bool:
    """Whether the arms of an OR have a column in common, or one of them is known to hold, or not
    to."""
    whole = formula(parse_condition(scan.asked.condition.sql, "spark"))
    return any(_share_a_column(part) or _has_decided(part, scan) for part in _alternatives(whole))


def _alternatives(condition: Formula) -> Iterator[AnyOf]:
    if isinstance(condition, AnyOf):
        yield condition
    if not isinstance(condition, Leaf):
        for part in condition.parts:
            yield from _alternatives(part)


def _share_a_column(part: AnyOf) -> bool:
    arms = [
        {column.sql() for leaf in boolean.leaves(arm) for column in own_columns(leaf.expression)}
        for arm in part.parts
    ]
    return bool(set.intersection(*arms))


def _has_decided(part: AnyOf, scan: Compared) -> bool:
    zone = scan.asked.condition.zone
    for arm in part.parts:
        sql = boolean.text_of(arm, lambda expression: expression.sql("spark"))
        found = bind(condition(sql, "spark", time_zone=zone), scan.schema, time_zone=zone)
        if isinstance(tightened(found), Always):
            return True
    return False


def _has_zero(scan: Compared) -> bool:
    """Whether a float or double is compared with zero."""
    return any(
        leaf.field.type in ("float", "double") and 0 in leaf.values
        for predicate in (scan.theirs, scan.ours)
        for leaf in leaves(predicate)
    )


def _is_told_more(scan: Compared) -> bool:
    """Whether Spark only pushes besides that columns are not null."""
    return all(
        isinstance(part, BoundComparison) and part.op is Op.NOT_NULL for part in scan.pushed[0]
    )


DIFFERENCES = (
    Difference(
        "sorts -0.0 before 0.0 (table spec, bounds; for SQL they are equal)",
        frozenset({Kind.MORE, Kind.FEWER, Kind.AUDITS_MORE, Kind.AUDITS_FEWER}),
        _has_zero,
        "d = 0D",
    ),
    Difference(
        "knows a column by an equality, and folds other conditions on it (ConstantPropagation)",
        _LESS,
        _has_equality,
        "i = 5 AND i <> 7",
    ),
    Difference(
        "takes a text for the bytes that a binary column is compared with",
        _LESS,
        _written(r"\bbin\b.*(?<!X)'a'|(?<!X)'a' \S+ bin\b"),
        "bin = 'a'",
    ),
    Difference(
        "sees that no number is what a cast to a type that does not hold it is compared with",
        _LESS,
        _written(
            r"CAST\((?:i AS SMALLINT|l AS INT|dec AS (?:INT|DECIMAL\(10, 1\))|f AS INT"
            r"|d AS (?:INT|FLOAT))\) (?:=|==|<=>|IS NOT DISTINCT FROM|IN) \(?(?:\d+\.|5000000000)"
        ),
        "CAST(l AS INT) = 5.5",
    ),
    Difference(
        "computes with dates before the year 1 and after 9999",
        _LESS,
        _written(r"(?:CAST\(\w+ AS DATE\)|date\(\w+\)|days\(ts\)).*(?:9999|0001-01-01)"),
        "CAST(ts AS DATE) <= DATE '9999-12-31'",
    ),
    Difference(
        # Iceberg judges `!=` by no bounds; the ranges on its sides, which are here, it does.
        "sees that the cast of a date to a date is none",
        frozenset({*_LESS, Kind.FEWER}),
        _written(r"\b(?:CAST\(dt AS DATE\)|(?:to_)?date\(dt\))"),
        "date(dt) <> DATE '2024-02-29'",
    ),
    Difference(
        "rounds numbers to those that a FLOAT can hold, and knows on which side they were",
        frozenset({Kind.PUSHES_LESS, Kind.PUSHES_MORE}),
        _written(r"\bf\b.*\d\.\d|\d\.\d.*\bf\b"),
        "f > 0.1",
    ),
    Difference(
        "takes numbers beyond single precision for beyond infinity, too",
        _LESS,
        _written(r"\bf\b.*1e300|1e300.*\bf\b"),
        "f > 1e300",
    ),
    Difference(
        "drops from lists what they hold twice, and what no value can be, and of one value that is"
        " left infers that it is not null",
        frozenset({Kind.PUSHES_LESS}),
        lambda scan: "IN (" in scan.asked.condition.sql and _is_told_more(scan),
        "i IN (5, 5)",
    ),
    Difference(
        "drops from lists of decimals what has more digits than the column",
        _LESS,
        _written(r"\bdec (?:NOT )?IN \(.*123456789\.01"),
        "dec IN (123456789.01, -1.00BD)",
    ),
    Difference(
        "drops the end of a range that no value reaches",
        _LESS,
        _written(r"BETWEEN .*5000000000"),
        "st.x NOT BETWEEN 2 AND 5000000000",
    ),
    Difference(
        "sees that a range of dates is empty",
        _LESS,
        _written(r"AS DATE\) BETWEEN|\bdt <.*\bdt >="),
        "CAST(ts AS DATE) BETWEEN DATE '2024-03-02' AND DATE '2024-03-01'",
    ),
    Difference(
        "lifts comparisons of transforms onto identity partitions as they are"
        " (apache/iceberg#15502)",
        frozenset({Kind.MORE, Kind.AUDITS_MORE}),
        lambda scan: (
            "system.truncate" in scan.asked.condition.sql and "identity" in scan.asked.table
        ),
        "lake.system.truncate(10, i) = 10",
        "identity_i",
    ),
    Difference(
        "looks through casts of integers to DOUBLE (here, not told from those to FLOAT)",
        _LESS,
        _written(rf"\b(?:n|i|st\.x) .*{_DOUBLE}|{_DOUBLE}.* (?:n|i|st\.x)\b"),
        "i = 1e1",
        versions=_BEFORE_4,
    ),
    Difference(
        "casts a column to text, or an integer to FLOAT, for what a list holds",
        frozenset({*_LESS, Kind.FEWER}),
        _written(r"^(?!.*TIMESTAMP_NTZ).*IN \(.*(?:'|\dF)"),
        "CAST(ts AS DATE) IN ('2024-02-29')",
        versions=_BEFORE_4,
    ),
    Difference(
        "computes when a query starts (here, conditions are asked at no time)",
        _LESS,
        _written(r"current_timestamp\(\) -|[>=] (?:date_sub\(|date_format\()?current_date\(\)"),
        "ts > current_timestamp() - INTERVAL '1' DAY",
    ),
    Difference(
        "simplifies an OR whose arms have a column in common, or one that never or always holds",
        _LESS,
        _has_alternatives,
        "i > 5 OR i <= 5",
    ),
    Difference(
        "pushes `<=> false` and IS FALSE as they are",
        _LESS,
        _written(r"\bb (?:<=>|IS NOT DISTINCT FROM|IS FALSE)|(?:<=>) b\b"),
        "b <=> false",
    ),
)
