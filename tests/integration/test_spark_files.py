"""Files of a Spark that is killed: nobody else could read them, and the next run removes them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.exhaustive, pytest.mark.spark]

CANARY = "k7canary-123-45-6789"
RUN = f"""
import sys

from prunescope.audit_jobs.jobs.runners import spark_runner
from prunescope.audit_jobs.planning.items import Item
from tests.audit_jobs.jobs.lakes import config_of


def stage(groups):
    for group in groups:
        for place, kind, payload in group.tasks:
            yield Item(kind, payload, group.table, place)


texts = [Item("text", "SELECT '{CANARY}'", "t", place) for place in range(64)]
with spark_runner(config_of({{}}), lambda _: None) as runner:
    made = runner.run(stage, runner.items(texts), {{"t": 16}})
    assert len(runner.run(stage, made, {{"t": 8}}).found("text")["text"]) == 64
    print(runner._spark.sparkContext._gateway.proc.pid, flush=True)
    sys.stdin.readline()
"""


def started(folder: Path) -> tuple[subprocess.Popen[str], int]:
    """A run of Spark whose temporary files are in a folder, once all is done but its end, and the
    process of its JVM."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    environment.pop("SPARK_LOCAL_DIRS", None)
    process = subprocess.Popen(
        [sys.executable, "-c", f"import os; os.umask(0)\n{RUN}"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def readable_by_others(folder: Path) -> Iterator[Path]:
    """Files that another user reaches."""
    for path in folder.iterdir():
        mode = path.lstat().st_mode
        if path.is_dir() and not path.is_symlink():
            if mode & 0o011:
                yield from readable_by_others(path)
        elif mode & 0o044:
            yield path


def test_a_killed_run_leaves_nothing_that_others_can_read_and_the_next_one_nothing_at_all(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o755)
    killed, jvm = started(tmp_path)
    for process in (jvm, killed.pid):
        os.kill(process, signal.SIGKILL)
    killed.communicate()
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any(b"k7canary" in path.read_bytes() for path in left), "texts of queries stay"
    assert list(readable_by_others(tmp_path)) == []
    again, _ = started(tmp_path)
    assert [path for path in left if path.exists()] == []
    again.communicate("\n")
    time.sleep(2)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
