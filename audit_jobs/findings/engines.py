"""The engine of a group's scans, and how authors of queries for it write conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import isfinite
from types import MappingProxyType

from sqlglot import exp

from prunescope.audit_jobs.findings.condition import Condition
from prunescope.audit_jobs.findings.usage import Group
from prunescope.collectors.predicates.bound_values import PREFIX_OPS
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Field,
    Or,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    Written,
    all_of,
)
from prunescope.collectors.predicates.operators import ORDERED, Op
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.predicates.text_order import after_all_of
from prunescope.collectors.predicates.walks import comparisons, fold, map_leaves, negate
from prunescope.collectors.sql.dialects import dialect_named_by
from prunescope.collectors.sql.planners.profile import Profile
from prunescope.collectors.sql.planners.profiles import planner_of

_TYPED, _FEW = 12, 7
"""Digits of floating-point numbers that people type at most, and that are enough to prune by."""
_PLAIN_TIMES = ("timestamp", "timestamp_ns")
_STANDARD = "trino"
"""The dialect that quotes names as SQL's standard does."""


def pushes(group: Group, leaf: BoundComparison) -> bool | None:
    """True if a group's engine pushes a comparison of a bare column; None if unknown."""
    profile = _profile_of(group)
    return None if profile is None else profile.pushdown.pushes(leaf)


def as_planned(group: Group, predicate: Predicate) -> Predicate:
    """Rewrites a filter, all of which is used, as the planner of a group's engine is given it: a
    list may be a range there."""
    profile = _profile_of(group)
    return predicate if profile is None else profile.planning.as_expression(predicate)


def is_measured(group: Group) -> bool:
    """True if it is known which conditions a group's engine pushes."""
    return _profile_of(group) is not None


def serves_no_uuids(group: Group) -> bool:
    """True if a group's engine is known to push no comparison of a UUID."""
    some = BoundComparison(Op.EQ, Field(0, "", "uuid"), (bytes(16),))
    return pushes(group, some) is False


def plans_by_column(group: Group) -> bool:
    """True if a group's engine is known to push one condition for each column."""
    profile = _profile_of(group)
    return profile is not None and profile.pushdown.domains is not None


def pushes_partition_functions(group: Group) -> bool:
    """True if a group's engine is known to push Iceberg's own functions of columns."""
    profile = _profile_of(group)
    return profile is not None and profile.pushdown.pushes_partition_functions


def asks_partition_values(group: Group) -> bool:
    """True if a group's engine is known to evaluate conditions on the values of identity partition
    fields, though its planner does not."""
    profile = _profile_of(group)
    return profile is not None and profile.planning.asks_partition_values


def dialect_for(group: Group) -> str:
    """The dialect of a group's queries; the standard's where it is not known."""
    return dialect_named_by(group.example.engine) or _STANDARD


def identifier(group: Group, column: str, together: Iterable[str] = ()) -> str:
    """A column, or a field of a struct, as the authors of a group's queries write it: as it is
    called where conditions on it stand, if all columns that are named `together` with it have a
    name there; else as in the SELECT that reads the table, after what their conditions have before
    it, or where none has it, before any other, so that it is no other table's. All is in the quotes
    of their engine: which words need them differs by engine and version."""
    return _quoted_name(group, _name(group, column, together))


def identifier_for_all(groups: Sequence[Group], column: str) -> str:
    """The same for several groups, as those of the first one write it: with nothing before it where
    they call the table by several names."""
    found = {_name(group, column) for group in groups}
    return _quoted_name(groups[0], found.pop() if len(found) == 1 else _parts(groups[0], column))


def has_name_within_alone(group: Group, columns: Iterable[str]) -> bool:
    """True if conditions on some columns stand outside of the SELECT that reads the table, and not
    all columns have a name there: a condition on all of them belongs into that SELECT."""
    names = [_outer_name(group, column) for column in columns]
    return any(name is not None for name in names) and not all(names)


def _name(group: Group, column: str, together: Iterable[str] = ()) -> tuple[str, ...]:
    outer = _outer_name(group, column)
    if outer and not has_name_within_alone(group, (column, *together)):
        return outer
    known = group.text_place.qualifiers
    qualifier = known.get(column.lower(), next(iter(known.values()), ()))
    return *qualifier, *_parts(group, column)


