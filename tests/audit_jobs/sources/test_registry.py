"""A source is a module and a line."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from audit_jobs.config import validate_config
from audit_jobs.jobs.sources import find_logs, read_queries
from audit_jobs.records import Window
from audit_jobs.sources.registry import BY_TYPE, SOURCES
from audit_jobs.sources.source import Log, Logs, PassedOver, Record, Source
from audit_jobs.starter import recognise as starter
from audit_jobs.workload.queries import NamedTables
from collectors.observed import ObservedQuery, Rejected
from collectors.storage.files import Storage

DAY = Window(dt.datetime(2026, 3, 1, tzinfo=dt.UTC), dt.datetime(2026, 3, 2, tzinfo=dt.UTC))


class Tabbed(Logs):
    """A moment, a tab and SQL on each line."""

    type: Literal["tabbed"]
    dialect: str = "trino"


def _read(
    log: Log,
    storage: Storage,
    window: Window,  # noqa: ARG001
    passed_over: PassedOver,  # noqa: ARG001
) -> Iterator[Record]:
    assert isinstance(log.source, Tabbed)
    path, dialect = log.paths[0], log.source.dialect
    with storage.open(path) as stream:
        for number, line in enumerate(stream.read().decode().splitlines(), 1):
            moment, tab, sql = line.partition("\t")
            place = f"{path}:{number}"
            if not tab:
                yield Rejected("tabbed", place, "no_sql", "there is no tab")
                continue
            yield ObservedQuery(
                source="tabbed",
                query_id=place,
                engine="trino",
                dialect=dialect,
                sql=sql,
                started_at=dt.datetime.fromisoformat(moment),
            )


SOURCE = Source(Tabbed, _read)


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "queries.tsv"
    path.write_text(
        "2026-03-01T10:00:00+00:00\tSELECT * FROM lake.s.t WHERE k = 1\n"
        "nothing\n"
        "2026-03-05T10:00:00+00:00\tSELECT * FROM lake.s.late\n"
    )
    return str(path)


def test_a_source_is_a_value_and_a_line(monkeypatch: pytest.MonkeyPatch, log: str) -> None:
    monkeypatch.setitem(BY_TYPE, SOURCE.type, SOURCE)
    section = Tabbed(type="tabbed", paths=(log,))
    logs, missing = find_logs([section], Storage())
    assert not missing
    found = list(read_queries(logs, Storage(), DAY))
    (named,) = (each for each in found if isinstance(each, NamedTables))
    (rejected,) = (each for each in found if isinstance(each, Rejected))
    assert [str(table) for table in named.tables] == ["lake.s.t"]
    assert rejected.location == f"{log}:2"


def test_init_recognises_what_is_registered(monkeypatch: pytest.MonkeyPatch, log: str) -> None:
    monkeypatch.setitem(BY_TYPE, SOURCE.type, SOURCE)
    monkeypatch.setattr(starter, "SOURCES", (*SOURCES, SOURCE))
    (found,) = starter.recognise(log, Storage())
    assert isinstance(found.source, Tabbed)
    assert found.catalogs == ("lake",)


def test_a_configuration_may_have_every_source() -> None:
    assert len(BY_TYPE) == len(SOURCES)
    document = {
        "catalogs": {"lake": {}},
        "sources": [{"type": each.type, "paths": ["x"]} for each in SOURCES],
        "audit": {"catalog": "lake"},
    }
    sections = [type(section) for section in validate_config(document, "here").sources]
    assert sections == [each.section for each in SOURCES]
