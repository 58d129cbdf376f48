"""Estimates from samples: how often the interval holds the truth."""

import random
from collections.abc import Sequence

import numpy as np
import pytest

from prunescope.audit_jobs.pruning.estimates import (
    Shares,
    shares_of_clusters,
    shares_of_rest,
    student_t,
)

pytestmark = pytest.mark.slow

_TRIALS = 400

# Row groups per file, and how many of them are kept.
File = tuple[int, int]


def population(kind: str) -> list[File]:
    drawn = random.Random(kind)  # noqa: S311
    match kind:
        case "all or nothing":
            return [(size, size * drawn.randint(0, 1)) for size in [4] * 2_000]
        case "few kept":
            return [(1, int(drawn.random() < 0.02)) for _ in range(2_000)]
        case "none kept":
            return [(3, 0)] * 500
        case "uneven files":
            sizes = [drawn.choice([1, 1, 1, 40]) for _ in range(2_000)]
            return [(size, drawn.randint(0, size)) for size in sizes]
    raise AssertionError(kind)


def estimate(sample: Sequence[File], unread: int) -> Shares:
    considered = sum(size for size, _ in sample)
    kept = sum(kept for _, kept in sample)
    squares = float(sum(size**2 for size, _ in sample))
    return shares_of_rest(kept, considered, squares, read=len(sample), unread=unread)


def of_clusters(counts: Sequence[tuple[int, int]], population: int) -> Shares:
    matching, rows = np.array(counts).T
    weights = np.full(len(counts), population / len(counts))
    return shares_of_clusters(matching[:, None], rows, weights)


@pytest.mark.parametrize("kind", ["all or nothing", "few kept", "none kept", "uneven files"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.95])
def test_the_interval_holds_the_truth_19_times_of_20(kind: str, share: float) -> None:
    files = population(kind)
    drawn = random.Random(7)  # noqa: S311
    hits = 0
    for _ in range(_TRIALS):
        drawn.shuffle(files)
        cut = round(len(files) * share)
        sample, rest = files[:cut], files[cut:]
        truth = sum(kept for _, kept in rest) / sum(size for size, _ in rest)
        found = estimate(sample, len(rest))
        hits += bool(found.low <= truth <= found.high)
    # 95 %, less three standard deviations of that many trials.
    assert hits >= 0.917 * _TRIALS


def test_a_larger_sample_says_more() -> None:
    files = population("all or nothing")
    small, large = (estimate(files[:count], len(files) - count) for count in (40, 400))
    assert large.high - large.low < (small.high - small.low) / 2


def test_nothing_sampled_is_nothing_known() -> None:
    found = shares_of_rest(0, 0, 0, read=0, unread=5)
    assert np.isnan(found.value)
    assert (found.low.item(), found.high.item()) == (0.0, 1.0)


def test_nothing_left_is_nothing_to_estimate() -> None:
    found = shares_of_rest([30, 30], [100, 100], [200, 200], read=[50, 50], unread=[0, 200])
    assert (found.low[0], found.high[0]) == (0.0, 1.0)
    assert 0.0 < found.low[1] < 0.3 < found.high[1] < 1.0


@pytest.mark.parametrize("spread", ["all files alike", "half of the files", "a few files"])
def test_intervals_of_clusters_hold_the_truth_as_often_as_they_say(spread: str) -> None:
    """Samples of 16 of 400 files, drawn again and again: 95 % of the intervals, less what a sample
    this small cannot know of files that are very unlike, hold the share of all."""
    generator = np.random.default_rng(3)
    likely = {
        "all files alike": np.full(400, 0.02),
        "half of the files": np.tile([0.0, 0.4], 200),
        "a few files": np.repeat([0.9, 0.0], [40, 360]),
    }[spread]
    matching = generator.binomial(1_000, likely)
    truth = matching.sum() / 400_000
    held = 0
    for _ in range(500):
        drawn = generator.choice(400, 16, replace=False)
        share = of_clusters([(int(matching[n]), 1_000) for n in drawn], 400)
        held += bool(share.low <= truth <= share.high)
    assert held / 500 >= (0.75 if spread == "a few files" else 0.917)


