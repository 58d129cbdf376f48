"""The notebook of docs/examples runs from the top, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest

NOTEBOOK = Path(__file__).parents[3] / "docs" / "examples" / "why_is_it_slow.ipynb"
RUN = """
import ast, json, sys

def value_of(text, names):
    *statements, last = ast.parse(text).body
    is_value = isinstance(last, ast.Expr)
    first = statements if is_value else [*statements, last]
    exec(compile(ast.Module(first, []), "", "exec"), names)
    return eval(compile(ast.Expression(last.value), "", "eval"), names) if is_value else None

names, shown = {}, []
for text in json.load(sys.stdin):
    value = value_of(text, names)
    shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
print(json.dumps(shown))
"""


@pytest.mark.slow
def test_ten_cells_lead_from_a_name_to_the_reason(lake: Path, tmp_path: Path) -> None:
    copyfile(lake / "everything.yaml", tmp_path / "audit.yaml")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert [cell["cell_type"] for cell in cells] == ["code"] * 10
    assert not any(cell["outputs"] for cell in cells)
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN],
        input=json.dumps(["".join(cell["source"]) for cell in cells]),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    shown = json.loads(ran.stdout)
    assert "lake.sales.orders" in shown[1]
    assert "pushes down nothing" in shown[2]
    assert "TRUE" in shown[3]
    assert shown[5] == "7"
    assert "75%" in shown[6], "1 file of the 4 of its manifest"
    assert "wrapped_column" in shown[8]
    assert "write the condition on order_ts" in shown[9]
