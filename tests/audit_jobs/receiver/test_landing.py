"""Landing: a finished file is in one place at least, and the log tells no names and no contents."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from prunescope.audit_jobs.receiver.landing import land


@pytest.fixture
def spool(tmp_path: Path) -> Path:
    """A receiver's directory with two finished files, and what is none."""
    directory = tmp_path / "collected"
    for name, text in {
        "trino/20240430T000000.000000Z-000001.jsonl": "one\n",
        "reports/20240430T000000.000000Z-000001.jsonl": "two\n",
        "trino/.20240501T000000.000000Z-000002.jsonl.open": "torn",
        "trino/notes.txt": "a note",
        ".probe": "\n",
    }.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


def files(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize("slash", ["", "/"])
def test_finished_files_move_to_the_folder_of_their_kind(
    spool: Path, tmp_path: Path, slash: str
) -> None:
    store = tmp_path / "store"
    assert land(spool, f"{store.as_uri()}{slash}", "pod-1") == (2, 0)
    assert files(store) == {
        "trino/pod-1-20240430T000000.000000Z-000001.jsonl": "one\n",
        "reports/pod-1-20240430T000000.000000Z-000001.jsonl": "two\n",
    }
    assert files(spool).keys() == {
        "trino/.20240501T000000.000000Z-000002.jsonl.open",
        "trino/notes.txt",
        ".probe",
    }
    assert land(spool, store.as_uri(), "pod-1") == (0, 0)


def test_what_was_copied_and_not_removed_is_copied_over_itself(spool: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    half = store / "trino" / "pod-1-20240430T000000.000000Z-000001.jsonl"
    half.parent.mkdir(parents=True)
    half.write_text("o")
    assert land(spool, store.as_uri(), "pod-1") == (2, 0)
    assert half.read_text() == "one\n"


def test_a_file_that_cannot_land_stays_and_the_others_land(spool: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    blocked = store / "reports" / "pod-1-20240430T000000.000000Z-000001.jsonl"
    (blocked / "x").mkdir(parents=True)
    assert land(spool, store.as_uri(), "pod-1") == (1, 1)
    assert "reports/20240430T000000.000000Z-000001.jsonl" in files(spool)
    assert "trino/20240430T000000.000000Z-000001.jsonl" not in files(spool)


def test_the_log_has_the_type_of_an_error_and_nothing_else_of_it(
    spool: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "audit_jobs"):
        assert land(spool, "nowhere://user:password@store/x", "pod-1") == (0, 2)
    assert [(one.message, vars(one)["fields"]) for one in caplog.records] == [
        ("not_landed", {"error": "ValueError"})
    ] * 2
    assert "password" not in caplog.text
    assert len(files(spool)) == 5


@pytest.mark.parametrize("linked", ["reports", "reports/20240430T000000.000000Z-000001.jsonl"])
def test_no_link_is_followed(spool: Path, tmp_path: Path, linked: str) -> None:
    (spool / linked).rename(tmp_path / "other")
    (spool / linked).symlink_to(tmp_path / "other")
    before = files(tmp_path / "other") or (tmp_path / "other").read_text()
    assert land(spool, (tmp_path / "store").as_uri(), "pod-1") == (1, 1)
    assert (files(tmp_path / "other") or (tmp_path / "other").read_text()) == before
