"""Footers of single local files."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.locations import local_path
from prunescope.collectors.tables.footers import Footer, ParquetFile, read_footers


def parquet_file(path: str, columns: Iterable[ColumnKey], **facts: Any) -> ParquetFile:
    """A file, with its true size if it has one."""
    local = local_path(path)
    assert local is not None
    size = Path(local).stat().st_size if Path(local).is_file() else 1000
    return ParquetFile(path, size, Storage(), tuple(columns), **facts)


def footer_of(path: str, columns: Iterable[ColumnKey], **facts: Any) -> Footer:
    """Its footer. Raises FooterUnreadable."""
    (found,) = read_footers([parquet_file(path, columns, **facts)])
    if isinstance(found, Footer):
        return found
    raise found
