"""Tables that only a join restricts, while the query runs: worth knowing, and no fault."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prunescope.audit_jobs.findings.additive import total
from prunescope.audit_jobs.findings.building import fingerprints, of_group, of_table
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.condition import Condition, columns_in
from prunescope.audit_jobs.findings.engines import identifier_for_all
from prunescope.audit_jobs.findings.left_to_skip import is_one_row_group
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix, Severity
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.collectors.observed import Clause
from prunescope.collectors.predicates.model import Reason, Unsupported

_ID = "runtime_only"
_ASKED = re.compile(r"[\w.]+ (=|<=?|>=?) \(SELECT\b")
"""A column beside a subquery's value."""
_PLACES = {
    Clause.WHERE: "the WHERE of the SELECT that reads the table",
    Clause.ON: "ON (in WHERE it would drop what the join keeps)",
    None: "the clause in which it drops rows of this table alone",
}
_RUNTIME = (Reason.RUNTIME, Reason.CROSS_TABLE, Reason.SUBQUERY, Reason.SUBQUERY_VALUE)


def find(usage: TableUsage) -> Iterator[Finding]:
    """A finding for joins on partition columns, one for other joins, and one for each shape of
    MERGE, where planning knows no condition that rules out much. What the engine skips by runtime
    filters is not in any plan, so nobody can tell the bytes. In a table of one row group it is
    nothing."""
    joins = []
    for group in () if is_one_row_group(usage) else usage.groups:
        if not group.traits & {"join", "merge"} or not group.reads_most:
            continue
        if not _others(group) or _rule_out_little(group):
            if "merge" in group.traits:
                yield _of_merge(usage, group)
            elif _joined_columns(usage, group):
                # No join restricts the side of which it keeps all rows.
                joins.append(group)
    if joins:
        yield from _of_joins(usage, joins)


def _conditions(group: Group) -> list[Condition]:
    """Conditions of a group whose values are known only while the query runs."""
    return [c for c in group.conditions if _is_runtime(c) and not _drops_rows(c)]


def _others(group: Group) -> list[Condition]:
    """Conditions of a group that are known before the query runs, or that cannot be judged."""
    return [c for c in group.conditions if not (c.says_not_null or _is_runtime(c))]


def _rule_out_little(group: Group) -> bool:
    """True if the other conditions leave most of the table, as `NOT is_deleted` does beside
    `ts > (SELECT max(ts) …)`, so that the restrictive value is known only at run time."""
    judged = all(_reason(c) is None for c in _others(group))
    return judged and bool(_conditions(group)) and 2 * group.bytes_allowed > group.bytes_total


def _drops_rows(condition: Condition) -> bool:
    """True if a condition excludes the rows of a subquery (`NOT IN`), which restricts no scan at
    run time either."""
    match condition.predicate:
        case Unsupported(reason=Reason.SUBQUERY, redacted=text):
            return text.startswith("NOT ")
    return False


def _confidence(groups: list[Group]) -> Confidence:
    """Low where it follows from the join alone."""
    return Confidence.MEDIUM if all(map(_conditions, groups)) else Confidence.LOW


def _is_runtime(condition: Condition) -> bool:
    return _reason(condition) in _RUNTIME


def _reason(condition: Condition) -> Reason | None:
    predicate = condition.predicate
    return predicate.reason if isinstance(predicate, Unsupported) else None


def _of_joins(usage: TableUsage, groups: list[Group]) -> Iterator[Finding]:
    """Findings for joins on a partition column, by which engines skip partitions while they run;
    and for joins on other columns, by which they skip few files unless the rows are in their order.
    Omits scans without joined columns of a text that joins another scan of the table: they are of
    subqueries, and read whole on purpose."""
    known = {group.fingerprint for group in groups if _joined_columns(usage, group)}
    groups = [g for g in groups if _joined_columns(usage, g) or g.fingerprint not in known]
    served = [g for g in groups if _partition_columns(usage, g) and not _asks_for_value(g)]
    others = [group for group in groups if group not in served]
    for found, by_partition in ((served, True), (others, False)):
        if found:
            yield _of_kind(usage, found, by_partition=by_partition)


