"""Tools of agents, by the Model Context Protocol: `prunescope mcp`. All of them only read.

Answers are small: a few findings, and of each what an agent acts on. Users, ids and examples of
other people's queries are left out, and so is each text of a finding that may have literals.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from prunescope.audit_jobs.api.advising import advised, window_named
from prunescope.audit_jobs.api.checks import check
from prunescope.audit_jobs.api.explanations import Explanation, explain
from prunescope.audit_jobs.api.found import ReportedFinding, findings_of, selected_findings
from prunescope.audit_jobs.api.surveys import tables
from prunescope.audit_jobs.config import load_config
from prunescope.audit_jobs.extras import installed
from prunescope.audit_jobs.guard.asking import Questions
from prunescope.audit_jobs.guard.dry_run import NotHeld
from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.views.advice_json import advice_document
from prunescope.collectors.errors import PrunescopeError

_Result = TypeVar("_Result")

INSTRUCTIONS = (
    "Tells what SQL on Apache Iceberg tables reads, from metadata alone; it runs no query. Call "
    "dry_run before you run, propose or commit a query. Write the `replacement` of a finding's "
    "place if it has one, and ask again."
)
_READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, open_world_hint=False)
_PATIENCE = 30.0
"""Seconds that an agent waits for a table to be loaded."""
_MAX_FOOTERS = 200
"""Footers that an explanation reads."""
_MAX_SHOWN = 20
_SHOWN = ("cause", "severity", "table_name", "columns", "bytes_at_stake", "bytes_read")
_TEXTS = ("sentence", "conjunct", "rewrite", "step", "advice", "fix_trino", "fix_spark")
_PLACE = ("file", "line", "column", "end_line", "end_column", "replacement", "addition")
_PASSES = ("manifests", "data_files", "row_groups", "bytes")


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools over the tables, and the audit, of a configuration."""

    questions: Questions
    config: Path

    async def dry_run(  # the session of a query has this many parts
        self,
        sql: str,
        engine: str | None = None,
        catalog: str | None = None,
        schema: str | None = None,
        time_zone: str | None = None,
    ) -> dict[str, Any]:
        """Tells what one SQL query would read, before it runs: bytes, files, how sure that is
        (`precise`, `upper_bound`, `heuristic`), findings, and the cheaper condition to write.

        `engine` is the engine that will run it, with its version: trino-482, spark-3.5. `catalog`
        and `schema` are the session's, for names that leave them out.
        """
        named = {"engine": engine, "catalog": catalog, "schema": schema, "time_zone": time_zone}
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                found = await self.questions.dry_run({"sql": sql, **named, "findings": True})
                break
            except NotHeld as error:
                if time.monotonic() > until:
                    raise _told(error) from None
            except PrunescopeError as error:
                raise _told(error) from None
        document = found.document()
        document["findings"] = [_of_document(one) for one in document["findings"][:_MAX_SHOWN]]
        return document

    async def explain(
        self, table: str, where: str | None = None, engine: str | None = None
    ) -> dict[str, Any]:
        """Tells what one SQL condition prunes in a table (catalog.namespace.table), pass by pass,
        and for each AND-ed part whether the engine uses it, and why not."""
        asking = partial(
            explain, table, where, planner=engine, max_footers=_MAX_FOOTERS, config=self.config
        )
        return _explanation(await _asked("explaining a condition", asking))

    async def check(
        self,
        texts: dict[str, str],
        engine: str | None = None,
        catalog: str | None = None,
        schema: str | None = None,
    ) -> dict[str, Any]:
        """Judges several SQL texts by their names, such as files of a repository: what each reads,
        and the findings of all, with the lines and the conditions to write there."""
        asking = partial(
            check, texts, engine=engine, catalog=catalog, schema=schema, config=self.config
        )
        found = await _asked("checking texts", asking)
        return {
            "files": [
                {"file": one.file, "outcome": one.outcome, "bytes": one.bytes_kept}
                | ({} if one.message is None else {"message": one.message})
                for one in found.files
            ],
            "findings": [_finding(one) for one in found.findings[:_MAX_SHOWN]],
            "more_findings": max(0, len(found.findings) - _MAX_SHOWN),
        }

    async def findings(
        self, table: str | None = None, severity: str = "info", limit: int = 5
    ) -> dict[str, Any]:
        """Tells what the latest nightly audit found, the worst first: of all tables, or of those
        that a name or glob matches (lake.sales.*); of a severity (high, medium, low, info) or a
        higher one."""
        return await _asked("reading findings", partial(self._findings, table, severity, limit))

    async def table_health(self, table: str) -> dict[str, Any]:
        """Tells how a table (catalog.namespace.table) is laid out: files, small files, deletes,
        partitions, sort order, and how well each column is clustered."""
        found = await _asked("measuring a table", partial(tables, table, config=self.config))
        arrow = found.to_arrow().to_pylist()
        return {"tables": [_without_unknown(row) for row in arrow[:_MAX_SHOWN]]}

    async def advise(self, table: str, last: str = "24h") -> dict[str, Any]:
        """Replays the latest queries (24h, 7d) on a table and tells the one change of its layout
        that would save most, with the statements to run. Takes seconds to minutes. Changes
        nothing."""
        return await _asked("advising", partial(self._advised, table, last))

    def _findings(self, table: str | None, severity: str, limit: int) -> dict[str, Any]:
        published, selected = selected_findings(
            self.config,
            table=table,
            run_id=None,
            cause=None,
            severity=severity,
            fingerprint=None,
            suppressed=False,
            small=False,
        )
        with_texts = load_config(self.config).literals != "keep"
        most = max(1, min(limit, _MAX_SHOWN))
        return {
            "window_start": published.window_start.isoformat(),
            "window_end": published.window_end.isoformat(),
            "findings": [
                _finding(one, with_texts=with_texts) for one in findings_of(selected[:most])
            ],
            "more_findings": max(0, len(selected) - most),
        }

    def _advised(self, table: str, last: str) -> dict[str, Any]:
        config = load_config(self.config).model_copy(update={"literals": "redact"})
        window = window_named(last, None, "UTC", dt.datetime.now(dt.UTC))
        found, notes = advised(config, window, [table], lambda _: None)
        document = advice_document(found, literals=False)
        return {
            "tables": [
                {
                    **{name: one[name] for name in ("table", "scans", "bytes_kept")},
                    "bytes_at_stake": one["bytes_at_stake"],
                    "steps": [_of_document(step) for step in one["steps"][:_MAX_SHOWN]],
                }
                for one in document["tables"][:_MAX_SHOWN]
            ],
            "failed": document["failed"][:_MAX_SHOWN],
            "notes": list(notes),
        }


