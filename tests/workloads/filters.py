"""Bloom filters in files that PyIceberg writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest import mock

from pyiceberg.io import pyarrow as writers

FILTERED = "write.parquet.bloom-filter-enabled.column."
_LEFT_OUT = ("write.parquet.row-group-size-bytes", "write.parquet.bloom-filter")
_BYTES, _USUAL_BYTES = "write.parquet.bloom-filter-max-bytes", 1024**2
_BITS_OF_VALUE = 9.7
"""Of which one in a hundred is taken for another."""


@contextmanager
def filters_written() -> Iterator[None]:
    """Has PyIceberg write the bloom filters that properties ask for, which it leaves out, as large
    as Spark makes them, and no dictionaries where these may have no bytes."""
    usual = writers._get_parquet_writer_kwargs  # noqa: SLF001

    def wanted(properties: Mapping[str, str]) -> dict[str, Any]:
        names = [key.removeprefix(FILTERED) for key in properties if key.startswith(FILTERED)]
        values = int(int(properties.get(_BYTES, _USUAL_BYTES)) * 8 / _BITS_OF_VALUE)
        return {
            **usual({k: v for k, v in properties.items() if not k.startswith(_LEFT_OUT)}),
            "use_dictionary": properties.get("write.parquet.dict-size-bytes") != "1",
            "bloom_filter_options": {name: {"ndv": values, "fpp": 0.01} for name in names},
        }

    with mock.patch.object(writers, "_get_parquet_writer_kwargs", wanted):
        yield
