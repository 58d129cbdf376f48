"""What PyIceberg's catalogs (0.12) need so that many threads can ask one of them."""

from __future__ import annotations

import copy
import logging
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from collectors.storage.random_access import within
from collectors.storage.unreadable import FileUnreadable

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

ASKED_AT_ONCE = 16
"""Threads that ask one catalog. A SQL catalog has 15 connections, and the last waits for one."""

_POOLS = 10
"""Hosts to which a session keeps connections: the default of `requests`."""


def keep_connections(catalog: Catalog) -> None:
    """Has a REST catalog keep a connection for each thread, where `requests` keeps ten. That those
    of threads that were left behind are closed, and those of other catalogs, nobody is told."""
    logging.getLogger("urllib3.connectionpool").addFilter(_is_news)
    session = getattr(catalog, "_session", None)
    for adapter in [] if session is None else session.adapters.values():
        adapter.init_poolmanager(_POOLS, ASKED_AT_ONCE)


def bound_requests(catalog: Catalog, seconds: float) -> None:
    """Has a REST catalog answer a request within so many seconds, also what it is asked to write:
    `requests` waits for ever for each byte. Of a streamed answer only its beginning is waited
    for."""
    session = getattr(catalog, "_session", None)
    if session is None:
        return
    request = session.request

    def in_time(*args: Any, **options: Any) -> Any:
        from requests import ReadTimeout  # noqa: PLC0415  # there is a session of it

        asking = partial(request, *args, **{"timeout": seconds, **options})
        try:
            return within(seconds, asking, catalog.name)
        except FileUnreadable:
            raise ReadTimeout from None

    session.request = in_time


def _is_news(record: logging.LogRecord) -> bool:
    return "pool is full" not in str(record.msg)


def for_this_thread(catalog: Catalog) -> Catalog:
    """The catalog, which may be changed, with a client of its own where threads cannot share one:
    a Hive client is one connection, which each call opens and closes."""
    own: Any = copy.copy(catalog)
    if hasattr(own, "_create_hive_client"):
        own._client = own._create_hive_client(dict(catalog.properties))  # noqa: SLF001
    return cast("Catalog", own)


def is_of_one_thread(catalog: Catalog) -> bool:
    """Whether only the thread that opened the catalog can ask it: a database in memory is another
    one in every thread."""
    engine = getattr(catalog, "engine", None)
    if engine is None:
        return False
    from sqlalchemy.pool import SingletonThreadPool  # noqa: PLC0415

    return isinstance(engine.pool, SingletonThreadPool)


def leave_connections(catalog: Catalog) -> None:
    """Gives a SQL catalog new connections after a call was left behind, which keeps its own:
    fifteen of these, and nobody else would get any."""
    engine = getattr(catalog, "engine", None)
    if engine is not None:
        engine.dispose(close=False)