def _asks_for_value(group: Group) -> bool:
    """True if a column is compared with the value of a subquery, for which Spark makes no dynamic
    filter."""
    return bool(_asking(group))


def _asking(group: Group) -> list[Condition]:
    return [c for c in _conditions(group) if _reason(c) is Reason.SUBQUERY_VALUE]


def _of_kind(usage: TableUsage, groups: list[Group], *, by_partition: bool) -> Finding:
    read = _read_by_column(usage, groups)
    columns = tuple(read)
    if by_partition:
        columns = tuple(dict.fromkeys(n for g in groups for n in _partition_columns(usage, g)))
    column = _partition_column(usage)
    totals = total(group.sums.totals for group in groups)
    return of_table(
        usage,
        groups,
        _ID,
        severity=Severity.INFO,
        confidence=_confidence(groups),
        columns=columns,
        lost_at="data_files" if column is None else "manifests",
        sentence=_sentence(groups, columns, by_partition=by_partition),
        scans=totals.scans,
        bytes_read=totals.bytes_read,
        bytes_at_stake=None,
        evidence={
            "merge": False,
            "fingerprints": fingerprints(groups),
            "runtime_conditions": sum(len(_conditions(group)) for group in groups),
            "partition_fields": [field.name for field in usage.partition_fields],
            "joined_by_partition": by_partition,
            "bytes_read_by_column": read,
            "scans_observed": totals.observed,
            "files_planned": totals.files_planned if totals.observed else None,
            "files_read": totals.files_observed if totals.observed else None,
        },
        fix=Fix(
            rewrite=_comparison(groups) or _range(groups, column),
            advice=_advice(groups, columns, by_partition=by_partition),
        ),
    )


def _comparison(groups: list[Group]) -> str | None:
    """Comparison of a column with the subquery's value as a literal, if all conditions compare one
    column by one operator; else None."""
    asked = [condition for group in groups for condition in _asking(group)]
    found = {
        (condition.columns, match[1]) if match else None
        for condition in asked
        for match in (_ASKED.match(condition.text),)
    }
    if len(found) != 1 or (one := found.pop()) is None or len(one[0]) != 1:
        return None
    ((column,), op) = one
    return f"{identifier_for_all(groups, column)} {op} ?"


def _range(groups: list[Group], column: str | None) -> str | None:
    named = [group for group in groups if group.text_place.clause in _PLACES]
    if column is None or not named or _asks_for_value(groups[0]):
        return None
    name = identifier_for_all(named, column)
    return f"{name} >= ? AND {name} < ?"


def _sentence(groups: list[Group], columns: tuple[str, ...], *, by_partition: bool) -> str:
    asking = [_asks_for_value(group) for group in groups]
    if all(asking):
        return (
            f"{_only(groups, 'the values of subqueries')} the table in these queries, so their "
            f"plans have {_all(groups)} of it; no plan shows what the engine skips at run time."
        )
    named = ", ".join(columns)
    if by_partition:
        return (
            f"{_only(groups, f'joins by {named}')} the table in these queries, which is "
            "partitioned by it: engines with dynamic filters skip partitions at run time, which no "
            "plan shows."
        )
    by = f" by {named}" if columns else ""
    kinds = "joins and subqueries" if any(asking) else "joins"
    return (
        f"{_only(groups, f'{kinds}{by}')} the table in these queries, so their plans have "
        f"{_all(groups)} of it; no plan shows what the engine skips at run time."
    )


def _only(groups: list[Group], what: str) -> str:
    if any(map(_others, groups)):
        return f"Hardly anything but {what} restricts"
    return f"Only {what} restrict"


def _all(groups: list[Group]) -> str:
    return "most" if any(map(_others, groups)) else "all"


