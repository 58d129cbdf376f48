"""Conditions that Spark moves after it has inferred others, or last of all, as Spark 4.1.4 with
Iceberg 1.11 was seen to push them."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import conjuncts
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.text.parse import parse

_TYPES = {"n": "int", "l": "long", "s": "string", "dt": "date", "ts": "timestamptz"}
_COLUMNS = {TableName("c", ("s",), name): _TYPES for name in "fde"}


def _pushed(from_: str, table: str = "f") -> str:
    """What Spark pushes to a table."""
    found = extract(
        parse(f"SELECT count(*) FROM {from_}", "spark"), dialect="spark", columns=_COLUMNS,
        catalog="c", schema="s", time_zone="UTC", planner=Planner("spark", (4, 1)),
    )  # fmt: skip
    (pushed,) = (scan.pushed for scan in found if scan.alias == table)
    assert pushed is not None
    return " & ".join(map(render, conjuncts(pushed))) or "TRUE"


_DAYS = "(SELECT n, l, s, ts, CAST(ts AS DATE) AS dt FROM f) f"
_OR = "(f.dt >= DATE '2024-01-05' AND d.s = 'a') OR (f.n = 5 AND d.s = 'b')"
_SINCE = "ts >= DATE '2024-01-05'"


@pytest.mark.parametrize(
    ("from_", "expected"),
    [
        pytest.param(f"{_DAYS} JOIN d ON f.l = d.l WHERE {_OR}", "TRUE", id="computed"),
        pytest.param(f"{_DAYS} JOIN d ON f.l = d.l AND ({_OR})", "TRUE", id="in ON"),
        pytest.param(f"(SELECT * FROM {_DAYS}) f JOIN d ON f.l = d.l WHERE {_OR}", "TRUE",
                     id="computed further inside"),
        pytest.param(f"f JOIN d ON f.l = d.l WHERE {_OR}",
                     "l IS NOT NULL & dt >= DATE '2024-01-05' OR n = 5", id="as it is"),
        pytest.param(f"(SELECT * FROM f) f JOIN d ON f.l = d.l WHERE {_OR}",
                     "dt >= DATE '2024-01-05' OR n = 5", id="behind a star"),
        pytest.param(f"f JOIN d ON f.l = d.l WHERE {_OR.replace('f.dt', 'CAST(f.ts AS DATE)')}",
                     f"l IS NOT NULL & {_SINCE} OR n = 5", id="cast where it is written"),
        pytest.param(f"{_DAYS} JOIN d ON f.l = d.l WHERE f.dt >= DATE '2024-01-05' OR f.n = 5",
                     f"{_SINCE} OR n = 5", id="of one side alone"),
    ],
)  # fmt: skip
def test_what_an_or_says_of_one_side_is_moved_last(from_: str, expected: str) -> None:
    """As it is computed: no cast is undone any more."""
    assert _pushed(from_) == expected


_FULL = "f FULL JOIN d ON f.s = d.s AND (d.s = 'a' OR f.n = 5)"


@pytest.mark.parametrize(
    ("from_", "expected"),
    [
        pytest.param(f"{_FULL} JOIN e ON e.l = d.l WHERE f.dt >= DATE '2024-01-05'",
                     "dt IS NOT NULL & dt >= DATE '2024-01-05'", id="nothing through its keys"),
        pytest.param(f"{_FULL} WHERE f.dt >= DATE '2024-01-05' AND d.l = 5",
                     "dt IS NOT NULL & s IS NOT NULL & dt >= DATE '2024-01-05'"
                     " & s = 'a' OR n = 5", id="known before"),
        pytest.param("f FULL JOIN d ON f.s = d.s JOIN e ON e.l = d.l", "TRUE", id="keys null"),
        pytest.param("f FULL JOIN d ON f.s = d.s AND f.n = 5 JOIN e ON e.l = d.l", "n = 5",
                     id="as it is"),
        pytest.param("f FULL JOIN d ON f.s = d.s JOIN e ON e.l = f.l WHERE e.l = 5",
                     "l IS NOT NULL & l = 5", id="from above"),
        pytest.param("f FULL JOIN d ON f.s = d.s LEFT JOIN e ON e.l = d.l WHERE e.n = 5", "TRUE",
                     id="a join that is inner by WHERE"),
    ],
)  # fmt: skip
def test_keys_of_another_join_make_one_inner_after_spark_infers(from_: str, expected: str) -> None:
    assert _pushed(from_) == expected


_DAY = "(SELECT * FROM d WHERE dt = DATE '2024-01-05') d"


@pytest.mark.parametrize(
    ("from_", "expected"),
    [
        pytest.param(f"f JOIN {_DAY} ON f.dt = d.dt",
                     "dt IS NOT NULL & dt = DATE '2024-01-05'", id="inner"),
        pytest.param(f"e LEFT JOIN {_DAY} ON e.l = d.l JOIN f ON f.dt = d.dt", "dt IS NOT NULL",
                     id="left, and inner by a key"),
        pytest.param(f"e LEFT JOIN {_DAY} ON e.l = d.l JOIN f ON f.dt = d.dt WHERE d.n = 5",
                     "dt IS NOT NULL & dt = DATE '2024-01-05'", id="left, and inner by WHERE"),
        pytest.param(f"{_DAY} LEFT JOIN e ON e.l = d.l JOIN f ON f.dt = d.dt",
                     "dt IS NOT NULL & dt = DATE '2024-01-05'", id="the side that is kept"),
        pytest.param(f"f JOIN (SELECT d.dt FROM e LEFT JOIN {_DAY} ON e.l = d.l) q ON f.dt = q.dt",
                     "dt IS NOT NULL", id="further inside"),
    ],
)  # fmt: skip
def test_what_a_query_says_is_not_known_where_a_join_fills_it(from_: str, expected: str) -> None:
    assert _pushed(from_) == expected


@pytest.mark.parametrize(
    ("from_", "expected"),
    [
        pytest.param("(SELECT n, s, max(l) AS l FROM f GROUP BY n, s) "
                     "WHERE (n = 5 AND l > 7) OR s = 'a'", "TRUE", id="groups"),
        pytest.param("(SELECT n, s FROM f GROUP BY n, s HAVING (n = 5 AND max(l) > 7) OR s = 'a')",
                     "TRUE", id="having"),
        pytest.param("(SELECT n, s FROM f GROUP BY n, s HAVING max(l) > 7 AND (n = 5 OR s = 'a'))",
                     "n = 5 OR s = 'a'", id="a whole OR beside another condition"),
        pytest.param("(SELECT n, s, max(l) AS l FROM f GROUP BY n, s) "
                     "WHERE n = 5 AND (l > 7 OR s = 'a')", "n IS NOT NULL & n = 5",
                     id="beside an OR"),
    ],
)  # fmt: skip
def test_no_part_of_an_or_passes_groups(from_: str, expected: str) -> None:
    assert _pushed(from_) == expected
