import base64
import datetime as dt
from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow.parquet.encryption import (
    CryptoFactory,
    EncryptionConfiguration,
    KmsClient,
    KmsConnectionConfig,
)

from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from prunescope.collectors.predicates.literals import PhysicalValue
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.tables.footers import (
    Footer,
    FooterUnreadable,
    read_footers,
    row_group_batch,
)
from tests.footers import footer_of, parquet_file


class Chunk(NamedTuple):
    lower: Any
    upper: Any
    null_count: int | None
    value_count: int | None


UNPARTITIONED = PartitionSpec(0, ())


def column(name: str, field_id: int | None, kind: pa.DataType) -> pa.Field:
    metadata = None if field_id is None else {b"PARQUET:field_id": str(field_id).encode()}
    return pa.field(name, kind, metadata=metadata)


def write(path: Path, field: pa.Field, values: Iterable[Any], **options: Any) -> str:
    table = pa.Table.from_arrays([pa.array(values, field.type)], schema=pa.schema([field]))
    pq.write_table(table, path, **options)
    return str(path)


def only_chunk(path: str, key: ColumnKey) -> Chunk:
    chunks = footer_of(path, [key]).chunks[key]
    ((lower, upper, nulls, values),) = zip(
        chunks.lower, chunks.upper, chunks.null_count, chunks.value_count, strict=True
    )
    return Chunk(lower, upper, nulls, values)


EPOCH = dt.datetime(1970, 1, 1)
FIRST, LAST = bytes(16), b"\xff" * 16


@pytest.mark.parametrize(
    ("kind", "type_name", "values", "lower", "upper"),
    [
        pytest.param(pa.int32(), "int", [3, 7], 3, 7, id="int"),
        pytest.param(pa.int32(), "long", [3, 7], 3, 7, id="int-promoted-to-long"),
        pytest.param(pa.int64(), "long", [-(2**63), 7], -(2**63), 7, id="long"),
        pytest.param(pa.uint32(), "long", [3, 7], None, None, id="unsigned-is-unknown"),
        pytest.param(pa.bool_(), "boolean", [False, True], 0, 1, id="boolean"),
        pytest.param(pa.float32(), "double", [1.5, 2.5], 1.5, 2.5, id="float-promoted"),
        pytest.param(pa.float64(), "double", [1.5, 2.5], 1.5, 2.5, id="double"),
        pytest.param(pa.float64(), "long", [1.5, 2.5], None, None, id="double-is-no-long"),
        pytest.param(pa.int64(), "double", [1, 2], None, None, id="long-is-no-double"),
        pytest.param(pa.string(), "string", ["a", "é"], b"a", "é".encode(), id="string"),
        pytest.param(pa.string(), "int", ["1", "2"], None, None, id="string-is-no-int"),
        pytest.param(pa.binary(), "binary", [b"a", b"\xff"], b"a", b"\xff", id="binary"),
        pytest.param(pa.binary(2), "fixed[2]", [b"ab", b"cd"], b"ab", b"cd", id="fixed"),
        pytest.param(pa.binary(16), "uuid", [FIRST], FIRST, FIRST, id="one-uuid"),
        pytest.param(pa.binary(16), "uuid", [FIRST, LAST], None, None, id="uuids-have-no-order"),
        pytest.param(pa.date32(), "date", [-1, 5], -1, 5, id="date"),
        pytest.param(
            pa.date32(), "timestamp", [-1, 5], -86_400_000_000, 432_000_000_000, id="date-promoted"
        ),
        pytest.param(pa.int32(), "date", [1, 5], None, None, id="int-is-no-date"),
        pytest.param(pa.int64(), "timestamp", [1, 5], None, None, id="long-is-no-timestamp"),
        pytest.param(pa.time64("us"), "time", [1, 5], 1, 5, id="time"),
        pytest.param(pa.time32("ms"), "time", [1, 5], 1000, 5000, id="time-in-milliseconds"),
        pytest.param(
            pa.timestamp("ms"), "timestamp", [-1, 5], -1000, 5000, id="timestamp-in-milliseconds"
        ),
        pytest.param(pa.timestamp("us"), "timestamp", [-1, 5], -1, 5, id="timestamp"),
        pytest.param(pa.timestamp("us", "UTC"), "timestamptz", [-1, 5], -1, 5, id="timestamptz"),
        pytest.param(
            pa.timestamp("ns"), "timestamp", [-1, 5001], -1, 5, id="nanoseconds-round-down"
        ),
        pytest.param(pa.timestamp("ns"), "timestamp_ns", [-1, 5], -1, 5, id="nanoseconds"),
        pytest.param(
            pa.timestamp("us"), "timestamp_ns", [-1, 5], -1000, 5000, id="timestamp-promoted"
        ),
        pytest.param(
            pa.decimal128(9, 3), "decimal(9,2)", [Decimal("1.005")], None, None, id="other-scale"
        ),
    ],
)
def test_bounds(
    tmp_path: Path, kind: pa.DataType, type_name: str, values: list[Any], lower: Any, upper: Any
) -> None:
    path = write(tmp_path / "f.parquet", column("x", 1, kind), [*values, None])
    chunk = only_chunk(path, (1, type_name))
    assert chunk == Chunk(lower, upper, 1, len(values) + 1)


