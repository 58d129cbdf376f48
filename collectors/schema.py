"""Schemas as predicates need them: the fields that names mean, and their types."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from prunescope.collectors.budget import Budget
from prunescope.collectors.json_fields import entries, fields, flag, short, whole

_OF_COLUMN, _OF_NAME = 200, 16
"""Bytes of a column besides its names, and of one of these besides its letters."""


@dataclass(frozen=True, slots=True)
class SchemaColumn:
    """A field of a schema at any depth of structs.

    `type` is the spec's text for primitives, and `struct`, `list` or `map` for the others.
    `required` holds only if the field and all its ancestors are, `declared_required` if the field
    itself is. `has_default` says that older files, which lack the field, hold its
    `initial-default` and not null; `default` is this, as JSON has it, if it is one value.
    """

    field_id: int
    path: tuple[str, ...]
    type: str
    required: bool
    declared_required: bool
    has_default: bool
    default: bool | float | str | None = None

    @property
    def name(self) -> str:
        """The full dotted name."""
        return ".".join(self.path)


@dataclass(frozen=True)
class Schema:
    """One schema of a table: its fields outside of lists and maps, in order."""

    schema_id: int
    columns: tuple[SchemaColumn, ...]

    def __hash__(self) -> int:
        """Hashes two fields only: schemas of many columns are the keys of results remembered per
        query."""
        return hash((self.schema_id, len(self.columns)))

    def __getstate__(self) -> dict[str, object]:
        """The state without what is derived from the columns on demand."""
        return {"schema_id": self.schema_id, "columns": self.columns}

    def by_id(self, field_id: int) -> SchemaColumn | None:
        """The field with this id, if a predicate could name it; of several, the first."""
        return self._by_id.get(field_id)

    def by_path(self, path: tuple[str, ...]) -> tuple[SchemaColumn, ...]:
        """The fields that a written path can mean: those of exactly this spelling, else all that
        differ in case only (SQL identifiers rarely keep it)."""
        return self._exact.get(path) or self._folded.get(casefolded(path), ())

    @cached_property
    def _by_id(self) -> dict[int, SchemaColumn]:
        return {column.field_id: column for column in reversed(self.columns)}

    @cached_property
    def folded_paths(self) -> frozenset[tuple[str, ...]]:
        """The paths of all fields, in the form in which those that differ in case are the same."""
        return frozenset(self._folded)

    @cached_property
    def folded_names(self) -> frozenset[str]:
        """The names of all fields in that form, without those above them."""
        return frozenset(part for path in self._folded for part in path)

    @cached_property
    def _exact(self) -> dict[tuple[str, ...], tuple[SchemaColumn, ...]]:
        return _by((column.path, column) for column in self.columns)

    @cached_property
    def _folded(self) -> dict[tuple[str, ...], tuple[SchemaColumn, ...]]:
        return _by((casefolded(column.path), column) for column in self.columns)

    @property
    def types(self) -> dict[str, str]:
        """Types of the table's columns, and of the fields of structs behind these, by their dotted
        names, in order."""
        return {".".join(column.path): column.type for column in self.columns}

    @property
    def top_level_names(self) -> tuple[str, ...]:
        """Names of the table's own columns, in order."""
        return tuple(c.path[0] for c in self.columns if len(c.path) == 1)


def casefolded(path: tuple[str, ...]) -> tuple[str, ...]:
    """A path in the form in which those that differ in case are the same."""
    return tuple(part.casefold() for part in path)


def _by(
    columns: Iterable[tuple[tuple[str, ...], SchemaColumn]],
) -> dict[tuple[str, ...], tuple[SchemaColumn, ...]]:
    found: dict[tuple[str, ...], list[SchemaColumn]] = {}
    for path, column in columns:
        found.setdefault(path, []).append(column)
    return {path: tuple(same) for path, same in found.items()}


def read_schema(raw: Mapping[str, Any], budget: Budget) -> Schema:
    """A schema from its JSON form. Raises KeyError, TypeError or ValueError if that is malformed,
    and TooMuch if its columns take more than is left of a budget."""
    schema_id = raw.get("schema-id")
    columns = tuple(_columns(raw["fields"], parent=(), required=True, budget=budget))
    return Schema(0 if schema_id is None else whole(schema_id, "schema-id"), columns)


def weight(path: tuple[str, ...]) -> int:
    """Estimates the bytes that a column with this path takes: names are folded, and joined with
    those of all structs around them."""
    return _OF_COLUMN + sum(map(len, path)) + _OF_NAME * len(path)


def _columns(
    listed: Any, *, parent: tuple[str, ...], required: bool, budget: Budget
) -> Iterator[SchemaColumn]:
    for entry in entries(listed, "fields"):
        field = fields(entry, "fields")
        path = (*parent, short(field["name"], "name"))
        budget.take(weight(path))
        declared = flag(field["required"], "required")
        kind = field["type"]
        nested = {} if isinstance(kind, str) else fields(kind, "type")
        yield SchemaColumn(
            field_id=whole(field["id"], "id"),
            path=path,
            type=short(nested["type"] if nested else kind, "type"),
            required=required and declared,
            declared_required=declared,
            has_default=field.get("initial-default") is not None,
            default=_scalar(field.get("initial-default")),
        )
        if nested.get("type") == "struct":
            within = required and declared
            yield from _columns(nested["fields"], parent=path, required=within, budget=budget)


def _scalar(value: object) -> bool | float | str | None:
    return value if isinstance(value, bool | int | float | str) else None
