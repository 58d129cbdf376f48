"""SQL files as queries."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.sql_files import (
    SqlFile,
    SqlSession,
    find_sql_files,
    read_sql_files,
    template_mark,
)

SPARK = SqlSession("spark", "spark", "3.5", "1.9.2", "lake", "sales")


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def read(folder: Path, *select: str) -> list[ObservedQuery | Rejected]:
    return list(read_sql_files(find_sql_files(folder, select), SPARK))


def test_a_file_is_a_query_of_the_session(tmp_path: Path) -> None:
    write(tmp_path, {"models/a.sql": "SELECT 1;\nSELECT 2"})
    assert read(tmp_path) == [
        ObservedQuery(
            source="sql_files",
            query_id="models/a.sql",
            place="models/a.sql",
            sql="SELECT 1;\nSELECT 2",
            dialect="spark",
            catalog="lake",
            schema="sales",
            engine="spark",
            engine_version="3.5",
            iceberg_version="1.9.2",
            time_zone="UTC",
        )
    ]


def test_links_that_lead_nowhere_and_names_of_any_bytes_are_files(tmp_path: Path) -> None:
    (tmp_path / "a.sql").symlink_to("nowhere")
    (tmp_path / os.fsdecode(b"\xff.sql")).write_text("SELECT 1")
    (tmp_path / "folder.sql").mkdir()
    link, named = read(tmp_path)
    assert isinstance(link, Rejected)
    assert (link.query_id, link.reason) == ("a.sql", Outcome.UNREADABLE_FILE)
    assert isinstance(named, ObservedQuery)
    assert named.query_id == "\\xff.sql"


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        pytest.param([], ["a.sql", "b/a.sql", "b/c/d.sql"], id="all, in order"),
        pytest.param(["b/*"], ["b/a.sql", "b/c/d.sql"], id="a folder, at any depth"),
        pytest.param(["a.sql"], ["a.sql"], id="one path"),
        pytest.param(["*/a.sql", "*d.sql"], ["b/a.sql", "b/c/d.sql"], id="several"),
        pytest.param(["A.sql"], [], id="case counts"),
    ],
)
def test_files_are_selected_by_their_relative_path(
    tmp_path: Path, select: list[str], expected: list[str]
) -> None:
    write(tmp_path, {"b/c/d.sql": "", "b/a.sql": "", "a.sql": "", "a.yml": "", "sql": ""})
    (tmp_path / "folder.sql").mkdir()
    assert [file.name for file in find_sql_files(tmp_path, select)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("SELECT * FROM {{ ref('orders') }}", True, id="ref"),
        pytest.param("SELECT * FROM {{source('a', 'b')}}", True, id="source"),
        pytest.param("{{ config(materialized='table') }}\nSELECT 1", True, id="config"),
        pytest.param("{{ config(\n  tags=['x']\n) }} SELECT 1", True, id="over lines"),
        pytest.param("SELECT 1 {% if is_incremental() %} WHERE a > 1 {% endif %}", True, id="if"),
        pytest.param("{%- macro m() -%} SELECT 1 {%- endmacro -%}", True, id="macro"),
        pytest.param("SELECT 1 {# why #}", True, id="comment"),
        pytest.param("SELECT 1 WHERE d = '{{ var(\"day\") }}'", True, id="in a string"),
        pytest.param("-- {{ ref('x') }}\nSELECT 1", True, id="in a comment of SQL"),
        pytest.param("SELECT * FROM orders", False, id="plain"),
        pytest.param("SELECT 1 WHERE j LIKE '{%'", False, id="a pattern"),
        pytest.param("SELECT 1 WHERE j LIKE '%}' OR j LIKE '{%'", False, id="two patterns"),
        pytest.param('SELECT \'{"a": {"b": {}}}\'', False, id="JSON"),
        pytest.param("SELECT '}}', '{{'", False, id="the wrong way round"),
        pytest.param("SELECT '{%}'", False, id="no room between"),
        pytest.param("{{" * 1_000_000, False, id="many that never close"),
    ],
)
def test_templates(text: str, expected: bool) -> None:
    assert (template_mark(text) is not None) is expected


@pytest.mark.parametrize(
    ("content", "reason", "told"),
    [
        pytest.param("SELECT '{{ secret }}'", "template", "dbt compile", id="template"),
        pytest.param(b"SELECT '\xff\xfe'", "unreadable_file", "UTF-8", id="not UTF-8"),
        pytest.param(b"-" * (16 * 1024 * 1024 + 1), "file_too_large", "16,777,216", id="large"),
    ],
)
def test_what_is_no_query_says_so_and_nothing_of_its_content(
    tmp_path: Path, content: str | bytes, reason: str, told: str
) -> None:
    write(tmp_path, {"m/bad.sql": content, "n/good.sql": "SELECT 1"})
    bad, good = read(tmp_path)
    assert isinstance(bad, Rejected)
    assert (bad.reason, bad.location, bad.query_id) == (reason, "m/bad.sql", "m/bad.sql")
    assert told in bad.message
    assert "secret" not in bad.message
    assert isinstance(good, ObservedQuery)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("SELECT 1 {% if x %}{% endif %}", "line 1 has a template", id="first"),
        pytest.param("SELECT 1\r\nFROM\r\n  {{ x }} {# y #}", "line 3 has", id="third"),
        pytest.param("{# y #}\nSELECT {{ x }}", "({# …)", id="kind"),
    ],
)
def test_a_template_says_where_it_is_one(tmp_path: Path, text: str, told: str) -> None:
    write(tmp_path, {"a.sql": text})
    (found,) = read(tmp_path)
    assert isinstance(found, Rejected)
    assert told in found.message


def test_a_file_that_is_gone_or_locked_is_named(tmp_path: Path) -> None:
    (tmp_path / "gone.sql").symlink_to(tmp_path / "nowhere")
    (found,) = read_sql_files([SqlFile("gone.sql", tmp_path / "gone.sql")], SPARK)
    assert isinstance(found, Rejected)
    assert found.reason == "unreadable_file"


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    write(tmp_path, {"a.sql": b"\xef\xbb\xbfSELECT 1"})
    (found,) = read(tmp_path)
    assert isinstance(found, ObservedQuery)
    assert found.sql == "SELECT 1"
