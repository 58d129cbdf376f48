"""Calls remember what they were, by the types of their arguments as well."""

from __future__ import annotations

import pytest

from prunescope.collectors.predicates.render import render
from tests.unseen_forms.containers import predicate_of


@pytest.mark.parametrize("first", ["int", "long"])
def test_numbers_of_one_size_are_not_taken_for_those_of_another(first: str) -> None:
    condition = "n * 1000000 >= 20240229000000"
    for kind in (first, "int", "long"):
        found = render(predicate_of(condition, "trino", "UTC", {"n": kind}))
        # Of 32 bits, no product is as large: Trino fails.
        assert found == ("FALSE" if kind == "int" else "n >= 20240229")
