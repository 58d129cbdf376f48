"""The 22 TPC-H queries, as Trino logged them, over tables of a thousand gigabytes."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from tests.integration.audits import audit_here, audit_rows, trino_event, write_config, write_lines

TABLES = ("customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier")
PREFIX = '"${database}"."${schema}"."${prefix}'

pytestmark = [pytest.mark.shared, pytest.mark.slow]


def test_every_query_is_replayed_and_every_filter_accounted_for(
    shared: Path, tmp_path: Path
) -> None:
    texts = sorted((shared / "samples" / "tpch_queries").glob("q*.sql"))
    events = [
        trino_event(text.stem, text.read_text().replace(PREFIX, '"tpch"."sf1000"."'))
        for text in texts
    ]
    log = write_lines(tmp_path / "events.jsonl", events)
    folders = {name: shared / "tables" / "trino" / f"tpch_sf1000__{name}" for name in TABLES}
    config = write_config(
        tmp_path,
        [{"type": "trino_events", "paths": [str(log)]}],
        tables=[
            {
                "name": f"tpch.sf1000.{name}",
                "metadata": str(max((folder / "metadata").glob("*.metadata.json"))),
            }
            for name, folder in folders.items()
        ],
        # The metadata is here; the data files are not, and must not be looked for elsewhere.
        path_map=[{"from": "s3://", "to": f"{tmp_path}/absent/"}]
        + [
            {
                "from": f"s3://starburst-benchmarks-data/iceberg-tpch-sf1000-parquet/{name}/",
                "to": f"{folder}/",
            }
            for name, folder in folders.items()
        ],
    )

    assert audit_here(config)

    scans = audit_rows(config, "scan_plans")
    assert {scan["query_id"] for scan in scans} == {text.stem for text in texts}
    assert {scan["outcome"] for scan in scans} == {"replayed"}
    assert {scan["table"] for scan in scans} == set(TABLES)
    conjuncts = defaultdict(list)
    for conjunct in audit_rows(config, "conjuncts"):
        conjuncts[conjunct["scan_key"]].append(conjunct["predicate"])
    print_summary(scans, conjuncts)
    (q06,) = [scan for scan in scans if scan["query_id"] == "q06"]
    assert sorted(conjuncts[q06["scan_key"]]) == [
        "discount <= ?",
        "discount >= ?",
        "quantity < ?",
        "shipdate < ?",
        "shipdate >= ?",
    ]
    # Unpartitioned, and unsorted: these tables give a planner nothing to skip.
    assert (q06["data_files_total"], q06["data_files_kept"]) == (158, 158)


def print_summary(scans: list[dict[str, object]], conjuncts: dict[str, list[str]]) -> None:
    """Query, table, files kept of all, bytes kept, conditions: the table of docs/tpch.md."""
    print()  # noqa: T201
    for scan in sorted(scans, key=lambda s: (str(s["query_id"]), str(s["table"]))):
        files = f"{scan['data_files_kept']}/{scan['data_files_total']}"
        size = f"{int(str(scan['bytes_kept'])) / 1e9:.1f} GB"
        found = " AND ".join(conjuncts.get(str(scan["scan_key"]), []))
        print(f"{scan['query_id']}  {scan['table']!s:9} {files:>9} {size:>10}  {found}")  # noqa: T201