def build_server(tools: Tools) -> MCPServer[Any]:
    """The server of the tools, for any transport."""
    version = installed("prunescope") or ""
    # Its log would have texts of tools' errors.
    server: MCPServer[Any] = MCPServer(
        "prunescope", instructions=INSTRUCTIONS, version=version, log_level="CRITICAL"
    )
    each: Sequence[Callable[..., Any]] = (
        tools.dry_run,
        tools.explain,
        tools.check,
        tools.findings,
        tools.table_health,
        tools.advise,
    )
    for tool in each:
        server.tool(annotations=_READ_ONLY)(tool)
    return server


async def _asked(doing: str, function: Callable[[], _Result]) -> _Result:
    """The result of what is asked in a thread of its own. Raises ToolError."""
    found = await asyncio.to_thread(attempt, doing, function)
    if isinstance(found, PrunescopeError):
        raise _told(found)
    return found


def _told(error: PrunescopeError) -> ToolError:
    return ToolError(f"{error.code}: {error}")


def _explanation(found: Explanation) -> dict[str, Any]:
    return {
        "table": found.table,
        "snapshot_id": found.snapshot_id,
        "planner": found.planner,
        "predicate": found.written or found.predicate,
        "pushed": found.pushed,
        **{
            name: {"total": counts.total, "kept": counts.kept}
            for name in _PASSES
            for counts in [getattr(found, name)]
        },
        "best_case_bytes": found.potential.bytes,
        "conjuncts": [
            _without_unknown(
                {
                    "predicate": part.written or part.predicate,
                    "class": part.class_,
                    "data_files_pruned": part.data_files_pruned,
                    "reason": part.reason,
                }
            )
            for part in found.conjuncts[:_MAX_SHOWN]
        ],
        "notes": list(found.notes),
    }


def _finding(one: ReportedFinding, *, with_texts: bool = True) -> dict[str, Any]:
    """The keys of a finding that an agent acts on."""
    names = (*_SHOWN, *(_TEXTS if with_texts else ()))
    told = {name: getattr(one, name) for name in names}
    told["places"] = [
        _without_unknown({name: getattr(place, name) for name in _PLACE}) for place in one.places
    ]
    return _without_unknown(told)


def _of_document(one: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a finding in JSON that an agent acts on."""
    table = ".".join(filter(None, (one["catalog"], one["namespace"], one["table"])))
    told = {name: one[name] for name in (*_SHOWN, *_TEXTS) if name in one}
    places = [{name: place[name] for name in _PLACE} for place in one.get("places", ())]
    return _without_unknown(
        {**told, "table_name": table, "places": [_without_unknown(place) for place in places]}
    )


def _without_unknown(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document without what is unknown or empty."""
    kept = {name: value for name, value in document.items() if value not in (None, [], (), "")}
    plain: dict[str, Any] = json.loads(json.dumps(kept, default=str))
    return plain
