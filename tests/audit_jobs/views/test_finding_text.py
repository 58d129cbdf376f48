"""How findings look."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console
from rich.text import Text

from prunescope.audit_jobs.findings.entries import Entry, entries
from prunescope.audit_jobs.findings.model import Severity
from prunescope.audit_jobs.views.finding_text import finding_table, print_details, tally
from tests.audit_jobs.sinks.results import FOUND, SPREAD

LONG = replace(
    FOUND,
    sentence="It reads " + ", ".join(f"column_{n}" for n in range(40)),
    conjunct=" AND ".join(f"order_ts_{n} >= ?" for n in range(40)),
    fix=replace(FOUND.fix, spark=("CALL lake.system.rewrite_data_files(" + "x" * 300 + ")",)),
)


def shown(found: list[Entry], *, width: int, details: bool, colour: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, no_color=not colour)
    if details:
        print_details(console, found)
    else:
        console.print(finding_table(found))
    return out.getvalue()


def without_styles(text: str) -> str:
    return Text.from_ansi(text).plain


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_table_fits_its_terminal_and_loses_nothing(width: int) -> None:
    text = without_styles(shown(entries([LONG, SPREAD]), width=width, details=False))
    assert max(map(len, text.splitlines())) <= width
    assert "column_39" in "".join(text.split())


@pytest.mark.parametrize("width", [40, 80, 120])
def test_of_details_only_statements_and_addresses_are_wider(width: int) -> None:
    text = without_styles(shown(entries([LONG, SPREAD]), width=width, details=True))
    wide = [line.strip() for line in text.splitlines() if len(line) > width]
    assert all(line.startswith(("CALL", "ALTER", "https:")) for line in wide)
    assert f"{LONG.fix.spark[0]};" in wide
    assert "order_ts_39>=?" in "".join(text.split())


def test_colours_tell_severities_and_can_be_left_out() -> None:
    found = entries(replace(FOUND, severity=severity) for severity in Severity)
    coloured = shown(found, width=80, details=False, colour=True)
    plain = shown(found, width=80, details=False)
    for code in ("\x1b[1;31m", "\x1b[33m", "\x1b[36m"):
        assert code in coloured
        assert code not in plain
    assert without_styles(coloured) == without_styles(plain)


def test_text_of_findings_is_no_markup() -> None:
    odd = replace(FOUND, sentence="[red]a[/] :smile: [link=x]b", conjunct="a = '[bold]'")
    for details in (True, False):
        assert odd.sentence in shown(entries([odd]), width=200, details=details)


def test_many_files_are_cut_short_in_the_table_only() -> None:
    (entry,) = entries([FOUND])
    files = tuple(f"m/{n}.sql" for n in range(9))
    found = [replace(entry, files=files)]
    assert "m/4.sql and 4 more" in shown(found, width=120, details=False)
    assert "m/8.sql" in shown(found, width=120, details=True)


def test_what_is_not_known_is_not_0() -> None:
    (found,) = entries([SPREAD])
    assert "unknown" in shown([found], width=120, details=False)
    assert "read 500 B; avoidable bytes unknown" in shown([found], width=120, details=True)


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        pytest.param([], "no findings", id="none"),
        pytest.param([Severity.LOW], "1 finding: 1 low", id="one"),
        pytest.param(
            [Severity.LOW, Severity.HIGH, Severity.LOW], "3 findings: 1 high, 2 low", id="several"
        ),
    ],
)
def test_a_tally_is_by_severity(severities: list[Severity], expected: str) -> None:
    assert tally([replace(FOUND, severity=s) for s in severities]).plain == expected
