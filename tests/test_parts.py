"""Tests that run in parts all run, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.test_in_parts import main
from tests.parts import TESTS, files_of, marks_of_all


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_each_file_is_in_one_part(parts: int) -> None:
    found = [file for number in range(1, parts + 1) for file in files_of(f"{number}/{parts}")]
    assert sorted(found) == sorted(TESTS.rglob("test_*.py"))


def test_files_without_a_test_that_is_asked_for_are_in_no_part() -> None:
    asked = "not slow and not spark"
    files = files_of("1/1", asked)
    assert files == files_of("1/2", asked) | files_of("2/2", asked)
    assert Path(__file__) in files
    assert TESTS / "differential" / "spark" / "test_spark.py" not in files
    assert files_of("1/1", "not slow or spark") == files_of("1/1", "slow") == files_of("1/1")


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("import pytest\npytestmark = pytest.mark.slow\n", {"slow"}),
        ("\npytestmark = [pytest.mark.slow(minutes=2),\n  pytest.mark.spark]\n", {"slow", "spark"}),
        ("import pytest\n\n@pytest.mark.slow\ndef test_it(): ...\n", set()),
        ("\nclass Test:\n    pytestmark = pytest.mark.slow\n", set()),
        ('TEXT = "pytestmark = pytest.mark.slow"\n', set()),
    ],
)
def test_marks_of_all_tests_of_a_file(text: str, marks: set[str]) -> None:
    assert marks_of_all(text) == marks


@pytest.mark.parametrize("part", ["0/2", "3/2", "2", "", "one/two"])
def test_what_is_no_part_is_refused(part: str) -> None:
    with pytest.raises(ValueError, match="is no part"):
        files_of(part)


def test_all_are_well_where_each_is() -> None:
    assert main(2, ["--version"]) == 0


@pytest.mark.slow(minutes=0.1)
@pytest.mark.parametrize("part", ["1/2", "2/2"])
def test_all_fail_where_one_does(part: str) -> None:
    """The other part has none of the tests that are asked for."""
    folders = sorted(file.parent for file in files_of(part))
    alone = next(one for one in folders if len([*one.rglob("test_*.py")]) == 1)
    assert main(2, ["--collect-only", "-q", str(alone)]) == pytest.ExitCode.NO_TESTS_COLLECTED
