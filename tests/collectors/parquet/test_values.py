from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prunescope.collectors.parquet.values import Conversion, conversion_of
from tests.collectors.parquet.files import write


def conversion(folder: Path, kind: pa.DataType, type_name: str) -> Conversion:
    path = folder / "f.parquet"
    write(path, kind, [None])
    found = conversion_of(pq.read_metadata(path).schema.column(0), type_name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("kind", "type_name", "raw"),
    [
        pytest.param(
            pa.timestamp("ms"), "timestamp", (2**62).to_bytes(8, "little"), id="far-future"
        ),
        pytest.param(
            pa.timestamp("ms"),
            "timestamp",
            (-(2**62)).to_bytes(8, "little", signed=True),
            id="far-past",
        ),
        pytest.param(
            pa.decimal128(38, 0),
            "decimal(38,0)",
            (2**127 - 1).to_bytes(16, "big"),
            id="39-digits",
        ),
    ],
)
def test_bounds_beyond_the_range_of_the_type_are_unknown(
    tmp_path: Path, kind: pa.DataType, type_name: str, raw: bytes
) -> None:
    assert conversion(tmp_path, kind, type_name).bounds([raw]) == [None]


@pytest.mark.parametrize(
    ("kind", "type_name", "value"),
    [
        pytest.param(pa.float64(), "double", float("nan"), id="nan"),
        pytest.param(pa.timestamp("ns"), "timestamp", 5, id="nanoseconds-rounded-down"),
    ],
)
def test_what_has_several_encodings_has_no_single_one(
    tmp_path: Path, kind: pa.DataType, type_name: str, value: Any
) -> None:
    with pytest.raises(ValueError, match=r"many|several"):
        conversion(tmp_path, kind, type_name).encode(value)


@pytest.mark.parametrize(
    ("kind", "type_name", "value", "plain"),
    [
        pytest.param(pa.int32(), "long", -2, b"\xfe\xff\xff\xff", id="long-in-4-bytes"),
        pytest.param(pa.timestamp("ms"), "timestamp", 7_000, b"\x07" + bytes(7), id="milliseconds"),
        pytest.param(
            pa.decimal128(9, 2), "decimal(9,2)", Decimal("-0.01"), b"\xff" * 4, id="decimal"
        ),
        pytest.param(pa.float32(), "double", 1e300, None, id="no-float-is-as-large"),
    ],
)
def test_values_as_the_column_stores_them(
    tmp_path: Path, kind: pa.DataType, type_name: str, value: Any, plain: bytes | None
) -> None:
    assert conversion(tmp_path, kind, type_name).encode(value) == plain


@pytest.mark.parametrize("numbers", [[-(2**63), 2**63 - 1], []], ids=["extremes", "none"])
def test_whole_numbers_are_taken_as_they_are(tmp_path: Path, numbers: list[int]) -> None:
    plain = [number.to_bytes(8, "little", signed=True) for number in numbers]
    assert conversion(tmp_path, pa.int64(), "long").decode(plain).to_pylist() == numbers


@pytest.mark.parametrize(
    ("kind", "type_name", "plain"),
    [
        pytest.param(pa.bool_(), "boolean", b"\x01\x00", id="boolean"),
        pytest.param(pa.int32(), "int", bytes(8), id="int"),
        pytest.param(pa.decimal128(9, 2), "decimal(9,2)", bytes(5), id="decimal"),
    ],
)
def test_bounds_of_another_length_are_refused(
    tmp_path: Path, kind: pa.DataType, type_name: str, plain: bytes
) -> None:
    with pytest.raises(ValueError, match="as long as its type"):
        conversion(tmp_path, kind, type_name).decode([plain])
