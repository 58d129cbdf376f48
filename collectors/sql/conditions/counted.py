"""What is calculated of the seconds that a time counts since 1970, compared with a number, as
conditions on the time: Spark's `unix_timestamp(x) DIV 86400 = 20487` and Trino's
`floor(to_unixtime(x) / 86400) = 20487` are a day of UTC. No engine unwraps them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from collectors.predicates.calculated_ranges import selected
from collectors.predicates.calculations import Calculated, Calculation
from collectors.predicates.model import FALSE, Comparison, Predicate, PredicateLeaf, Reason
from collectors.predicates.operators import Op
from collectors.predicates.walks import map_leaves
from collectors.sql.conditions.calculations import calculation
from collectors.sql.constants.session import Session
from collectors.sql.constants.values import CannotConvert
from collectors.sql.rewrites.epochs import EpochCount, compare_epoch, epoch_count
from collectors.sql.rewrites.rewrite import Place
from collectors.sql.text.nodes import nodes_of

_COUNT = exp.column("")
"""What stands for the count: no column has an empty name."""
_MOST_NANOS = 2**63 * 1_000
_ABOVE = (Op.GT, Op.GT_EQ, Op.NOT_EQ)


@dataclass(frozen=True, slots=True)
class CountedTime:
    """What is calculated of the count of a time, as if that were a column."""

    calculation: Calculation
    count: EpochCount


def counted_time(expression: exp.Expr, place: Place) -> CountedTime | None:
    """What an expression calculates of the count of a time; None for any other expression."""
    for node in nodes_of(expression):
        count = None if node is expression else epoch_count(node, place)
        if count is None or not (count.is_whole or isinstance(node, exp.TimeToUnix)):
            continue
        path = count.path
        told = expression.transform(lambda one, node=node: _COUNT.copy() if one == node else one)
        found = calculation(told, lambda one: None if one.name else path, place.session)  # noqa: B023
        return None if found is None else CountedTime(found, count)
    return None


def compare_counted(
    compared: Calculated, count: EpochCount, session: Session
) -> tuple[Predicate, bool]:
    """What is compared as conditions on the time, and whether they are all that it says; raises
    CannotConvert where nothing is known."""
    known = selected(compared, "long" if count.is_whole else "double", None)
    if known is None:
        raise CannotConvert(Reason.FUNCTION)
    # Times are microseconds of 64 bits.
    most = _MOST_NANOS // count.length

    def of_leaf(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case Comparison(Op.NOT_NULL):
                return leaf
            case Comparison(op, column, (int() | float() as value,)) if abs(value) > most:
                holds = op in (Op.LT, Op.LT_EQ, Op.NOT_EQ) if value > 0 else op in _ABOVE
                return Comparison(Op.NOT_NULL, column) if holds else FALSE
            case Comparison(op, _, (value,)):
                return compare_epoch(op, count, value, session)
        raise CannotConvert(Reason.FUNCTION)

    return map_leaves(known.predicate, of_leaf), known.is_exact and count.is_whole
