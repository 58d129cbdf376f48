"""Bloom filters say the same as DuckDB's `parquet_bloom_probe`, value by value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prunescope.collectors.parquet.bloom_filters import hashes, might_contain, read_filter
from tests.collectors.parquet.files import Chunk, only_chunk, write

PRESENT = range(0, 3_000, 3)
ASKED = range(300)

Write = Callable[[Path, pa.Table], None]


def by_arrow(path: Path, table: pa.Table) -> None:
    # A filter that is too small for its values finds many that are absent, in certain bits only.
    write(
        path,
        table.column("x").type,
        table.column("x").to_pylist(),
        bloom_filter_options={"x": {"ndv": 200, "fpp": 0.05}},
    )


def by_duckdb(path: Path, table: pa.Table) -> None:
    connection = duckdb.cursor()
    connection.register("source", table)
    connection.execute(
        f"COPY (FROM source) TO '{path}' (FORMAT parquet, DICTIONARY_SIZE_LIMIT 100000,"
        " BLOOM_FILTER_FALSE_POSITIVE_RATIO 0.3)"
    ).fetchall()


def answers(chunk: Chunk, values: list[Any]) -> list[bool]:
    blocks = read_filter(chunk.bytes_of(chunk.layout.bloom_filter))
    found = []
    for value in values:
        hashed = hashes([value], chunk.layout.conversion)
        assert hashed is not None
        found.append(bool(might_contain(blocks, hashed[0]).any()))
    return found


@pytest.mark.parametrize("written", [by_arrow, by_duckdb], ids=["arrow", "duckdb"])
@pytest.mark.parametrize(
    ("kind", "type_name", "sql", "physical"),
    [
        pytest.param(pa.int32(), "int", lambda n: n - 300, lambda n: n - 300, id="int"),
        pytest.param(pa.int64(), "long", lambda n: n * 10**12, lambda n: n * 10**12, id="long"),
        pytest.param(pa.float32(), "float", lambda n: n / 8 + 1, lambda n: n / 8 + 1, id="float"),
        pytest.param(pa.float64(), "double", lambda n: n / 7 + 1, lambda n: n / 7 + 1, id="double"),
        pytest.param(
            pa.string(), "string", "naïve {}".format, lambda n: f"naïve {n}".encode(), id="string"
        ),
        pytest.param(
            pa.binary(), "binary", lambda n: b"\xff%d" % n, lambda n: b"\xff%d" % n, id="binary"
        ),
    ],
)
def test_the_answers_are_those_of_duckdb(
    tmp_path: Path,
    written: Write,
    kind: pa.DataType,
    type_name: str,
    sql: Callable[[int], Any],
    physical: Callable[[int], Any],
) -> None:
    path = tmp_path / "f.parquet"
    written(path, pa.table({"x": pa.array([sql(n) for n in PRESENT], kind)}))
    connection = duckdb.cursor()
    ((sql_type,),) = connection.execute(f"SELECT typeof(x) FROM '{path}' LIMIT 1").fetchall()
    # One statement, as each takes longer to plan than to answer.
    probes = (
        f"SELECT {n} AS n, bloom_filter_excludes"
        f" FROM parquet_bloom_probe('{path}', 'x', CAST($v{n} AS {sql_type}))"
        for n in ASKED
    )
    found = connection.execute(
        f"FROM ({' UNION ALL '.join(probes)}) ORDER BY n", {f"v{n}": sql(n) for n in ASKED}
    )
    expected = [not excludes for _, excludes in found.fetchall()]
    assert answers(only_chunk(path, type_name), [physical(n) for n in ASKED]) == expected
    assert 0 < expected.count(False) < 200, "some absent values are found, some are not"


def test_a_date_is_hashed_in_days(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    days = [dt.date(1969, 12, 31), dt.date(2024, 2, 29)]
    write(path, pa.date32(), days, bloom_filter_options={"x": {"ndv": 2, "fpp": 0.01}})
    assert answers(only_chunk(path, "date"), [-1, 19_782, 5]) == [True, True, False]
    assert pq.read_table(path).column("x").to_pylist() == days
