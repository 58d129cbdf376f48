"""Folders of Spark: nobody else can look into them, none stays, and none of others is removed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from prunescope.audit_jobs.planning.spark_files import (
    private_files,
    private_folder,
    remove_abandoned,
)

HOLDS = """
import sys
from pathlib import Path
from prunescope.audit_jobs.planning.spark_files import private_folder

folder = private_folder(Path(sys.argv[1]))
(folder / "rows").write_text("SELECT 'anna'")
print(folder, flush=True)
sys.stdin.readline()
"""


class Holder:
    """A process that has a private folder below another."""

    def __init__(self, parent: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDS, str(parent)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.folder = Path(self.process.stdout.readline().strip())

    def ends(self, *, killed: bool) -> None:
        if killed:
            self.process.send_signal(signal.SIGKILL)
        self.process.communicate("\n")


def test_a_folder_is_the_users_alone_and_goes_with_its_process(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        holder = Holder(tmp_path)
    finally:
        os.umask(before)
    assert holder.folder.stat().st_mode & 0o777 == 0o700
    holder.ends(killed=False)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    killed, running = Holder(tmp_path), Holder(tmp_path)
    killed.ends(killed=True)
    assert (killed.folder / "rows").exists()
    remove_abandoned(tmp_path)
    assert list(tmp_path.iterdir()) == [running.folder]
    assert (running.folder / "rows").exists()
    running.ends(killed=False)


def test_what_is_not_ours_stays(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (elsewhere / "kept").touch()
    (tmp_path / "prunescope-spark-link").symlink_to(elsewhere)
    (tmp_path / "prunescope-spark-file").touch(mode=0o700)
    (tmp_path / "prunescope-spark-open").mkdir(mode=0o755)
    if os.geteuid() == 0:
        theirs = tmp_path / "prunescope-spark-theirs"
        theirs.mkdir(mode=0o700)
        os.chown(theirs, 65534, -1)
    before = {*tmp_path.iterdir()}
    remove_abandoned(tmp_path)
    assert {*tmp_path.iterdir()} == before
    assert (elsewhere / "kept").exists()


def test_links_within_what_was_left_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "file").touch()
    holder = Holder(tmp_path)
    (holder.folder / "link").symlink_to(tmp_path / "kept")
    holder.ends(killed=True)
    remove_abandoned(tmp_path)
    assert [*tmp_path.rglob("*")] == [tmp_path / "kept", tmp_path / "kept" / "file"]


@pytest.mark.parametrize("by", ["environment", "setting", "temporary"])
def test_what_is_started_has_private_folders_where_spark_is_told_to_have_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    both = f"{tmp_path}/one,{tmp_path}/other"
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    monkeypatch.setattr(
        "prunescope.audit_jobs.planning.spark_files.gettempdir", lambda: f"{tmp_path}/one"
    )
    conf = {}
    if by == "environment":
        monkeypatch.setenv("SPARK_LOCAL_DIRS", both)
    elif by == "setting":
        conf = {"spark.local.dir": both}
    before = dict(os.environ)
    with private_files(conf):
        folders = [Path(folder) for folder in os.environ["SPARK_LOCAL_DIRS"].split(",")]
        assert f'-Djava.io.tmpdir={folders[0]}"' in os.environ["SPARK_SUBMIT_OPTS"]
        assert os.environ["TMPDIR"] == str(folders[0])
    assert dict(os.environ) == before
    expected = ["one"] if by == "temporary" else ["one", "other"]
    assert [folder.parent for folder in folders] == [tmp_path / name for name in expected]
    assert {folder.stat().st_mode & 0o777 for folder in folders} == {0o700}


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        private_folder(tmp_path / "none")
