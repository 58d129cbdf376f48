import struct
from decimal import Decimal

import pyarrow as pa
import pytest

from prunescope.collectors.tables.bounds import decode_bounds, decode_pair

NAN = float("nan")


def i32(value: int) -> bytes:
    return struct.pack("<i", value)


def i64(value: int) -> bytes:
    return struct.pack("<q", value)


def decode(raw: list[bytes | None], type_name: str) -> pa.Array:
    """The values, as they are and as a part of a longer array."""
    found = decode_bounds(pa.array(raw, pa.binary()), type_name)
    longer = pa.array([b"before", None, *raw, b"behind"], pa.binary())
    assert str(decode_bounds(longer[2:-1], type_name)) == str(found)
    return found


@pytest.mark.parametrize(
    ("type_name", "raw", "expected"),
    [
        pytest.param("boolean", b"\x00", 0, id="false"),
        pytest.param("boolean", b"\x01", 1, id="true"),
        pytest.param("boolean", b"\x01\x00", None, id="boolean-too-long"),
        pytest.param("int", i32(-5), -5, id="int"),
        pytest.param("int", i64(-5), None, id="int-of-8-bytes"),
        pytest.param("int", b"", None, id="int-of-0-bytes"),
        pytest.param("long", i64(-(2**63)), -(2**63), id="long"),
        pytest.param("long", i32(-5), -5, id="int-promoted-to-long"),
        pytest.param("long", b"\x01\x02\x03", None, id="long-of-3-bytes"),
        pytest.param("float", struct.pack("<f", 1.5), 1.5, id="float"),
        pytest.param("float", struct.pack("<d", 1.5), None, id="float-of-8-bytes"),
        pytest.param("double", struct.pack("<d", 0.1), 0.1, id="double"),
        pytest.param("double", struct.pack("<f", 1.5), 1.5, id="float-promoted-to-double"),
        pytest.param("date", i32(-1), -1, id="date"),
        pytest.param("date", i64(-1), None, id="date-of-8-bytes"),
        pytest.param("time", i64(5), 5, id="time"),
        pytest.param("time", i32(5), None, id="time-of-4-bytes"),
        pytest.param("timestamp", i64(-5), -5, id="timestamp"),
        pytest.param("timestamp", i32(-1), -86_400_000_000, id="date-promoted-to-timestamp"),
        pytest.param("timestamp_ns", i32(1), 86_400_000_000_000, id="date-promoted-to-ns"),
        pytest.param("timestamp_ns", i32(106_752), 2**63 - 1, id="date-after-all-ns"),
        pytest.param("timestamp_ns", i32(-106_752), -(2**63), id="date-before-all-ns"),
        pytest.param("timestamp", i32(2**31 - 1), 2**63 - 1, id="date-after-all-timestamps"),
        pytest.param("timestamptz", b"\x01", None, id="timestamp-of-1-byte"),
        pytest.param("string", "é".encode(), "é".encode(), id="string"),
        pytest.param("string", b"", b"", id="empty-string-is-a-bound"),
        pytest.param("binary", b"\x00\xff", b"\x00\xff", id="binary"),
        pytest.param("fixed[2]", b"\x00\xff", b"\x00\xff", id="fixed"),
        pytest.param("uuid", bytes(16), bytes(16), id="uuid"),
        pytest.param("uuid", bytes(4), None, id="uuid-of-4-bytes"),
        pytest.param("struct", b"\x00", None, id="no-primitive"),
        pytest.param("decimal(9,2)", b"\x01", Decimal("0.01"), id="decimal"),
        pytest.param("decimal(9,2)", b"\xff", Decimal("-0.01"), id="decimal-negative-1-byte"),
        pytest.param("decimal(9,2)", b"\xff\x7f", Decimal("-1.29"), id="decimal-negative-2-bytes"),
        pytest.param(
            "decimal(9,2)", b"\xff" * 15 + b"\xfe", Decimal("-0.02"), id="decimal-negative-padded"
        ),
        pytest.param("decimal(9,2)", b"\x00\x80", Decimal("1.28"), id="decimal-leading-zero"),
        pytest.param("decimal(9,2)", b"", None, id="decimal-of-0-bytes"),
        pytest.param("decimal(9,2)", bytes(17), None, id="decimal-of-17-bytes"),
        pytest.param(
            "decimal(38,0)",
            (10**38 - 1).to_bytes(16, "big"),
            Decimal("9" * 38),
            id="decimal-of-38-digits",
        ),
    ],
)
def test_single_values(type_name: str, raw: bytes, expected: object) -> None:
    assert decode([raw], type_name).to_pylist() == [expected]
    assert decode([None, raw, None], type_name).to_pylist() == [None, expected, None]


def test_each_value_is_decoded_by_its_own_length() -> None:
    raw: list[bytes | None] = [i32(1), None, i64(2), b"\x00", i32(3)]
    assert decode(raw, "long").to_pylist() == [1, None, 2, None, 3]


def test_nan_is_a_value_not_a_missing_one() -> None:
    found = decode([struct.pack("<d", NAN), None], "double")
    assert found.null_count == 1
    assert str(found[0].as_py()) == "nan"


@pytest.mark.parametrize("type_name", ["int", "double", "decimal(9,2)", "string", "uuid", "list"])
def test_no_values(type_name: str) -> None:
    assert len(decode([], type_name)) == 0


@pytest.mark.parametrize(
    ("type_name", "known"),
    [
        pytest.param("fixed[16]", "TTF", id="in-order"),
        pytest.param("uuid", "TFF", id="without-an-order-only-one-value-is-told"),
    ],
)
def test_both_ends_of_containers(type_name: str, known: str) -> None:
    """Of one value, of several, and with an upper bound alone."""
    one, other = bytes(16), b"\xff" * 16
    lower = pa.array([one, one, None], pa.binary())
    upper = pa.array([one, other, other], pa.binary())
    ends = decode_pair(lower, upper, type_name)
    is_known = [
        left is not None and right is not None
        for left, right in zip(*map(pa.Array.to_pylist, ends), strict=True)
    ]
    assert "".join("T" if one else "F" for one in is_known) == known
