"""What is counted and summed up over masks."""

from __future__ import annotations

import numpy as np
import pytest

from audit_jobs.pruning.verdicts import counts, sums

_LARGE = 70_000  # more than are looked at at once


@pytest.mark.parametrize("share", [0, 0.001, 0.1, 0.9, 1])
@pytest.mark.parametrize(
    "shape", [(0, 5), (3, 0), (1, 1), (500, 7), (3, 64), (40, 240), (2, _LARGE)]
)
def test_counts_and_sums_are_those_of_each_mask_by_itself(
    shape: tuple[int, int], share: float
) -> None:
    random = np.random.default_rng(1)
    masks, which = random.random(shape) < share, random.random(shape[1]) < share
    # Their sums are beyond what floating point holds exactly.
    heavy, light = random.integers(0, 1 << 46, shape[1]), random.integers(0, 9, shape[1])
    assert counts(masks).tolist() == [int(mask.sum()) for mask in masks]
    assert counts(masks, which).tolist() == [int(mask[which].sum()) for mask in masks]
    for weights, found in zip((heavy, light), sums(masks, heavy, light), strict=True):
        assert found.tolist() == [sum(weights[mask].tolist()) for mask in masks]
