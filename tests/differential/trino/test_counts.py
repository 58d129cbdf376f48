"""Prunescope plans as many files of a statement as a real Trino did (counts.txt)."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import IdentityTransform
from pyiceberg.types import (
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NestedField,
    PrimitiveType,
    StringType,
    TimestampType,
    TimestamptzType,
)

from prunescope.audit_jobs.jobs.explain import explain
from prunescope.audit_jobs.jobs.questions import Question
from prunescope.collectors.observed import TableName
from prunescope.collectors.sql.planners.profiles import planner_of
from prunescope.collectors.sql.scopes.time_travel import CURRENT
from prunescope.collectors.tables.catalog import Table, open_metadata_file
from tests.differential.trino import counts
from tests.differential.trino.engine import VERSION

_TYPES: dict[str, PrimitiveType] = {
    "integer": IntegerType(),
    "bigint": LongType(),
    "varchar": StringType(),
    "date": DateType(),
    "decimal(18,2)": DecimalType(18, 2),
    "decimal(5,2)": DecimalType(5, 2),
    "real": FloatType(),
    "double": DoubleType(),
    "timestamp(6)": TimestampType(),
    "timestamp(6) with time zone": TimestamptzType(),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("counts")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/c.db", warehouse=folder.as_uri())
    catalog.create_namespace("db")
    fields = (
        NestedField(number, name, _TYPES[kind], required=False)
        for number, (name, kind) in enumerate(counts.COLUMNS.items(), 1)
    )
    schema = Schema(*fields)
    part = PartitionField(schema.find_field("part").field_id, 1000, IdentityTransform(), "part")
    made = catalog.create_table(f"db.{counts.TABLE}", schema, partition_spec=PartitionSpec(part))
    made.append(pa.Table.from_pylist(counts.rows(), schema=made.schema().as_arrow()))
    return open_metadata_file(
        Path(made.metadata_location.removeprefix("file://")).as_posix(),
        TableName("lake", ("db",), counts.TABLE),
    )


def test_as_many_files_are_kept_as_trino_plans(table: Table) -> None:
    asked = list(counts.counted())
    questions = [Question(str(number), sql=one.sql) for number, one in enumerate(asked)]
    answers = explain(table, CURRENT, questions, planner=planner_of("trino", VERSION))
    kept = {int(answer["id"]): answer["data_files"]["kept"] for answer in answers}
    assert [
        f"{one.sql}: {kept.get(number)} files, and not {one.kept}"
        for number, one in enumerate(asked)
        if kept.get(number) != one.kept
    ] == []


def test_few_are_counted_otherwise() -> None:
    asked = list(counts.counted())
    others = [one for one in asked if one.kept != one.planned]
    assert len(asked) > 25 * len(others)
