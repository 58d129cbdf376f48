"""The SQL text of queries, parsed once for all that differ in literals alone.

Caches hold literals: they stay in the memory of the process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import RLock

from sqlglot import exp

from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.workload.allowance import REFUSED, Allowance
from prunescope.audit_jobs.workload.query_texts import internal_error
from prunescope.collectors.errors import (
    PrunescopeError,
    TooComplexSql,
    UnparseableSql,
    UnsupportedStatement,
)
from prunescope.collectors.observed import Effects, ObservedQuery, Parameter, Reference, TableName
from prunescope.collectors.recently_used import Recent
from prunescope.collectors.sql.scopes.defined import with_definitions
from prunescope.collectors.sql.scopes.tables import referenced_tables, target_name
from prunescope.collectors.sql.scopes.views import expand_views
from prunescope.collectors.sql.text.cost import MAX_STEPS, bounded, steps_for, usual_steps_for
from prunescope.collectors.sql.text.fingerprint import calculation, fingerprint
from prunescope.collectors.sql.text.literals import Framed, framed
from prunescope.collectors.sql.text.parse import parts_of, whole_text
from prunescope.collectors.sql.text.slots import NO_SLOTS, Slots, form, marked
from prunescope.collectors.sql.text.statements import Statement, statements_of


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A statement's query, its views expanded, and the session that it runs in; `time_zone` is None
    if the text sets none. `variables` are known by name alone."""

    tree: exp.Query
    catalog: str | None
    schema: str | None
    time_zone: str | None
    variables: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Facts that the text of a query tells without any schema.

    `slots` are the literals that may differ while all of these facts are the same; `calculation`
    has some of the other literals. `effects` are changes to existing rows of tables. Reading the
    text, or finding its scans, takes at most `max_steps`, and usually `usual_steps`; `is_long` if
    reading takes more.
    """

    readings: tuple[Reading, ...] = ()
    tables: tuple[TableName, ...] = ()
    fingerprint: str | None = None
    calculation: tuple[str, ...] = ()
    traits: frozenset[str] = frozenset()
    failure: Failed | None = None
    slots: Slots = NO_SLOTS
    effects: Effects = ()
    max_steps: int = MAX_STEPS
    usual_steps: int = MAX_STEPS
    is_long: bool = False

    @property
    def is_refused(self) -> bool:
        """True if the text is longer than usual, and was read only as far as is usual."""
        return self.failure == REFUSED


@dataclass(frozen=True, slots=True)
class ReadText:
    """The text of a query, and the values of its literals, in order."""

    text: Text
    values: tuple[str, ...] = ()


def read_text(query: ObservedQuery, allowance: Allowance | None = None) -> ReadText:
    """The statements of a query's text and the base tables they name. Never raises: failures are
    recorded. A text that takes more than the usual steps draws on the allowance of its log; without
    one (None), it may take all.

    A text is parsed once, and texts that differ from it in free literals not at all.
    """
    assert query.sql is not None
    names = (query.dialect, query.catalog, query.schema, query.references)
    try:
        with READING:
            return _TEXTS.read(query.sql, query.parameters, names, allowance)
    except PrunescopeError as error:
        return ReadText(Text(failure=Failed.of(error)))
    except Exception as error:  # noqa: BLE001  # one query must not stop the others
        return ReadText(Text(failure=internal_error(error)))


# A text with its trees takes about 100 KB.
_MAX_TEXTS = 4_096
_MAX_LATEST = 1_024

# All that the meaning of names depends on besides the text.
_Names = tuple[str, str | None, str | None, tuple[Reference, ...]]


@dataclass(frozen=True, slots=True)
class _Frame:
    """The literals, by index, of the texts of one frame that are no free slots: `kept` must be
    equal, `typed` must have the same form."""

    kept: tuple[int, ...]
    typed: tuple[int, ...]

    def key(self, values: Sequence[str]) -> tuple[object, ...]:
        """A key that texts share if they differ in their free literals alone."""
        kept = tuple(values[index] for index in self.kept)
        return kept + tuple(form(values[index]) for index in self.typed)


class _Texts:
    """The texts that were read recently, by their frames. None leaves the process."""

    def __init__(self) -> None:
        self._frames: Recent[tuple[str, _Names], _Frame] = Recent(_MAX_TEXTS)
        self._texts: Recent[tuple[object, ...], Text] = Recent(_MAX_TEXTS)
        # A query is asked for its tables, and then for its scans.
        self._latest: Recent[tuple[object, ...], ReadText] = Recent(_MAX_LATEST)

    def read(
        self,
        sql: str,
        parameters: tuple[Parameter, ...],
        names: _Names,
        allowance: Allowance | None,
    ) -> ReadText:
        """The text, read or cached. Raises the errors of `statements` and other readers of
        texts."""
        key = (sql, parameters, names)
        read = self._latest.get(key)
        if read is None or _is_to_be_read_on(read.text, allowance):
            try:
                with bounded():
                    whole = whole_text(sql, names[0], parameters)
                read = self._read(whole, framed(whole, names[0]), names, allowance)
            except TooComplexSql as error:
                read = ReadText(Text(failure=Failed.of(error)))
            self._latest.put(key, read)
        text = read.text
        if text.is_long and allowance is not None and not allowance.grants(text, text.max_steps):
            return ReadText(Text(failure=REFUSED, is_long=True))
        return read

    def _read(
        self, whole: str, found: Framed | None, names: _Names, allowance: Allowance | None
    ) -> ReadText:
        if found is None:
            key: tuple[object, ...] = (whole, names)
            unframed = self._texts.get(key)
            if unframed is None or _is_to_be_read_on(unframed, allowance):
                unframed = _read(whole, None, names, allowance)
                self._texts.put(key, unframed)
            return ReadText(unframed)
        values = found.values
        frame = self._frames.get((found.frame, names))
        if frame is not None:
            text = self._texts.get((found.frame, names, frame, frame.key(values)))
            if text is not None and not _is_to_be_read_on(text, allowance):
                return ReadText(text, values)
        text = _read(whole, found, names, allowance)
        frame = _frame_of(text, len(values), frame)
        self._frames.put((found.frame, names), frame)
        self._texts.put((found.frame, names, frame, frame.key(values)), text)
        return ReadText(text, values)


def _is_to_be_read_on(text: Text, allowance: Allowance | None) -> bool:
    """True if a text for which another log had no allowance left is to be read to its end now."""
    return text.is_refused and (allowance is None or allowance.has(text.max_steps))


def _frame_of(text: Text, count: int, known: _Frame | None) -> _Frame:
    """The frame of a text and of the texts of a `known` frame together."""
    kept, typed = set(range(count)) - text.slots.free, set(text.slots.typed)
    if known is not None:
        kept |= set(known.kept)
        typed |= set(known.typed)
    return _Frame(tuple(sorted(kept)), tuple(sorted(typed - kept)))


_TEXTS = _Texts()
READING = RLock()
"""Held while a text is read: what was read before is used, and filled, again."""


def _read(whole: str, literals: Framed | None, names: _Names, allowance: Allowance | None) -> Text:
    # Texts of one frame have one bound, so that it is all the same which of them is read.
    own = whole if literals is None else literals.frame
    beside = (part for each in names[3] for part in (each.view_sql or "", *each.row_filters))
    characters = len(own) + sum(map(len, beside))
    max_steps, usual = steps_for(characters), usual_steps_for(characters)
    text, is_long = _tried(whole, literals, names, usual)
    if is_long and (allowance is None or allowance.has(max_steps)):
        text, _ = _tried(whole, literals, names, max_steps)
    elif is_long:
        text = replace(text, failure=REFUSED)
    return replace(text, max_steps=max_steps, usual_steps=usual, is_long=is_long)


def _tried(whole: str, literals: Framed | None, names: _Names, steps: int) -> tuple[Text, bool]:
    """Reads a text within `steps` steps; returns it, and True if it takes more."""
    try:
        with bounded(steps) as meter:
            return _within(whole, literals, names), False
    except TooComplexSql as error:  # and so would be others, with any literals
        count = 0 if literals is None else len(literals.values)
        free = Slots(frozenset(range(count)), frozenset())
        return Text(failure=Failed.of(error), slots=free), meter.steps > steps


def _within(whole: str, literals: Framed | None, names: _Names) -> Text:
    dialect, catalog, schema, references = names
    parts = parts_of(whole, dialect)
    tokens = [token for part in parts for token in part.tokens]
    comments = frozenset[int]() if literals is None else marked(tokens, literals)
    found = statements_of(parts, catalog, schema)
    trees = [
        (s, with_definitions(s.tree, s.definitions, s.catalog, s.schema))
        for s in found
        if s.tree is not None
    ]
    expanded = [
        (s, expand_views(tree, references, dialect, s.catalog, s.schema)) for s, tree in trees
    ]
    tables = [t for s, tree in expanded for t in referenced_tables(tree, s.catalog, s.schema)]
    effects = [
        (target_name(t, s.catalog, s.schema), effect) for s in found for t, effect in s.effects
    ]
    shapes = [fingerprint(tree) for _, tree in trees]
    readings = tuple(
        Reading(tree, s.catalog, s.schema, s.time_zone, s.variables) for s, tree in expanded
    )
    # What is wrong with a text may stand elsewhere in another.
    is_whole = not any(isinstance(s.failure, UnparseableSql) for s in found)
    return Text(
        readings,
        tuple(dict.fromkeys(tables)),
        _joined(shapes),
        tuple(literal for _, tree in trees for literal in calculation(tree)),
        frozenset().union(*(s.traits for s in found)),
        _failure(found),
        Slots(
            comments.union(*(s.slots.free for s in found)),
            frozenset().union(*(s.slots.typed for s in found)),
        )
        if is_whole
        else NO_SLOTS,
        tuple(dict.fromkeys((name, effect) for name, effect in effects if name is not None)),
    )


def _joined(shapes: Sequence[str]) -> str | None:
    """One fingerprint for the statements of a text."""
    if len(shapes) < 2:
        return next(iter(shapes), None)
    return hashlib.sha256(" ".join(shapes).encode()).hexdigest()[: len(shapes[0])]


def _failure(found: Sequence[Statement]) -> Failed | None:
    """The first failure that matters: SET and USE beside a query are no failures."""
    failures = [s.failure for s in found if s.failure is not None]
    if len(failures) < len(found):
        failures = [f for f in failures if not isinstance(f, UnsupportedStatement)]
    return Failed.of(failures[0]) if failures else None
