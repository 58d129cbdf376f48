"""Effects of statements on rows that their tables have, as the text says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from sqlglot import exp

from prunescope.collectors.effects import REPLACED, Effect, Path
from prunescope.collectors.schema import casefolded
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.text.boolean import Leaf, conjuncts_of, formula
from prunescope.collectors.sql.text.nodes import is_column, names_in, nodes_that_are

Targets = tuple[tuple[exp.Table, Effect], ...]
"""Tables that a statement names, each with what is done to its rows."""

_Equal = tuple[Path, Path]
"""Two columns that are equal in the rows which a clause changes."""


def effects_of(tree: exp.Expr, dialect: str) -> Targets:
    """The tables of which a statement changes rows that are there. It replaces or drops what lies
    in some partitions, so that these decide which rows go:

        INSERT OVERWRITE t [PARTITION …] q   all that is in partitions that q has rows of, or that
                                             PARTITION names, or the whole table: without PARTITION
                                             that is for the session to say in Spark
        INSERT INTO t REPLACE WHERE c q      whole files: of one with some rows that c selects and
                                             others, Iceberg 1.11 refuses it
        ALTER TABLE t DROP PARTITION …       Hive, Impala
        TRUNCATE TABLE t PARTITION …         Hive

    or it gives columns of rows new values, so that these would move between partitions by them:

        UPDATE t SET a = x                   a, unless x is a, or the condition says that both are
                                             equal, as it does of keys
        MERGE … UPDATE SET a = x             a likewise, by ON, USING or the condition of WHEN
        MERGE … UPDATE SET *, or UPDATE      all columns but those that these compare with others by
                                             =; DuckDB lets SET be left out

    What is only inserted changes nothing, nor does what is deleted.
    """
    replaced: list[exp.Expr | None] = []
    match tree:
        case exp.Insert():
            replaced = [_overwritten(tree, dialect)]
        case exp.MultitableInserts():
            inserts = [one for one in tree.expressions if isinstance(one, exp.Insert)]
            replaced = [_overwritten(insert, dialect) for insert in inserts]
        case exp.Alter() if any(isinstance(a, exp.DropPartition) for a in tree.args["actions"]):
            replaced = [tree.this]
        case exp.TruncateTable() if tree.args.get("partition"):
            replaced = tree.expressions
        case exp.Update(this=exp.Table() as target):
            where = tree.args.get("where")
            equal = () if where is None else (*_equated(where.this),)
            return _of(target, [(tree.expressions, equal)])
        case exp.Merge(this=exp.Table() as target):
            return _of(target, [*_updates(tree)])
    return tuple((target, REPLACED) for target in replaced if isinstance(target, exp.Table))


def _overwritten(insert: exp.Insert, dialect: str) -> exp.Expr | None:
    is_overwrite = insert.args.get("overwrite") and not dialect_of(dialect).overwrites_whole_tables
    if not is_overwrite and insert.args.get("where") is None:
        return None
    target: exp.Expr = insert.this
    return target.this if isinstance(target, exp.Schema) else target


def _updates(merge: exp.Merge) -> Iterator[tuple[Sequence[exp.Expr], Sequence[_Equal]]]:
    """The items of each SET, with what is equal in the rows that it changes: rows which are not
    matched by a source have no columns of it."""
    source = merge.args["using"].alias_or_name
    names = [column.name for column in merge.args.get("using_cond") or ()]
    matched = [(casefolded((name,)), casefolded((source, name))) for name in names]
    matched += _equated(merge.args.get("on") or exp.true())
    for when in nodes_that_are(exp.When, merge):
        if isinstance(update := when.args["then"], exp.Update):
            held = _equated(when.args.get("condition") or exp.true())
            joined = matched if when.args["matched"] else ()
            yield update.expressions or [exp.Star()], (*joined, *held)


def _of(
    target: exp.Table, updates: Sequence[tuple[Sequence[exp.Expr], Sequence[_Equal]]]
) -> Targets:
    """Returns what the items of SETs do to a target, each with what is equal where it applies."""
    own = _qualifiers(target)
    assigned: set[Path] = set()
    kept: list[frozenset[Path]] = []
    for items, held in updates:
        equal = [pair for one in held for pair in (one, one[::-1])]
        same = {(_unqualified(left, own), right) for left, right in equal}
        for item in items:
            if isinstance(item, exp.Star):
                besides = (_path(node) for node in item.args.get("except_") or ())
                stays = {_unqualified(path, own) for path in besides if path is not None}
                stays |= {_unqualified(path, own) for path, b in equal if _is_own(path, b, own)}
                kept.append(frozenset(stays))
            for name, value in _assignments(item):
                path = _unqualified(name, own)
                is_itself = value is not None and _unqualified(value, own) == path
                if not is_itself and (path, value) not in same:
                    assigned.add(path)
    all_but = reduce(frozenset.intersection, kept) if kept else None
    effect = Effect(assigned=frozenset(assigned), kept=all_but)
    return ((target, effect),) if effect.is_any else ()


def _assignments(item: exp.Expr) -> Iterator[tuple[Path, Path | None]]:
    """The columns that an item of SET assigns, each with the column of which it gets the value:
    None where that is another expression. An element that is assigned changes all of its column."""
    if not isinstance(item, exp.EQ):
        return
    if (path := _path(item.this)) is not None:
        yield path, _path(item.expression)
    else:
        yield from ((casefolded(names_in(one)), None) for one in item.this.find_all(exp.Column))


def _equated(condition: exp.Expr) -> Iterator[_Equal]:
    """The columns that are equal wherever a condition holds."""
    for part in conjuncts_of(formula(condition)):
        match part:
            case Leaf(expression=exp.EQ() | exp.NullSafeEQ() as equality, negated=False):
                left, right = _path(equality.this), _path(equality.expression)
                if left is not None and right is not None:
                    yield left, right


def _path(expression: exp.Expr) -> Path | None:
    """The name of a column or of a field of one, in brackets or not; None of what is neither."""
    node = expression.unnest()
    if not is_column(node):
        return None
    fields: list[str] = []
    while isinstance(node, exp.Dot):
        fields.append(node.expression.name)
        node = node.this
    assert isinstance(node, exp.Column)
    return casefolded((*names_in(node), *reversed(fields)))


def _qualifiers(target: exp.Table) -> tuple[Path, ...]:
    """Returns the names that may stand before columns of a table, the longest first."""
    if target.alias:
        return (casefolded((target.alias,)),)
    parts = casefolded(tuple(part.name for part in target.parts))
    return tuple(parts[start:] for start in range(len(parts)))


def _unqualified(path: Path, own: Sequence[Path]) -> Path:
    """A path without the name of its table, if it begins with one of these."""
    found = (path[len(name) :] for name in own if path[: len(name)] == name and path != name)
    return next(found, path)


def _is_own(path: Path, other: Path, own: Sequence[Path]) -> bool:
    """Tells whether the first of two equated columns is the target's, and the other is not. The
    other column must be qualified, the first need not be."""
    is_qualified = _unqualified(path, own) != path
    is_other = len(other) > 1 and _unqualified(other, own) == other
    return is_other and (is_qualified or len(path) == 1)
