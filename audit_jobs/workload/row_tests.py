"""Conditions on a function of a text as tests of rows: no statistics tell what `lower(state) = 'x'`
matches, but sampled rows do."""

from __future__ import annotations

import re

from collectors.predicates.bind import field_of
from collectors.predicates.model import (
    BoundComparison,
    Predicate,
    PredicateLeaf,
    Reason,
    Unsupported,
)
from collectors.predicates.operators import Op
from collectors.predicates.walks import map_leaves
from collectors.schema import Schema

_TEST = re.compile(r"(LOWER|UPPER)\([\w.`\"]+\) (?:= ('.*')|IN \(('.*')\))", re.DOTALL)
_TEXT = re.compile(r"'((?:[^'\\]|'')*)'(?:, |\Z)")


def with_row_tests(predicate: Predicate, schema: Schema) -> Predicate:
    """The predicate with tests of rows in the place of what never prunes, as far as these are
    known: comparisons of what is made of a column, of which nothing but rows tells anything."""

    def with_test(leaf: PredicateLeaf) -> Predicate:
        match leaf:
            case Unsupported(Reason.FUNCTION, text, columns=(name,)):
                return _test(text, name, schema) or leaf
        return leaf

    return map_leaves(predicate, with_test)


def _test(text: str, name: str, schema: Schema) -> BoundComparison | None:
    field = field_of(schema, name)
    found = _TEST.fullmatch(text)
    if found is None or field is None or field.type != "string":
        return None
    function, one, several = found.groups()
    values = _values(one or several)
    if not values or (one is not None and len(values) > 1):
        return None
    asked = field._replace(transform=function.lower())
    return BoundComparison(Op.EQ if len(values) == 1 else Op.IN, asked, values)


def _values(listed: str) -> tuple[bytes, ...]:
    """The texts of a list, sorted and distinct; none where it has anything else."""
    found = list(_TEXT.finditer(listed))
    if "".join(item[0] for item in found) != listed:
        return ()
    return tuple(sorted({item[1].replace("''", "'").encode() for item in found}))
