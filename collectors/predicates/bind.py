"""Binding: names become field ids, and literals become physical values of the column's type.

Literals that a type cannot hold exactly are not rounded but moved to the neighbour that keeps
the meaning: `x < 5.5` on an integer is `x <= 5`, `d < TIMESTAMP '2024-01-01 12:00'` on a date
is `d <= 2024-01-01`. Of values that the type cannot hold at all, a comparison that no value
satisfies is FALSE, and one that every value satisfies is IS NOT NULL. What cannot be converted
without guessing stays in the tree as `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from prunescope.collectors.predicates.bound_values import (
    PREFIX_OPS,
    WHOLE,
    bind_values,
    is_beyond_whole,
)
from prunescope.collectors.predicates.column_casts import as_compared, with_cast_texts
from prunescope.collectors.predicates.model import (
    FALSE,
    TRUE,
    BoundComparison,
    Column,
    Comparison,
    Field,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
    Written,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.moments import Clocks
from prunescope.collectors.predicates.operators import ORDERED, UNARY, Op
from prunescope.collectors.predicates.render import redact, render
from prunescope.collectors.predicates.scales import NotOfType
from prunescope.collectors.predicates.walks import fold, leaves, written_as
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.types import Physical, has_null_counts, is_floating, physical

# What every table has without a column: by Trino's names, and by those that the spec reserves.
_METADATA_COLUMNS = frozenset(
    {
        *("$path", "$partition", "$file_modified_time"),
        *("_file", "_pos", "_deleted", "_spec_id", "_partition"),
        *("_row_id", "_last_updated_sequence_number"),
    }
)


def bind(
    predicate: Predicate,
    schema: Schema,
    *,
    time_zone: str | None = None,
    folds_like_iceberg: bool = False,
    plain_are_moments: bool = False,
) -> Predicate:
    """The predicate over field ids of `schema`.

    `time_zone` is the session's: it gives timestamps without a zone a place among those with
    one, and the reverse. Leaves that cannot be bound become `Unsupported` with the reason.
    `folds_like_iceberg` is for what Iceberg itself binds: a comparison that every value
    satisfies is TRUE there, for nulls as well (UnboundPredicate.bind of Iceberg Java 1.11).
    `plain_are_moments` is for engines that read timestamps without a zone as moments (`moments`).
    """
    clocks = Clocks(time_zone, plain_are_moments)
    return _bind(predicate, schema, clocks, folds_like_iceberg=folds_like_iceberg)


def _bind(
    predicate: Predicate, schema: Schema, clocks: Clocks, *, folds_like_iceberg: bool = False
) -> Predicate:
    return fold(
        predicate,
        lambda leaf: _bind_leaf(leaf, schema, clocks, folds_like_iceberg),
        lambda parts: all_of(*_told_once(parts)),
        lambda parts: any_of(*parts),
    )


def _bind_leaf(
    leaf: PredicateLeaf, schema: Schema, clocks: Clocks, folds_like_iceberg: bool
) -> Predicate:
    match leaf:
        case Comparison(written=written):
            bound = _bind_comparison(leaf, schema, clocks)
            if (
                bound == TRUE
                and leaf.values
                and not (folds_like_iceberg or _holds_of_nulls(leaf, schema))
            ):
                not_null = Comparison(Op.NOT_NULL, leaf.column)
                bound = _bind_comparison(not_null, schema, clocks)
            return bound if written is None else written_as(written, bound)
        case Unsupported(reason=reason) if reason is not Reason.UNKNOWN_COLUMN:
            return _without_strange_names(leaf, schema)
        case _:
            return leaf


def _holds_of_nulls(leaf: Comparison, schema: Schema) -> bool:
    """True if a comparison that every value satisfies is TRUE of nulls as well. With exact literals
    beyond all of 64 bits, Spark makes that of whole numbers without a look at nulls
    (DecimalPrecision.integralAndDecimalLiteral; Spark 4.1 was seen to)."""
    types = {column.type for column in _columns(leaf.column, schema)}
    is_beyond = all(map(is_beyond_whole, leaf.values))
    return leaf.op in ORDERED and types <= WHOLE and is_beyond


def _told_once(conjuncts: Sequence[Predicate]) -> list[Predicate]:
    """Drops parts of a conjunction that report an unsupported condition for some of its columns
    only, if another part reports it for all of them."""
    unknown = [part for part in conjuncts if isinstance(part, Unsupported)]
    return [
        part
        for part in conjuncts
        if not isinstance(part, Unsupported)
        or not any(
            part.text == other.text and set(part.columns) < set(other.columns) for other in unknown
        )
    ]


def field_of(schema: Schema, name: str) -> Field | None:
    """The column that a dotted name means; None if the name means no column, or several."""
    found = schema.by_path(tuple(name.split(".")))
    return Field(found[0].field_id, found[0].name, found[0].type) if len(found) == 1 else None


def unknown_columns(predicate: Predicate) -> tuple[str, ...]:
    """Columns of a bound predicate that the schema does not have."""
    found = (
        leaf.columns
        for leaf in leaves(predicate)
        if isinstance(leaf, Unsupported) and leaf.reason is Reason.UNKNOWN_COLUMN
    )
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def _without_strange_names(leaf: Unsupported, schema: Schema) -> Unsupported:
    """The leaf without names that the schema does not have in its redacted text and columns: such a
    name could be a literal that was written, or read, as a name."""
    leaf = replace(leaf, calculated=None)
    if all(schema.by_path(tuple(name.split("."))) for name in leaf.columns):
        return leaf
    known, redacted = [], leaf.redacted
    for name in leaf.columns:
        strange = [part for part in name.split(".") if part.casefold() not in schema.folded_names]
        if not strange:
            known.append(name)
        for part in strange:
            redacted = redacted.replace(part, "?")
    return replace(leaf, redacted=redacted, columns=tuple(known))


def _columns(column: Column, schema: Schema) -> Sequence[SchemaColumn]:
    """The fields that a column can mean."""
    if column.field_id is None:
        return schema.by_path(column.path)
    found = schema.by_id(column.field_id)
    return () if found is None else (found,)


def _bind_comparison(leaf: Comparison, schema: Schema, clocks: Clocks) -> Predicate:
    columns = _columns(leaf.column, schema)
    if not columns:
        is_metadata = leaf.column.path[0].lower() in _METADATA_COLUMNS
        return _unsupported(leaf, Reason.METADATA_COLUMN if is_metadata else Reason.UNKNOWN_COLUMN)
    if len(columns) > 1:
        return _unsupported(leaf, Reason.AMBIGUOUS_COLUMN)
    column = columns[0]
    cast = with_cast_texts(leaf, column.type)
    if cast is None:
        return _unsupported(leaf, Reason.TYPE_MISMATCH)
    leaf = cast
    asked, own = clocks.beside(leaf, column.type)
    if not isinstance(asked, Comparison):
        return _bind(asked, schema, own)
    leaf, clocks = asked, own
    told = as_compared(leaf, column.type, clocks.session)
    if told is leaf:
        return _bind_to(column, leaf, schema, clocks)
    rest = _unsupported(leaf, Reason.TYPE_MISMATCH)
    return rest if told is None else all_of(_bind_to(column, told, schema, clocks), rest)


def _bind_to(column: SchemaColumn, leaf: Comparison, schema: Schema, clocks: Clocks) -> Predicate:
    if leaf.op is Op.IS_NULL and leaf.column.transform == "void":
        return TRUE  # of any value, which a required column has as well
    if leaf.op is Op.IS_NULL and column.required:
        return FALSE
    if leaf.op is Op.NOT_NULL and column.required and leaf.column.transform != "void":
        return TRUE
    is_null_check = leaf.op in (Op.IS_NULL, Op.NOT_NULL)
    if is_null_check and column.type == "unknown":  # which holds no value (table spec)
        return TRUE if leaf.op is Op.IS_NULL else FALSE
    if physical(column.type) is None and not is_null_check:
        return _unsupported(leaf, Reason.NOT_PRIMITIVE)
    if leaf.op in (Op.IS_NAN, Op.NOT_NAN) and not is_floating(column.type):
        return _unsupported(leaf, Reason.TYPE_MISMATCH)
    is_of_text = leaf.op in PREFIX_OPS or leaf.of_text
    has_digits = leaf.column.transform is None and any(isinstance(v, int) for v in leaf.values)
    if has_digits if column.type == "string" else is_of_text:
        return _of_another_type(leaf)
    if leaf.op in PREFIX_OPS and leaf.values == ("",):
        # Every string starts with nothing; NOT STARTS WITH still matches nulls.
        op = Op.NOT_NULL if leaf.op is Op.STARTS_WITH else Op.IS_NULL
        return _bind_comparison(Comparison(op, leaf.column), schema, clocks)
    if not has_null_counts(column.type):
        return _unsupported(leaf, Reason.NOT_PRIMITIVE)
    field = Field(column.field_id, column.name, column.type, leaf.column.transform)
    if leaf.op in UNARY:
        return BoundComparison(leaf.op, field)
    try:
        bound = bind_values(leaf.op, field, leaf.values, clocks.session)
    except NotOfType as error:
        return _unsupported(leaf, error.reason)
    bound = _with_its_texts(leaf, field.type, bound)
    if leaf.or_nan and is_floating(field.type):
        return any_of(bound, BoundComparison(Op.IS_NAN, field))
    return bound


def _with_its_texts(leaf: Comparison, type_name: str, bound: Predicate) -> Predicate:
    """Marks a comparison of a number with texts as written by the query, because some engines make
    texts of the numbers."""
    is_number = type_name in ("int", "long") or is_floating(type_name)
    if not is_number and physical(type_name) is not Physical.DECIMAL:
        return bound
    if leaf.written is not None or not any(isinstance(value, str) for value in leaf.values):
        return bound
    return written_as(Written(render(leaf), redact(leaf)), bound)


def _of_another_type(leaf: Comparison) -> Unsupported:
    """The unsupported leaf of a comparison that does not fit this column's type: the function that
    it was made of, if it was made of one for columns of another type."""
    if leaf.written is None:
        return _unsupported(leaf, Reason.TYPE_MISMATCH)
    path = (".".join(leaf.column.path),)
    return Unsupported(Reason.FUNCTION, leaf.written.text, leaf.written.redacted, path)


def _unsupported(leaf: Comparison, reason: Reason) -> Unsupported:
    written = leaf.written or Written(render(leaf), redact(leaf))
    return Unsupported(reason, written.text, written.redacted, (".".join(leaf.column.path),))
