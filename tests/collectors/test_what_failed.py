"""Errors of the operating system, told in its words."""

from __future__ import annotations

import errno
import gzip
from pathlib import Path

import pytest

from prunescope.collectors.errors import what_failed


@pytest.mark.parametrize(
    ("error", "told"),
    [
        pytest.param(OSError(errno.ENOSPC, "x"), "No space left on device", id="a full disk"),
        pytest.param(OSError(errno.EACCES, "'Jane'"), "Permission denied", id="a client's words"),
        pytest.param(OSError("'Jane'"), "OSError", id="no number"),
        pytest.param(OSError(99_999, "'Jane'"), "OSError", id="a number of a client"),
        pytest.param(gzip.BadGzipFile("'Jane'"), "BadGzipFile", id="no error of the system"),
        pytest.param(ValueError("'Jane'"), "ValueError", id="another error"),
    ],
)
def test_only_the_systems_words_are_told(error: Exception, told: str) -> None:
    assert what_failed(error) == told


def test_a_folder_is_told_as_that(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as raised:
        tmp_path.read_bytes()
    assert what_failed(raised.value) == "Is a directory"
