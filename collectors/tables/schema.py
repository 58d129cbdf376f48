"""Schemas as predicates need them: which names mean which field, of which type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SchemaColumn:
    """A field of a schema at any depth of structs.

    `type` is the spec's text for primitives, and `struct`, `list` or `map` for the others.
    `required` holds only if the field and all its ancestors are, `declared_required` if the field
    itself is. `has_default` says that
    older files, which lack the field, hold its `initial-default` and not null.
    """

    field_id: int
    path: tuple[str, ...]
    type: str
    required: bool
    declared_required: bool
    has_default: bool

    @property
    def name(self) -> str:
        """The full dotted name."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Schema:
    """One schema of a table: its fields outside of lists and maps, in order."""

    schema_id: int
    columns: tuple[SchemaColumn, ...]

    def by_id(self, field_id: int) -> SchemaColumn | None:
        """The field with this id, if a predicate could name it."""
        return next((c for c in self.columns if c.field_id == field_id), None)

    def by_path(self, path: tuple[str, ...]) -> tuple[SchemaColumn, ...]:
        """The fields that a written path can mean: those of exactly this spelling, else all
        that differ in case only (SQL identifiers rarely keep it)."""
        exact = tuple(c for c in self.columns if c.path == path)
        if exact:
            return exact
        folded = tuple(part.casefold() for part in path)
        return tuple(c for c in self.columns if tuple(part.casefold() for part in c.path) == folded)

    @property
    def top_level_types(self) -> dict[str, str]:
        """Types of the table's own columns by name, in order."""
        return {c.path[0]: c.type for c in self.columns if len(c.path) == 1}

    @property
    def top_level_names(self) -> tuple[str, ...]:
        """Names of the table's own columns, in order."""
        return tuple(c.path[0] for c in self.columns if len(c.path) == 1)


def read_schema(raw: Mapping[str, Any]) -> Schema:
    """A schema from its JSON form. Raises KeyError or TypeError where that is malformed."""
    columns = tuple(_columns(raw["fields"], parent=(), required=True))
    return Schema(raw.get("schema-id", 0), columns)


def _columns(
    fields: list[Mapping[str, Any]], *, parent: tuple[str, ...], required: bool
) -> Iterator[SchemaColumn]:
    for field in fields:
        path = (*parent, field["name"])
        always_set = required and bool(field["required"])
        kind = field["type"]
        yield SchemaColumn(
            field_id=field["id"],
            path=path,
            type=kind if isinstance(kind, str) else kind["type"],
            required=always_set,
            declared_required=bool(field["required"]),
            has_default=field.get("initial-default") is not None,
        )
        if not isinstance(kind, str) and kind["type"] == "struct":
            yield from _columns(kind["fields"], parent=path, required=always_set)
