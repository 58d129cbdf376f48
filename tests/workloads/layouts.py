"""Applies the Spark statements of a finding's fix to a layout, as Spark would.

`rewrite_data_files` takes the files that have the current spec partition by partition, and those of
older specs together, as Iceberg's planner of rewrites does; without a sort it packs rows as they
come, and with groups of one byte each file by itself. Z-order is Iceberg's: the bytes of each
value, in order, with their bits interleaved, so that a column whose values differ in few low bits
counts for little.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tests.workloads.physical import (
    Commit,
    Layout,
    column_of,
    cut,
    field_name,
    parse_term,
    split,
    transformed,
    unquoted,
)
from tests.workloads.rows import ROW_BYTES

MANIFEST_ENTRY_BYTES = 300
"""About what a data file takes in a manifest of these tables."""

_ALTER = re.compile(r"ALTER TABLE \S+ (?P<change>.*?);?$", re.DOTALL)
_CALL = re.compile(r"CALL \S+\.system\.(?P<procedure>\w+)\((?P<arguments>.*)\);?$", re.DOTALL)
_ARGUMENT = re.compile(r"(\w+)\s*=>\s*'((?:[^'\\]|''|\\.)*)'")
_ESCAPED = re.compile(r"''|\\(.)")
_ARRAY = re.compile(r"sort_by => array\(([^)]*)\)")
_COMMA, _SPACE = (re.compile(rf"{sign}(?![^(]*\))") for sign in ", ")
_PROPERTY = re.compile(r"'([^']+)'\s*=\s*'([^']*)'")
_COMPARISON = re.compile(
    r"^\(?(?P<column>[\w.`]+) (?P<operator>>=|<=|=|>|<) (?P<type>TIMESTAMP_NTZ|TIMESTAMP|DATE)?"
    r" ?(?P<value>'[^']*'|-?\d+)\)?$"
)


class CannotApply(ValueError):
    """A statement that is none of Spark's, or that tables which PyIceberg writes cannot show."""


@dataclass(frozen=True)
class Laid:
    """A layout while statements change it, what a row of it takes in a file, and the order that the
    table writes in."""

    layout: Layout
    row_bytes: float
    order: str | None = None


def apply(statements: Sequence[str], layout: Layout, *, row_bytes: float = ROW_BYTES) -> Layout:
    """The layout after the statements, in order. Raises CannotApply."""
    laid = Laid(layout, row_bytes)
    for statement in statements:
        laid = _applied(statement.strip(), laid)
    return laid.layout


def _applied(statement: str, laid: Laid) -> Laid:
    if alter := _ALTER.match(statement):
        return _altered(alter["change"].strip(), laid)
    if call := _CALL.match(statement):
        arguments = {
            name: _ESCAPED.sub(lambda found: found[1] or "'", value)
            for name, value in _ARGUMENT.findall(call[2])
        }
        match call["procedure"]:
            case "rewrite_data_files":
                is_apart = "'max-file-group-size-bytes', '1'" in call["arguments"]
                return replace(laid, layout=_rewritten(laid, arguments, is_apart=is_apart))
            case "rewrite_manifests":
                by = _ARRAY.search(call["arguments"])
                order = [] if by is None else [name.strip("' ") for name in by[1].split(",")]
                return replace(laid, layout=_manifests(laid.layout, order))
    raise CannotApply(statement)


def _altered(change: str, laid: Laid) -> Laid:
    layout = laid.layout
    verb = change.upper()
    if verb.startswith("WRITE ORDERED BY "):
        return replace(laid, order=change[len("WRITE ORDERED BY ") :])
    if verb.startswith("SET TBLPROPERTIES"):
        since = {**layout.properties_since, **dict(_PROPERTY.findall(change))}
        return replace(laid, layout=replace(layout, properties_since=since))
    if verb.startswith("ADD PARTITION FIELD "):
        added = _term_text(change[len("ADD PARTITION FIELD ") :])
        partition = (*layout.partition, added)
    elif verb.startswith("DROP PARTITION FIELD "):
        partition = _without(layout.partition, change[len("DROP PARTITION FIELD ") :])
    elif verb.startswith("REPLACE PARTITION FIELD "):
        old, new = re.split(
            r" WITH ", change[len("REPLACE PARTITION FIELD ") :], flags=re.IGNORECASE
        )
        partition = (*_without(layout.partition, old), _term_text(new))
    else:
        raise CannotApply(change)
    return replace(laid, layout=replace(layout, partition=partition))


