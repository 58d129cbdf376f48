"""Since which commit nine in ten files of a table were added, as far as manifests tell: of each its
sequence number, the files that it adds, and those that it has."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.health.measure import added_since


@pytest.mark.parametrize(
    ("manifests", "expected"),
    [
        # one commit wrote all
        ([(3, 10, 10)], 3),
        # the last commit wrote nine of ten; without it there are too few
        ([(3, 1, 1), (7, 9, 9)], 7),
        ([(3, 2, 2), (7, 8, 8)], 3),
        # a rewrite in two commits, the order of the list does not matter
        ([(9, 5, 5), (1, 1, 1), (8, 5, 5)], 8),
        # two in ten were merged into a newer manifest: nobody can tell when they were added
        ([(7, 8, 10)], None),
        # one in ten were, which is too few to matter
        ([(7, 9, 10)], 7),
        # a manifest of deleted entries only
        ([(7, 4, 4), (8, 0, 0)], 7),
        # version 1: no sequence numbers
        ([(None, 4, 4)], None),
        ([(0, 4, 4)], None),
        # files that are not counted
        ([(7, None, None)], None),
        ([(7, 4, 4), (2, None, None)], None),
        # no files
        ([], None),
        ([(4, 0, 0)], None),
    ],
)
def test_a_commit_since_which_most_files_were_added(
    manifests: list[tuple[int | None, int | None, int | None]], expected: int | None
) -> None:
    assert added_since(manifests) == expected
