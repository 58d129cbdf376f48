"""LIKE patterns of which planners use nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prunescope.audit_jobs.findings.added_conditions import (
    brackets_first,
    under_other_names,
    written_within,
)
from prunescope.audit_jobs.findings.attribution import query_claim
from prunescope.audit_jobs.findings.building import of_group
from prunescope.audit_jobs.findings.cause import Cause
from prunescope.audit_jobs.findings.condition import Condition, columns_in
from prunescope.audit_jobs.findings.engines import originals, written
from prunescope.audit_jobs.findings.function_advice import SEARCHED
from prunescope.audit_jobs.findings.left_to_skip import is_one_row_group, reads_most_anyway
from prunescope.audit_jobs.findings.model import Confidence, Finding, Fix
from prunescope.audit_jobs.findings.opaque import opaque_arms, says_what_is_unwanted
from prunescope.audit_jobs.findings.partition_values import as_far_as_planned
from prunescope.audit_jobs.findings.statements import spark_identifier, trino_identifier
from prunescope.audit_jobs.findings.unpushed import unpushed_comparisons
from prunescope.audit_jobs.findings.unused_conditions import ONLY_THEN, waiting_for_layout
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.collectors.predicates.model import Reason, Unsupported
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import comparisons

_ID = "like_without_prefix"
_BESIDE = "AND this with the condition, and keep the condition."
_MARK_FIRST = re.compile(r"\bLIKE '[^%_]+_(?!.* ESCAPE ')")
_IGNORES_CASE = re.compile(r"\bILIKE '[^%_]")


def _says_how_texts_begin(_group: Group, condition: Condition) -> bool:
    return any(leaf.op is Op.STARTS_WITH for leaf in unpushed_comparisons(condition))


def find(usage: TableUsage) -> Iterator[Finding]:
    """Per group: one finding for patterns with a prefix that the engine does not push, as Spark
    pushes none with `_`; else one for each pattern that begins with a wildcard, or with what tells
    nothing and a `_`, or ignores case, if the scans read most of the table, so that no other
    condition prunes instead."""
    for group in usage.groups:
        for finding in _of_group(usage, group):
            yield as_far_as_planned(usage, group, finding)


def _of_group(usage: TableUsage, group: Group) -> Iterator[Finding]:
    if unused := waiting_for_layout(usage, group, _ID):
        yield _of_prefixes(usage, group, unused, None)
    elif claim := query_claim(usage, group, _ID):
        yield _of_prefixes(usage, group, claim.conditions, claim.bytes_won)
    elif reads_most_anyway(usage, group) and not is_one_row_group(usage):
        for condition in group.conditions:
            if _ignores_case(condition):
                yield _without_case(usage, group, condition)
            elif _has_no_prefix(group, condition):
                yield _without_prefix(usage, group, condition)
            elif _has_mark(condition):
                yield _with_mark(usage, group, condition)


def _patterns(condition: Condition) -> tuple[Unsupported, ...]:
    """The pattern of what is wanted that a condition is, or those that an OR joins."""
    arms = opaque_arms(condition)
    if not arms or arms[0].reason is not Reason.LIKE_PATTERN:
        return ()
    return () if any(map(says_what_is_unwanted, arms)) else arms


def _ignores_case(condition: Condition) -> bool:
    """True if all patterns have a literal prefix, but ignore case."""
    patterns = _patterns(condition)
    return bool(patterns) and all(_IGNORES_CASE.search(pattern.text) for pattern in patterns)


def _has_mark(condition: Condition) -> bool:
    """True if the first wildcard of a pattern, after its prefix, is `_`, a character that is also
    common in texts."""
    return any(_MARK_FIRST.search(pattern.text) for pattern in _patterns(condition))


def _has_no_prefix(group: Group, condition: Condition) -> bool:
    """True for a pattern without a known prefix, which would be a condition of its own on its
    column."""
    if not _patterns(condition):
        return False
    prefixes = {
        leaf.field.name.casefold()
        for leaf in comparisons(group.predicate)
        if leaf.op is Op.STARTS_WITH
    }
    return not prefixes & {name.casefold() for name in condition.columns}


def _of_prefixes(
    usage: TableUsage, group: Group, conditions: Sequence[Condition], stake: int | None
) -> Finding:
    columns = columns_in(conditions)
    return of_group(
        usage,
        group,
        _ID,
        confidence=Confidence.HIGH,
        conjunct=originals(conditions),
        columns=columns,
        lost_at="data_files",
        sentence=(
            f"The condition implies a prefix of {', '.join(columns)}, but is written so that the "
            "engine does not use it; the prefix alone prunes."
            f"{'' if stake else ONLY_THEN}"
        ),
        bytes_at_stake=stake,
        evidence={"patterns": len(conditions)},
        fix=Fix(
            rewrite=" AND ".join(written(group, c, together=columns) for c in conditions),
            advice=(written_within(group, columns) or _BESIDE)
            + brackets_first(group)
            + under_other_names(group),
        ),
    )


def _without_prefix(usage: TableUsage, group: Group, condition: Condition) -> Finding:
    return _of_whole_table(
        usage,
        group,
        condition,
        f"The LIKE pattern on {', '.join(condition.columns)} starts with a wildcard, so min/max "
        f"bounds cannot skip any file.",
        SEARCHED,
    )


def _without_case(usage: TableUsage, group: Group, condition: Condition) -> Finding:
    columns = ", ".join(condition.columns)
    return _of_whole_table(
        usage,
        group,
        condition,
        f"ILIKE on {columns} matches upper and lower case, which sort far apart. No file is "
        f"skipped.",
        "If you know the case of the stored strings, use LIKE. Otherwise store the string in one "
        "case in its own column (or normalise on write), sort by it, and filter on it.",
    )


def _with_mark(usage: TableUsage, group: Group, condition: Condition) -> Finding:
    (column, *_) = condition.columns
    return _of_whole_table(
        usage,
        group,
        condition,
        f"In LIKE, `_` matches any character. The prefix before it on {column} is too short to "
        f"skip many files.",
        "If a literal _ is meant, say so: "
        f"startswith({spark_identifier(column)}, …) in Spark, which pushes no escaped pattern, "
        f"and {trino_identifier(column)} LIKE '…!_…%' ESCAPE '!' in Trino. That prunes if rows "
        "are in the order of the column.",
    )


def _of_whole_table(
    usage: TableUsage, group: Group, condition: Condition, sentence: str, advice: str
) -> Finding:
    return of_group(
        usage,
        group,
        _ID,
        confidence=Confidence.HIGH,
        conjunct=condition.text,
        columns=condition.columns,
        lost_at="data_files",
        sentence=sentence,
        bytes_at_stake=None,
        evidence={"patterns": 1},
        fix=Fix(advice=advice),
    )


CAUSE = Cause(_ID, "LIKE without a prefix", find, of_condition=_says_how_texts_begin)
