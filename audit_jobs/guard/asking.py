"""Questions as they come, and their answers: of the server over HTTP, and of tools of agents."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from prunescope.audit_jobs.api.naming import session_named
from prunescope.audit_jobs.config import CacheConfig, TablesConfig, load_tables_config
from prunescope.audit_jobs.guard.dry_run import Asked, DryRun, DryRuns, NotHeld, findings_of
from prunescope.audit_jobs.guard.held import Held, HeldTables
from prunescope.audit_jobs.jobs.check import with_catalog
from prunescope.audit_jobs.jobs.sharing import require_trusted
from prunescope.audit_jobs.suggestions import suggestion
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.queries.sql_files import SqlSession
from prunescope.collectors.storage.cache import Cache

_WAIT_SECONDS = 0.8
"""Seconds that a question waits for tables that are not held: it is answered within one."""
_JUDGE_SECONDS = 30.0
"""Seconds that findings may take to read of a table: nobody waits for longer."""
_CACHE_BYTES = 4 << 30
"""Bytes of decoded metadata on the disk, where no cache is configured."""
_TEXTS = ("sql", "engine", "dialect", "time_zone", "catalog", "schema")
_MEMBERS = (*_TEXTS, "findings")


class BadRequest(PrunescopeError):
    """A question that cannot be asked."""

    code = "bad_request"


class Questions:
    """Answers questions over held tables. One event loop uses it; what plans, and what judges, has
    a thread of its own."""

    def __init__(self, config: TablesConfig, held: HeldTables) -> None:
        seconds = min(config.table_timeout_seconds, _JUDGE_SECONDS)
        self._config = config.model_copy(update={"table_timeout_seconds": seconds})
        self.held = held
        """The tables."""
        self._runs = DryRuns(held)
        self._planner = ThreadPoolExecutor(1, thread_name_prefix="planner")
        self._waiting: list[tuple[Asked, asyncio.Future[DryRun | PrunescopeError]]] = []
        self._planning: asyncio.Task[None] | None = None
        self._judge = ThreadPoolExecutor(1, thread_name_prefix="judge")
        self._session = lru_cache(maxsize=1024)(self._session_of)

    async def answer(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a question in JSON. Raises BadRequest, NotHeld, or the error of a query
        that cannot be planned."""
        return (await self.dry_run(document)).document()

    async def dry_run(self, document: Mapping[str, Any]) -> DryRun:
        """The answer to a question. Raises as `answer`."""
        asked, with_findings = self._asked(document)
        try:
            found = await self._plan(asked)
        except NotHeld as missing:
            await self._load(missing)
            found = await self._plan(asked)
        if not with_findings:
            return found
        loop = asyncio.get_running_loop()
        judged = await loop.run_in_executor(self._judge, findings_of, self._config, asked)
        return replace(found, findings=judged)

    async def _plan(self, asked: Asked) -> DryRun:
        """The plan of a query. Raises PrunescopeError."""
        answer: asyncio.Future[DryRun | PrunescopeError] = asyncio.Future()
        self._waiting.append((asked, answer))
        if self._planning is None or self._planning.done():
            self._planning = asyncio.create_task(self._plan_waiting())
        found = await answer
        if isinstance(found, PrunescopeError):
            raise found
        return found

    async def _plan_waiting(self) -> None:
        """Plans all questions that wait, until none does: those that come meanwhile, together."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            some, self._waiting = self._waiting, []
            asked = [each for each, _ in some]
            found = await loop.run_in_executor(self._planner, self._runs.plan, asked)
            for (_, answer), plan in zip(some, found, strict=True):
                if not answer.done():  # its client may be gone
                    answer.set_result(plan)

    async def _load(self, missing: NotHeld) -> None:
        """Waits for tables. Raises NotHeld if that takes too long, else what a table raises."""
        loading = [asyncio.wrap_future(self.held.load(name)) for name in missing.names]
        done, late = await asyncio.wait(loading, timeout=_WAIT_SECONDS)
        for one in late:
            one.add_done_callback(_retrieved)  # else asyncio logs its error
        for one in done:
            one.result()
        if late:
            raise missing

    def _asked(self, document: Mapping[str, Any]) -> tuple[Asked, bool]:
        for name, value in document.items():
            if name not in _MEMBERS:
                raise BadRequest(f"a dry run has no {name!r}; {suggestion(name, _MEMBERS)}")
            if name in _TEXTS and value is not None and not isinstance(value, str):
                raise BadRequest(f"{name} is no text; write it as a string")
        sql, with_findings = document.get("sql"), document.get("findings", False)
        if not sql:
            raise BadRequest("there is no `sql`; send the text of a query as `sql`")
        if not isinstance(with_findings, bool):
            raise BadRequest("`findings` is true or false")
        try:
            session = self._session(*(document.get(name) for name in _TEXTS[1:]))
        except PrunescopeError as error:
            raise BadRequest(str(error)) from None
        return Asked(sql, session, document.get("engine") is not None), with_findings

    def _session_of(
        self,
        engine: str | None,
        dialect: str | None,
        time_zone: str | None,
        catalog: str | None,
        schema: str | None,
    ) -> SqlSession:
        named = session_named(engine, dialect, time_zone or "UTC", catalog=catalog, schema=schema)
        return with_catalog(named, self._config)


def _retrieved(loading: asyncio.Future[Held]) -> None:
    if not loading.cancelled():
        loading.exception()


@contextmanager
def opened_questions(config: Path, *, tables: int, max_stale: float) -> Iterator[Questions]:
    """Questions over the tables of a configuration, of which at most so many are held, for at most
    so many seconds. Raises BadConfiguration."""
    known = load_tables_config(config)
    with TemporaryDirectory(prefix="prunescope-serve-") as folder:
        section = known.cache or CacheConfig(path=folder, max_bytes=_CACHE_BYTES)
        require_trusted(section.path, "cache.path")
        cache = Cache(section.path, section.max_bytes)
        cached = known.model_copy(
            update={"cache": CacheConfig(path=section.path, max_bytes=section.max_bytes)}
        )
        with HeldTables(cached, cache, most=tables, max_stale=max_stale) as held:
            yield Questions(cached, held)