def _term_text(text: str) -> str:
    return re.split(r" AS \w+$", text.strip(), flags=re.IGNORECASE)[0]


def _without(partition: Sequence[str], text: str) -> tuple[str, ...]:
    dropped = parse_term(_term_text(text))
    kept = tuple(term for term in partition if parse_term(term) != dropped)
    if len(kept) == len(partition):
        raise CannotApply(f"there is no partition field {text} to drop")
    return kept


def _rewritten(laid: Laid, arguments: dict[str, str], *, is_apart: bool) -> Layout:
    layout = laid.layout
    order = arguments.get("sort_order")
    if order is None and arguments.get("strategy") == "sort":
        order = laid.order
    chosen, kept = _chosen(layout, arguments.get("where"))
    file_rows = int(int(layout.properties["write.target-file-size-bytes"]) / laid.row_bytes)
    # What has the current spec stays in its partition, in the order of its files.
    together = [pa.concat_tables(chosen, promote_options="default")]
    groups = [
        group
        for rows in (chosen if is_apart else together)
        for group in split(
            rows.rename_columns([layout.renamed.get(name, name) for name in rows.column_names]),
            layout.partition,
        )
    ]
    files = tuple(
        file for group in groups for file in cut(_ordered(group, order), max(file_rows, 1))
    )
    written = replace(layout, commits=(*kept, Commit(files, layout.partition)))
    if any(commit.files for commit in kept):
        return written
    written = replace(written, renamed={})
    properties = {**layout.properties, **layout.properties_since}
    return replace(written, properties=properties, properties_since={})


def _chosen(layout: Layout, where: str | None) -> tuple[list[pa.Table], list[Commit]]:
    """The files that a rewrite takes, and the commits of the others."""
    if where is None:
        return list(layout.files), []
    condition = _condition(where)
    chosen: list[pa.Table] = []
    kept: list[Commit] = []
    for commit in layout.commits:
        matching = [file for file in commit.files if _matches(file, condition)]
        others = [file for file in commit.files if not _matches(file, condition)]
        chosen += matching
        kept.append(replace(commit, files=tuple(others)))
    if not chosen:
        raise CannotApply(f"no file is where {where}")
    return chosen, kept


def _condition(where: str) -> list[re.Match[str]]:
    matches = [_COMPARISON.match(part.strip()) for part in where.split(" AND ")]
    if None in matches:
        raise CannotApply(f"where {where}")
    return [match for match in matches if match is not None]


def _matches(file: pa.Table, condition: list[re.Match[str]]) -> bool:
    selected = pa.array([True] * len(file))
    compare = {">=": pc.greater_equal, "<=": pc.less_equal, "=": pc.equal}
    compare |= {">": pc.greater, "<": pc.less}
    for match in condition:
        values = column_of(file, unquoted(match["column"]))
        literal = match["value"].strip("'")
        if match["type"] in {"TIMESTAMP", "TIMESTAMP_NTZ"}:
            literal = re.sub(r"( ?UTC|Z|\+00:00)$", "", literal)
            values = values.cast(pa.timestamp("us"))
            scalar = pa.scalar(literal).cast(pa.timestamp("us"))
        else:
            scalar = pa.scalar(literal).cast(values.type)
        selected = pc.and_(selected, compare[match["operator"]](values, scalar))
    return bool(pc.any(selected).as_py())


