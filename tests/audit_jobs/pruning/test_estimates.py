"""Estimates from samples: how often the interval holds the truth."""

import random
from collections.abc import Sequence

import pytest

from audit_jobs.pruning.estimates import Share, share_of_rest

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


def estimate(sample: Sequence[File], unread: int) -> Share:
    considered = sum(size for size, _ in sample)
    kept = sum(kept for _, kept in sample)
    squares = float(sum(size**2 for size, _ in sample))
    return share_of_rest(kept, considered, squares, read=len(sample), unread=unread)


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
        hits += found.low <= truth <= found.high
    # 95 %, less three standard deviations of that many trials.
    assert hits >= 0.917 * _TRIALS


def test_a_larger_sample_says_more() -> None:
    files = population("all or nothing")
    small, large = (estimate(files[:count], len(files) - count) for count in (40, 400))
    assert large.high - large.low < (small.high - small.low) / 2


def test_nothing_sampled_is_nothing_known() -> None:
    assert share_of_rest(0, 0, 0, read=0, unread=5) == Share(None, 0.0, 1.0)
