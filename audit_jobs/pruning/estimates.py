"""Estimates from a random sample of files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

_Z = 1.959964  # of the normal distribution, for 95 %


@dataclass(frozen=True, slots=True)
class Share:
    """An estimated share, None where nothing was sampled, and its 95 % interval."""

    value: float | None
    low: float
    high: float


def share_of_rest(
    kept: float, considered: float, squares: float, *, read: int, unread: int
) -> Share:
    """The share that is kept in `unread` files, from as random a sample of `read` files.

    `kept` of `considered` units (row groups, bytes, …) are kept in the sample; `squares` is the
    sum over its files of the squared number of units. Units of one file may be kept or pruned
    together, so files, not units, are what was drawn: the sample counts as the number of equally
    large files that weigh as much (Kish's effective size). The interval holds the shares of the
    rest that a score test does not tell from that of the sample (a prediction interval after
    Krishnamoorthy and Peng, 2011): it does not collapse where all or nothing is kept.
    """
    if considered <= 0 or squares <= 0:
        return Share(None, 0.0, 1.0)
    value = kept / considered
    effective = considered**2 / squares
    rest = unread * effective / read
    # (value - y)**2 = c * P * (1 - P), where P pools the sample with a rest of share y.
    c = _Z**2 * (effective + rest) / (effective * rest)
    pooled, weight = effective * value / (effective + rest), rest / (effective + rest)
    square = 1 + c * weight**2
    linear = value + c * weight * (1 - 2 * pooled) / 2
    constant = value**2 - c * pooled * (1 - pooled)
    half = sqrt(max(0.0, linear**2 - square * constant))
    return Share(
        value, max(0.0, min(value, (linear - half) / square)), min(1.0, (linear + half) / square)
    )


def share_of_clusters(counts: Sequence[tuple[int, int]], population: int) -> Share:
    """The share of rows that match in `population` files, from (matching, all) rows of a random
    sample of them.

    Rows of one file are alike, so the interval comes from the differences between files: the
    ratio estimator of cluster sampling (Cochran, Sampling Techniques, 1977, ch. 6), with a score
    interval over files where no row, or every row, matches: no difference tells anything then.
    """
    rows = sum(count for _, count in counts)
    if not rows:
        return Share(None, 0.0, 1.0)
    matching = sum(found for found, _ in counts)
    files, share = len(counts), matching / rows
    rest = max(0, population - files)
    if not rest:
        return Share(share, share, share)
    if files == 1 or matching in (0, rows):
        squares = float(sum(count**2 for _, count in counts))
        return share_of_rest(matching, rows, squares, read=files, unread=rest)
    residuals = sum((found - share * count) ** 2 for found, count in counts)
    variance = residuals / (files - 1) / files / (rows / files) ** 2 * rest / population
    half = student_t(files - 1) * sqrt(variance)
    return Share(share, max(0.0, share - half), min(1.0, share + half))


def student_t(degrees: int) -> float:
    """The 97.5 % quantile of Student's t, by Hill's expansion of the normal one (1970): exact to
    three hundredths from 3 degrees on, nearer than samples of so few files are to normal."""
    z, n = _Z, degrees
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3
