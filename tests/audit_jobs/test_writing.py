"""Files are replaced as a whole, and nobody else can have another one written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from prunescope.audit_jobs.writing import replace_text


def test_a_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    replace_text(file, "one")
    file.chmod(0o604)
    replace_text(file, "two")
    assert file.read_text() == "two"
    assert file.stat().st_mode & 0o777 == 0o604
    assert list(tmp_path.iterdir()) == [file]


def test_no_link_that_is_planted_beside_it_is_followed(tmp_path: Path) -> None:
    """Before it is moved to its place, the text stands under another name."""
    ours = tmp_path / "ours"
    ours.write_text("kept")
    folder = tmp_path / "everybody's"
    folder.mkdir()
    for name in (f".report.html.{os.getpid()}", "report.html.tmp", f"report.html.{os.getpid()}.0"):
        (folder / name).symlink_to(ours)
    replace_text(folder / "report.html", "new")
    assert ours.read_text() == "kept"
    assert (folder / "report.html").read_text() == "new"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a link of another user")
def test_a_link_is_followed_unless_it_is_another_users(tmp_path: Path) -> None:
    ours, link = tmp_path / "ours", tmp_path / "link"
    ours.write_text("kept")
    link.symlink_to(ours)
    replace_text(link, "by a link of our own")
    assert link.is_symlink()
    assert ours.read_text() == "by a link of our own"
    os.lchown(link, 65534, -1)
    with pytest.raises(OSError, match="link of another user"):
        replace_text(link, "of theirs")
    assert ours.read_text() == "by a link of our own"


@pytest.mark.parametrize("before", [None, 0o644])
def test_what_is_private_is_its_owners_alone(tmp_path: Path, before: int | None) -> None:
    file = tmp_path / "report.html"
    if before is not None:
        file.write_text("one")
        file.chmod(before)
    replace_text(file, "two", is_private=True)
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("two", 0o600)
