"""The faults that docs/upstream tells of are there, in the version that is installed."""

from __future__ import annotations

import re
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from pyiceberg.avro.decoder import new_decoder

UPSTREAM = Path(__file__).parent.parent / "docs" / "upstream"
PAGES = sorted(set(UPSTREAM.glob("*.md")) - {UPSTREAM / "README.md"})
BLOCKS = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


@pytest.mark.filterwarnings("ignore")  # as somebody else would run them
@pytest.mark.parametrize("page", [pytest.param(path, id=path.stem) for path in PAGES])
def test_a_fault_shows_as_it_is_told(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("pyiceberg.avro.file.new_decoder", new_decoder)  # a page replaces it
    ((code, told),) = BLOCKS.findall(page.read_text(encoding="utf-8"))
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(code, page.name, "exec"), {})  # noqa: S102  # our own page
    assert printed.getvalue() == told


def test_every_fault_is_in_the_list() -> None:
    listed = re.findall(r"(?m)^\| \[([\w-]+\.md)\]", (UPSTREAM / "README.md").read_text())
    assert sorted(listed) == [path.name for path in PAGES]