@pytest.mark.parametrize(
    ("precision", "as_integer", "stored"),
    [
        pytest.param(9, True, "INT32", id="int32"),
        pytest.param(18, True, "INT64", id="int64"),
        pytest.param(9, False, "FIXED_LEN_BYTE_ARRAY", id="fixed-4"),
        pytest.param(38, False, "FIXED_LEN_BYTE_ARRAY", id="fixed-16"),
    ],
)
def test_decimals(tmp_path: Path, precision: int, as_integer: bool, stored: str) -> None:
    nines = Decimal("9" * (precision - 2) + ".99")
    field = column("x", 1, pa.decimal128(precision, 2))
    values = [Decimal("-0.01"), nines]
    path = write(tmp_path / "f.parquet", field, values, store_decimal_as_integer=as_integer)
    assert pq.ParquetFile(path).metadata.schema.column(0).physical_type == stored
    chunk = only_chunk(path, (1, f"decimal({precision},2)"))
    assert (chunk.lower, chunk.upper) == (Decimal("-0.01"), nines)
    assert only_chunk(path, (1, "decimal(38,2)")).upper == nines


def test_int96_has_no_usable_bounds(tmp_path: Path) -> None:
    field = column("x", 1, pa.timestamp("ns"))
    path = write(tmp_path / "f.parquet", field, [1, 5], use_deprecated_int96_timestamps=True)
    chunk = only_chunk(path, (1, "timestamp"))
    assert (chunk.lower, chunk.upper, chunk.value_count) == (None, None, 2)


def test_nan_is_not_in_the_bounds(tmp_path: Path) -> None:
    field = column("x", 1, pa.float64())
    path = write(tmp_path / "f.parquet", field, [1.0, float("nan")])
    chunk = only_chunk(path, (1, "double"))
    assert (chunk.lower, chunk.upper) in [(1.0, 1.0), (None, None)]


def test_a_chunk_without_statistics_is_unknown(tmp_path: Path) -> None:
    path = write(tmp_path / "f.parquet", column("x", 1, pa.int64()), [1], write_statistics=False)
    assert only_chunk(path, (1, "long")) == Chunk(None, None, None, 1)


def test_fields_of_structs_are_found_by_id_and_fields_of_lists_are_not(tmp_path: Path) -> None:
    inner = column("inner", 3, pa.int64())
    kind = pa.struct([inner, column("deep", 4, pa.struct([column("x", 5, pa.int32())]))])
    values = [{"inner": 3, "deep": {"x": 1}}, {"inner": None, "deep": None}, None]
    nested = write(tmp_path / "s.parquet", column("s", 2, kind), values)
    assert only_chunk(nested, (3, "long")) == Chunk(3, 3, 2, 3)
    assert only_chunk(nested, (5, "int")) == Chunk(1, 1, 2, 3)
    element = column("element", 6, pa.int64())
    listed = write(tmp_path / "l.parquet", column("l", 1, pa.list_(element)), [[1], [2]])
    assert footer_of(listed, [(6, "long")]).chunks == {}


def test_row_groups_have_rows_and_compressed_bytes(tmp_path: Path) -> None:
    field = column("x", 1, pa.int64())
    path = write(tmp_path / "f.parquet", field, range(25), row_group_size=10)
    footer = footer_of(path, [(1, "long")])
    metadata = pq.ParquetFile(path).metadata
    sizes = [metadata.row_group(n).column(0).total_compressed_size for n in range(3)]
    assert (footer.records, footer.sizes) == ([10, 10, 5], sizes)
    chunks = footer.chunks[1, "long"]
    assert (chunks.lower, chunks.upper) == ([0, 10, 20], [9, 19, 24])


def facts(
    path: str, key: ColumnKey, defaults: Mapping[ColumnKey, PhysicalValue | None] | None = None
) -> Mapping[str, list[Any]]:
    footer = footer_of(path, [key], defaults=defaults or {})
    batch = row_group_batch([(footer, {})], UNPARTITIONED, [key], [])
    found = batch.metrics.columns[key]
    return {
        "all_null": found.all_null.to_pylist(),
        "has_null": found.has_null.to_pylist(),
        "lower": found.lower.to_pylist(),
    }


