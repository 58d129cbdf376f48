"""Commands whose output goes where not every character, or nothing at all, can be written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyiceberg.catalog.sql import SqlCatalog

pytestmark = pytest.mark.slow

TEXT = "é→😀"


@pytest.fixture(scope="module")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of two files, of which a condition keeps one."""
    folder = tmp_path_factory.mktemp("lake")
    catalog = SqlCatalog("lake", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace("db")
    table = catalog.create_table("db.t", pa.schema([("name", pa.string())]))
    for name in (TEXT, "zz"):
        table.append(pa.table({"name": [name]}))
    return str(table.metadata_location).removeprefix("file://")


def run(
    *arguments: str, encoding: str = "utf-8", stdout: str | None = None
) -> subprocess.CompletedProcess[bytes]:
    with Path(stdout or os.devnull).open("wb") as file:
        return subprocess.run(
            [sys.executable, "-m", "prunescope.audit_jobs.cli", *arguments],
            env=os.environ | {"PYTHONIOENCODING": encoding},
            stdout=file if stdout else subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_json_says_the_same_in_every_encoding(metadata: str, encoding: str) -> None:
    where = f"name = '{TEXT}'"
    done = run("explain", "--metadata", metadata, "--where", where, "--json", encoding=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    # click takes ASCII for a terminal that was set up badly, and writes UTF-8.
    told = done.stdout.decode("utf-8" if encoding == "ascii" else encoding)
    assert json.loads(told)["predicate"] == where


@pytest.mark.parametrize(("encoding", "bar"), [("ascii", "#" * 8), ("utf-8", "█" * 8)])
def test_bars_are_of_characters_that_there_are(metadata: str, encoding: str, bar: str) -> None:
    done = run(
        *("explain", "--metadata", metadata, "--where", f"name = '{TEXT}'"), encoding=encoding
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert bar in done.stdout.decode(encoding)


def test_lines_that_are_no_text_are_told_one_by_one(metadata: str, tmp_path: Path) -> None:
    lines = [
        b'{"where": "name = 1"}',
        b"\xff",
        b'{"id": 1e999}',
        b'{"id": NaN}',
        b'{"where": "1 = 1"}',
    ]
    asked = tmp_path / "asked.jsonl"
    asked.write_bytes(b"\n".join(lines))
    done = run("explain", "--metadata", metadata, "--where-file", str(asked))
    outcomes = [json.loads(line)["outcome"] for line in done.stdout.splitlines()]
    assert outcomes == ["replayed", *["malformed_question"] * 3, "replayed"]


def test_an_interrupt_is_no_run_that_is_done() -> None:
    program = (
        "import signal, click\n"
        "from prunescope.audit_jobs.commands.line import Commands\n"
        # Ignored where a shell runs tests in its background.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "@click.command()\n"
        "def waits():\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "Commands(commands=[waits])(['waits'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"prunescope: interrupted\n")


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_full_disk_is_told(metadata: str, form: list[str]) -> None:
    done = run("explain", "--metadata", metadata, "--where", "name = ''", *form, stdout="/dev/full")
    assert done.returncode == 2
    told = "prunescope: standard output cannot be written: No space left on device\n"
    assert done.stderr.decode() == told
