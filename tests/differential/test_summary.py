from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.differential.summary import Summary, main, tell, with_table

TRINO = Summary("Trino", "483", 49, 2449, 3, 2271, 178, 0, 0)
SPARK = replace(TRINO, engine="Spark", version="4.1.4", scans=1, equal=1, explained=0)
PLACE = "<!-- begin: make differential -->\nold\n<!-- end: make differential -->"


def test_what_is_told_becomes_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tmp_path / "found.jsonl"
    page = tmp_path / "README.md"
    page.write_text(f"before\n{PLACE}\nafter\n")
    monkeypatch.setenv("PRUNESCOPE_COMPARED", str(found))
    tell(SPARK, Counter())
    tell(TRINO, Counter({"fewer: sorts of zero": 2}))
    told = capsys.readouterr().out
    main(str(found), str(page))

    assert sorted(capsys.readouterr().out.splitlines()) == sorted(told.splitlines())
    assert "      2 fewer: sorts of zero\n" in told
    lines = page.read_text().splitlines()
    assert [lines[0], lines[-1]] == ["before", "after"]
    assert "| Trino 483 | 49 | 2,449 | 3 | 2,271 | 178 | 0 | 0 |" in lines
    assert lines.index("| Spark 4.1.4 | 49 | 1 | 3 | 1 | 0 | 0 | 0 |") == len(lines) - 3
    assert "old" not in lines
    assert len({line.count("|") for line in lines if line.startswith("|")}) == 1


def test_is_only_printed_unless_a_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PRUNESCOPE_COMPARED", raising=False)
    monkeypatch.chdir(tmp_path)
    tell(TRINO, Counter({"fewer: sorts of zero": 2}))
    assert "      2 fewer: sorts of zero\n" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_page_without_a_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="make differential"):
        with_table(json.dumps("nothing"), [TRINO])