UNKNOWN = {"all_null": [None], "has_null": [None], "lower": [None]}


def test_a_column_that_the_file_lacks_is_null_throughout(tmp_path: Path) -> None:
    path = write(tmp_path / "f.parquet", column("x", 1, pa.int64()), [1])
    expected = {"all_null": [True], "has_null": [True], "lower": [None]}
    assert facts(path, (2, "long")) == expected
    assert facts(path, (2, "double")) == expected


def test_a_column_that_is_no_leaf_is_not_lacked(tmp_path: Path) -> None:
    path = str(tmp_path / "f.parquet")
    kinds = {"v": pa.struct([("metadata", pa.binary()), ("value", pa.binary())]), "k": pa.int64()}
    fields = [column(name, number, kind) for number, (name, kind) in enumerate(kinds.items(), 1)]
    row = {"v": {"metadata": b"m", "value": b"v"}, "k": 1}
    pq.write_table(pa.Table.from_pylist([row], pa.schema(fields)), path)
    footer = footer_of(path, [(1, "variant"), (3, "variant"), (3, "long")])
    assert footer.absent == {(3, "long")}


def test_a_lacking_column_holds_its_default_throughout(tmp_path: Path) -> None:
    path = write(tmp_path / "f.parquet", column("x", 1, pa.int64()), [1])
    expected = {"all_null": [False], "has_null": [False], "lower": [7]}
    assert facts(path, (2, "long"), {(2, "long"): 7}) == expected
    assert facts(path, (2, "long"), {(2, "long"): None}) == UNKNOWN
    assert facts(path, (1, "long"), {(1, "long"): 7}) == {**expected, "lower": [1]}


def test_nothing_is_known_of_files_without_field_ids(tmp_path: Path) -> None:
    path = write(tmp_path / "f.parquet", column("x", None, pa.int64()), [1])
    assert facts(path, (1, "long")) == UNKNOWN


def test_an_all_null_column(tmp_path: Path) -> None:
    path = write(tmp_path / "f.parquet", column("x", 1, pa.int64()), [None, None])
    assert facts(path, (1, "long")) == {"all_null": [True], "has_null": [True], "lower": [None]}


def test_row_groups_know_their_file_and_its_partition(tmp_path: Path) -> None:
    field = column("x", 1, pa.int64())
    first = write(tmp_path / "a.parquet", field, range(20), row_group_size=10)
    empty = write(tmp_path / "b.parquet", field, [])
    third = write(tmp_path / "c.parquet", field, [5])
    footers = [footer_of(path, [(1, "long")]) for path in (first, empty, third)]
    spec = PartitionSpec(4, (PartitionField(1000, 2, "p", "identity", "long", "long"),))
    batch = row_group_batch(
        [(footer, {1000: n}) for n, footer in enumerate(footers)],
        spec,
        [(1, "long")],
        [(1000, "long")],
    )
    per_file = [len(footer.records) for footer in footers]
    assert batch.file.tolist() == [0, 0, *[1] * per_file[1], 2]
    assert batch.records.tolist() == [10, 10, *[0] * per_file[1], 1]
    assert batch.metrics.empty.to_pylist() == [False, False, *[True] * per_file[1], False]
    assert batch.partition.columns[(1000, "long")].lower.to_pylist() == [0, 1, 2]


def test_no_files_are_an_empty_batch() -> None:
    batch = row_group_batch([], UNPARTITIONED, [(1, "long")], [])
    assert (batch.metrics.count, batch.partition.count) == (0, 0)


def cause(path: Path) -> str:
    with pytest.raises(FooterUnreadable) as caught:
        footer_of(str(path), [(1, "long")])
    return caught.value.cause


def test_a_missing_file(tmp_path: Path) -> None:
    assert cause(tmp_path / "gone.parquet") == "unread_missing"


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    assert cause(tmp_path) == "unread_corrupt"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda _: b"PAR1", id="only-magic"),
        pytest.param(lambda content: content[: len(content) // 2], id="truncated"),
        pytest.param(lambda content: content[:-1], id="last-byte-missing"),
        pytest.param(lambda content: content[:-8] + b"\xff\xff\xff\x7fPAR1", id="footer-too-long"),
        pytest.param(
            lambda content: content[:-208] + b"\xff" * 200 + content[-8:],
            id="overwritten-footer",
        ),
        pytest.param(lambda _: b"<html>not found</html>", id="another-file"),
    ],
)
def test_damaged_files(tmp_path: Path, damage: Any) -> None:
    path = Path(write(tmp_path / "f.parquet", column("x", 1, pa.int64()), range(100)))
    path.write_bytes(damage(path.read_bytes()))
    assert cause(path) == "unread_corrupt"