def test_samples_of_strata_tell_of_all_files_together() -> None:
    """Eight of the ten newest files, in which all is that is looked for, and sixteen of the 990
    others: both shares of the whole are within their intervals, and the narrow one is near."""
    generator = np.random.default_rng(5)
    hot = generator.binomial(1_000, 0.1, 10)
    wide = generator.binomial(1_000, 0.3, 1_000)
    weights = np.repeat([10 / 8, 990 / 16], [8, 16])
    held = np.zeros(2)
    for _ in range(500):
        newest, others = generator.choice(10, 8, False), 10 + generator.choice(990, 16, False)
        counts = [(int(hot[n]), int(wide[n])) for n in newest] + [(0, int(wide[n])) for n in others]
        found = shares_of_clusters(np.array(counts), np.full(24, 1_000), weights)
        truth = np.array([hot.sum(), wide.sum()]) / 1_000_000
        held += (found.low <= truth) & (truth <= found.high)
        assert found.value[0] == pytest.approx(truth[0], rel=0.2)
    assert (held / 500 >= 0.917).all()


def test_a_stratum_that_was_read_whole_leaves_nothing_of_it_to_estimate() -> None:
    matching, rows = np.array([[3], [5], [0], [0]]), np.full(4, 10)
    known = shares_of_clusters(matching, rows, np.array([1.0, 1.0, 50.0, 50.0]))
    guessed = shares_of_clusters(matching, rows, np.array([25.0, 25.0, 26.0, 26.0]))
    assert known.value[0] == pytest.approx(8 / 1_020)
    assert known.high[0] - known.low[0] < (guessed.high[0] - guessed.low[0]) / 10


def test_all_files_of_a_table_leave_nothing_to_estimate() -> None:
    share = of_clusters([(1, 10), (3, 10)], 2)
    assert [one.item() for one in (share.low, share.value, share.high)] == [0.2, 0.2, 0.2]


@pytest.mark.parametrize("matching", [[0] * 6, [0, 0, 10, 0, 0, 10]])
def test_of_all_files_read_in_part_the_rest_is_left_to_estimate(matching: list[int]) -> None:
    """What is in the row groups that were not drawn may match, or not."""
    counts, rows, weights = np.array(matching)[:, None], np.full(6, 100), np.ones(6)
    whole, most, half = (
        shares_of_clusters(counts, rows, weights, np.full(6, part)) for part in (1.0, 0.9, 0.5)
    )
    assert whole.value == most.value == half.value == whole.high
    assert whole.high < most.high < half.high


@pytest.mark.parametrize("matching", [0, 100])
def test_where_all_files_agree_on_nothing_or_all_the_interval_stays_open(matching: int) -> None:
    share = of_clusters([(matching, 100)] * 16, 10_000)
    assert share.high - share.low == pytest.approx(0.2, abs=0.05)


@pytest.mark.parametrize(
    ("degrees", "expected"), [(3, 3.182), (5, 2.571), (15, 2.131), (60, 2.000)]
)
def test_quantiles_of_t(degrees: int, expected: float) -> None:
    assert student_t(degrees) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize("beside", [1, 2, 3, 7, 16, 63])
def test_a_share_is_the_same_whatever_it_is_estimated_beside(beside: int) -> None:
    """Spark and one process put filters into other blocks: their results are equal to the bit."""
    drawn = np.random.default_rng(7)
    rows = drawn.integers(1, 5000, 48)
    weights = np.repeat([1.0, 97 / 11, 1234 / 31], [6, 11, 31])
    matching = drawn.integers(0, rows[:, None] + 1, (48, 64))
    together = shares_of_clusters(matching, rows, weights)
    apart = shares_of_clusters(matching[:, -beside:].copy(), rows, weights)
    for name in ("value", "low", "high"):
        assert getattr(apart, name).tolist() == getattr(together, name)[-beside:].tolist()
