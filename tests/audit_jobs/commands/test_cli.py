"""The command as people and schedulers use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pytest
import yaml
from click.testing import CliRunner, Result
from pyiceberg.catalog.sql import SqlCatalog

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.commands.line import Commands
from tests.jars import QUICK_JVM

FUNNEL = {"total", "considered", "kept"}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Three partitions by day, a file each, 30 rows, with their `id` in order."""
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    rows = pa.table(
        {
            "id": pa.array(range(30), pa.int64()),
            "day": pa.array([18_000 + n // 10 for n in range(30)], pa.int32()).cast(pa.date32()),
            "name": [f"n{n:02}" for n in range(30)],
        }
    )
    created = catalog.create_table("db.t", rows.schema)
    with created.update_spec() as update:
        update.add_identity("day")
    created.append(rows)
    created.append(rows.slice(0, 10))
    return created


def explain(table: Any, *arguments: str) -> Result:
    return CliRunner().invoke(
        main, ["explain", "--metadata", table.metadata_location.removeprefix("file://"), *arguments]
    )


def answer(table: Any, *arguments: str) -> dict[str, Any]:
    result = explain(table, "--json", *arguments)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_explain_answers_in_the_documented_shape(table: Any) -> None:
    found = answer(table, "--where", "day = '2019-04-14'")
    assert list(found)[:5] == ["id", "table", "snapshot_id", "outcome", "predicate"]
    assert found["outcome"] == "replayed"
    assert found["predicate"] == "day = DATE '2019-04-14'"
    for name in ("manifests", "data_files", "row_groups", "bytes", "records"):
        assert set(found[name]) == FUNNEL
    assert found["manifests"] == {"total": 2, "considered": 2, "kept": 2}
    assert found["data_files"] == {"total": 4, "considered": 4, "kept": 2}
    assert found["row_groups"] == {"total": 4, "considered": 2, "kept": 2}
    assert found["records"] == {"total": 40, "considered": 40, "kept": 20}
    assert found["delete_files"] == {"total": 0, "considered": 0, "kept": 0}
    assert found["dangling_delete_files"] == found["delete_files_by"]
    assert set(found["delete_files_by"].values()) == {0}
    assert found["row_groups_by"] == {"statistics": 0, "dictionary": 0, "bloom": 0}
    (conjunct,) = found["conjuncts"]
    assert conjunct["class"] == "enforced"
    assert conjunct["data_files_pruned"] == 2
    assert "kept_files" not in found


def test_explain_keeps_what_it_reads_on_request(table: Any, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    first = answer(table, "--where", "id >= 25", "--cache", str(kept))
    assert list(kept.rglob("*.kept"))
    assert answer(table, "--where", "id >= 25", "--cache", str(kept)) == first
    assert answer(table, "--where", "id >= 25") == first


def test_explain_lists_kept_files_on_request(table: Any) -> None:
    found = answer(table, "--where", "id >= 25", "--list-files")
    (kept,) = found["kept_files"]
    assert "day=2019-04-16" in kept


def test_kept_files_are_listed_by_name(table: Any) -> None:
    every = answer(table, "--where", "id >= 0", "--list-files")["kept_files"]
    assert len(every) > 1
    assert every == sorted(every)


@pytest.mark.parametrize(
    ("where", "files"),
    [
        pytest.param("id < 5", 2, id="metrics"),
        pytest.param("id BETWEEN 12 AND 13 OR name = 'n27'", 2, id="or"),
        pytest.param("name LIKE 'n2%'", 1, id="prefix"),
        pytest.param("NOT (id >= 10)", 2, id="not"),
        pytest.param("md5(name) = 'x'", 4, id="function keeps everything"),
        pytest.param("1 = 0", 0, id="false"),
        pytest.param("id IN (1, 28)", 3, id="in"),
        pytest.param("day > DATE '2019-04-15'", 1, id="range"),
    ],
)
def test_explain_where(table: Any, where: str, files: int) -> None:
    assert answer(table, "--where", where)["data_files"]["kept"] == files


def test_explain_sql_finds_the_table_in_a_query(table: Any) -> None:
    name = "t" if table.metadata_location.count("/t/") else "db"
    sql = f"WITH x AS (SELECT * FROM lake.db.{name} WHERE id > 25) SELECT count(*) FROM x"
    found = answer(table, "--sql", sql, "--dialect", "spark")
    assert found["data_files"]["kept"] == 1


def test_sql_of_another_table_is_not_taken_for_one_of_the_named_table(
    table: Any, tmp_path: Path
) -> None:
    """Though both have the columns. Of a metadata file alone, the catalog's name is not known."""
    sql = "SELECT * FROM lake.db.u WHERE id > 25"
    assert answer(table, "--sql", sql)["data_files"]["kept"] == 1
    (tmp_path / "audit.yaml").write_text(
        f"tables: [{{name: lake.db.t, metadata: '{table.metadata_location}'}}]\n"
        "sources: [{type: trino_events, paths: [x]}]\naudit: {catalog: lake}\n"
        "catalogs: {lake: {}}\n"
    )
    config = ["--config", str(tmp_path / "audit.yaml"), "--sql", sql]
    found = CliRunner().invoke(main, ["explain", "lake.db.t", *config])
    assert found.exit_code == 1
    assert "does not read lake.db.t. It reads: lake.db.u." in found.output


def test_where_file_answers_each_line_in_order(table: Any, tmp_path: Path) -> None:
    questions = [
        {"id": "a", "where": "id = 1"},
        {"id": "b", "where": "id ="},
        {"id": "c", "sql": "SELECT 1 FROM db.t WHERE nope = 1", "dialect": "spark"},
        {"id": "d"},
        {"id": 5, "where": "id > 100"},
    ]
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join([*map(json.dumps, questions), "no json", ""]))
    result = explain(table, "--where-file", str(path))
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [(a["id"], a["outcome"]) for a in answers] == [
        ("a", "replayed"),
        ("b", "unparseable"),
        ("c", "unknown_column"),
        ("d", "malformed_question"),
        (5, "replayed"),
        (None, "malformed_question"),
    ]
    assert answers[2]["message"].endswith("has no column nope; known: id, day, name")
    assert answers[1]["data_files"] == {"total": None, "considered": None, "kept": None}
    assert answers[4]["data_files"]["kept"] == 0
    assert result.exit_code == 1


def test_lines_of_a_where_file_are_in_the_dialect_of_the_option(table: Any, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    lines = [{"where": "id IN (1L, 2L)"}, {"where": "id IN (1L, 2L)", "dialect": "trino"}]
    path.write_text("\n".join(map(json.dumps, lines)))

    def outcomes(*options: str) -> list[str]:
        result = explain(table, "--where-file", str(path), *options)
        return [json.loads(line)["outcome"] for line in result.stdout.splitlines()]

    assert outcomes("--dialect", "spark") == ["replayed", "unparseable"]
    assert outcomes() == ["unparseable", "unparseable"]


def test_explain_travels_in_time(table: Any) -> None:
    first = table.history()[0]
    by_id = answer(table, "--where", "id >= 0", "--snapshot", str(first.snapshot_id))
    assert by_id["data_files"]["total"] == 3
    assert answer(table, "--where", "id >= 0", "--ref", "main")["data_files"]["total"] == 4
    moment = str(first.timestamp_ms / 1000)
    assert explain(table, "--where", "id >= 0", "--as-of", moment).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "--where", id="no question"),
        pytest.param(["--where", "a", "--sql", "b"], "--where", id="two questions"),
        pytest.param(
            ["--where", "id=1", "--snapshot", "5"],
            "Snapshot not found in",
            id="no such snapshot",
        ),
        pytest.param(["--where", "id=1", "--ref", "x"], "Known: main.", id="no such ref"),
        pytest.param(
            ["--where", "id=1", "--as-of", "1999-01-01"],
            "No snapshot at that time",
            id="before history",
        ),
    ],
)
def test_explain_says_what_is_wrong(table: Any, arguments: list[str], message: str) -> None:
    result = explain(table, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_explain_shows_a_funnel_on_a_terminal(table: Any) -> None:
    result = explain(table, "--where", "day = '2019-04-14' AND upper(name) = 'X'")
    assert result.exit_code == 0
    assert "data files" in result.output
    assert " ".join(result.output.split()).count("function on") == 1


def test_explain_names_a_metadata_file_that_is_missing_or_none(tmp_path: Path) -> None:
    missing = CliRunner().invoke(main, ["explain", "--metadata", "/no/such", "--where", "a = 1"])
    assert missing.exit_code == 2
    assert "/no/such" in missing.stderr
    (tmp_path / "x.json").write_text("{}")
    wrong = CliRunner().invoke(
        main, ["explain", "--metadata", str(tmp_path / "x.json"), "--where", "a = 1"]
    )
    assert wrong.exit_code == 2
    assert "format-version" in wrong.stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"sources": []}, "sources", id="no sources"),
        pytest.param({"sourcez": []}, "sourcez", id="misspelt key"),
        pytest.param({"audit": {"catalog": "other"}}, "audit.catalog", id="unknown catalog"),
        pytest.param({"metrics": {"max_tables": 0}}, "metrics.max_tables", id="out of range"),
        pytest.param({"literals": "yes"}, "literals", id="wrong choice"),
    ],
)
def test_audit_names_the_wrong_key(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    document = {
        "catalogs": {"lake": {}},
        "sources": [{"type": "trino_events", "paths": ["x"]}],
        "audit": {"catalog": "lake"},
    }
    path = tmp_path / "audit.yaml"
    path.write_text(yaml.safe_dump({**document, **change}))
    result = CliRunner().invoke(main, ["audit", "--config", str(path)])
    assert result.exit_code == 2
    assert message in result.stderr


def test_audit_without_a_configuration_or_catalog_does_nothing(tmp_path: Path) -> None:
    missing = CliRunner().invoke(main, ["audit", "--config", str(tmp_path / "none.yaml")])
    assert missing.exit_code == 2
    path = tmp_path / "audit.yaml"
    document = {
        "catalogs": {"lake": {"properties": {"type": "nonsense"}}},
        "sources": [{"type": "trino_events", "paths": ["x"]}],
        "audit": {"catalog": "lake"},
    }
    path.write_text(yaml.safe_dump(document))
    result = CliRunner().invoke(main, ["audit", "--config", str(path)])
    assert result.exit_code == 2
    assert "lake" in result.stderr


def test_an_unforeseen_error_is_no_run_that_is_done() -> None:
    """Its exit code is not Python's 1, and its message, which may quote a query, is not shown."""
    message = "no such value: 'Jane Doe'"

    @click.command()
    def broken() -> None:
        raise RuntimeError(message)

    result = CliRunner().invoke(Commands(commands=[broken]), ["broken"])
    assert result.exit_code == 2
    assert "RuntimeError" in result.stderr
    assert Path(__file__).name in result.stderr
    assert "Jane" not in result.output


@pytest.mark.slow
def test_audit_names_the_master_that_spark_does_not_start_with(tmp_path: Path) -> None:
    catalog = {
        "type": "sql",
        "uri": f"sqlite:///{tmp_path}/c.db",
        "warehouse": f"file://{tmp_path}",
    }
    document = {
        "catalogs": {"lake": {"properties": catalog}},
        "sources": [{"type": "sql_records", "paths": ["x"]}],
        "audit": {"catalog": "lake"},
        "spark": {"master": "nowhere"},
    }
    path = tmp_path / "audit.yaml"
    path.write_text(yaml.safe_dump(document))
    program = Path(sys.executable).with_name("prunescope")
    done = subprocess.run(
        [program, "audit", "--config", path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "Spark does not start with master 'nowhere'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.exhaustive
def test_spark_submit_audits_without_any_settings(tmp_path: Path) -> None:
    """Workers run the driver's Python though nothing says so, as in the first hour, which is
    typed as commands."""
    catalog = {
        "type": "sql",
        "uri": f"sqlite:///{tmp_path}/c.db",
        "warehouse": f"file://{tmp_path}",
    }
    log = tmp_path / "log.jsonl"
    log.write_text('{"sql": "SELECT 1", "started_at": "2026-03-10T01:00:00Z", "query_id": "a"}\n')
    document = {
        "catalogs": {"lake": {"properties": catalog}},
        "sources": [{"type": "sql_records", "paths": [str(log)]}],
        "audit": {"catalog": "lake"},
    }
    config = tmp_path / "audit.yaml"
    config.write_text(yaml.safe_dump(document))
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYSPARK")}
    binaries = Path(sys.executable).parent
    environment["PYSPARK_DRIVER_PYTHON"] = sys.executable
    environment |= QUICK_JVM
    root = Path(__file__).parents[3]
    program = [str(binaries / "spark-submit"), "--master", "local[1]"]
    program += [str(root / "audit_jobs" / "cli.py")]
    done = subprocess.run(
        [*program, "audit", "--config", str(config), "--window-start", "2026-03-10", "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout.splitlines()[-1])
    assert run["status"] == "succeeded"
    assert run["queries"] == {"no_iceberg_table": 1}


@pytest.mark.slow
def test_explain_starts_without_what_it_does_not_need() -> None:
    """Importing these takes longer than explaining."""
    script = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from prunescope.audit_jobs.cli import main\n"
        "CliRunner().invoke(main, ['explain', '--metadata', '/none', '--where', 'a = 1'])\n"
        "import prunescope.audit_jobs.planning.local\n"
        "slow = {'pandas', 'pyspark', 'pyiceberg.table', 'pyiceberg.catalog', 'pyarrow.dataset'}\n"
        "print(sorted(slow & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_planners_and_dialects_that_are_not_known(table: Any) -> None:
    newer = explain(table, "--where", "id = 1", "--planner", "trino-9999/1.30")
    assert newer.stderr.splitlines() == [
        "prunescope: trino 9999 is newer than any that is known: it is planned as 483",
        "prunescope: Iceberg 1.30 is newer than any that is known: it is planned as 1.12",
    ]
    next_one = explain(table, "--where", "id = 1", "--planner", "trino-484")
    assert "trino 484 is newer than any that is known" in next_one.stderr
    for known in ("trino-483", "spark-4.1.4/1.11.2", "pyiceberg-0.12.1", "spark"):
        assert explain(table, "--where", "id = 1", "--planner", known).stderr == ""
    misspelt = explain(table, "--where", "id = 1", "--planner", "trinoo")
    assert (misspelt.exit_code, "did you mean trino?" in misspelt.stderr) == (2, True)
    none = explain(table, "--where", "id = 1", "--dialect", "sprak")
    assert (none.exit_code, "did you mean spark?" in none.stderr) == (2, True)


def test_output_that_nobody_reads_to_its_end_is_no_error() -> None:
    """As with `| head -1`: more than a pipe holds, of which a line is read."""
    program = "from prunescope.audit_jobs.commands.line import Commands\nimport click\n"
    program += "@click.group(cls=Commands)\ndef main(): pass\n@main.command()\ndef much():\n"
    program += "    for _ in range(100_000): click.echo('x' * 100)\nmain()\n"
    command = [sys.executable, "-c", program, "much"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
