import numpy as np
import pyarrow as pa
import pytest

from prunescope.audit_jobs.pruning.deletes import dangling
from prunescope.collectors.statistics import Content, FileBatch, Statistics

EQUALITY, POSITION, VECTOR = (
    Content.EQUALITY_DELETES,
    Content.POSITION_DELETES,
    Content.DELETION_VECTOR,
)


def delete_file(content: Content, sequence_number: int) -> FileBatch:
    one = np.ones(1, np.int64)
    nothing = Statistics(1, pa.array([False]), {})
    return FileBatch(
        spec_id=0,
        manifest=one - 1,
        paths=pa.array(["/deletes"]),
        content=one * int(content),
        sequence_number=one * sequence_number,
        records=one,
        size=one,
        row_groups=-one,
        parquet=np.ones(1, np.bool_),
        partition=nothing,
        metrics=nothing,
    )


@pytest.mark.parametrize(
    ("content", "sequence_number", "oldest_data", "expected"),
    [
        pytest.param(EQUALITY, 6, 5, False, id="equality-of-an-older-file"),
        pytest.param(EQUALITY, 5, 5, True, id="equality-of-the-same-commit"),
        pytest.param(EQUALITY, 4, 5, True, id="equality-of-newer-files"),
        pytest.param(EQUALITY, 1, 0, False, id="equality-of-files-of-version-1"),
        pytest.param(EQUALITY, 0, 0, True, id="equality-before-everything"),
        pytest.param(POSITION, 6, 5, False, id="position-of-an-older-file"),
        pytest.param(POSITION, 5, 5, False, id="position-of-the-same-commit"),
        pytest.param(POSITION, 4, 5, True, id="position-of-newer-files"),
        pytest.param(VECTOR, 5, 5, False, id="vector-of-the-same-commit"),
        pytest.param(VECTOR, 4, 5, True, id="vector-of-newer-files"),
        pytest.param(EQUALITY, -1, 5, False, id="equality-of-unknown-age"),
        pytest.param(POSITION, -1, 5, False, id="position-of-unknown-age"),
    ],
)
def test_deletes_that_apply_to_nothing(
    content: Content, sequence_number: int, oldest_data: int, expected: bool
) -> None:
    found = dangling(delete_file(content, sequence_number), oldest_data)
    assert found.tolist() == [expected]
