"""What Spark plans the source and the target of a MERGE by."""

from __future__ import annotations

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import Planner
from prunescope.collectors.sql.text.dml import as_query
from prunescope.collectors.sql.text.parse import parse

_TYPES = {"k": "int", "n": "int", "dt": "date", "ts": "timestamptz"}
_COLUMNS = {TableName("c", ("s",), name): _TYPES for name in "ts"}
_UPDATE, _DELETE = "WHEN MATCHED THEN UPDATE SET n = s.n", "WHEN MATCHED THEN DELETE"
_INSERT = "WHEN NOT MATCHED THEN INSERT *"
_BY_SOURCE = "WHEN NOT MATCHED BY SOURCE THEN DELETE"


def _planned(merge: str, dialect: str = "spark") -> tuple[str, str]:
    """What is pushed to the source and to the target, but that columns are not null."""
    found = extract(
        as_query(parse(merge, dialect), dialect),
        dialect=dialect,
        columns=_COLUMNS,
        catalog="c",
        schema="s",
        time_zone="UTC",
        planner=Planner("spark", (4, 1)) if dialect == "spark" else None,
    )
    source, target = (render(scan.pushed or scan.predicate) for scan in found)
    return _without_checks(source), _without_checks(target)


def _without_checks(text: str) -> str:
    parts = [part for part in text.split(" AND ") if not part.endswith("IS NOT NULL")]
    return " AND ".join(part for part in parts if part != "TRUE")


@pytest.mark.parametrize(
    ("on", "clauses", "source", "target"),
    [
        pytest.param("t.n > 5", _UPDATE, "n > 5", "n > 5", id="of the target"),
        pytest.param("s.n > 5", _UPDATE, "n > 5", "", id="of the source"),
        pytest.param("t.n > 5", _DELETE, "n > 5", "n > 5", id="deleted"),
        pytest.param("t.n > 5", f"{_UPDATE} {_INSERT}", "", "n > 5", id="updated and inserted"),
        pytest.param("s.n > 5", f"{_UPDATE} {_INSERT}", "", "", id="the same of the source"),
        pytest.param("t.n > 5", _BY_SOURCE, "n > 5", "", id="not matched by source"),
        pytest.param("s.n > 5", f"{_DELETE} {_BY_SOURCE}", "n > 5", "", id="and deleted"),
        pytest.param("s.n > 5", f"{_INSERT} {_BY_SOURCE}", "", "", id="neither matched"),
        pytest.param("s.n > 5", _INSERT, "", "n > 5", id="inserted alone"),
        pytest.param("s.n > 5", "WHEN NOT MATCHED AND s.n < 9 THEN INSERT *", "n < 9",
                     "n < 9 AND n > 5", id="inserted under a condition"),
        pytest.param("t.n > 5", f"{_UPDATE} WHEN NOT MATCHED AND s.n < 9 THEN INSERT *", "",
                     "n > 5", id="and updated"),
        pytest.param("s.n > 5", "WHEN NOT MATCHED AND s.n < 9 THEN INSERT * "
                     "WHEN NOT MATCHED AND s.n > 12 THEN INSERT *", "", "n > 5",
                     id="two conditions"),
        pytest.param("false", "WHEN NOT MATCHED AND s.k = 59 THEN INSERT *", "k = 59", "FALSE",
                     id="appended"),
        pytest.param("s.n > 5", "WHEN MATCHED AND t.n > 7 THEN DELETE", "n > 5", "",
                     id="under a condition"),
    ],
)  # fmt: skip
def test_what_a_merge_asks(on: str, clauses: str, source: str, target: str) -> None:
    """As Spark 3.5.9 and 4.1.4 plan it, whether files are written anew or rows marked. Of the two
    scans of a source by which files are written anew, it is that of the rows that are merged."""
    assert _planned(f"MERGE INTO t USING s ON t.n = s.n AND {on} {clauses}") == (source, target)


def test_a_merge_reaches_its_source_through_a_cast() -> None:
    on = "CAST(s.ts AS DATE) = t.dt AND t.dt = DATE '2024-01-05'"
    source, _ = _planned(f"MERGE INTO t USING s ON {on} {_UPDATE}")
    assert source == "ts >= DATE '2024-01-05' AND ts < DATE '2024-01-06'"


def test_trino_asks_nothing_of_what_is_inserted() -> None:
    inserts = "WHEN NOT MATCHED AND s.n < 9 THEN INSERT (n) VALUES (s.n)"
    assert _planned(f"MERGE INTO t USING s ON t.n = s.n {inserts}", "trino") == ("", "")
