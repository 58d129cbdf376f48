"""The examples of docs/python.md run, one after the other, in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documented import ROOT, blocks

EXAMPLES = [block for block in blocks("python") if block.page == "docs/python.md"]


@pytest.mark.slow
def test_examples_run_from_the_top(lake: Path) -> None:
    assert EXAMPLES
    catalog = {
        "PYICEBERG_CATALOG__LAKE__TYPE": "sql",
        "PYICEBERG_CATALOG__LAKE__URI": f"sqlite:///{lake}/catalog.db",
        "PYICEBERG_CATALOG__LAKE__WAREHOUSE": f"file://{lake}/warehouse",
    }
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(block.text for block in EXAMPLES)],
        cwd=lake,
        env={**os.environ, **catalog},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr, ran.stdout) == (0, "", "1 of 8 files\n")


def test_the_hook_is_the_one_of_the_file() -> None:
    script = (ROOT / "docs" / "examples" / "gateway_hook.py").read_text(encoding="utf-8")
    _, _, code = script.partition('"""\n\n')
    assert code in [block.text for block in EXAMPLES]
