"""Metadata that grows, in any way in which its owner can make it grow: the work does so in
proportion, and what takes too long nevertheless is given up, alone."""

from __future__ import annotations

import datetime as dt
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from prunescope.audit_jobs.health.condition import condition_of
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.planning.local import table_context, table_works
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.workload.versions import schema_of_version
from prunescope.collectors.errors import SnapshotNotFound
from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import Column, Comparison
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.sql.scopes.time_travel import Version
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.catalog import Table
from prunescope.collectors.tables.metadata_reading import parse_metadata
from prunescope.collectors.tables.name_mapping import PROPERTY, read_name_mapping
from prunescope.collectors.tables.refs import snapshot_of_ref
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, outcomes, queries_of, write_table
from tests.metadata_growth import SHAPES, mapped_in_each_other
from tests.steps import grows_in_proportion, steps

NAME = TableName("lake", ("db",), "healthy")
ID_IS_2 = Comparison(Op.EQ, Column(("id",)), (2,))


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_table(tmp_path_factory.mktemp("lake")).read_text()


def grown(document: str, shape: str, size: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(document)
    SHAPES[shape](found, size)
    return found


def ask(document: dict[str, Any], queries: int) -> None:
    """What an audit asks of the metadata of a table, for so many queries, as far back as the
    snapshots are apart."""
    content = json.dumps(document).encode()
    metadata = parse_metadata(content, "/t/m.json")
    newest = max(snapshot.timestamp for snapshot in metadata.snapshots.values())
    schema = metadata.schema(None)
    for number in range(queries):
        moment = newest - dt.timedelta(milliseconds=number)
        for ref in (None, "audit", f"tag{number}", "no_such_ref"):
            with suppress(SnapshotNotFound):
                found = (
                    metadata.snapshot_as_of(moment)
                    if ref is None
                    else snapshot_of_ref(metadata, ref, moment)
                )
                schema_of_version(metadata, Version(ref=ref), found, engine=None, moment=moment)
        assert not metadata.has_had_column((f"no_such_column_{number}",))
        bind(Comparison(Op.EQ, Column((f"no_such_column_{number}",)), (1,)), schema)
        hash(schema)
    bound = bind(ID_IS_2, schema)
    table = Table(NAME, metadata, Storage())
    context = table_context(table, schema, ())
    table_works(0, context, [(0, Scan(0, bound))])
    condition_of(metadata, newest)
    for each in metadata.schemas.values():
        metadata.specs(each)


@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_metadata_and_queries_are_twice_the_work(shape: str, document: str) -> None:
    def steps_of(size: int) -> int:
        found = grown(document, shape, size)
        return steps(lambda: ask(found, size))

    assert grows_in_proportion(steps_of, 60)


def test_names_that_multiply_are_no_mapping(document: str) -> None:
    found = json.loads(document)
    mapped_in_each_other(found, 40)
    assert read_name_mapping(found["properties"]) == {}
    mapped_in_each_other(found, 3)
    assert len(read_name_mapping({PROPERTY: found["properties"][PROPERTY]})) == 2 + 4 + 8


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["default_spec_fields", "specs"])
def test_a_table_of_too_much_metadata_fails_alone(shape: str, tmp_path: Path) -> None:
    large, healthy = write_table(tmp_path, "large"), write_table(tmp_path)
    large.write_text(json.dumps(grown(large.read_text(), shape, 300_000)))
    config = config_of({"large": large, "healthy": healthy}, table_timeout_seconds=2)
    runner = LocalRunner()
    result = run_audit(config, WINDOW, queries_of(["large", "healthy"], runner), runner, _silent)
    assert outcomes(result) == {"large": "table_too_slow", "healthy": "replayed"}
    assert list(result.run.tables_failed) == ["lake.db.large"]
    assert [health.table.table for health in result.health] == ["healthy"]


def _silent(_: str) -> None:
    return None
