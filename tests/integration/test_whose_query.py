"""Findings of a night whose engines have names of their own for the catalog: statements run as they
are pasted, and each finding names a query that it is about."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from click.testing import CliRunner

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.records import Window
from tests.audit_jobs.report.parsed import Page
from tests.integration.audits import (
    audit_here,
    backdate,
    catalog_properties,
    open_catalog,
    write_config,
    write_ids,
    write_lines,
)

DAY = "2025-03-10"
EVERYTHING = {"small_table_bytes": 0, "min_bytes_at_stake": 0, "min_scans": 1}


def query(of: str, engine: str, number: int, **changes: Any) -> dict[str, Any]:
    """A query of few ids."""
    return {
        "sql": f"SELECT * FROM {of} WHERE id BETWEEN 100 AND 150",
        "engine": engine,
        "user": f"user {number}",
        "query_id": f"{engine}/{number}#ü",
        "started_at": f"{DAY}T0{number}:00:00Z",
        **changes,
    }


LOG = [
    *(query("`prod-x`.db.t", "spark", number) for number in range(3)),
    query("lake.db.t", "spark", 3),
    query("db.t", "spark", 4),
    *(query('"Ice berg".db.t', "trino", number) for number in range(5, 7)),
]


def audited(folder: Path, log: list[dict[str, Any]], **sections: Any) -> Path:
    """The configuration of a night that was audited, of a table whose files all have all ids."""
    lines = write_lines(folder / "log.jsonl", log)
    lake = {"properties": catalog_properties(folder), "aliases": ["prod-x", "ice berg"]}
    config = write_config(
        folder,
        [{"type": "sql_records", "paths": [str(lines)], "catalog": "lake"}],
        findings={
            "thresholds": [{"table": "*", **EVERYTHING}],
            "query_links": {"trino": "https://trino.example/ui/query.html?{query_id}"},
        },
        report={"path": str(folder / "report.html")},
        **sections,
    )
    document = yaml.safe_load(config.read_text())
    config.write_text(yaml.safe_dump({**document, "catalogs": {"lake": lake}}))
    catalog = open_catalog(config)
    catalog.create_namespace("db")
    properties = {"write.target-file-size-bytes": "2000"}
    table = catalog.create_table("db.t", pa.schema([("id", pa.int64())]), properties=properties)
    write_ids(table, 10, 200, sorted_by_id=False)
    backdate(table)
    catalog.close()
    start = dt.datetime.fromisoformat(f"{DAY}T00:00:00+00:00")
    assert audit_here(config, Window(start, start + dt.timedelta(days=1)))
    return config


def run(config: Path, *arguments: str) -> str:
    done = CliRunner().invoke(main, [*arguments, "--config", str(config)])
    assert done.exit_code in (0, 1), done.output
    return done.stdout


def found(config: Path) -> dict[str, Any]:
    rows = map(json.loads, run(config, "findings", "--json").splitlines())
    (row,) = (dict(row) for row in rows if row["cause"] == "unclustered_column")
    return row


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return audited(tmp_path_factory.mktemp("night"), LOG)


SPARK, TRINO = "`prod-x`.`db`.`t`", '"Ice berg"."db"."t"'


def test_statements_name_the_catalog_of_their_engine(config: Path) -> None:
    row = found(config)
    assert (row["catalog"], row["namespace"], row["table"]) == ("lake", "db", "t")
    change, rewrite = row["fix_spark"]
    assert change == f"ALTER TABLE {SPARK} WRITE ORDERED BY `id`"
    assert rewrite.startswith(
        f"CALL `prod-x`.system.rewrite_data_files(table => '{SPARK}', strategy => 'sort'"
    )
    assert all(one.startswith(f"ALTER TABLE {TRINO} ") for one in row["fix_trino"])
    details = run(config, "findings", "--details")
    assert all(f"{statement};" in details for statement in (*row["fix_spark"], *row["fix_trino"]))
    sarif = json.loads(run(config, "findings", "--sarif"))
    told = [result["properties"] for result in sarif["runs"][0]["results"]]
    assert [one for one in told if one["fixSpark"] == row["fix_spark"]]
    page = Page((config.parent / "report.html").read_text())
    assert row["fix_spark"] in [one.get("fix_spark") for one in page.document["findings"]]


def test_advice_is_what_the_audit_found(config: Path) -> None:
    """But for the example: which of several alike it is follows from the secret of a run."""

    def told(found: dict[str, Any]) -> dict[str, Any]:
        of_run = ("run_id", "window_start", "window_end")
        return {k: v for k, v in found.items() if k not in of_run and not k.startswith("example_")}

    published = [told(json.loads(line)) for line in run(config, "findings", "--json").splitlines()]
    (table,) = json.loads(run(config, "advise", "--json", "--window", DAY))["tables"]
    assert published
    assert [told(one) for one in (*table["steps"], *table["left"])] == published


def test_advice_names_the_catalog_of_its_engine(config: Path) -> None:
    window = ("--window", DAY)
    (table,) = json.loads(run(config, "advise", "--json", *window))["tables"]
    assert table["table"] == "lake.db.t"
    (step,) = table["steps"]
    assert step["fix_spark"]
    assert all(SPARK in statement for statement in step["fix_spark"])
    assert all(TRINO in one for one in step["fix_trino"])
    assert SPARK in run(config, "advise", "--details", *window)


def test_a_log_that_names_no_catalog_leaves_the_configured_one(tmp_path: Path) -> None:
    config = audited(tmp_path, [query("db.t", "spark", number) for number in range(3)])
    row = found(config)
    assert row["fix_spark"][0].startswith("ALTER TABLE `lake`.`db`.`t` ")
    assert row["fix_trino"][0].startswith('ALTER TABLE "lake"."db"."t" ')


def test_an_example_is_told_everywhere_with_a_link_to_its_engine(tmp_path: Path) -> None:
    config = audited(tmp_path, [LOG[-1]])
    row = found(config)
    link = "https://trino.example/ui/query.html?trino%2F6%23%C3%BC"
    assert {name: value for name, value in row.items() if name.startswith("example_")} == {
        "example_query_id": "trino/6#ü",
        "example_user": "user 6",
        "example_started_at": f"{DAY}T06:00:00+00:00",
        "example_source": "sql_records",
        "example_place": None,
        "example_link": link,
    }
    details = run(config, "findings", "--details")
    assert "trino/6#ü (sql_records) by user 6 at 2025-03-10 06:00:00 UTC" in " ".join(
        details.split()
    )
    assert f"    {link}\n" in details
    page = Page((tmp_path / "report.html").read_text())
    of_report = page.document["findings"][row["rank"] - 1]
    assert (of_report["example_query_id"], of_report["example_link"]) == ("trino/6#ü", link)
    assert "150" not in json.dumps(of_report)


def test_a_query_without_an_id_is_told_by_where_it_stands(tmp_path: Path) -> None:
    log = [query("db.t", "trino", 1, query_id=None, user=None)]
    row = found(audited(tmp_path, log))
    assert (row["example_query_id"], row["example_link"]) == (None, None)
    assert row["example_place"].endswith("log.jsonl:1")
