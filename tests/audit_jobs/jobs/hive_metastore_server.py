"""A Hive metastore on loopback that knows where tables' metadata files are."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

from hive_metastore.ThriftHiveMetastore import Processor
from hive_metastore.ttypes import Database, NoSuchObjectException, Table
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.transport.TTransport import (
    TBufferedTransport,
    TFileObjectTransport,
    TTransportException,
)


class _Metastore:
    def __init__(self, tables: Mapping[str, Mapping[str, str]], folder: str) -> None:
        self._tables = tables
        self._folder = folder

    def get_database(self, name: str) -> Any:
        """Every name is that of a database."""
        return Database(name=name, locationUri=self._folder, parameters={})

    def get_table(self, database: str, name: str) -> Any:
        """As Hive's own, but not at once: calls of several threads overlap."""
        time.sleep(0.01)
        if name not in self._tables:
            raise NoSuchObjectException(message=name)
        return Table(dbName=database, tableName=name, parameters=dict(self._tables[name]))


class _Handler(StreamRequestHandler):
    def handle(self) -> None:
        """Answers the calls of one connection."""
        reading = TBinaryProtocol(TFileObjectTransport(self.rfile))
        writing = TBinaryProtocol(TBufferedTransport(TFileObjectTransport(self.wfile)))
        try:
            while True:
                self.server.processor.process(reading, writing)  # type: ignore[attr-defined]
        except (TTransportException, EOFError, OSError):
            pass  # the connection ended


class _Server(ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64


@contextmanager
def serving_hive(
    locations: Mapping[str, str],
    others: Mapping[str, Mapping[str, str]] | None = None,
    folder: str = "file:///user/hive/warehouse",
) -> Iterator[str]:
    """The address of a metastore of the tables with these metadata files, by name, and of others
    with these parameters, in databases that are in a folder. It ends with the block."""
    known = {
        name: {"table_type": "ICEBERG", "metadata_location": location}
        for name, location in locations.items()
    }
    with _Server(("127.0.0.1", 0), _Handler) as server:
        server.processor = Processor(_Metastore({**known, **(others or {})}, folder))  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"thrift://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
