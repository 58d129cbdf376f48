"""What is said beside the conditions of an answer."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.views.answer_text import print_answer
from tests.audit_jobs.views.test_widths import ANSWER

OVERLAP, NOT_BY_IT = "ranges_overlap", "not_a_partition_column"


@pytest.mark.parametrize(
    ("pruned", "reasons", "said"),
    [
        ((0, 0, 0), (NOT_BY_IT, OVERLAP, OVERLAP), ["not a partition column", "ranges overlap"]),
        ((0, 0, None), (OVERLAP, OVERLAP, None), ["ranges overlap"]),
        ((0, 3, 0), (NOT_BY_IT, None, OVERLAP), ["not a partition column"]),
        ((0, 3, None), (OVERLAP, None, None), []),
        ((2, 0, 0), (None, OVERLAP, OVERLAP), []),
        ((0, 0, 4), (OVERLAP, OVERLAP, None), []),
        ((2, 0, 0), (None, "missing_statistics", "not_equal"), ["missing statistics", "not equal"]),
    ],
)
def test_ranges_overlap_where_a_condition_rules_out_nothing(
    pruned: tuple[int | None, ...],
    reasons: tuple[str | None, ...],
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Those of what a pass keeps do, whatever it ruled out: this is no reason beside a number."""
    passes = ("manifests", "data_files", "row_groups")
    conjunct = {
        "predicate": "n > 5",
        "written": None,
        "class": "unenforced",
        "pushed_by": {"spark": True},
        **{f"{name}_pruned": count for name, count in zip(passes, pruned, strict=True)},
        "reasons": {name: code for name, code in zip(passes, reasons, strict=True) if code},
    }
    monkeypatch.setenv("COLUMNS", "200")
    print_answer({**ANSWER, "conjuncts": [conjunct]})
    block = capsys.readouterr().out.partition("CONDITION  n > 5\n")[2]
    codes = (OVERLAP, NOT_BY_IT, "missing_statistics", "not_equal")
    assert {words for code in codes if (words := code.replace("_", " ")) in block} == set(said)