class _OwnKeys(KmsClient):  # type: ignore[misc]  # pyarrow ships no types
    """Wraps keys by not wrapping them."""

    def __init__(self, _configuration: Any) -> None:
        super().__init__()

    def wrap_key(self, key: bytes, _master: str) -> bytes:
        return base64.b64encode(key)

    def unwrap_key(self, wrapped: bytes, _master: str) -> bytes:
        return base64.b64decode(wrapped)


@pytest.mark.parametrize("is_plain", [True, False], ids=["plain-footer", "encrypted-footer"])
def test_encrypted_columns(tmp_path: Path, *, is_plain: bool) -> None:
    properties = CryptoFactory(_OwnKeys).file_encryption_properties(
        KmsConnectionConfig(),
        EncryptionConfiguration(
            footer_key="f", column_keys={"k": ["x"]}, plaintext_footer=is_plain
        ),
    )
    path = tmp_path / "f.parquet"
    table = pa.table([pa.array([1], pa.int64())], schema=pa.schema([column("x", 1, pa.int64())]))
    with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)
    assert cause(path) == "unread_encrypted"


def test_a_footer_without_row_groups(tmp_path: Path) -> None:
    field = column("x", 1, pa.int64())
    with pq.ParquetWriter(tmp_path / "f.parquet", pa.schema([field])):
        pass
    footer = footer_of(str(tmp_path / "f.parquet"), [(1, "long"), (2, "int")])
    assert footer.records == []
    assert footer.absent == {(2, "int")}


MAPPING = {("x",): 1, ("s", "y"): 3}


def test_files_without_field_ids_have_those_of_the_name_mapping(tmp_path: Path) -> None:
    kind = pa.struct([column("y", None, pa.int64())])
    nested = write(tmp_path / "s.parquet", column("s", None, kind), [{"y": 5}])
    footer = footer_of(nested, [(1, "long"), (3, "long")], name_mapping=MAPPING)
    assert footer.chunks[3, "long"].lower[0] == 5
    assert footer.absent == {(1, "long")}


def test_the_mapping_is_not_used_where_the_file_has_ids(tmp_path: Path) -> None:
    path = write(tmp_path / "f.parquet", column("x", 9, pa.int64()), [5])
    footer = footer_of(path, [(1, "long")], name_mapping=MAPPING)
    assert footer.absent == {(1, "long")}


NAMED = pa.struct([column("y", 3, pa.int64())])
UNNAMED = pa.struct([column("y", None, pa.int64())])


@pytest.mark.slow
def test_each_file_is_read_by_its_own_schema_whatever_the_one_before_it_has(
    tmp_path: Path,
) -> None:
    """Files, and columns wanted of them, that differ in one thing each: every one after every
    other."""
    x = column("x", 1, pa.int64())
    schemas: list[list[pa.Field]] = [
        [x],
        [column("x", 2, pa.int64())],
        [column("z", 1, pa.int64())],
        [column("x", 1, pa.int32())],
        [column("x", 1, pa.timestamp("ms"))],
        [column("x", None, pa.int64())],
        [column("s", 1, NAMED)],
        [column("s", 1, UNNAMED)],
        [column("s", None, UNNAMED)],
        [column("t", None, UNNAMED)],
        [column("y", 3, pa.list_(x))],
        [x, column("s", 2, NAMED)],
        [x, column("x", 2, NAMED)],  # names that are there twice
    ]
    files = []
    for number, schema in enumerate(schemas):
        path = tmp_path / f"{number}.parquet"
        pq.write_table(pa.schema(schema).empty_table(), path)
        files += [
            parquet_file(str(path), columns, name_mapping=MAPPING)
            for columns in ([(1, "long"), (1, "timestamp"), (2, "long"), (3, "long")], [(3, "int")])
        ]

    def told(footer: Footer | FooterUnreadable) -> Any:
        assert isinstance(footer, Footer)
        return (
            footer.records,
            footer.sizes,
            footer.chunks,
            footer.absent,
            footer.leaves,
            footer.conversions,
        )

    alone = [told(found) for file in files for found in read_footers([file])]
    order = [number for pair in permutations(range(len(files)), 2) for number in pair]
    together = read_footers([files[number] for number in order])
    assert [told(found) for found in together] == [alone[number] for number in order]
