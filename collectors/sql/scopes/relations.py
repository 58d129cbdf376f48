"""The FROM clause of one SELECT as a tree of joins over its relations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.text.boolean import Formula, Leaf, conjuncts_of, formula

_NAMES = (exp.Identifier, exp.Literal)


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """One item of a FROM clause: an audited base table (`table`), a derived table or reference
    to a common table expression (`query`), or something else, such as UNNEST.

    `qualifiers` are the lower-case name paths that may precede its columns. `names` are its
    lower-case columns in order, "" for those without a name; None if they are not known.
    `is_renamed` tells that `AS t(a, b)` named them. Conditions on the columns of a `is_sealed`
    relation (PIVOT, recursive queries, samples of so many rows) say nothing of the rows behind it,
    but for columns that are `kept_by_pivots`, and those on an `is_sampled` one are on rows of which
    a sample was taken before.
    `types` are the Iceberg types of the columns of a base table, as far as they are known, by
    lower-case name. `selector` is the last part of a table's name where that names a version.
    """

    node: exp.Expr
    qualifiers: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] | None
    table: TableName | None = None
    query: exp.Query | None = None
    is_renamed: bool = False
    is_sealed: bool = False
    is_sampled: bool = False
    types: Mapping[str, str] = field(default_factory=dict)
    selector: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Join:
    """A join. `keeps_left` and `keeps_right` tell that rows without a partner stay (LEFT, RIGHT,
    FULL), `fills_nulls` that nulls stand beside them. `hides_right` is a semi or anti join,
    `is_anti` the latter. With `chooses_right`, a left row gets some of its partners alone (ANY,
    ASOF), and others if these are gone; likewise `chooses_left`. Of an `is_opaque` join, such as
    PASTE, nothing is known."""

    left: FromTree
    right: FromTree
    on: tuple[Formula, ...]
    keeps_left: bool = False
    keeps_right: bool = False
    hides_right: bool = False
    is_anti: bool = False
    is_opaque: bool = False
    chooses_left: bool = False
    chooses_right: bool = False
    fills_nulls: bool = True


FromTree = Relation | Join


def relations_of(tree: FromTree) -> Iterator[Relation]:
    """The relations from left to right."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Relation):
            yield found
        else:
            waiting += (found.right, found.left)


def hidden_relations(tree: FromTree) -> Iterator[Relation]:
    """The relations whose columns only the ON of their own join can name."""
    for found in _joins_of(tree):
        if found.hides_right:
            yield from relations_of(found.right)


def fills_left(tree: FromTree) -> bool:
    """True if some join fills columns on its left with nulls, or with values of its right."""
    return any(found.keeps_right for found in _joins_of(tree))


def unfilled_relations(tree: FromTree) -> Iterator[Relation]:
    """The relations whose rows no join fills with nulls."""
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Relation):
            yield found
        elif not found.is_opaque:
            if not (found.keeps_left or found.hides_right):
                waiting.append(found.right)
            if not found.keeps_right:
                waiting.append(found.left)


def outer_conditions(tree: FromTree) -> Iterator[Formula]:
    """The ON conditions of joins that keep rows without a partner."""
    for found in _joins_of(tree):
        if found.keeps_left or found.keeps_right:
            yield from found.on


def _joins_of(tree: FromTree) -> Iterator[Join]:
    waiting = [tree]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Join):
            yield found
            waiting += (found.right, found.left)


def merged_owner(tree: FromTree, owners: Collection[Relation]) -> Relation | None:
    """The relation whose value a column of USING or NATURAL has, among its owners: the left one, or
    the right side of a RIGHT join. None if it may be of several."""
    if any((each.keeps_left and each.keeps_right) or each.is_opaque for each in _joins_of(tree)):
        return None
    joins = []
    while isinstance(tree, Join):
        joins.append(tree)
        tree = tree.left
    found = tree if tree in owners else None
    for each in reversed(joins):
        other = merged_owner(each.right, owners)
        if found is None or (other is not None and each.keeps_right):
            found = other
    return found


