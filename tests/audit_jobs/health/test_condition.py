"""What metadata alone tells of a table."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from prunescope.audit_jobs.health.condition import condition_of
from prunescope.collectors.tables.metadata import TableMetadata
from prunescope.collectors.tables.metadata_reading import metadata_from_json

NOW = dt.datetime(2026, 3, 10, tzinfo=dt.UTC)


def metadata(ages: list[float], refs: dict[str, int] | None = None, **more: Any) -> TableMetadata:
    """Of a table with snapshots 1, 2, … that are so many days old; the last is current."""
    snapshots = [
        {
            "snapshot-id": number,
            "timestamp-ms": int((NOW - dt.timedelta(days=age)).timestamp() * 1000),
            "manifest-list": "x",
        }
        for number, age in enumerate(ages, start=1)
    ]
    document = {
        "format-version": 2,
        "location": "file:///t",
        "current-schema-id": 0,
        "schemas": [
            {
                "type": "struct",
                "schema-id": 0,
                "fields": [
                    {"id": 1, "name": "day", "type": "date", "required": False},
                    {"id": 2, "name": "id", "type": "long", "required": False},
                ],
            }
        ],
        "partition-specs": [
            {
                "spec-id": 0,
                "fields": [
                    {"name": "d", "transform": "day", "source-id": 1, "field-id": 1000},
                    {"name": "v", "transform": "void", "source-id": 2, "field-id": 1001},
                ],
            }
        ],
        "default-spec-id": 0,
        "current-snapshot-id": len(ages) or None,
        "snapshots": snapshots,
        "refs": {name: {"snapshot-id": id_, "type": "tag"} for name, id_ in (refs or {}).items()},
        **more,
    }
    return metadata_from_json(document, "t.json")


@pytest.mark.parametrize(
    ("ages", "refs", "properties", "expirable"),
    [
        pytest.param([], {}, {}, 0, id="none"),
        pytest.param([90], {}, {}, 0, id="the current one stays"),
        pytest.param([9, 6, 4, 0], {}, {}, 2, id="older than five days"),
        pytest.param([9, 6, 4, 0], {"release": 1}, {}, 1, id="but for tags"),
        pytest.param(
            [9, 6, 4, 0], {}, {"history.expire.min-snapshots-to-keep": "3"}, 1, id="so many stay"
        ),
        pytest.param(
            [9, 6, 4, 0], {}, {"history.expire.min-snapshots-to-keep": "0"}, 2, id="one at least"
        ),
        pytest.param(
            [9, 6, 4, 0],
            {},
            {"history.expire.max-snapshot-age-ms": str(3 * 86_400_000)},
            3,
            id="an age of its own",
        ),
        pytest.param(
            [9, 0], {}, {"history.expire.max-snapshot-age-ms": str(2**63 - 1)}, 0, id="for ever"
        ),
        pytest.param(
            [9, 0], {}, {"history.expire.max-snapshot-age-ms": "soon"}, 1, id="no age: the default"
        ),
    ],
)
def test_snapshots_that_would_be_expired(
    ages: list[float], refs: dict[str, int], properties: dict[str, str], expirable: int
) -> None:
    found = condition_of(metadata(ages, refs, properties=properties), NOW)
    assert (found.snapshots, found.expirable) == (len(ages), expirable)


@pytest.mark.parametrize(
    ("properties", "metrics", "columns"),
    [
        pytest.param({}, "truncate(16)", 100, id="defaults"),
        pytest.param({"write.metadata.metrics.default": "none"}, "none", None, id="set"),
        pytest.param(
            {"write.metadata.metrics.max-inferred-column-defaults": "5"},
            "truncate(16)",
            5,
            id="fewer columns",
        ),
    ],
)
def test_the_statistics_that_writers_keep(
    properties: dict[str, str], metrics: str, columns: int | None
) -> None:
    own = {"write.metadata.metrics.column.id": "full"}
    found = condition_of(metadata([0], properties={**properties, **own}), NOW)
    assert (found.metrics, found.metrics_columns) == (metrics, columns)
    assert found.column_metrics == {"id": "full"}


ORDER = {"order-id": 1, "fields": [{"source-id": 2, "transform": "identity"}]}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        pytest.param({}, (), id="none"),
        pytest.param(
            {"sort-orders": [{"order-id": 0, "fields": []}], "default-sort-order-id": 0},
            (),
            id="unsorted",
        ),
        pytest.param(
            {"sort-orders": [{"order-id": 0}, ORDER], "default-sort-order-id": 1}, ("id",), id="one"
        ),
        pytest.param({"sort-orders": [ORDER], "default-sort-order-id": 0}, (), id="missing"),
        pytest.param({"sort-orders": "x", "default-sort-order-id": 1}, (), id="malformed"),
        pytest.param(
            {
                "sort-orders": [{"order-id": 1, "fields": [{"source-id": 9}]}],
                "default-sort-order-id": 1,
            },
            (),
            id="a column that was dropped",
        ),
    ],
)
def test_the_sort_order_and_the_partition_columns(
    more: dict[str, Any], expected: tuple[str, ...]
) -> None:
    found = condition_of(metadata([0], **more), NOW)
    assert found.sorted_by == expected
    assert found.partitioned_by == ("day",)
