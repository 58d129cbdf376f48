"""JVMs of tests share class data where these have been made, and not otherwise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import class_data

OPTIONS = "SPARK_SUBMIT_OPTS"


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(OPTIONS, "")
    monkeypatch.delenv(OPTIONS)


def test_without_an_archive_nothing_is_said() -> None:
    class_data.share()
    assert OPTIONS not in os.environ


@pytest.mark.usefixtures("java_home")
def test_an_archive_is_used_unless_options_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = class_data.archive()
    assert archive is not None
    archive.parent.mkdir()
    archive.touch()
    class_data.share()
    assert f"-XX:SharedArchiveFile={archive} " in os.environ[OPTIONS]
    monkeypatch.setenv(OPTIONS, "-Xmx1g")
    class_data.share()
    assert os.environ[OPTIONS] == "-Xmx1g"


@pytest.fixture
def java_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.touch(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    return java


def test_another_java_has_another_archive(java_home: Path) -> None:
    before = class_data.archive()
    os.utime(java_home, (1, 1))
    assert before is not None
    assert class_data.archive() != before


def test_without_java_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "nowhere"))
    assert class_data.archive() is None
