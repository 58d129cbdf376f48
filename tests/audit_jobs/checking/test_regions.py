"""Lines, columns, and edits of texts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.checking.edits import diff
from prunescope.audit_jobs.checking.originals import in_original
from prunescope.audit_jobs.checking.regions import Region, normal, region_of, replaced
from prunescope.collectors.sql.text.spans import Span

TEXTS = st.text(alphabet="a\r\n\té😀 ", max_size=30)


@pytest.mark.parametrize(
    ("text", "span", "region"),
    [
        pytest.param("abc", Span(0, 3), Region(1, 1, 1, 4), id="all"),
        pytest.param("a\nbc", Span(2, 4), Region(2, 1, 2, 3), id="second line"),
        pytest.param("a\nbc", Span(0, 3), Region(1, 1, 2, 2), id="over lines"),
        pytest.param("é😀x", Span(2, 3), Region(1, 4, 1, 5), id="UTF-16"),
        pytest.param("a\u2028b", Span(2, 3), Region(1, 3, 1, 4), id="no line end of SARIF"),
        pytest.param("\t\tx", Span(2, 3), Region(1, 3, 1, 4), id="tabs"),
    ],
)
def test_regions(text: str, span: Span, region: Region) -> None:
    assert region_of(text, span) == region


@given(text=TEXTS, data=st.data())
def test_an_edit_of_a_text_is_that_of_its_normal_form(text: str, data: st.DataObject) -> None:
    plain = normal(text)
    places = sorted(data.draw(st.lists(st.integers(0, len(plain)), min_size=2, max_size=4)))
    edits = {
        Span(start, end): data.draw(st.text(alphabet="xy", max_size=3))
        for start, end in zip(places[::2], places[1::2], strict=False)
        if start < end
    }
    changed = replaced(text, edits)
    expected = plain
    for span, words in sorted(edits.items(), reverse=True):
        expected = expected[: span.start] + words + expected[span.end :]
    assert normal(changed) == expected
    assert replaced(text, {}) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("a\nb\nc\n", "a\nB\nc\n", id="plain"),
        pytest.param("a\r\nb\r\n", "a\r\nB\r\n", id="CR LF"),
        pytest.param("a\nb", "a\nB", id="no end of line"),
        pytest.param("é 😀\n", "é x\n", id="other letters"),
        pytest.param("a\u2028b\n", "a\u2028c\n", id="separators that git does not know"),
    ],
)
def test_a_diff_applies(before: str, after: str, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m/a.sql").write_bytes(before.encode())
    patch = diff("m/a.sql", before, after).encode()
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True)
    assert (tmp_path / "m/a.sql").read_bytes() == after.encode()


MADE = "SELECT 1 FROM a.b WHERE year(at) = 2026"


@pytest.mark.parametrize(
    ("original", "found"),
    [
        pytest.param("SELECT 1 FROM {{ x }} WHERE year(at) = 2026", 28, id="as it is"),
        pytest.param("SELECT 1 FROM {{ x }} WHERE year(at) = {{ y }}", None, id="in part made"),
        pytest.param("{{ m('year(at) = 2026') }}", None, id="within a template"),
        pytest.param(
            "{% if x %}WHERE year(at) = 2026{% else %}year(at) = 2026{% endif %}",
            None,
            id="twice",
        ),
    ],
)
def test_words_of_a_template(original: str, found: int | None) -> None:
    start = MADE.index("year")
    span = in_original(Span(start, len(MADE)), MADE, original)
    assert (None if span is None else span.start) == found