def _outer_name(group: Group, column: str) -> tuple[str, ...] | None:
    """Name of a column, or of the struct that has it, in a condition outside of the SELECT that
    reads the table; None if conditions on it stand in that SELECT, empty if it has no name
    outside."""
    parts = _parts(group, column)
    for length in range(len(parts), 0, -1):
        name = group.text_place.outer_names.get(".".join(parts[:length]).lower())
        if name is not None:
            return (*name, *parts[length:]) if name else ()
    return None


def _parts(group: Group, column: str) -> tuple[str, ...]:
    return (column,) if column in group.own_columns else tuple(column.split("."))


def _quoted_name(group: Group, parts: Iterable[str]) -> str:
    dialect = dialect_for(group)
    return ".".join(exp.to_identifier(part, quoted=True).sql(dialect=dialect) for part in parts)


def written(
    group: Group,
    condition: Condition,
    part: Predicate | None = None,
    together: Iterable[str] | None = None,
    ends: Mapping[BoundComparison, str] = MappingProxyType({}),
) -> str:
    """A condition, or a part of it, as the authors of a group's queries write it: with literals
    only where the condition's own text has them, an OR in brackets, so that it can stand beside
    others, and columns called as `together` with others, best all that are written at one place.
    `ends` are SQL for the values of its comparisons."""
    columns = condition.columns if together is None else tuple(together)

    def quoted_leaf(leaf: PredicateLeaf) -> Predicate:
        if not isinstance(leaf, BoundComparison) or leaf not in ends:
            return _quoted(leaf, group, columns)
        sign = "LIKE" if leaf.op is Op.STARTS_WITH else leaf.op.value
        text = f"{identifier(group, leaf.field.name, columns)} {sign} {ends[leaf]}"
        return Unsupported(Reason.FUNCTION, text, text)

    quoted = map_leaves(condition.predicate if part is None else part, quoted_leaf)
    text = (render if shows_literals(condition) else redact)(quoted)
    if isinstance(quoted, Or):
        text = f"({text})"
    profile = _profile_of(group)
    is_plain = all(leaf.field.type in _PLAIN_TIMES for leaf in comparisons(quoted))
    if profile is not None and profile.pushdown.casts_plain_times and is_plain:
        return text.replace("TIMESTAMP '", "TIMESTAMP_NTZ '")
    return text


def shows_literals(condition: Condition) -> bool:
    """True if the text of a condition has its literals, as the user asked for."""
    return condition.text == render(condition.predicate)


def begins_plainly(group: Group, leaf: BoundComparison) -> bool:
    """True if a group's engine prunes by the prefix of a LIKE, and the prefix has no mark of a
    pattern; also for other comparisons."""
    if leaf.op not in PREFIX_OPS:
        return True
    texts = [value for value in leaf.values if isinstance(value, bytes)]
    has_marks = any(mark in text for text in texts for mark in b"%_\\")
    return pushes(group, leaf) is not False and not has_marks


def written_texts(conditions: Sequence[Condition]) -> str | None:
    """Conditions that hold together, as the query has them and with its literals, which are never
    told; None where one compares a column as it is."""
    texts = [_written_text(condition, is_shown=True) for condition in conditions]
    return _all(texts) if all(texts) else None


def originals(conditions: Iterable[Condition]) -> str:
    """Conditions that hold together, as the query has them."""
    return _all([original(condition) for condition in conditions])


def original(condition: Condition) -> str:
    """A condition as the query has it: with the functions around its columns, which `text` has
    not where they mean a range."""
    return _written_text(condition, is_shown=shows_literals(condition)) or condition.text


def number_written(conditions: Iterable[Condition]) -> int:
    """Number of conditions as the query writes them: both ends of a range made of one count
    once."""
    return len({_written_text(c, is_shown=True) or render(c.predicate) for c in conditions})


