"""Leaves as engines simplify them before they look at columns."""

from __future__ import annotations

from prunescope.collectors.sql.conditions.constant_choices import decided
from prunescope.collectors.sql.conditions.reader import Reader
from prunescope.collectors.sql.conditions.sole_cases import sole_case
from prunescope.collectors.sql.conditions.truths import compared_truth, wanted_truth
from prunescope.collectors.sql.text.boolean import Formula, Leaf, as_written


def simplified(leaf: Leaf, reader: Reader) -> Formula | None:
    """The condition that is left of a leaf once constants, and then the reader's planner, have
    simplified it, at the leaf's place in the query; None for a leaf that stays as it is."""
    found = decided(leaf, reader)
    if found is None:
        found = _planned(leaf, reader)
    return None if found is None else as_written(found, leaf)


def _planned(leaf: Leaf, reader: Reader) -> Formula | None:
    planner = reader.planner
    if planner is None:
        return compared_truth(leaf) or wanted_truth(leaf)
    profile, version = planner.profile, planner.version
    found = compared_truth(leaf) if profile.rewording.simplifies_truths else None
    if found is None and profile.rewording.knows_sole_cases(version) and not reader.is_part:
        found = sole_case(leaf, reader.session)
    return found