def join(left: FromTree, right: FromTree, node: exp.Join, *, fills_nulls: bool = True) -> Join:
    """`left` joined with `right` as `node` says. Without `fills_nulls`, other values may stand
    beside rows without a partner."""
    side, kind, method = node.side.upper(), node.kind.upper(), node.method.upper()
    if side == "ANY":  # INNER ANY JOIN
        side, kind = kind, side
    if _is_outer_apply(node):
        side = "LEFT"
    is_asof, is_any = "ASOF" in (kind, method), kind == "ANY"
    condition = node.args.get("on")
    on = tuple(conjuncts_of(formula(condition))) if condition is not None else ()
    names = [name.name.lower() for name in node.args.get("using") or ()]
    if method == "NATURAL" and isinstance(right, Relation):
        of_left = {name for relation in relations_of(left) for name in relation.names or ()}
        names = [name for name in right.names or () if name in of_left]
    on += tuple(equal for name in names for equal in _equality(left, right, name))
    if is_asof:  # which finds the nearest row before it looks at what else is asked for
        on = tuple(filter(is_equality, on))
    hides_right = kind in ("SEMI", "ANTI") and side != "RIGHT"
    is_known = (
        side in ("", "INNER", "LEFT", "RIGHT", "FULL")
        and kind in ("", "INNER", "OUTER", "CROSS", "SEMI", "ANTI", "ALL", "ANY", "ARRAY", "ASOF")
        and method in ("", "NATURAL", "ASOF")
        and not (side == "FULL" and is_any)
        # The last column of USING is not the same, but the nearest.
        and not (is_asof and (side not in ("", "INNER", "LEFT") or names))
        and not (node.args.get("match_condition") and not is_asof)
        and not (node.args.get("pivots") or node.args.get("nearest"))
        and not (kind == "ARRAY" and array_names(node) is None)
    )
    return Join(
        left,
        right,
        on,
        keeps_left=side in ("LEFT", "FULL") and not hides_right,
        keeps_right=(side == "RIGHT" and kind != "SEMI") or side == "FULL",
        hides_right=hides_right,
        is_anti=kind == "ANTI",
        is_opaque=not is_known,
        chooses_left=(side == "RIGHT" and kind in ("SEMI", "ANTI")) or (is_any and side != "LEFT"),
        chooses_right=is_asof or (is_any and side != "RIGHT"),
        fills_nulls=fills_nulls,
    )


def _equality(left: FromTree, right: FromTree, name: str) -> Iterator[Formula]:
    """The condition of USING on a column: `left.name = right.name`, if one column of the left is
    certainly meant."""
    relations = [left] if isinstance(left, Relation) else list(relations_of(left))
    owners = [s for s in relations if len(relations) == 1 or (s.names and name in s.names)]
    is_known = len(relations) == 1 or all(s.names is not None for s in relations)
    owner = merged_owner(left, owners) if is_known else None
    if owner is None or not isinstance(right, Relation):
        return
    sides = owner, right
    if all(side.qualifiers for side in sides):
        first, second = (exp.column(name, side.qualifiers[-1][0], quoted=True) for side in sides)
        yield Leaf(exp.EQ(this=first, expression=second), negated=False)


def is_equality(condition: Formula) -> bool:
    """True if a condition is an equality of two columns, and no more."""
    match condition:
        case Leaf(exp.EQ(this=exp.Column(), expression=exp.Column()), False):
            return True
    return False


def array_names(node: exp.Join) -> tuple[str, ...] | None:
    """The lower-case columns that ARRAY JOIN makes of the elements of arrays, beside these or in
    their place; None where one of them has the name of a relation before it."""
    items = [node.this, *(node.args.get("expressions") or ())]
    if any(isinstance(item, exp.Column) and item.table for item in items):
        return None
    return tuple(item.alias_or_name.lower() for item in items)


def comma_join(trees: Sequence[FromTree]) -> FromTree:
    """All of several trees, at least one, side by side: grouped in halves, as any grouping means
    the same."""
    if len(trees) == 1:
        return trees[0]
    middle = len(trees) // 2
    return Join(comma_join(trees[:middle]), comma_join(trees[middle:]), on=())


