"""Finding the files of query logs, on a disk and in remote storage."""

from __future__ import annotations

from pathlib import Path

import pyarrow.fs
import pytest

from prunescope.collectors.queries.listing import expand_paths, list_files, list_remote
from prunescope.collectors.storage.files import Storage

FILES = ("a.jsonl", "b.jsonl", "_SUCCESS", ".a.jsonl.crc", "deep/c.jsonl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
    return tmp_path


def test_paths_are_files_folders_and_patterns(folder: Path) -> None:
    named = [str(folder / name) for name in ("a.jsonl", "b.jsonl", "deep/c.jsonl")]
    assert list(expand_paths([str(folder)], Storage())) == named
    assert list(expand_paths([f"{folder}/*.jsonl", str(folder)], Storage())) == named
    assert list(expand_paths([f"{folder}/**/c.jsonl"], Storage())) == named[2:]
    assert expand_paths([f"{folder}/_SUCCESS"], Storage()) == {
        f"{folder}/_SUCCESS": len("_SUCCESS")
    }
    with pytest.raises(FileNotFoundError):
        expand_paths([f"{folder}/none*"], Storage())


def test_locations_are_mapped_before_they_are_listed(folder: Path) -> None:
    storage = Storage((("s3://logs/", f"{folder}/"),))
    assert expand_paths(["s3://logs/deep/"], storage) == {
        f"{folder}/deep/c.jsonl": len("deep/c.jsonl")
    }


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param("", ["a.jsonl", "b.jsonl", "deep/c.jsonl"], id="folder"),
        pytest.param("/", ["a.jsonl", "b.jsonl", "deep/c.jsonl"], id="folder with a slash"),
        pytest.param("/a.jsonl", ["a.jsonl"], id="file"),
        pytest.param("/*.jsonl", ["a.jsonl", "b.jsonl", "deep/c.jsonl"], id="pattern"),
        pytest.param("/[ab].jsonl", ["a.jsonl", "b.jsonl"], id="pattern of characters"),
        pytest.param("/none", [], id="nothing"),
    ],
)
def test_remote_storage_is_listed_alike(folder: Path, pattern: str, expected: list[str]) -> None:
    filesystem = pyarrow.fs.LocalFileSystem()
    found = sorted(list_files(filesystem, f"{folder}{pattern}"))
    assert found == [(f"{folder}/{name}", len(name)) for name in expected]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        pytest.param("/", ["a.jsonl", "b.jsonl", "deep/c.jsonl"], id="folder"),
        pytest.param("/a.jsonl", ["a.jsonl"], id="file"),
        pytest.param("/*.jsonl", ["a.jsonl", "b.jsonl", "deep/c.jsonl"], id="pattern"),
        pytest.param("/deep/?.jsonl", ["deep/c.jsonl"], id="pattern of a character"),
        pytest.param("/[b].jsonl", ["b.jsonl"], id="pattern of characters"),
    ],
)
def test_remote_locations_keep_their_scheme(
    folder: Path, pattern: str, expected: list[str]
) -> None:
    location = f"file://{folder}"
    found = sorted(list_remote(location + pattern, Storage()))
    assert found == [(f"{location}/{name}", len(name)) for name in expected]
