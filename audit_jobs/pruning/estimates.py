"""Estimates from a random sample of files, for any number of scans at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from prunescope.collectors.arrays import Floats

_Z = 1.959964  # of the normal distribution, for 95 %
_NOTHING = 1e-9
"""Files, as far as numbers tell them from none."""


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """Estimated shares, NaN if nothing was sampled, and their 95 % intervals, from 0 to 1 if
    nothing was sampled or nothing is left to be estimated: arrays of one length."""

    value: Floats
    low: Floats
    high: Floats


def shares_of_rest(
    kept: npt.ArrayLike,
    considered: npt.ArrayLike,
    squares: npt.ArrayLike,
    *,
    read: npt.ArrayLike,
    unread: npt.ArrayLike,
) -> Shares:
    """The shares that are kept in `unread` files, from as random samples of `read` files.

    `kept` of `considered` units (row groups, bytes, …) are kept in the sample; `squares` is the
    sum over its files of the squared number of units. Units of one file may be kept or pruned
    together, so files, not units, are what was drawn: the sample counts as the number of equally
    large files that weigh as much (Kish's effective size). The interval holds the shares of the
    rest that a score test does not tell from that of the sample (a prediction interval after
    Krishnamoorthy and Peng, 2011): it does not collapse where all or nothing is kept.
    """
    kept, considered, squares, read, unread = (
        np.atleast_1d(np.asarray(given, np.float64))
        for given in (kept, considered, squares, read, unread)
    )
    sampled = (considered > 0) & (squares > 0)
    with np.errstate(all="ignore"):
        value = np.where(sampled, kept / considered, np.nan)
        effective = considered**2 / squares
        rest = unread * effective / read
        # (value - y)**2 = c * P * (1 - P), where P pools the sample with a rest of share y.
        c = _Z**2 * (effective + rest) / (effective * rest)
        pooled, weight = effective * value / (effective + rest), rest / (effective + rest)
        square = 1 + c * weight**2
        linear = value + c * weight * (1 - 2 * pooled) / 2
        constant = value**2 - c * pooled * (1 - pooled)
        half = np.sqrt(np.maximum(0.0, linear**2 - square * constant))
        low = np.maximum(0.0, np.minimum(value, (linear - half) / square))
        high = np.minimum(1.0, (linear + half) / square)
    told = sampled & (unread > 0)
    return Shares(value, np.where(told, low, 0.0), np.where(told, high, 1.0))


def shares_of_clusters(
    matching: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
    weights: npt.NDArray[np.float64],
    parts: npt.ArrayLike = 1.0,
) -> Shares:
    """The shares of rows that S filters match in some files, from random samples of F of them:
    `matching` has the shape (F, S), `rows` and `weights` the length F. A file stands for as many
    as its weight tells, itself among them; files of one weight are those of one stratum. Rows are
    drawn of such `parts` of files: the rest of them is left to be estimated as other files are.

    Rows of one file are alike, so the interval comes from the differences between the files of a
    stratum: the combined ratio estimator (Cochran, Sampling Techniques, 1977, ch. 6), with a score
    interval over files where no row, or every row, matches: no difference tells anything then. It
    is no wider than what was not drawn.
    """
    files, scans = matching.shape
    weighed = weights * rows
    total = float(weighed.sum())
    if not total:
        return Shares(np.full(scans, np.nan), np.zeros(scans), np.ones(scans))
    found = _weighed(matching, weights)
    share = found / total
    parts = np.broadcast_to(np.asarray(parts, np.float64), files)
    rest = max(0.0, float((weights - parts).sum()))
    if rest < _NOTHING:
        return Shares(share, share, share)
    squares = float((weighed**2).sum())
    agreeing = shares_of_rest(found, total, squares, read=files, unread=rest)
    if files == 1:
        return agreeing
    half = student_t(files - 1) * np.sqrt(_variance(matching, rows, weights, parts, share)) / total
    differ = (found > 0) & (found < total)
    low = np.where(differ, np.maximum(0.0, share - half), agreeing.low)
    high = np.where(differ, np.minimum(1.0, share + half), agreeing.high)
    left = float(((weights - parts) * rows).sum()) / total
    return Shares(share, np.maximum(low, share - left), np.minimum(high, share + left))


def _weighed(matching: npt.NDArray[np.int64], weights: Floats) -> Floats:
    """The S sums of rows that match, as files weigh. Whole numbers are summed by stratum first: a
    product of matrices rounds by how many filters there are and where they lie in memory, so that
    a filter's share would differ with what it is judged beside."""
    found = np.zeros(matching.shape[1])
    for weight in np.unique(weights):
        found += weight * matching[weights == weight].sum(axis=0)
    return found


def _variance(
    matching: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int64],
    weights: Floats,
    parts: Floats,
    share: Floats,
) -> Floats:
    """The variances of the S numbers of rows that match in all files. Of a stratum whose files
    were all sampled whole nothing is left to vary; of one file nothing tells how it differs from
    others of its stratum, but from all."""
    residuals = matching.T - share[:, None] * rows[None, :]
    variance = np.zeros(len(share))
    for weight in np.unique(weights):
        # Each filter's files beside each other, so that they are summed in one way for any S.
        own = np.ascontiguousarray(residuals[:, weights == weight])
        number = own.shape[1]
        centre, free = (own.mean(axis=1, keepdims=True), number - 1) if number > 1 else (0.0, 1)
        spread = ((own - centre) ** 2).sum(axis=1) / free
        variance += weight * float((weight - parts[weights == weight]).sum()) * spread
    return variance


def student_t(degrees: int) -> float:
    """The 97.5 % quantile of Student's t, by Hill's expansion of the normal one (1970): exact to
    three hundredths from 3 degrees on, nearer than samples of so few files are to normal."""
    z, n = _Z, degrees
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3
