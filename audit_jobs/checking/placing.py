"""Findings with their places in files, and the edits that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from prunescope.audit_jobs.checking.conditions import ReadStatement, statements_in
from prunescope.audit_jobs.checking.edits import edits_of, keep_rows
from prunescope.audit_jobs.checking.originals import in_original
from prunescope.audit_jobs.checking.places import Spot, reading, spots
from prunescope.audit_jobs.checking.ranges import Rewrite
from prunescope.audit_jobs.checking.regions import normal, region_of, replaced
from prunescope.audit_jobs.findings.entries import Entry, Place
from prunescope.audit_jobs.isolation import attempt
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.queries.sql_files import SqlFile
from prunescope.collectors.sql.text.spans import Span
from prunescope.collectors.tables.catalog import Table

_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Edited:
    """A file that people edit, as it is and as it would be: with its own line ends."""

    file: SqlFile
    before: str
    after: str


@dataclass(slots=True)
class _Text:
    """A file that was read: its statements; the text that people edit, None if it cannot be read;
    and the places of findings, by the number of the finding, in the text that was read."""

    file: SqlFile
    query: ObservedQuery
    statements: tuple[ReadStatement, ...]
    original: str | None
    spots: dict[int, tuple[Spot, ...]] = field(default_factory=dict)

    @property
    def sql(self) -> str:
        """The text that was read."""
        return self.query.sql or ""

    @property
    def edited(self) -> str | None:
        """The text that people edit, with one kind of line ends."""
        if self.file.original is None:
            return self.sql
        return None if self.original is None else normal(self.original.removeprefix(_BOM))

    def own(self, span: Span) -> Span | None:
        """The span in the text that people edit; None if it is not known."""
        if self.file.original is None:
            return span
        return None if self.edited is None else in_original(span, self.sql, self.edited)


@dataclass(frozen=True, slots=True)
class Placing:
    """Files of a check: their texts, the tables by the names that these use,
    and the first file that reads each table. A rewrite is exact if it is in sessions of all `zones`
    alike."""

    files: Mapping[str, SqlFile]
    queries: Mapping[str, ObservedQuery]
    tables: Mapping[TableName, Table]
    readers: Mapping[TableName, str]
    zones: Sequence[str]

    def placed(self, entries: Iterable[Entry]) -> tuple[list[Entry], list[Edited]]:
        """Findings with their places, and the files that the exact rewrites change. Suppressed
        findings change none."""
        found = [*entries]
        texts: dict[str, _Text] = {}
        for number, entry in enumerate(found):
            for name in self._named(entry):
                if name not in texts:
                    texts[name] = self._read(name)
                texts[name].spots[number] = self._spots(entry, texts[name])
        for text in texts.values():
            _keep_proven(text, self.tables)
        placed = [
            replace(
                entry,
                places=tuple(
                    place for name in self._named(entry) for place in _places(texts[name], number)
                ),
            )
            for number, entry in enumerate(found)
        ]
        changes = (_edited(texts[name]) for name in sorted(texts))
        return placed, [change for change in changes if change is not None]

    def _read(self, name: str) -> _Text:
        query, file = self.queries[name], self.files[name]
        found = attempt("reading the conditions of a file", statements_in, query, self.tables)
        statements = () if isinstance(found, PrunescopeError) else found
        return _Text(file, query, statements, _text_of(file))

    def _spots(self, entry: Entry, text: _Text) -> tuple[Spot, ...]:
        """The places of a finding in a text; nothing is to be written for one that is
        suppressed."""
        finding, statements = entry.finding, text.statements
        if not entry.files:
            return reading(finding, statements)[:1]
        doing = "finding the conditions of a file"
        found = attempt(doing, spots, finding, statements, text.sql, self.zones)
        if isinstance(found, PrunescopeError):
            return reading(finding, statements)
        if finding.suppressed is not None:
            return tuple(replace(spot, rewrite=None) for spot in found)
        return found

    def _named(self, entry: Entry) -> tuple[str, ...]:
        """The files of a finding; of one about the table alone, the first that reads it."""
        reader = self.readers.get(entry.finding.table)
        return entry.files or (() if reader is None else (reader,))


def _keep_proven(text: _Text, tables: Mapping[TableName, Table]) -> None:
    """Leaves rewrites exact only if the file as a whole selects the same rows with them."""
    edits = edits_of(spot for found in text.spots.values() for spot in found)
    if not edits or keep_rows(text.query, edits, tables):
        return
    for number, found in text.spots.items():
        text.spots[number] = tuple(map(_beside, found))


def _beside(spot: Spot) -> Spot:
    if spot.rewrite is None:
        return spot
    return replace(spot, rewrite=Rewrite(spot.rewrite.sql, is_exact=False))


def _text_of(file: SqlFile) -> str | None:
    """The text of the file that people edit, with its own line ends; None if it cannot be read."""
    try:
        return file.edited.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _edited(text: _Text) -> Edited | None:
    """The change of a file by the exact rewrites in it; None if there are none."""
    before = text.original
    edits = edits_of(spot for found in text.spots.values() for spot in found)
    own = {span: words for each, words in edits.items() if (span := text.own(each)) is not None}
    if not own or before is None:
        return None
    mark = _BOM if before.startswith(_BOM) else ""
    return Edited(text.file, before, mark + replaced(before.removeprefix(_BOM), own))


def _places(text: _Text, number: int) -> Iterable[Place]:
    """The places of a finding in a file; the file alone where none is known."""
    return [_place(text, spot) for spot in text.spots[number]] or [Place(text.file.name)]


def _place(text: _Text, spot: Spot) -> Place:
    written = spot.rewrite
    place = Place(
        text.file.name,
        is_condition=spot.is_condition,
        replacement=written.sql if written is not None and written.is_exact else None,
        addition=written.sql if written is not None and not written.is_exact else None,
        shape=spot.shape,
    )
    span, edited = text.own(spot.span), text.edited
    if span is None or edited is None:
        return place
    region = region_of(edited, span)
    return replace(
        place,
        line=region.line,
        column=region.column,
        end_line=region.end_line,
        end_column=region.end_column,
    )
