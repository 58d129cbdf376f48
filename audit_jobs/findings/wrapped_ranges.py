"""Ranges that functions around columns mean, as authors of queries are told to write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prunescope.audit_jobs.findings.added_conditions import (
    brackets_first,
    say_the_same,
    under_other_names,
    written_within,
)
from prunescope.audit_jobs.findings.condition import Condition, columns_in
from prunescope.audit_jobs.findings.engines import (
    begins_plainly,
    dialect_for,
    identifier,
    original,
    pushes_partition_functions,
    shows_literals,
    written,
    written_texts,
)
from prunescope.audit_jobs.findings.model import Fix
from prunescope.audit_jobs.findings.unpushed import is_across_columns
from prunescope.audit_jobs.findings.usage import Group, TableUsage
from prunescope.audit_jobs.findings.usual_numbers import Usual, are_supposed
from prunescope.audit_jobs.pruning.selection import selects_partitions
from prunescope.audit_jobs.pruning.transforms import TIME_TRANSFORMS
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.by_column import by_column
from prunescope.collectors.predicates.model import Predicate, all_of, conjuncts
from prunescope.collectors.predicates.walks import comparisons
from prunescope.collectors.sql.pasted.search import Pasted, pasted

_CLOCK = re.compile(
    r"\b(current_(date|time|timestamp)|local_?time(stamp)?|now\(|getdate\(|unix_timestamp\(\))",
    re.IGNORECASE,
)

_OF_MARKS = (
    "The value of each ? follows from the query's literals: run `prunescope explain` for one query."
)
_BESIDE = (
    "AND this range with the condition. Keep the condition: the range alone may match more rows."
)
_IN_PLACE = "Replace the condition with this range, or AND it. Both select the same rows."


@dataclass(frozen=True, slots=True)
class Ranged:
    """Conditions of a group that are ranges, what they say together, and what that supposes."""

    usage: TableUsage
    group: Group
    conditions: Sequence[Condition]
    range_: Predicate
    supposed: Usual

    @property
    def told(self) -> Predicate:
        """The part of the range that the engine pushes."""
        return self.range_ if self.is_pushed else by_column(self.range_)

    @property
    def is_pushed(self) -> bool:
        """True if the engine pushes the range as a whole."""
        parts = conjuncts(self.range_)
        return not any(is_across_columns(self.group, [*comparisons(part)]) for part in parts)


def pasted_range(wrapped: Ranged) -> Pasted | None:
    """The range, said by the names of the conditions' literals; None where these are shown, and
    where no such form says what the engine pushes."""
    group, conditions = wrapped.group, wrapped.conditions
    if wrapped.supposed or shows_literals(conditions[0]):
        return None
    columns = columns_in(conditions)
    for sql in _texts(wrapped):
        found = pasted(sql, dialect_for(group), wrapped.usage.schema, columns)
        if found is not None and found.says(wrapped.told):
            return found if all(begins_plainly(group, leaf) for leaf in found.ends) else None
    return None


def _texts(wrapped: Ranged) -> Iterator[str]:
    """The conditions as the query has them, and with those of the same columns beside them, which
    may say which year a month is of."""
    conditions = [*wrapped.conditions]
    columns = set(columns_in(conditions))
    text = written_texts(conditions)
    if text is not None:
        yield text
        beside = [
            one
            for one in wrapped.group.conditions
            if all(one is not each for each in conditions) and columns.issuperset(one.columns)
        ]
        whole = written_texts([*conditions, *(one for one in beside if written_texts([one]))])
        if whole is not None and whole != text:
            yield whole


def fix_of(wrapped: Ranged, named: Pasted | None) -> Fix:
    """The range to write, with the names of literals where these are known."""
    columns, first = columns_in(wrapped.conditions), wrapped.conditions[0]
    if named is None:
        rewrite = written(wrapped.group, first, wrapped.told, columns)
    else:
        rewrite = written(wrapped.group, first, named.predicate, columns, named.ends)
    return Fix(rewrite=rewrite, advice=_advice(wrapped, named))


def _advice(wrapped: Ranged, named: Pasted | None) -> str:
    """The range holds all rows of the condition, and perhaps others."""
    group, conditions, range_ = wrapped.group, wrapped.conditions, wrapped.range_
    of_clock = any(_CLOCK.search(original(condition)) for condition in conditions)
    is_all = wrapped.is_pushed and not of_clock and say_the_same(group, conditions, range_)
    is_all = is_all and (named is None or named.is_exact)
    where = written_within(group, columns_in(conditions)) or (_IN_PLACE if is_all else _BESIDE)
    advice = [where + brackets_first(group) + under_other_names(group)]
    if not shows_literals(conditions[0]) and not of_clock:
        advice.append(_how_to_paste(named))
    if wrapped.supposed:
        advice.append(f"It holds as long as {' and '.join(are_supposed(wrapped.supposed))}.")
    if not wrapped.is_pushed:
        advice.append(
            "The range covers each column separately, because the engine pushes no more. Some "
            "unneeded bytes are still read."
        )
    if of_clock:
        advice.append(
            "Compute both ends of the range from the current time. The values shown are for one "
            "day."
        )
    if hint := _hint(wrapped.usage, group, range_, columns_in(conditions)):
        advice.append(hint)
    return " ".join(advice)


def _how_to_paste(named: Pasted | None) -> str:
    """The sentence on what to put in the place of names, or of `?`."""
    if named is None:
        return _OF_MARKS
    return f"Put your own values in place of the names, as in {named.condition}."


def _hint(
    usage: TableUsage, group: Group, range_: Predicate, together: Sequence[str]
) -> str | None:
    """Hint at Iceberg's own functions, which name a partition, if the engine pushes them and the
    range is one of whole partitions (local days are not days of UTC); else None."""
    if not pushes_partition_functions(group):
        return None
    terms = [
        f"system.{field.transform}s({identifier(group, usage.names[field.source_id], together)})"
        for field in usage.partition_fields
        if field.transform in TIME_TRANSFORMS and field.source_id in usage.names
        if _is_of_partitions(range_, field)
    ]
    if not terms:
        return None
    return f"You can also compare the partition function {terms[0]} with a constant."


def _is_of_partitions(range_: Predicate, field: PartitionField) -> bool:
    """True if a range restricts a partition field's column to whole partitions."""
    of_column = [
        part
        for part in conjuncts(range_)
        if {leaf.field.field_id for leaf in comparisons(part)} == {field.source_id}
    ]
    return bool(of_column) and selects_partitions(all_of(*of_column), [PartitionSpec(0, (field,))])
