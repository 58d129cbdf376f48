"""The commands say the same of random tables and logs: one change of each, with bytes that are
read."""

from __future__ import annotations

import datetime as dt
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.findings.catalogue import is_repeated
from prunescope.audit_jobs.records import Window
from tests.integration.audits import DAY, audit_here, backdate_metadata, write_config, write_lines
from tests.sampled import one_in
from tests.scenarios.lake import EVERYTHING
from tests.workloads.lake import Tables
from tests.workloads.model import Pair
from tests.workloads.physical import Layout
from tests.workloads.random_tables import random_pair
from tests.workloads.rows import (
    FILE_ROWS,
    SPARK,
    each,
    instant,
    laid_out,
    repeated,
    rng,
    table,
    times,
)

TABLES, OF_A_WEEK = int(os.environ.get("PRUNESCOPE_RANDOM_TABLES", "75")), 15
"""Random tables, of which so many are audited together; 300 before changes of the advisor land."""
WEEK = Window(DAY - dt.timedelta(days=7), DAY)
"""Long enough for what changes partitions."""
SHOWN = f"{WEEK.start:%Y-%m-%d}/{WEEK.end:%Y-%m-%d}"

_FIELD = re.compile(r"(?:ADD|DROP|REPLACE) PARTITION FIELD .*")
_ORDER = re.compile(r"(?:sort_order => '|WRITE ORDERED BY )((?:[^';]|'')+)")
_OTHER_BYTES = {"scattered_manifests"}
"""Causes whose bytes are not those of data files."""

Said = Mapping[str, Any]

pytestmark = pytest.mark.slow(minutes=1)


