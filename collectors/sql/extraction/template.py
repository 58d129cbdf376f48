"""The scans of all queries that differ in literals alone.

The search for scans (`place`) reads no constant, but for what it says itself, so that texts which
differ in free literals (`slots`) have the same conditions at the same tables. What is left is
to read the constants anew (`filling`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlglot import exp

from prunescope.collectors.predicates.model import Predicate, all_of
from prunescope.collectors.sql.conditions.constant_choices import may_be_decided
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.conditions.sibling_conditions import ALONE
from prunescope.collectors.sql.constants.arithmetic import LONG_NUMBER
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.extraction.filling import (
    FilledPart,
    Filling,
    Memo,
    Printing,
    Tested,
    compiled,
    filled_parts,
)
from prunescope.collectors.sql.extraction.placement import PlacedScan, Placement
from prunescope.collectors.sql.extraction.transfer import is_certain, own_name
from prunescope.collectors.sql.functions.folding import may_read_clock
from prunescope.collectors.sql.planners.profiles import Planner, as_pushed
from prunescope.collectors.sql.text.boolean import leaves
from prunescope.collectors.sql.text.cost import bounded
from prunescope.collectors.sql.text.slots import fill, slot_nodes
from prunescope.collectors.table_scans import TableScan

_RANGES = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Between)


class Template:
    """The scans of queries of one text but for its free literals, in one time zone and by one
    planner."""

    def __init__(self, placement: Placement, session: Session, planner: Planner | None) -> None:
        plain = replace(session, started_at=None)
        printing = Printing(session.dialect)
        with bounded():
            for each in placement.judged:
                printing.know(each.condition)
            reader = Reader(own_name, plain)
            self._judged = [
                (compiled(each.condition, reader, printing, {}, ALONE), each.is_certain)
                for each in placement.judged
            ]
            self._scans = [_Scan(each, plain, planner) for each in placement.placed]
        self._keyed = placement.keyed

    def scans(
        self, values: Sequence[str], session: Session, memo: Memo
    ) -> tuple[TableScan, ...] | None:
        """The scans of the query whose literals are `values`; None if they may be at other places.
        Raises what `extract` does."""
        filling = Filling(values, session, memo)
        with bounded():
            for condition, was_certain in self._judged:
                if is_certain(condition.predicate(filling)) != was_certain:
                    return None
            return self._keyed(tuple(scan.filled(filling) for scan in self._scans))


class _Scan:
    """A scan whose literals may be others."""

    def __init__(self, placed: PlacedScan, session: Session, planner: Planner | None) -> None:
        self._placed = placed
        self._planner = planner
        self._version = None if _is_timed_version(placed) else placed.version(session)
        printing = Printing(session.dialect)
        tests: dict[tuple[int, bool], Tested] = {}
        self._whole = filled_parts(placed.filter, placed.filter.reader(session), printing, tests)
        self._pushed: list[FilledPart] = []
        self._inferred: Predicate | None = None
        # What is inferred depends on patterns, on literals that decide what is chosen, on long
        # numbers, and on no other literal.
        self._patterns = _slots_in(placed, _is_read_anew) if planner is not None else ()
        ranges = _slots_in(placed, _is_range) if planner is not None else ()
        self._numbers = tuple(slot for slot in ranges if not slot[0].is_string)
        if planner is not None:
            reader = placed.filter.reader(session, planner)
            self._pushed = filled_parts(placed.filter, reader, printing, tests)

    def filled(self, filling: Filling) -> TableScan:
        """The scan for one query."""
        version = self._version or self._placed.version(filling.session)
        predicate = all_of(*(part.predicate(filling) for part in self._whole))
        pushed = None
        if self._planner is not None:
            inferred = self._inferences(filling, self._planner)
            found = (part.predicate(filling) for part in self._pushed)
            pushed = as_pushed(self._planner, all_of(*found), inferred)
        return self._placed.scan(version, predicate, pushed)

    def _inferences(self, filling: Filling, planner: Planner) -> Predicate:
        """The predicate that the planner infers and pushes as well."""
        values = filling.values
        is_long = any(len(values[index]) >= LONG_NUMBER for _, index in self._numbers)
        if self._inferred is not None and not self._patterns and not is_long:
            return self._inferred
        fill((*self._patterns, *self._numbers), values)
        found = self._placed.filter.inferred(filling.session, planner)
        self._inferred = None if is_long else found
        return found


def _slots_in(
    placed: PlacedScan, is_wanted: Callable[[exp.Expr], bool]
) -> tuple[tuple[exp.Literal, int], ...]:
    """The literals of some conditions that may be others."""
    return tuple(
        slot
        for condition in placed.filter.conditions
        for leaf in leaves(condition)
        if is_wanted(leaf.expression)
        for slot in slot_nodes(leaf.expression)
    )


def _is_read_anew(expression: exp.Expr) -> bool:
    return isinstance(expression, exp.Like) or may_be_decided(expression)


def _is_range(expression: exp.Expr) -> bool:
    return isinstance(expression, _RANGES)


def _is_timed_version(placed: PlacedScan) -> bool:
    clause = placed.relation.node.args.get("version") or placed.relation.node.args.get("when")
    return isinstance(clause, exp.Expr) and (
        may_read_clock(clause) or isinstance(clause, exp.HistoricalData)
    )
