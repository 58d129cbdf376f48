"""What is advised of texts that are read as times by a format."""

from __future__ import annotations

import pytest

from prunescope.audit_jobs.findings.parsed_texts import way_out_of_parsed


@pytest.mark.parametrize(
    ("condition", "example"),
    [
        ("DATE_PARSE(dt, '%Y%m%d') >= CAST('2026-01-01 00:00:00' AS TIMESTAMP(0))", "20260131"),
        ("TO_DATE(dt, 'yyyy-MM-dd') = CAST('2026-01-01' AS DATE)", "2026-01-31"),
        ("TO_TIMESTAMP(dt, 'yyyy/MM/dd HH:mm') >= CAST(x AS TIMESTAMP)", "2026/01/31 06:30"),
        ("DATE_PARSE(dt, '%Y-%m-%dT%T') >= x", "2026-01-31T06:30:00"),
        ("DATE_PARSE(dt, '%Y-%m-%d %H:%i:%S.%f') >= x", "2026-01-31 06:30:00.000"),
        ("TO_TIMESTAMP(dt, 'uuuu-MM-dd HH:mm:ss.SSS') >= x", "2026-01-31 06:30:00.000"),
        ("PARSE_DATETIME(dt, 'yyyyMM') >= x AND PARSE_DATETIME(dt, 'yyyyMM') < y", "202601"),
    ],
)
def test_text_that_sorts_is_compared_with_text(condition: str, example: str) -> None:
    found = way_out_of_parsed(condition, "dt", "spark")
    assert found is not None
    assert f"dt >= '{example}'" in found[1]


@pytest.mark.parametrize(
    "form", ["MM/dd/yyyy", "%d.%m.%Y", "yyyy-M-d", "dd MMM yyyy", "MM", "%Y%%m"]
)
def test_text_that_does_not_sort_has_no_range(form: str) -> None:
    found = way_out_of_parsed(f"TO_DATE(dt, '{form}') = x", "dt", "spark")
    assert found is not None
    assert "no range of dt" in found[1]


@pytest.mark.parametrize(
    "condition",
    [
        "DATE_PARSE(CAST(n AS VARCHAR), '%Y%m%d') = x",
        "LOWER(dt) = 'x'",
        "CAST(dt AS DATE) = DATE_PARSE('31/01/2026', '%d/%m/%Y')",
        "TO_DATE(a, 'yyyyMM') = x AND TO_DATE(b, 'MMyyyy') = y",
    ],
)
def test_others_are_none_of_these(condition: str) -> None:
    assert way_out_of_parsed(condition, "dt", "spark") is None


@pytest.mark.parametrize(
    ("form", "example"),
    [
        ("YYYYMMDD", "20260131"),
        ("yyyymmdd", "20260131"),
        ("YYYY-MM-DD", "2026-01-31"),
        ("yyyy/mm/dd hh24:mi:ss", "2026/01/31 06:30:00"),
    ],
)
@pytest.mark.parametrize("function", ["TO_DATE", "TRY_TO_DATE", "TO_TIMESTAMP", "TRY_TO_TIMESTAMP"])
@pytest.mark.parametrize("dialect", ["snowflake", "dremio", "trino"])
def test_formats_of_sql_are_read_in_either_case(
    dialect: str, function: str, form: str, example: str
) -> None:
    found = way_out_of_parsed(f"{function}(dt, '{form}') >= x", "dt", dialect)
    assert found is not None
    assert f"dt >= '{example}'" in found[1]


@pytest.mark.parametrize(
    ("form", "dialect"),
    [("DD.MM.YYYY", "snowflake"), ("YYYY-MON-DD", "snowflake"), ("yyyy-mm-dd", "spark")],
)
def test_letters_mean_what_they_do_in_their_dialect(form: str, dialect: str) -> None:
    found = way_out_of_parsed(f"TO_DATE(dt, '{form}') >= x", "dt", dialect)
    assert found is not None
    assert "no range of dt" in found[1]