def is_comma(node: exp.Join) -> bool:
    """True if a join is a comma, which binds less than JOIN: `a, b RIGHT JOIN c ON …` joins b with
    c first."""
    is_bare = not any(value for name, value in node.args.items() if name != "this")
    return is_bare and not _is_outer_apply(node)


def _is_outer_apply(node: exp.Join) -> bool:
    """True if a join is OUTER APPLY, which keeps rows for which the query on its right has none."""
    return node.this.args.get("cross_apply") is False


def alias_columns(node: exp.Expr) -> tuple[str, ...]:
    """The lower-case names that `AS t(a, b)` gives to columns."""
    alias = node.args.get("alias")
    columns = alias.columns if isinstance(alias, exp.TableAlias) else []
    return tuple(column.name.lower() for column in columns)


def merged_columns(joins: Sequence[exp.Join]) -> frozenset[str] | None:
    """The lower-case columns that USING merges; None if a NATURAL join may merge any."""
    if any(node.method.upper() == "NATURAL" for node in joins):
        return None
    return frozenset(name.name.lower() for node in joins for name in node.args.get("using") or [])


def is_sealed(node: exp.Expr) -> bool:
    """True if the presence of a row depends on others: PIVOT, MATCH_RECOGNIZE, and a sample of N
    rows. The sample of a SELECT is taken before its WHERE (DuckDB 2.0)."""
    sample = node.args.get("sample")
    is_counted = isinstance(sample, exp.TableSample) and not _is_share(sample)
    return bool(node.args.get("pivots") or node.args.get("match")) or is_counted


def kept_by_pivots(relation: Relation) -> frozenset[str]:
    """The columns of a relation that its PIVOT and UNPIVOT do not name, so group by or repeat. A
    condition on them drops whole rows before it. They may stand beside new columns of names that it
    does name. Empty if anything else seals the relation."""
    node, pivots = relation.node, relation.node.args.get("pivots") or ()
    clause = relation.query.find_ancestor(exp.With) if relation.query is not None else None
    is_recursive = isinstance(node, exp.Table) and clause is not None and clause.recursive
    others = ("match", "sample")
    if is_recursive or alias_columns(node) or any(node.args.get(name) for name in others):
        return frozenset()
    if not (pivots and all(pivot.args.get("fields") for pivot in pivots)):
        return frozenset()  # DuckDB's own, whose columns depend on the rows that there are
    named = {part.name.lower() for each in pivots for part in each.find_all(*_NAMES)}
    return frozenset(relation.names or ()) - named


def alias_of(node: exp.Expr) -> str:
    """The alias of a relation in lower case; the one behind PIVOT if there is one."""
    pivots = node.args.get("pivots")
    alias: str = (pivots[-1].alias if pivots else "") or node.alias
    return alias.lower()


def sampled(tree: FromTree) -> FromTree:
    """The tree with all of its relations marked as sampled."""
    if isinstance(tree, Relation):
        return replace(tree, is_sampled=True)
    return replace(tree, left=sampled(tree.left), right=sampled(tree.right))


def _is_share(sample: exp.TableSample) -> bool:
    """True if each row is in a sample or not, whatever the others are: a percentage, a bucket
    (Hive, Spark), and ClickHouse's SAMPLE 0.1 and SAMPLE 1/10. A whole number there is one of
    rows."""
    if sample.args.get("percent") or sample.args.get("bucket_numerator"):
        return True
    match sample.args.get("size"):
        case exp.Div(this=exp.Literal() as part, expression=exp.Literal() as whole):
            return part.is_number and whole.is_number and float(part.name) <= float(whole.name)
        case exp.Literal(is_string=False) as size:
            return float(size.name) < 1
    return False


def is_within(node: exp.Expr, ancestor: exp.Expr) -> bool:
    """True if a node is part of another."""
    current: exp.Expr | None = node
    while current is not None and current is not ancestor:
        current = current.parent
    return current is ancestor
