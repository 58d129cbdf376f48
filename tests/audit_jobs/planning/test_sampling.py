import pytest

from prunescope.audit_jobs.planning.sampling import EVERYTHING, FileSample

PATHS = [f"s3://lake/data/part-{number:05}.parquet" for number in range(20_000)]


def test_without_a_need_everything_is_drawn() -> None:
    assert FileSample.of(100, 100, 1).share == 1
    assert FileSample.of(100, None, 1) == FileSample(1.0, 1)
    assert all(path in EVERYTHING for path in PATHS)


@pytest.mark.parametrize("limit", [100, 5_000])
def test_about_as_many_as_the_limit_are_drawn(limit: int) -> None:
    sample = FileSample.of(len(PATHS), limit, 1)
    drawn = sum(path in sample for path in PATHS)
    assert abs(drawn - limit) < 5 * limit**0.5


def test_a_seed_always_draws_the_same_and_another_seed_others() -> None:
    first, again, other = (FileSample.of(len(PATHS), 5_000, seed) for seed in (1, 1, -2))
    drawn = {path for path in PATHS if path in first}
    assert drawn == {path for path in PATHS if path in again}
    both = drawn & {path for path in PATHS if path in other}
    assert abs(len(both) - 1_250) < 250
