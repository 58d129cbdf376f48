"""Masks as bits: what is packed, counted and summed up."""

from __future__ import annotations

import numpy as np
import pytest

from prunescope.audit_jobs.pruning.packed import counts, pack, sums, unpack

_LARGE = 70_000  # more than are looked at at once


@pytest.mark.parametrize("share", [0, 0.001, 0.1, 0.9, 1])
@pytest.mark.parametrize(
    "shape",
    [
        (0, 5),
        (3, 0),
        (1, 1),
        (500, 7),
        (3, 64),
        (5, 65),
        (40, 240),
        (2, _LARGE),
        (1, 65_472),
        (1, 65_536),
    ],
)
def test_counts_and_sums_are_those_of_each_mask_by_itself(
    shape: tuple[int, int], share: float
) -> None:
    random = np.random.default_rng(1)
    masks, which = random.random(shape) < share, random.random(shape[1]) < share
    # Their sums are beyond what floating point holds exactly.
    heavy, light = random.integers(0, 1 << 46, shape[1]), random.integers(0, 9, shape[1])
    packed = pack(masks, shape[1])
    assert unpack(packed, shape[1]).tolist() == masks.tolist()
    assert counts(packed).tolist() == [int(mask.sum()) for mask in masks]
    of_some = packed & pack(which[None, :], shape[1])
    assert counts(of_some).tolist() == [int(mask[which].sum()) for mask in masks]
    for weights, found in zip((heavy, light), sums(packed, heavy, light), strict=True):
        assert found.tolist() == [sum(weights[mask].tolist()) for mask in masks]


def test_many_and_few_are_summed_side_by_side() -> None:
    masks = np.zeros((3, 1000), np.bool_)
    masks[0, 7] = masks[1, :] = True
    weights = np.arange(1000)
    (found,) = sums(pack(masks, 1000), weights)
    assert found.tolist() == [7, 499_500, 0]


@pytest.mark.parametrize("count", [0, 1, 2, 64, 65, 1000])
def test_what_is_the_same_for_all_is_one_word(count: int) -> None:
    packed = pack(np.array([[True], [False]]), count)
    assert packed.shape == (2, 1)
    assert unpack(packed, count).tolist() == [[True] * count, [False] * count]