def without_literals(conditions: Iterable[Condition]) -> frozenset[str]:
    """Conditions as the query has them, but for literals: those of one fingerprint that are the
    same differ in no more."""
    return frozenset(_written_text(c, is_shown=False) or redact(c.predicate) for c in conditions)


def _written_text(condition: Condition, *, is_shown: bool) -> str:
    return text_as_written(condition.predicate, is_shown=is_shown)


def text_as_written(predicate: Predicate, *, is_shown: bool) -> str:
    """The query's own words for a part of a filter, with its literals or without; empty where it
    compares a column as it is."""
    return fold(predicate, lambda leaf: _as_written(leaf, is_shown=is_shown), _all, _any)


def _as_written(leaf: PredicateLeaf, *, is_shown: bool) -> str:
    """Query text from which a comparison was made, with its literals or without; empty if it was
    made of none."""
    match leaf:
        case BoundComparison(written=Written() as written):
            return written.text if is_shown else written.redacted
    return ""


def _all(texts: Sequence[str]) -> str:
    parts = [text for text in dict.fromkeys(texts) if text]
    return " AND ".join(f"({p})" if len(parts) > 1 and " OR " in p else p for p in parts)


def _any(texts: Sequence[str]) -> str:
    if "" in texts:
        return ""
    return " OR ".join(f"({arm})" if " AND " in arm else arm for arm in dict.fromkeys(texts))


def sql_of(condition: Condition) -> str:
    """A condition that is no comparison as its example has it, with literals: for what is
    judged by them, and never told."""
    predicate = condition.predicate
    return predicate.text if isinstance(predicate, Unsupported) else condition.text


def wraps(condition: Condition) -> bool:
    """True if a query wraps the columns of a condition in more than a comparison."""
    leaves = comparisons(condition.predicate)
    return any(leaf.written and leaf.written.redacted != redact(leaf) for leaf in leaves)


def _profile_of(group: Group) -> Profile | None:
    planner = planner_of(group.example.engine, None)
    return None if planner is None else planner.profile


def _refuses_marks(group: Group) -> bool:
    profile = _profile_of(group)
    return profile is not None and profile.pushdown.refuses_marks


def _quoted(leaf: PredicateLeaf, group: Group, together: Iterable[str]) -> Predicate:
    match leaf:
        case BoundComparison(op=op, field=field, values=(bytes() as prefix,)) if (
            op in PREFIX_OPS and _refuses_marks(group) and any(mark in prefix for mark in b"%_\\")
        ):
            call = f"{'' if op is Op.STARTS_WITH else 'NOT '}startswith"
            name = identifier(group, field.name, together)
            text = prefix.decode("utf-8", "replace").replace("\\", "\\\\").replace("'", "\\'")
            return Unsupported(Reason.FUNCTION, f"{call}({name}, '{text}')", f"{call}({name}, ?)")
        case BoundComparison(op=op, values=(bytes() as prefix,)) if (
            op in PREFIX_OPS and pushes(group, leaf) is False
        ):
            after = after_all_of(prefix.decode("utf-8", "replace"))
            ends = (Op.GT_EQ, prefix), (Op.LT, after and after.encode())
            parts = (replace(leaf, op=end, values=(value,)) for end, value in ends if value)
            within = all_of(*(_quoted(part, group, together) for part in parts))
            return within if op is Op.STARTS_WITH else negate(within)
        case BoundComparison(op=op, values=(float() as value,)) if op in ORDERED and (
            value != (short := _short(op, value))
        ):
            return _quoted(replace(leaf, values=(short,)), group, together)
        case BoundComparison(field=field):
            name = identifier(group, field.name, together)
            return replace(leaf, field=field._replace(name=name))
        case _:
            return leaf


def _short(op: Op, value: float) -> float:
    """A bound beyond one that has as many digits as only what was calculated has, with a few: it
    lets all through that the other one does."""
    if not isfinite(value) or len(Decimal(repr(value)).normalize().as_tuple().digits) <= _TYPED:
        return value
    rounding = ROUND_FLOOR if op in (Op.GT, Op.GT_EQ) else ROUND_CEILING
    return float(Context(prec=_FEW, rounding=rounding).create_decimal(Decimal(value)))
