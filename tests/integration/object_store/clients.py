"""Reading from an object store by each FileIO, and what was asked of it for that."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.io import InputFile
from pyiceberg.io.pyarrow import PyArrowFileIO

from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.parquet_tail import TAIL
from prunescope.collectors.storage.ranges import read_tails
from tests.object_store import ObjectStore


class OtherFileIO(PyArrowFileIO):
    """A FileIO of a user, of which nothing is known but its interface."""

    def new_input(self, location: str) -> InputFile:  # type: ignore[override]
        """As its parent does."""
        return super().new_input(location)


_FILE_IO = {
    "arrow": "pyiceberg.io.pyarrow.PyArrowFileIO",
    "fsspec": "pyiceberg.io.fsspec.FsspecFileIO",
    "other": f"{__name__}.OtherFileIO",
}


def storage(store: ObjectStore, client: str = "arrow", **more: str) -> Storage:
    """What a client reads by; `more` are its properties for S3, such as `endpoint`."""
    named = {f"s3.{name.replace('_', '-')}": value for name, value in more.items()}
    return Storage(properties=store.properties | {"py-io-impl": _FILE_IO[client]} | named)


def parquet(columns: int = 1, **options: Any) -> bytes:
    """A file of 1000 rows."""
    sink = BytesIO()
    table = pa.table({f"column_{n}": pa.array(range(1000)) for n in range(columns)})
    pq.write_table(table, sink, **options)
    return sink.getvalue()


CONTENT = parquet(columns=20)
assert len(CONTENT) > TAIL


def tail(store: ObjectStore, location: str, size: int | None, client: str = "arrow") -> bytes:
    """The end of a file that is there."""
    (found,) = read_tails([(storage(store, client), location, size)])
    assert isinstance(found, bytes), found
    return found


def methods(store: ObjectStore, location: str) -> list[str]:
    """Of the requests for a file so far."""
    return [method for method, _ in store.of(location)]
