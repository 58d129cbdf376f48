"""Changes to PyIceberg's catalogs (0.12) so that many threads can ask one of them."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from prunescope.collectors.storage.random_access import within
from prunescope.collectors.storage.unreadable import FileUnreadable, Kind

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

ASKED_AT_ONCE = 16
"""Threads that ask one catalog. A SQL catalog has 15 connections, and the last waits for one."""

_POOLS = 10
"""Hosts to which a session keeps connections: the default of `requests`."""


_CALLS = (
    *("load_table", "create_table", "commit_table", "drop_table"),
    *("create_namespace", "drop_namespace"),
)
"""Calls of a SQL catalog by which audit tables are read and written: others are made of these."""


class CallTimeout(Exception):
    """A SQL catalog did not answer a call in time."""


_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def keep_connections(catalog: Catalog) -> None:
    """Has a REST catalog keep a connection for each thread, of which `requests` keeps ten. Closing
    connections of threads that were left behind is not logged, nor closing those of other
    catalogs."""
    logging.getLogger("urllib3.connectionpool").addFilter(_is_news)
    session = getattr(catalog, "_session", None)
    for adapter in [] if session is None else session.adapters.values():
        adapter.init_poolmanager(_POOLS, ASKED_AT_ONCE)


def bound_requests(catalog: Catalog, seconds: float) -> None:
    """Bounds the seconds in which a REST catalog answers a request, and a SQL catalog a call, also
    one that writes: `requests` and drivers of databases wait for ever. For a streamed answer, only
    the wait for its beginning is bounded."""
    if getattr(catalog, "engine", None) is not None and not is_of_one_thread(catalog):
        for name in _CALLS:
            setattr(catalog, name, _in_time(catalog, getattr(catalog, name), seconds))
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


def _in_time(
    catalog: Catalog, call: Callable[_Given, _Answer], seconds: float
) -> Callable[_Given, _Answer]:
    """The call with a time limit, beyond which it raises CallTimeout. An operation that it began
    may succeed later, such as a commit whose answer is lost."""

    def in_time(*args: _Given.args, **options: _Given.kwargs) -> _Answer:
        try:
            return within(seconds, partial(call, *args, **options), catalog.name)
        except FileUnreadable as error:
            if error.kind is not Kind.TOO_SLOW:  # of a file of metadata
                raise
            leave_connections(catalog)
            raise CallTimeout from None

    return in_time


def _is_news(record: logging.LogRecord) -> bool:
    return "pool is full" not in str(record.msg)


def for_this_thread(catalog: Catalog) -> Catalog:
    """The catalog, which may be changed, with a client of its own where threads cannot share one:
    a Hive client is one connection, which each call opens and closes."""
    own: Any = copy.copy(catalog)
    for name in _CALLS:  # those that `bound_requests` made are of the catalog, and of its FileIO
        vars(own).pop(name, None)
    if hasattr(own, "_create_hive_client"):
        own._client = own._create_hive_client(dict(catalog.properties))  # noqa: SLF001
    return cast("Catalog", own)


def is_of_one_thread(catalog: Catalog) -> bool:
    """True if only the thread that opened the catalog can ask it: a database in memory is another
    one in every thread."""
    engine = getattr(catalog, "engine", None)
    if engine is None:
        return False
    from sqlalchemy.pool import SingletonThreadPool  # noqa: PLC0415

    return isinstance(engine.pool, SingletonThreadPool)


def leave_connections(catalog: Catalog) -> None:
    """Gives a SQL catalog new connections after a call was left behind, which keeps its own: after
    fifteen of these, no other call would get any."""
    engine = getattr(catalog, "engine", None)
    if engine is not None:
        engine.dispose(close=False)