def _advice(groups: list[Group], columns: tuple[str, ...], *, by_partition: bool) -> str:
    compared = columns_in(c for group in groups for c in _asking(group))
    if compared:
        return (
            "Planners cannot use the result of a subquery: query its value first and write it as a "
            f"literal, so that files are skipped by {compared[0]}."
        )
    if by_partition:
        return (
            "If `files_read` is low, do nothing. Otherwise check that dynamic filtering is on and "
            "its wait timeout is long enough."
        )
    known = _where_to_add(groups)
    if not columns:
        return f"{known}{'Otherwise nothing' if known else 'Nothing'} is wrong: the join decides."
    return (
        f"{known}If joins need few values of {columns[0]}, partition or sort by it: only then do "
        f"dynamic filters skip files."
    )


def _where_to_add(groups: list[Group]) -> str:
    """The clauses that take a range, so that the queries find the same rows, and what has none."""
    clauses = [group.text_place.clause for group in groups]
    places = [text for clause, text in _PLACES.items() if clause in clauses]
    said = ""
    if places:
        said = f"If you know a range before the query runs, add it to {' or '.join(places)}. "
    if Clause.ABSENCE in clauses:
        said += (
            "Add no range to queries for what this table lacks: without some of its rows, they "
            "would find more. "
        )
    return said


def _read_by_column(usage: TableUsage, groups: list[Group]) -> dict[str, int]:
    """Bytes that joins by each column read, most first."""
    found: dict[str, int] = {}
    for group in groups:
        for name in _joined_columns(usage, group):
            found[name] = found.get(name, 0) + group.bytes_read
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _partition_columns(usage: TableUsage, group: Group) -> tuple[str, ...]:
    """The partition columns by which a group joins."""
    sources = {usage.names.get(field.source_id) for field in usage.partition_fields}
    return tuple(name for name in _joined_columns(usage, group) if name in sources)


def _joined_columns(usage: TableUsage, group: Group) -> tuple[str, ...]:
    """The columns by which a group joins, and those that other tables or subqueries restrict."""
    known = {name.casefold(): name for name in usage.names.values()}
    written = (*group.text_place.joined, *columns_in(_conditions(group)))
    return tuple(dict.fromkeys(known.get(name.casefold(), name) for name in written))


def _of_merge(usage: TableUsage, group: Group) -> Finding:
    column = _partition_column(usage)
    conditions = _conditions(group)
    return of_group(
        usage,
        group,
        _ID,
        severity=Severity.INFO,
        confidence=_confidence([group]),
        conjunct=" AND ".join(c.text for c in conditions) or None,
        columns=() if column is None else (column,),
        lost_at="data_files" if column is None else "manifests",
        sentence=(
            f"{'Hardly anything' if _others(group) else 'Nothing'} but the rows to merge restricts "
            f"the table in this MERGE, so its plan has {_all([group])} of it; what the engine "
            "skips at run time is in no plan."
        ),
        bytes_at_stake=None,
        evidence={
            "merge": True,
            "runtime_conditions": len(conditions),
            "partition_fields": [field.name for field in usage.partition_fields],
        },
        fix=Fix(
            rewrite=_range([group], column),
            advice=_advice_of_merge(group.text_place.clause),
        ),
    )


def _advice_of_merge(clause: Clause | None) -> str:
    match clause:
        case Clause.ABSENCE:
            return (
                "Rows NOT MATCHED BY SOURCE change, so all rows are needed: a range in ON skips "
                "none of the target, and rows that it leaves unmatched would change as well."
            )
        case Clause.NONE:
            return (
                "All rows of the source are read: a range of it in ON skips none, and if rows NOT "
                "MATCHED are inserted, those that it leaves unmatched are inserted again. If only "
                "some are to be merged, select them in USING."
            )
    unless = "" if clause else ", unless its rows without a match change or are inserted"
    return (
        f"If you know which partitions the merged rows belong to, add that range to ON{unless}. "
        f"The planner then skips the rest."
    )


def _partition_column(usage: TableUsage) -> str | None:
    """The column of the first partition field that a range prunes by: buckets have no order."""
    in_order = [f for f in usage.partition_fields if not f.transform.startswith("bucket[")]
    names = (usage.names.get(field.source_id) for field in in_order)
    return next((name for name in names if name is not None), None)


CAUSE = Cause(_ID, "Filtered only by joins at run time", find)
