"""Reading the leaves of a condition: their columns of one table, their constants, and their
text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from prunescope.collectors.predicates.calculations import Calculated, Calculation
from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import Column, Predicate, Reason, Unsupported, Written
from prunescope.collectors.sql.conditions.nan import orders_nan
from prunescope.collectors.sql.conditions.number_casts import number_casts
from prunescope.collectors.sql.conditions.sibling_conditions import ALONE, Beside
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.terms import (
    PathOf,
    Term,
    cast_to_text,
    column_path,
    columns_of,
    reason_for,
    term,
)
from prunescope.collectors.sql.constants.values import CannotConvert, Null
from prunescope.collectors.sql.functions.folding import literal
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.ranges.solved import Known
from prunescope.collectors.sql.text.boolean import (
    AnyOf,
    Formula,
    Leaf,
    as_written,
    formula,
    own_columns,
)
from prunescope.collectors.sql.text.fingerprint import redact, render
from prunescope.collectors.types import NANOS_PER_UNIT, physical


@dataclass(frozen=True, slots=True)
class TextCast:
    """A column that is cast to text, as planners read it: engines drop the cast of a text
    column."""

    column: Column


Wrapped = Calculation | TextCast
"""Casts of columns that planners undo for some types of the columns."""

Printer = Callable[[exp.Expr], Written]
"""The text of an expression, with its literals and without."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the columns of one table and the constants in expressions. With a `planner`, conditions
    that it does not push are not converted. `types` are the known Iceberg types of columns by
    lower-case name. `printer` writes leaves if there is a faster way than from their trees."""

    path_of: PathOf
    session: Session
    planner: Planner | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    printer: Printer | None = None
    beside: Beside = ALONE
    """The conditions that hold beside the one that is read."""
    is_part: bool = False
    """True for parts of an OR or of a BETWEEN."""
    is_whole: bool = False
    """True for the whole filter of a scan."""
    is_on_clock: bool = False
    """True if the session is on the clock of the columns (`own_clocks`)."""

    @property
    def orders_nan(self) -> bool:
        """True if NaN is sorted among numbers."""
        return orders_nan(self.session.dialect, self.planner)

    def knowing(self, conditions: Sequence[Formula]) -> Reader:
        """The reader of the parts of a conjunction, each of which holds for every row of the
        whole."""
        if self.planner is not None:
            return self
        return replace(self, beside=self.beside.with_conditions(conditions))

    def reading(self, condition: Formula) -> Reader:
        """The reader of a condition and its parts, which do not hold beside themselves."""
        if self.planner is not None:
            return self
        return replace(self, beside=self.beside.reading(condition))

    def told_beside(self, condition: Formula) -> Known:
        """The context of a condition: the others that hold and share a column with it."""
        beside = self.beside.of(condition)
        return Known(self.path_of, self.session, self.types, beside, self.orders_nan)

    def of_part(self) -> Reader:
        """The reader of the parts of an OR or of a BETWEEN."""
        return replace(self, is_part=True, is_whole=False)

    def term(self, expression: exp.Expr) -> Term | Wrapped:
        """The term of a column that the expression is; raises CannotConvert."""
        return self._wrapped(expression.unnest()) or term(
            expression, self.path_of, self.session.dialect
        )

    def _wrapped(self, expression: exp.Expr) -> Wrapped | None:
        if self.planner is None or not isinstance(expression, exp.Cast):
            return None
        dialect = self.session.dialect
        text = cast_to_text(expression, dialect)
        path = None if text is None else column_path(text.unnest(), self.path_of)
        if path is not None:
            return TextCast(Column(path))
        unwraps = self.planner.profile.rewording.unwraps_casts
        return number_casts(expression, self.path_of, dialect) if unwraps else None

    def is_value(self, expression: exp.Expr) -> bool:
        """True if the expression is a column that is known to hold one value, and no array."""
        of_column = self.type_of(expression)
        return of_column is not None and physical(of_column) is not None

    def type_of(self, expression: exp.Expr) -> str | None:
        """The Iceberg type of an expression that is a column; None for others, or if it is
        unknown."""
        path = column_path(expression.unnest(), self.path_of)
        return None if path is None else self.types.get(".".join(path).lower())

    def session_of(self, expression: exp.Expr) -> Session:
        """The session, with whether the column of an expression has a time zone, if that decides
        how engines read the column."""
        session = self.session
        if self.planner is not None or session.time_zone in (None, "UTC"):
            return session
        paths = {self.path_of(column) for column in own_columns(expression)}
        kinds = {None if path is None else self.types.get(".".join(path).lower()) for path in paths}
        kind = next(iter(kinds)) if len(kinds) == 1 else None
        if kind is None or kind not in NANOS_PER_UNIT:
            return session
        return replace(session, of_zoned=kind.startswith("timestamptz"))

    def column(self, expression: exp.Expr) -> Column:
        """The bare column that the expression is; raises CannotConvert."""
        found = self.term(expression)
        if isinstance(found, Column) and found.transform is None:
            return found
        raise CannotConvert(reason_for(expression))

    def literal(self, expression: exp.Expr) -> LiteralValue | Null:
        """The value of a constant expression; raises CannotConvert."""
        return literal(expression, self.session)

    def planned(self, leaf: Leaf) -> Formula:
        """The leaf as the planner, if there is one, sees it when it decides what to push; the leaf
        itself if the planner does not change it."""
        if self.planner is None:
            return leaf
        simplified = self.planner.profile.rewording.simplified
        found = simplified(leaf.expression, self.planner.version, self.type_of, self._value_of)
        if found is leaf.expression:
            return leaf
        return as_written(formula(found, negated=leaf.negated), leaf)

    def alternatives(self, condition: AnyOf) -> Formula:
        """An OR as the planner sees it when it decides what to push."""
        if self.planner is None or not self.planner.profile.rewording.reads_alternatives(condition):
            return condition
        return self.planner.profile.rewording.alternatives(condition, self.is_whole)

    def _value_of(self, expression: exp.Expr) -> object:
        try:
            return self.literal(expression)
        except CannotConvert:
            return None

    def written(self, leaf: Leaf) -> Written:
        """The leaf as SQL."""
        found = self.printed(leaf.expression)
        if leaf.negated:
            return Written(f"NOT ({found.text})", f"NOT ({found.redacted})")
        return found

    def printed(self, expression: exp.Expr) -> Written:
        """An expression as SQL."""
        if self.printer is not None:
            return self.printer(expression)
        return printed(expression, self.session.dialect)

    def unsupported(
        self,
        reason: Reason,
        leaf: Leaf,
        calculated: Calculated | None = None,
        if_required: Predicate | None = None,
    ) -> Unsupported:
        """The leaf as a part that never prunes, or only for some columns."""
        written = self.written(leaf)
        columns = columns_of(leaf.expression, self.path_of)
        return Unsupported(reason, written.text, written.redacted, columns, calculated, if_required)


def printed(expression: exp.Expr, dialect: str) -> Written:
    """An expression as SQL of a dialect."""
    return Written(render(expression, dialect), redact(expression, dialect))
