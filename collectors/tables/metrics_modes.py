"""Metrics that Iceberg's writers keep of columns in manifests, by a table's properties
(`MetricsConfig` of Iceberg 1.10 and later, Java)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.properties import count_of

DEFAULT_MODE = "truncate(16)"
"""The mode of columns that no property names."""
WITHOUT_BOUNDS = ("none", "counts")
"""Modes that keep no bounds."""
DEFAULT_PROPERTY = "write.metadata.metrics.default"
COLUMN_PREFIX = "write.metadata.metrics.column."

_TRUNCATED = re.compile(r"truncate\((\d{1,10})\)")
_INFERRED_PROPERTY = "write.metadata.metrics.max-inferred-column-defaults"
_INFERRED = 100
# What lists and maps hold is no column of a schema here; it is counted as single values.
_VALUES = {"struct": 0, "list": 1, "map": 2}


@dataclass(frozen=True, slots=True)
class MetricsModes:
    """The modes in which metrics of a table's columns are written to new files. Without a property,
    writers keep metrics of the first `inferred` columns, and none of the columns `beyond` them.
    They keep bounds of `ordered` columns, by which the table is sorted, whatever the default is,
    unless a property of the column itself says none."""

    properties: Mapping[str, str]
    inferred: int
    beyond: frozenset[str]
    ordered: frozenset[str]

    @classmethod
    def of(cls, metadata: TableMetadata, ordered: Iterable[int] = ()) -> MetricsModes:
        """The modes of a table with its current schema; `ordered` are ids of columns that it is to
        be sorted by, beside those that it is sorted by."""
        schema, properties = metadata.schema(None), metadata.properties
        found = count_of(properties, _INFERRED_PROPERTY)
        inferred = _INFERRED if found is None else found
        beyond = frozenset[str]() if DEFAULT_PROPERTY in properties else _beyond(schema, inferred)
        by = {*metadata.sort_columns, *ordered}
        names = (column.name for column in schema.columns if column.field_id in by)
        return cls(properties, inferred, beyond, frozenset(names))

    @property
    def default(self) -> str | None:
        """The mode that a property sets for all columns, None if none does."""
        found = self.properties.get(DEFAULT_PROPERTY)
        return None if found is None else found.lower()

    def mode(self, column: str) -> str:
        """The mode of a column: `none`, `counts`, `truncate(n)` or `full`."""
        usual = "none" if column in self.beyond else DEFAULT_MODE
        default = self.default or usual
        if column in self.ordered and default in WITHOUT_BOUNDS:
            default = DEFAULT_MODE
        return self.properties.get(mode_property(column), default).lower()

    def is_without_bounds(self, column: str) -> bool:
        """True if new files have no bounds of a column."""
        return self.mode(column) in WITHOUT_BOUNDS


def truncated_to(mode: str) -> int | None:
    """The length in characters of a text, or bytes, to which a mode cuts bounds; None if they are
    whole, or `mode` is no mode."""
    found = _TRUNCATED.fullmatch(mode)
    return None if found is None else int(found[1])


def mode_property(column: str) -> str:
    """The property that sets the mode of a column."""
    return f"{COLUMN_PREFIX}{column}"


def _beyond(schema: Schema, inferred: int) -> frozenset[str]:
    found = set()
    for column in _as_counted(schema):
        if inferred <= 0:
            found.add(column.name)
        inferred -= _VALUES.get(column.type, 1)
    return frozenset(found)


def _as_counted(schema: Schema) -> Iterator[SchemaColumn]:
    """Columns but structs, in the order in which writers count them: a struct's own values come
    before what its other fields are made of."""
    fields = defaultdict[tuple[str, ...], list[SchemaColumn]](list)
    for column in schema.columns:
        fields[column.path[:-1]].append(column)
    waiting: list[tuple[str, ...] | SchemaColumn] = [()]
    while waiting:
        of = waiting.pop()
        if isinstance(of, SchemaColumn):
            yield of
            continue
        own = fields[of]
        yield from (column for column in own if column.type not in _VALUES)
        made = (column for column in reversed(own) if column.type in _VALUES)
        waiting.extend(column.path if column.type == "struct" else column for column in made)
