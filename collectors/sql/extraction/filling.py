"""Conditions of a template, and what they say for the literals of one query: those of plain
comparisons by themselves, others as a whole, by the code that reads a text for the first time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from prunescope.collectors.predicates.literals import LiteralValue
from prunescope.collectors.predicates.model import (
    Column,
    Predicate,
    Reason,
    Unsupported,
    Written,
    all_of,
    any_of,
)
from prunescope.collectors.predicates.operators import SET, Op
from prunescope.collectors.recently_used import Recent
from prunescope.collectors.sql.conditions.comparisons import compare_with
from prunescope.collectors.sql.conditions.convert import convert, is_plain
from prunescope.collectors.sql.conditions.leaf_tests import Test, is_read_alike, test_of
from prunescope.collectors.sql.conditions.own_clocks import has_own_clocks
from prunescope.collectors.sql.conditions.reader import Printer, Reader, printed
from prunescope.collectors.sql.conditions.sibling_conditions import ALONE, Beside
from prunescope.collectors.sql.constants.arithmetic import number
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.terms import columns_of
from prunescope.collectors.sql.constants.values import CannotConvert, Null
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.holes import Holed, holed
from prunescope.collectors.sql.extraction.table_filter import Part, TableFilter, lost, touching
from prunescope.collectors.sql.extraction.transfer import own_name
from prunescope.collectors.sql.functions.folding import comparable, folded, may_read_clock
from prunescope.collectors.sql.text.boolean import AllOf, AnyOf, Formula, Leaf, leaves
from prunescope.collectors.sql.text.slots import fill, slot_nodes

Memo = Recent[tuple[object, ...], Predicate]
"""The predicates of conditions for literals that they had before."""


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """One query of a template: the `values` of the literals of its text, and its session. `tested`
    is what tests said that were asked already."""

    values: Sequence[str]
    session: Session
    memo: Memo
    tested: dict[Tested, Predicate | None] = field(default_factory=dict)

    def reader(self, reader: Reader, printing: Printing) -> Reader:
        """A reader of the template as that of this query."""
        return replace(reader, session=self.session, printer=printing.printer(self.values))


@dataclass(frozen=True, slots=True, eq=False)
class FilledPart:
    """A part of a table's filter; `said` is None for one that says nothing."""

    part: Part
    said: _Said | None
    reader: Reader
    printing: Printing

    def predicate(self, filling: Filling) -> Predicate:
        """The predicate of the part for the literals of one query."""
        if self.said is None:
            printer = self.printing.printer(filling.values)
            return lost(self.part, replace(self.reader, printer=printer))
        return touching(self.part, self.said.predicate(filling))


def filled_parts(
    found: TableFilter,
    reader: Reader,
    printing: Printing,
    tests: dict[tuple[int, bool], Tested],
) -> list[FilledPart]:
    """The parts of a table's filter, for a reader of one planner or none."""
    parts = []
    beside = ALONE.with_conditions(found.alone)
    for part in found.parts:
        printing.know(part.condition)
        said = None
        if part.reason is None:
            said = compiled(part.condition, reader, printing, tests, beside)
        parts.append(FilledPart(part, said, reader, printing))
    return parts


def compiled(
    condition: Formula,
    reader: Reader,
    printing: Printing,
    tests: dict[tuple[int, bool], Tested],
    beside: Beside,
) -> _Said:
    """Compiles a condition into its meaning, as far as that does not depend on literals.

    `tests` are the known ones of the same table, by leaf and by what their engine makes of NaN.
    `beside` are the conditions that hold with it, and it among them.
    """
    planner = reader.planner
    is_searched = planner is None and not all(is_plain(leaf, reader) for leaf in leaves(condition))
    match condition:
        case AnyOf() if planner is not None and planner.profile.rewording.reads_alternatives(
            condition
        ):
            return _Converted(condition, reader, printing, ())
        case AllOf(parts) | AnyOf(parts) if not is_searched or isinstance(condition, AllOf):
            reader = reader.of_part() if isinstance(condition, AnyOf) else reader
            children = [compiled(part, reader, printing, tests, beside) for part in parts]
            return _Combined(children, isinstance(condition, AllOf))
        case Leaf(is_converted=True):
            return _Refused(Reason.EXPRESSION, condition, reader, printing)
        case Leaf() if not is_searched:
            key = id(condition), reader.orders_nan
            try:
                known = tests.get(key)
                if known is not None and is_read_alike(condition, reader):
                    return known
                test = test_of(condition, reader)
            except CannotConvert as error:
                if has_own_clocks(reader.session):
                    return _Converted(condition, reader, printing, ())
                return _Refused(error.reason, condition, reader, printing)
            whole = _Converted(condition, reader, printing, ())
            if test is None or (has_own_clocks(reader.session) and not _is_of_literals(test)):
                return whole
            tested = Tested(test, whole, reader, printing)
            return tests.setdefault(key, tested) if test.is_plain else tested
    return _Converted(condition, reader, printing, beside.of(condition))


def _is_of_literals(test: Test) -> bool:
    return test.is_plain and all(isinstance(each, exp.Literal) for each in test.constants)


class _Combined:
    """Conditions of which all, or any, hold."""

    def __init__(self, parts: Sequence[_Said], is_all: bool) -> None:
        self._parts = parts
        self._combine = all_of if is_all else any_of

    def predicate(self, filling: Filling) -> Predicate:
        return self._combine(*(part.predicate(filling) for part in self._parts))


