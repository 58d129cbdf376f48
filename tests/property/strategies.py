"""Tables that Hypothesis draws and shrinks, described before they are written, and predicates
over their columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import Column, Comparison, Predicate, all_of, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.walks import negate
from tests.property.values import TYPES, date_of, is_nan, literals, values

# An example is a table that is written, with up to eight scans: half as many do.
OF_TABLES = settings(
    max_examples=settings().max_examples // 2,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

Rows = tuple[Mapping[str, Any], ...]

_TIMES = ("timestamp", "timestamptz")
# Without what PyIceberg 0.12 cannot write: identity of UUIDs (PyArrow cannot group by them),
# buckets of times, truncated binaries.
_TRANSFORMS: dict[str, tuple[str, ...]] = {
    "identity": tuple(t for t in TYPES if t != "uuid"),
    "bucket[3]": tuple(t for t in TYPES if t not in ("boolean", "float", "double", "time")),
    "truncate[2]": ("int", "long", "decimal(9, 2)", "decimal(38, 10)", "string"),
    "truncate[20]": ("int", "long", "decimal(18, 4)", "string"),
    "year": ("date", *_TIMES),
    "month": ("date", *_TIMES),
    "day": ("date", *_TIMES),
    "hour": _TIMES,
}
_OFTEN = ("int", "long", "decimal(9, 2)", "date", "timestamp", "string")
_PROMOTIONS = {"int": "long", "float": "double", "decimal(9, 2)": "decimal(11, 2)"}


@dataclass(frozen=True)
class DesignColumn:
    """A column to create; `fields` are those of a struct. `pool` are values its rows hold."""

    name: str
    type: str
    required: bool
    pool: tuple[Any, ...] = ()
    fields: tuple[DesignColumn, ...] = ()


@dataclass(frozen=True)
class AddColumn:
    """Adds an optional column."""

    column: DesignColumn


@dataclass(frozen=True)
class RenameColumn:
    """Renames a column; its id stays."""

    old: str
    new: str


@dataclass(frozen=True)
class PromoteColumn:
    """Widens the type of a column."""

    name: str
    to: str


@dataclass(frozen=True)
class Repartition:
    """Adds partition fields, given as column and transform, or removes all of them."""

    fields: tuple[tuple[str, str], ...]


Step = AddColumn | RenameColumn | PromoteColumn | Repartition


@dataclass(frozen=True)
class Design:
    """A table before it is written: `appends` happen in order, `steps[i]` after the i-th.

    `final` are the columns after all steps, `partitioned` the names of those that partition.
    `page_rows`: if set, files have bloom filters, and page indexes of pages of so many rows.
    """

    columns: tuple[DesignColumn, ...]
    partition: tuple[tuple[str, str], ...]
    properties: Mapping[str, str]
    appends: tuple[Rows, ...]
    steps: tuple[Step | None, ...]
    final: tuple[DesignColumn, ...]
    partitioned: frozenset[str] = frozenset()
    page_rows: int | None = None


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """Tables with 2 to 5 columns, up to 2 partition fields, 1 to 3 appends of 1 to 8 rows, and
    at most one change of schema or partitioning between two appends."""
    count = draw(st.integers(2, 5))
    columns = tuple(draw(_columns(f"c{number}")) for number in range(count))
    partition = draw(_partitions(columns))
    # PyIceberg 0.12 narrows double partition values to 32 bits when it merges manifests.
    floating = any(column.type in ("float", "double") for column in columns)
    merge = ["false"] if floating else ["false", "true"]
    properties = {
        "write.metadata.metrics.default": draw(
            st.sampled_from(["none", "counts", "truncate(2)", "truncate(16)", "full"])
        ),
        "write.parquet.row-group-limit": draw(st.sampled_from(["1", "2", "3", "100"])),
        "commit.manifest-merge.enabled": draw(st.sampled_from(merge)),
        "commit.manifest.min-count-to-merge": "2",
    }
    appends = []
    steps: list[Step | None] = []
    final, partitioned = columns, {name for name, _ in partition}
    for number in range(draw(st.integers(1, 3))):
        if number:
            step = draw(_steps(final, partitioned, number))
            steps.append(step)
            final, partitioned = _after(step, final, partitioned)
        appends.append(draw(_rows(final, partitioned)))
    names = frozenset(partitioned)
    page_rows = draw(st.sampled_from([None, 1, 2, 100]))
    return Design(
        columns, partition, properties, tuple(appends), tuple(steps), final, names, page_rows
    )


@st.composite
def _columns(draw: st.DrawFn, name: str, *, optional: bool = False) -> DesignColumn:
    required = not optional and draw(st.integers(0, 3)) == 0
    if draw(st.integers(0, 7)) == 0 and "." not in name:
        inner = draw(_columns(f"{name}.x"))
        return DesignColumn(name, "struct", required, fields=(inner,))
    # PyArrow 26 cannot build a UUID within a struct from Python values.
    types = TYPES if "." not in name else tuple(t for t in TYPES if t != "uuid")
    type_name = draw(st.one_of(st.sampled_from(types), st.sampled_from(_OFTEN)))
    pool = draw(st.lists(values(type_name), min_size=1, max_size=4))
    return DesignColumn(name, type_name, required, tuple(pool))


@st.composite
def _partitions(
    draw: st.DrawFn, columns: tuple[DesignColumn, ...], limit: int = 2
) -> tuple[tuple[str, str], ...]:
    possible = [
        (column.name, transform)
        for column in columns
        for transform, types in _TRANSFORMS.items()
        if column.type in types
    ]
    if not possible:
        return ()
    return tuple(
        draw(
            st.lists(
                st.sampled_from(possible),
                min_size=draw(st.sampled_from([0, 1, 1])),
                max_size=limit,
                unique_by=lambda field: field[0],
            )
        )
    )


@st.composite
def _steps(
    draw: st.DrawFn, columns: tuple[DesignColumn, ...], partitioned: set[str], number: int
) -> Step | None:
    possible: list[st.SearchStrategy[Step | None]] = [
        st.none(),
        _columns(f"added{number}", optional=True).map(AddColumn),
        st.sampled_from(columns).map(lambda c: RenameColumn(c.name, f"{c.name}_renamed{number}")),
    ]
    wider = [column for column in columns if column.type in _PROMOTIONS]
    if wider:
        possible.append(
            st.sampled_from(wider).map(lambda c: PromoteColumn(c.name, _PROMOTIONS[c.type]))
        )
    free = tuple(c for c in columns if c.name not in partitioned and c.type in TYPES)
    if free:
        possible.append(_partitions(free, limit=1).map(Repartition))
    return draw(st.one_of(possible))


def _after(
    step: Step | None, columns: tuple[DesignColumn, ...], partitioned: set[str]
) -> tuple[tuple[DesignColumn, ...], set[str]]:
    match step:
        case AddColumn(column):
            return (*columns, column), partitioned
        case RenameColumn(old, new):
            names = {new if name == old else name for name in partitioned}
            return tuple(_renamed(c, new) if c.name == old else c for c in columns), names
        case PromoteColumn(name, to):
            wide = tuple(
                DesignColumn(c.name, to, c.required, c.pool) if c.name == name else c
                for c in columns
            )
            return wide, partitioned
        case Repartition(fields):
            return columns, partitioned | {name for name, _ in fields}
        case None:
            return columns, partitioned


def _renamed(column: DesignColumn, new: str) -> DesignColumn:
    fields = tuple(DesignColumn(f"{new}.x", f.type, f.required, f.pool) for f in column.fields)
    return DesignColumn(new, column.type, column.required, column.pool, fields)


@st.composite
def _rows(draw: st.DrawFn, columns: tuple[DesignColumn, ...], partitioned: set[str]) -> Rows:
    count = draw(st.integers(1, 8))
    cells = {column.name: _cells(column, column.name in partitioned) for column in columns}
    return tuple(draw(st.fixed_dictionaries(cells)) for _ in range(count))


def _cells(column: DesignColumn, partitioned: bool) -> st.SearchStrategy[Any]:
    if column.fields:
        (inner,) = column.fields
        set_cells: st.SearchStrategy[Any] = st.fixed_dictionaries({"x": _cells(inner, False)})
    else:
        pool = [v for v in column.pool if not partitioned or _can_partition(column.type, v)]
        set_cells = st.sampled_from(pool or [0.0 if column.type in ("float", "double") else 0])
    return set_cells if column.required else st.one_of(set_cells, set_cells, st.none())


def _can_partition(type_name: str, value: Any) -> bool:
    """Whether rows with the value reach a partition that is theirs. PyIceberg 0.12 loses those
    of NaN when it splits an Arrow table, and truncating the smallest whole numbers wraps around
    in every implementation (tests/collectors/tables/test_wrapped_values.py)."""
    if type_name in ("int", "long"):
        return bool(value >= (-(2**31) if type_name == "int" else -(2**63)) + 20)
    return not is_nan(value)


@st.composite
def predicates(
    draw: st.DrawFn, design: Design, *, transform_terms: bool = True, trees: bool = True
) -> Predicate:
    """Unbound predicates over the final columns: single comparisons, and trees of them."""
    leaves = _comparisons(design, transform_terms)
    if not trees:
        return draw(leaves)
    shapes = [
        "leaf",
        "leaf",
        "not",
        "and",
        "or",
        "or of and",
        "and of or",
        "one column",
        "distinct",
    ]
    match draw(st.sampled_from(shapes)):
        case "leaf":
            return draw(leaves)
        case "one column":
            return draw(_of_one_column(design))
        case "distinct":
            return negate(draw(_null_safe(design)))
        case "not":
            return negate(any_of(draw(leaves), all_of(draw(leaves), draw(leaves))))
        case "and":
            return all_of(draw(leaves), draw(leaves))
        case "or":
            return any_of(draw(leaves), draw(leaves))
        case "or of and":
            return any_of(draw(leaves), all_of(draw(leaves), draw(leaves)))
        case _:
            return all_of(draw(leaves), any_of(draw(leaves), draw(leaves)))


_ORDERED = (Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.EQ, Op.NOT_EQ, Op.IN, Op.NOT_IN)
_NULLS = (Op.IS_NULL, Op.NOT_NULL)


@st.composite
def _comparisons(draw: st.DrawFn, design: Design, transform_terms: bool) -> Predicate:
    column = draw(_any_column(design))
    path = tuple(column.name.split("."))
    if column.fields:
        return Comparison(draw(st.sampled_from(_NULLS)), Column(path))
    if transform_terms and draw(st.integers(0, 7)) == 0:
        return draw(_transform_terms(column, path))
    return draw(_comparisons_of(column))


def _any_column(design: Design) -> st.SearchStrategy[DesignColumn]:
    every = [*design.final, *(field for column in design.final for field in column.fields)]
    partitioned = [column for column in design.final if column.name in design.partitioned]
    return st.sampled_from(partitioned or every) | st.sampled_from(every)


@st.composite
def _of_one_column(draw: st.DrawFn, design: Design) -> Predicate:
    """Conditions that may exclude each other, in an arm of an OR or not."""
    column = draw(_any_column(design).filter(lambda found: not found.fields))
    both = all_of(*draw(st.lists(_comparisons_of(column), min_size=2, max_size=3)))
    return any_of(both, draw(_comparisons(design, False))) if draw(st.booleans()) else both


@st.composite
def _null_safe(draw: st.DrawFn, design: Design) -> Predicate:
    """IS NOT DISTINCT FROM a value, of a column that may be null."""
    column = draw(_any_column(design).filter(lambda found: not found.fields))
    path = Column(tuple(column.name.split(".")))
    equal = Comparison(Op.EQ, path, draw(_literals(Op.EQ, column)))
    return all_of(equal, Comparison(Op.NOT_NULL, path))


@st.composite
def _comparisons_of(draw: st.DrawFn, column: DesignColumn) -> Predicate:
    path = tuple(column.name.split("."))
    operators = [*_ORDERED, *_NULLS]
    if column.type in ("float", "double"):
        operators += [Op.IS_NAN, Op.NOT_NAN]
    if column.type == "string":
        operators += [Op.STARTS_WITH, Op.NOT_STARTS_WITH] * 2
    op = draw(st.sampled_from(operators))
    return Comparison(op, Column(path), draw(_literals(op, column)))


@st.composite
def _literals(draw: st.DrawFn, op: Op, column: DesignColumn) -> tuple[LiteralValue, ...]:
    one = literals(column.type if column.type in TYPES else "decimal(9, 2)", column.pool)
    match op:
        case Op.IS_NULL | Op.NOT_NULL | Op.IS_NAN | Op.NOT_NAN:
            return ()
        case Op.IN | Op.NOT_IN:
            few = draw(st.lists(one, min_size=1, max_size=4))
            if column.type in ("int", "long") and draw(st.integers(0, 5)) == 0:
                start = draw(st.integers(-300, 300))
                return (*few, *range(start, start + draw(st.integers(190, 210))))
            return tuple(few)
        case Op.STARTS_WITH | Op.NOT_STARTS_WITH:
            whole = draw(one)
            assert isinstance(whole, str)
            return (whole[: draw(st.integers(0, 20))],)
        case _:
            value = draw(one)
            if is_nan(value) and op not in (Op.EQ, Op.NOT_EQ):
                return (0.0,)
            return (value,)


@st.composite
def _transform_terms(draw: st.DrawFn, column: DesignColumn, path: tuple[str, ...]) -> Predicate:
    """A comparison of a transform of the column, as Spark pushes `system.days(ts)`."""
    possible = [t for t, types in _TRANSFORMS.items() if column.type in types]
    if not possible:
        return Comparison(Op.IS_NULL, Column(path))
    transform = draw(st.sampled_from(possible))
    op = draw(st.sampled_from([*_ORDERED, *_NULLS]))
    term = Column(path, transform)
    if op in _NULLS:
        return Comparison(op, term)
    if transform.startswith("truncate[") or transform == "identity":
        return Comparison(op, term, draw(_literals(op, column)))
    number = st.integers(-3, 3) if transform == "bucket[3]" else st.integers(-900, 900)
    most = 3 if op in (Op.IN, Op.NOT_IN) else 1
    found = draw(st.lists(number, min_size=1, max_size=most))
    if transform == "day":
        return Comparison(op, term, tuple(date_of(days) for days in found))
    return Comparison(op, term, tuple(found))
