"""A query that sources of different types have is counted twice, and told of."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.doctor.logs import check_logs
from prunescope.audit_jobs.doctor.model import State
from prunescope.audit_jobs.records import Window

DAY = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
AT = "2026-03-10T12:00:00Z"


def event(query_id: str, sql: str) -> str:
    return json.dumps(
        {
            "metadata": {"queryId": query_id, "query": sql, "queryState": "FINISHED"},
            "context": {"serverVersion": "482", "queryType": "SELECT"},
            "statistics": {},
            "ioMetadata": {"inputs": []},
            "createTime": AT,
        }
    )


def record(query_id: str, sql: str) -> str:
    return json.dumps({"query_id": query_id, "sql": sql, "started_at": AT})


def test_what_sources_of_different_types_have_both_is_a_warning(tmp_path: Path) -> None:
    events, records = tmp_path / "events.jsonl", tmp_path / "records.jsonl"
    events.write_text("\n".join([event("q1", "SELECT 1"), event("q2", "SELECT 2")]))
    # Another text of an id is another query.
    records.write_text("\n".join([record("q1", "SELECT 1"), record("q2", "SELECT 22")]))
    sources = [
        {"type": "sql_records", "paths": [str(records)]},
        {"type": "trino_events", "paths": [str(events)]},
        {"type": "sql_records", "paths": [str(records)]},  # of one type: these are known again
    ]
    document = {
        "catalogs": {"lake": {"properties": {"type": "sql", "uri": "sqlite://"}}},
        "sources": sources,
        "audit": {"catalog": "lake"},
    }
    config = AuditConfig.model_validate(document)
    found = list(check_logs(config, Window(DAY, DAY + dt.timedelta(days=1))))[len(sources) :]
    assert [check.name for check in found] == [
        "sources[0] sql_records and sources[1] trino_events",
        "sources[1] trino_events and sources[2] sql_records",
    ]
    for check in found:
        assert (check.state, check.remedy) == (State.WARNING, "leave one of them out")
        assert check.detail == "1 duplicate query (same id and text): each counts twice"