@pytest.mark.parametrize("first", one_in(3, range(0, TABLES, OF_A_WEEK), str))
def test_one_change_of_a_table_wherever_it_is_told(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # to which paths of tables are relative
    pairs = [random_pair(number) for number in range(first, first + OF_A_WEEK)]
    config = written(tmp_path, pairs)
    assert audit_here(config, WEEK)
    advised = json.loads(asked(config, "advise", "--window", SHOWN))
    assert advised["failed"] == []
    published = of_tables(map(json.loads, asked(config, "findings").splitlines()))
    assert any(orders(some) or partitions(some) for some in published.values())
    for told in advised["tables"]:
        name = told["table"]
        found = published.pop(name, [])
        assert by_key(found) == by_key([*told["steps"], *told["left"]]), name
        assert len(orders(found)) <= 1, (name, orders(found))
        assert len(partitions(found)) <= 1, (name, partitions(found))
        assert at_stake(found) <= told["bytes_kept"], name
        assert told["bytes_at_stake"] <= told["bytes_kept"], name
    assert not published


MONTHS = [day * 86_400 for day in (0, 31, 59, 90, 120, 151, 181)]
"""Their first seconds, and the end."""


def parcels() -> Layout:
    """Parcels of six months, in no order, in ten files: a sort leaves each in parts of three."""
    draw = rng(51_003)
    count = 10 * FILE_ROWS
    seen = times(draw.uniform(0, MONTHS[-1] - 1, count))
    return laid_out(table({"seen_at": seen, "parcel": draw.integers(0, 20_000, count)}))


def merged(name: str, what: str) -> Pair:
    """A table of which months are asked for, and into which rows are merged."""
    months = each(
        f"SELECT count(*) FROM lake.db.{name}"
        " WHERE seen_at >= TIMESTAMP '{}' AND seen_at < TIMESTAMP '{}'",
        [(instant(start), instant(end)) for start, end in pairwise(MONTHS)] * 3,
    )
    merge = (
        f"MERGE INTO lake.db.{name} AS t USING stage.db.scans AS s ON t.parcel = s.parcel"
        f" {what} WHEN NOT MATCHED THEN INSERT *"
    )
    return Pair(name, parcels, [*months, *repeated(merge, 1, **SPARK)])


def test_no_command_partitions_by_what_statements_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pairs = [merged("changed", "WHEN MATCHED THEN UPDATE SET *"), merged("inserted", "")]
    config = written(tmp_path, pairs)
    assert audit_here(config, WEEK)
    files = tmp_path / "sql"
    files.mkdir()
    for pair in pairs:
        for number, query in enumerate(pair.queries):
            (files / f"{pair.name}-{number}.sql").write_text(query.sql or "")
    advised = json.loads(asked(config, "advise", "--window", SHOWN))["tables"]
    checked = json.loads(asked(config, "check", "--sql-dir", str(files)))["findings"]
    for found in (
        of_tables(map(json.loads, asked(config, "findings").splitlines())),
        {one["table"]: [*one["steps"], *one["left"]] for one in advised},
        of_tables(checked),
    ):
        changed, inserted = found["lake.db.changed"], found["lake.db.inserted"]
        assert (partitions(changed), orders(changed)) == (set(), {"`seen_at`"})
        assert partitions(inserted) == {("ADD PARTITION FIELD months(`seen_at`)",)}


def written(folder: Path, pairs: Iterable[Pair]) -> Path:
    """The configuration of an audit of tables of one lake, whose queries are of a week."""
    tables, names, log = Tables(folder), [], []
    for pair in pairs:
        metadata = folder / tables.write(pair.name, pair.layout())
        backdate_metadata(metadata)
        names.append({"name": f"lake.db.{pair.name}", "metadata": str(metadata)})
        for number, query in enumerate(pair.queries):
            moment = WEEK.start + dt.timedelta(hours=1 + number * 4)
            log.append(
                {
                    "sql": query.sql,
                    "query_id": f"{pair.name}-{number}",
                    "started_at": moment.isoformat(),
                    "engine": query.engine,
                    "dialect": query.engine,
                }
            )
    lines = write_lines(folder / "log.jsonl", log)
    (folder / "secret").write_text("of all random tables, and of no others\n")
    (folder / "secret").chmod(0o600)
    return write_config(
        folder,
        [{"type": "sql_records", "paths": [str(lines)], "catalog": "lake"}],
        secret_file=str(folder / "secret"),
        tables=names,
        findings={"thresholds": [{"table": "*", **EVERYTHING}]},
    )


def asked(config: Path, command: str, *arguments: str) -> str:
    """Returns what a command prints as JSON."""
    done = CliRunner().invoke(main, [command, "--json", "--config", str(config), *arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def of_tables(findings: Iterable[Said]) -> dict[str, list[Said]]:
    """Findings by the names of their tables."""
    found: dict[str, list[Said]] = defaultdict(list)
    for one in findings:
        found[".".join([one["catalog"], one["namespace"], one["table"]])].append(one)
    return found


def by_key(findings: Iterable[Said]) -> dict[str, Said]:
    """Findings by their keys, without what is of a run: of examples one is drawn."""
    of_run = ("run_id", "window_start", "window_end", "rank")
    return {
        one["finding_key"]: {
            name: value
            for name, value in one.items()
            if name not in of_run and not name.startswith("example_")
        }
        for one in findings
    }


def orders(findings: Iterable[Said]) -> set[str]:
    """The orders that statements give rows."""
    return {
        found[1].replace("''", "'")
        for one in findings
        for statement in one["fix_spark"]
        for found in _ORDER.finditer(statement)
    }


def partitions(findings: Iterable[Said]) -> set[tuple[str, ...]]:
    """The changes that statements make of partition fields."""
    changes = (
        tuple(found[0] for one in of["fix_spark"] for found in _FIELD.finditer(one))
        for of in findings
    )
    return {change for change in changes if change}


def at_stake(findings: Iterable[Said]) -> int:
    """The bytes of data files that findings say need not be read, each once."""
    return sum(
        one["bytes_at_stake"] or 0
        for one in findings
        if not is_repeated(one["cause"]) and one["cause"] not in _OTHER_BYTES
    )
