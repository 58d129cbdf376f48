"""Ranges said by the names of literals, with literals that the search has never seen."""

from __future__ import annotations

import re
from collections.abc import Mapping

import duckdb
import pytest

from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import (
    BoundComparison,
    Predicate,
    Reason,
    Unsupported,
    all_of,
)
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.predicates.render import render
from prunescope.collectors.predicates.simplify import simplified
from prunescope.collectors.predicates.walks import leaves, map_leaves
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.extraction.extract import condition
from prunescope.collectors.sql.pasted.draws import with_beginnings
from prunescope.collectors.sql.pasted.search import Pasted, pasted
from tests.collectors.sql.pasted.forms import FORMS, Form, Values

_ZONE = "Europe/Berlin"
"""A zone that the search does not try."""
_NAMED = [form for form in FORMS if form.is_named]


def _schema(types: Mapping[str, str]) -> Schema:
    return Schema(
        0,
        tuple(
            SchemaColumn(number, (name,), type_, False, False, False)
            for number, (name, type_) in enumerate(types.items(), 1)
        ),
    )


def _filled(sql: str, values: Values) -> str:
    return re.sub(r":([a-z]\w*)", lambda found: values.get(found[1], found[0]), sql)


def _found(form: Form) -> Pasted | None:
    own = _filled(form.condition, form.values[0])
    return pasted(own, form.dialect, _schema(form.types), [*form.types])


def _told(found: Pasted) -> str:
    """The range as people paste it."""

    def named(leaf: Predicate) -> Predicate:
        assert isinstance(leaf, BoundComparison)
        sign = "LIKE" if leaf.op is Op.STARTS_WITH else leaf.op.value
        text = f"{leaf.field.name} {sign} {found.ends[leaf]}"
        return Unsupported(Reason.FUNCTION, text, text)

    return render(map_leaves(found.predicate, named))


def _read(sql: str, form: Form) -> Predicate:
    """What is known of a condition."""
    moments = dialect_of(form.dialect).plain_are_moments
    is_zoned = any(type_.startswith("timestamptz") for type_ in form.types.values())
    zone = "UTC" if moments and not is_zoned else _ZONE
    said = condition(sql, form.dialect, time_zone=zone, types=form.types)
    bound = bind(said, _schema(form.types), time_zone=zone, plain_are_moments=moments)
    return with_beginnings(simplified(bound))


def _ranges(predicate: Predicate) -> Predicate:
    parts = predicate.children if hasattr(predicate, "children") else (predicate,)
    return with_beginnings(
        simplified(all_of(*(part for part in parts if not isinstance(part, Unsupported))))
    )


@pytest.mark.parametrize("form", [pytest.param(form, id=form.id) for form in FORMS])
def test_ends_have_the_names_of_the_literals(form: Form) -> None:
    found = _found(form)
    assert (found is not None) == form.is_named
    if found is not None:
        names = set(re.findall(r":([a-z]\w*)", " ".join(found.ends.values())))
        assert names == set(form.values[0])
        assert set(re.findall(r":([a-z]\w*)", found.condition)) == names


@pytest.mark.parametrize("form", [pytest.param(form, id=form.id) for form in _NAMED])
def test_ranges_are_those_of_the_condition_with_other_literals(form: Form) -> None:
    found = _found(form)
    assert found is not None
    for values in form.values:
        meant = _ranges(_read(_filled(form.condition, values), form))
        told = _read(_filled(_told(found), values), form)
        assert all(isinstance(leaf, BoundComparison) for leaf in leaves(told))
        assert with_beginnings(simplified(all_of(meant, told))) == meant
        assert not found.is_exact or told == meant


@pytest.mark.parametrize("form", [pytest.param(form, id=form.id) for form in _NAMED])
def test_the_literals_of_the_query_make_no_difference(form: Form) -> None:
    first, second = (
        pasted(_filled(form.condition, values), form.dialect, _schema(form.types), [*form.types])
        for values in form.values[:2]
    )
    assert first is not None
    assert second is not None
    assert first.condition == second.condition
    assert [*first.ends.values()] == [*second.ends.values()]


_ROWS = """
CREATE TABLE t AS SELECT CAST(moment AS {type}) AS {name} FROM (
    SELECT TIMESTAMP '1997-12-30' + INTERVAL '11 hours 59 minutes' * n AS moment
    FROM range(27000) AS r(n)
    UNION ALL
    SELECT CAST(day AS TIMESTAMP) - INTERVAL '1 microsecond' * m AS moment
    FROM range(DATE '1998-01-01', DATE '2034-01-01', INTERVAL 1 DAY) AS r(day), range(2) AS s(m)
)
"""
"""Times of 36 years, and the first and the last one of each day."""
_DUCKDB_TYPES = {"timestamp": "TIMESTAMP", "date": "DATE", "long": "BIGINT"}


@pytest.mark.parametrize(
    "form", [pytest.param(form, id=form.id) for form in _NAMED if form.dialect == "duckdb"]
)
def test_duckdb_finds_the_rows_of_the_condition(form: Form) -> None:
    found = _found(form)
    assert found is not None
    assert found.is_exact
    ((name, type_),) = form.types.items()
    with duckdb.connect() as connection:
        connection.execute(_ROWS.format(name=name, type=_DUCKDB_TYPES[type_]))
        for values in form.values:
            rows = [
                connection.execute(f"SELECT {name} FROM t WHERE {where} ORDER BY 1").fetchall()
                for where in (_filled(form.condition, values), _filled(_told(found), values))
            ]
            assert rows[0] == rows[1]
            assert rows[0]
