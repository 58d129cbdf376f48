"""Numbers for partitions, by Spark's hash; `tests/integration/test_tasks.py` asks Spark."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.planning.spread import keys, spark_hash


def test_the_hash_is_that_of_spark() -> None:
    # As Spark answers: SELECT hash(0), hash(1).
    assert [spark_hash(n) for n in (0, 1)] == [933211791, -559580957]


@pytest.mark.parametrize("partitions", [1, 2, 7, 8, 300])
def test_each_partition_has_a_key(partitions: int) -> None:
    found = [spark_hash(key) % partitions for key in keys(partitions)]
    assert found == list(range(partitions))