def _manifests(layout: Layout, by: Sequence[str]) -> Layout:
    """The same files, sorted by partition (or some of its fields, by their names), in manifests of
    the target size."""
    terms = {field_name(parse_term(term)): term for term in layout.partition}
    order = [terms[name] for name in by] or list(layout.partition)
    target = int(layout.properties.get("commit.manifest.target-size-bytes", 8 << 20))
    each = max(target // MANIFEST_ENTRY_BYTES, 1)
    if any(commit.partition != layout.partition for commit in layout.commits if commit.files):
        raise CannotApply("manifests of several specs")
    files = list(layout.files)
    labelled = [(index, split(file.slice(0, 1), order)) for index, file in enumerate(files)]
    firsts = pa.concat_tables([part[0] for _, part in labelled])
    firsts = firsts.append_column("_file", pa.array(range(len(files))))
    in_order = [
        index for part in split(firsts, order) for index in part.column("_file").to_pylist()
    ]
    commits = tuple(
        Commit(tuple(files[index] for index in in_order[start : start + each]), layout.partition)
        for start in range(0, len(in_order), each)
    )
    return replace(layout, commits=commits)


def _ordered(rows: pa.Table, order: str | None) -> pa.Table:
    if order is None:
        return rows
    curve = order.lower().partition("(")[0]
    if curve in ("zorder", "hilbert"):
        names = [unquoted(name) for name in order[order.index("(") + 1 : -1].split(",")]
        of_columns = [_words(_ordered_bytes(column_of(rows, name))) for name in names]
        places = hilbert(of_columns) if curve == "hilbert" else of_columns
        return rows.take(pa.array(_interleaved_order(places)))
    keys: dict[str, tuple[pa.Array, str]] = {}
    for part in _COMMA.split(order):
        name, *words = _SPACE.split(part.strip())
        ends = "descending" if "DESC" in map(str.upper, words) else "ascending"
        nulls = "ascending" if "LAST" in map(str.upper, words) else "descending"
        values = transformed(rows, parse_term(name))
        keys[f"{name} is null"] = (values.is_null(), nulls)
        keys[name] = (_sortable(values), ends)
    keyed = pa.table([values for values, _ in keys.values()], list(keys))
    return rows.take(
        pc.sort_indices(keyed, sort_keys=[(name, ends) for name, (_, ends) in keys.items()])
    )


def _sortable(values: pa.Array) -> pa.Array:
    return values.cast(pa.binary()) if pa.types.is_fixed_size_binary(values.type) else values


def _words(of_values: npt.NDArray[np.uint8]) -> list[int]:
    return [int.from_bytes(value.tobytes(), "big") for value in of_values]


def _interleaved_order(words: Sequence[Sequence[int]]) -> npt.NDArray[np.intp]:
    """The order of rows by the bits of their words, one of each word at a time."""
    raw = [np.array(word, ">u8").view(np.uint8).reshape(-1, 8) for word in words]
    bits = np.stack([np.unpackbits(word, axis=1) for word in raw], axis=2)
    packed = np.packbits(bits.reshape(len(raw[0]), -1), axis=1)
    return np.lexsort(packed.T[::-1])


def hilbert(words: Sequence[Sequence[int]]) -> list[list[int]]:
    """Words of 64 bits as those of the index along Hilbert's curve, interleaved: one row after the
    other, as J. Skilling has it (Programming the Hilbert curve, 2004)."""
    found = [_hilbert(list(row)) for row in zip(*words, strict=True)]
    return [list(column) for column in zip(*found, strict=True)]


def _hilbert(x: list[int]) -> list[int]:
    last = len(x) - 1
    bit = 1 << 63
    while bit > 1:
        below = bit - 1
        for number in range(len(x)):
            if x[number] & bit:
                x[0] ^= below
            else:
                swapped = (x[0] ^ x[number]) & below
                x[0] ^= swapped
                x[number] ^= swapped
        bit >>= 1
    for number in range(1, len(x)):
        x[number] ^= x[number - 1]
    flipped = 0
    bit = 1 << 63
    while bit > 1:
        if x[last] & bit:
            flipped ^= bit - 1
        bit >>= 1
    return [word ^ flipped for word in x]


def _ordered_bytes(values: pa.Array) -> npt.NDArray[np.uint8]:
    """Eight bytes of each value that sort as the values do; zeros for null."""
    count = len(values)
    if pa.types.is_string(values.type) or pa.types.is_binary(values.type):
        raw = [(value or b"")[:8].ljust(8, b"\0") for value in values.cast(pa.binary()).to_pylist()]
        return np.frombuffer(b"".join(raw), np.uint8).reshape(count, 8)
    if pa.types.is_fixed_size_binary(values.type):
        raw = [(value or b"")[:8].ljust(8, b"\0") for value in values.to_pylist()]
        return np.frombuffer(b"".join(raw), np.uint8).reshape(count, 8)
    if pa.types.is_floating(values.type):
        numbers = values.cast(pa.float64()).fill_null(0).to_numpy(zero_copy_only=False)
        signed = numbers.view(np.int64)
        ordered = signed ^ ((signed >> 63) & np.int64(0x7FFFFFFFFFFFFFFF))
    else:
        if pa.types.is_date32(values.type):
            values = values.cast(pa.int32())
        elif pa.types.is_timestamp(values.type):  # Spark casts it to seconds
            values = pc.floor(pc.divide(values.cast(pa.int64()).cast(pa.float64()), 1e6))
        ordered = values.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    unsigned = ordered.astype(np.int64).view(np.uint64) ^ np.uint64(1 << 63)
    made: npt.NDArray[np.uint8] = unsigned.astype(">u8").view(np.uint8).reshape(count, 8)
    return made
