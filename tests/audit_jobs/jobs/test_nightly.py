"""What keeps a nightly job from being started."""

from __future__ import annotations

import datetime as dt

import pytest

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.jobs import nightly
from prunescope.audit_jobs.records import Window
from prunescope.collectors.errors import UnsuitableInstallation
from prunescope.collectors.sql.text.parser import require_interpreted


def test_where_no_sql_can_be_read_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = type("Compiled", (), {"parse": str.split})
    monkeypatch.setattr(nightly, "require_interpreted", lambda: require_interpreted(compiled))
    nowhere = {
        "catalogs": {"lake": {"properties": {"type": "rest", "uri": "http://127.0.0.1:9"}}},
        "sources": [{"type": "trino_events", "paths": ["none"]}],
        "audit": {"catalog": "lake"},
    }
    start = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)
    told: list[str] = []
    with pytest.raises(UnsuitableInstallation, match="pip uninstall sqlglotc"):
        nightly.run_nightly(
            validate_config(nowhere, "test"),
            Window(start, start + dt.timedelta(days=1)),
            told.append,
        )
    assert told == []
