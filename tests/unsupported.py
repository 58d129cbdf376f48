"""Parts of predicates that never prune."""

from __future__ import annotations

from prunescope.collectors.predicates.model import Predicate, Unsupported
from prunescope.collectors.predicates.walks import leaves


def has_unsupported(predicate: Predicate) -> bool:
    """Whether a part of a predicate never prunes."""
    return any(isinstance(leaf, Unsupported) for leaf in leaves(predicate))
