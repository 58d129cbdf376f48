"""What engines make of a leaf before they look at its columns."""

from __future__ import annotations

from collectors.sql.conditions.constant_choices import decided
from collectors.sql.conditions.reader import Reader
from collectors.sql.conditions.sole_cases import sole_case
from collectors.sql.conditions.truths import compared_truth
from collectors.sql.text.boolean import Formula, Leaf


def simplified(leaf: Leaf, reader: Reader) -> Formula | None:
    """The condition that a leaf is once constants, and then the reader's planner, have decided what
    they do; None for one that stays as it is."""
    found = decided(leaf, reader)
    if found is not None or reader.planner is None:
        return found
    profile, version = reader.planner.profile, reader.planner.version
    if profile.simplifies_truths:
        return compared_truth(leaf)
    if profile.knows_sole_cases(version) and not reader.is_part:
        return sole_case(leaf, reader.session)
    return None