class _Refused:
    """An unsupported leaf, whatever its literals are."""

    def __init__(self, reason: Reason, leaf: Leaf, reader: Reader, printing: Printing) -> None:
        self._reason = reason
        self._leaf = leaf
        self._printing = printing
        self._columns = columns_of(leaf.expression, reader.path_of)

    def predicate(self, filling: Filling) -> Predicate:
        printer = self._printing.printer(filling.values)
        found = Reader(own_name, filling.session, printer=printer).written(self._leaf)
        return Unsupported(self._reason, found.text, found.redacted, self._columns)


class Tested:
    """A leaf that is a test. If its constants are of no use, it is read as a whole."""

    def __init__(self, test: Test, whole: _Converted, reader: Reader, printing: Printing) -> None:
        self._test = test
        self._whole = whole
        self._reader = reader
        self._printing = printing
        self._constants = [_Constant(constant) for constant in test.constants]
        self._comparison = _comparison(test)

    def predicate(self, filling: Filling) -> Predicate:
        """The predicate of the leaf for the literals of one query."""
        if not self._test.is_plain:
            return self._whole.remembered(filling, self._read)
        found = filling.tested.get(self)
        if found is None:
            found = filling.tested[self] = self._read(filling)
        return found

    def _read(self, filling: Filling) -> Predicate:
        try:
            values = [constant.value(filling) for constant in self._constants]
            if any(isinstance(value, float) for value in values):
                return self._whole.predicate(filling)
            return self._said(values, filling)
        except CannotConvert:
            return self._whole.predicate(filling)

    def _said(self, values: Sequence[LiteralValue | Null], filling: Filling) -> Predicate:
        if self._comparison is None or isinstance(values[0], Null):
            return self._test.of(values, filling.reader(self._reader, self._printing))
        op, column = self._comparison
        reader = replace(self._reader, session=filling.session)
        return compare_with(op, column, values[0], self._test.leaf, reader)


def _comparison(test: Test) -> tuple[Op, Column] | None:
    """The operator and column of a test that is one comparison, as most are."""
    op, *others = test.ops
    is_list = op in SET or op in (Op.STARTS_WITH, Op.NOT_STARTS_WITH)
    if others or is_list or not test.is_plain or not isinstance(test.subject, Column):
        return None
    return op, test.subject


class _Constant:
    """A constant expression whose literals may be others."""

    def __init__(self, expression: exp.Expr) -> None:
        self._expression = expression
        self._nodes = slot_nodes(expression)
        self._is_literal = isinstance(expression, exp.Literal) and bool(self._nodes)

    def value(self, filling: Filling) -> LiteralValue | Null:
        """Its value for one query; raises CannotConvert."""
        if self._is_literal:
            text = filling.values[self._nodes[0][1]]
            dialect = dialect_of(filling.session.dialect)
            return text if self._expression.is_string else number(text, dialect)
        fill(self._nodes, filling.values)
        return comparable(folded(self._expression, filling.session))


class _Converted:
    """A condition that is read as a whole, beside others where these count."""

    def __init__(
        self,
        condition: Formula,
        reader: Reader,
        printing: Printing,
        beside: Sequence[Formula],
    ) -> None:
        self._condition = condition
        self._reader = reader
        self._printing = printing
        self._beside = beside
        expressions = [leaf.expression for each in (condition, *beside) for leaf in leaves(each)]
        self._nodes = tuple(node for each in expressions for node in slot_nodes(each))
        self._slots = tuple(dict.fromkeys(index for _, index in self._nodes))
        self._is_timed = any(map(may_read_clock, expressions))
        self._always: Predicate | None = None

    def predicate(self, filling: Filling) -> Predicate:
        return self.remembered(filling, self._read)

    def remembered(self, filling: Filling, read: Callable[[Filling], Predicate]) -> Predicate:
        """The predicate for these literals from the memo, or else from `read`."""
        if self._always is not None:
            return self._always
        if not self._slots and not self._is_timed:
            self._always = read(filling)
            return self._always
        values = filling.values
        key = (self, *[values[index] for index in self._slots])
        if self._is_timed:
            key = (*key, filling.session.started_at)
        found = filling.memo.get(key)
        if found is None:
            found = read(filling)
            filling.memo.put(key, found)
        return found

    def _read(self, filling: Filling) -> Predicate:
        fill(self._nodes, filling.values)
        reader = filling.reader(self._reader, self._printing)
        return convert(self._condition, reader.knowing(self._beside))


_Said = _Combined | _Refused | Tested | _Converted


class Printing:
    """Printers of leaves, each of which is taken apart once."""

    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        # By identity: leaves are compared by nothing else, and live as long as the template.
        self._leaves: dict[int, exp.Expr] = {}
        self._holed: dict[int, Holed] = {}

    def know(self, condition: Formula) -> None:
        """Registers the leaves of a condition that are printed again."""
        self._leaves.update((id(leaf.expression), leaf.expression) for leaf in leaves(condition))

    def printer(self, values: Sequence[str]) -> Printer:
        """Writes expressions with these literals."""

        def write(expression: exp.Expr) -> Written:
            key = id(expression)
            if self._leaves.get(key) is not expression:
                return printed(expression, self._dialect)
            if key not in self._holed:
                self._holed[key] = holed(expression, self._dialect)
            return self._holed[key].filled(values, self._dialect)

        return write
