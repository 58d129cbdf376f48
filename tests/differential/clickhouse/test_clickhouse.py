"""The rows that ClickHouse answers beside the files that the product keeps, of one row each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from zlib import crc32

import pytest

from tests.differential import page
from tests.differential.clickhouse.forms import SHOWN, ZONES, forms
from tests.differential.clickhouse.kept import kept_of
from tests.differential.clickhouse.tables import Lake, write_lake
from tests.differential.summary import Summary, tell

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

# All of them take minutes.
_ONE_IN = 1 if os.environ.get("PRUNESCOPE_SCANS_PER_TABLE") else 6
_LEAST_EXACT = 1 / 3
_SHOWN_IN = (("ts", "UTC"), ("ts", "America/Chicago"), ("tz", "America/Chicago"))


@dataclass(frozen=True)
class Compared:
    """A condition in a session of a zone: the `n` of the rows that ClickHouse answers, None where
    it fails, and of those that the product keeps, in that zone and where none is known."""

    lake: Lake
    zone: str
    condition: str
    answered: frozenset[int] | None
    kept: frozenset[int]
    kept_anywhere: frozenset[int]

    @property
    def lost(self) -> frozenset[int]:
        """Rows that are answered and not kept."""
        return (self.answered or frozenset()) - self.kept

    @property
    def shown(self) -> str:
        rows = [str(self.lake.rows[number]) for number in sorted(self.lost)[:2]]
        return f"{self.zone}: {self.condition}: {len(self.lost)} lost, as {rows}"


@pytest.fixture(scope="module")
def chdb(require_package: Any) -> ModuleType:
    found: ModuleType = require_package("chdb")
    return found


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Lake]:
    return [
        write_lake(tmp_path_factory.mktemp("clickhouse"), usual=usual) for usual in (True, False)
    ]


@pytest.fixture(scope="module")
def compared(lakes: Sequence[Lake], chdb: ModuleType) -> Sequence[Compared]:
    from tests.differential.clickhouse.engine import VERSION  # noqa: PLC0415  # of the package

    assert chdb.__name__ == "chdb"
    found = [each for lake in lakes for zone in ZONES for each in _compare(lake, zone)]
    answered = [each for each in found if each.answered is not None]
    exact = [each for each in answered if each.kept == each.answered]
    lost = [each for each in answered if each.lost]
    more = len(answered) - len(exact) - len(lost)
    summary = Summary(
        engine="ClickHouse",
        version=VERSION,
        tables=len(lakes),
        scans=len(answered),
        refused=len(found) - len(answered),
        equal=len(exact),
        explained=more,
        unexplained=0,
        over_pruned=len(lost),
    )
    tell(summary, Counter({"more: keeps files without such a row": more}))
    return found


def _compare(lake: Lake, zone: str) -> Iterator[Compared]:
    from tests.differential.clickhouse.engine import answers  # noqa: PLC0415

    asked = [form for form in forms() if crc32(f"{zone} {form}".encode()) % _ONE_IN == 0]
    columns = answers(lake, asked, zone), kept_of(lake, asked, zone), kept_of(lake, asked, None)
    for form, answered, kept, anywhere in zip(asked, *columns, strict=True):
        yield Compared(lake, zone, form, answered, kept, anywhere)


def test_no_row_that_is_answered_is_ruled_out(compared: Sequence[Compared]) -> None:
    assert [each.shown for each in compared if each.lost] == []


def test_nor_is_one_where_the_zone_of_the_session_is_not_known(
    compared: Sequence[Compared],
) -> None:
    lost = [each for each in compared if (each.answered or frozenset()) - each.kept_anywhere]
    assert [(each.zone, each.condition) for each in lost] == []


def test_most_of_what_is_kept_is_answered(compared: Sequence[Compared]) -> None:
    for zone in ZONES:
        of_zone = [each for each in compared if each.zone == zone and each.answered is not None]
        exact = sum(each.kept == each.answered for each in of_zone)
        assert exact > len(of_zone) * _LEAST_EXACT, (zone, exact, len(of_zone))
    assert sum(each.answered is None for each in compared) < len(compared) / 10


def test_the_page_on_engines_tells_what_iskept_of(lakes: Sequence[Lake], chdb: ModuleType) -> None:
    assert chdb.__name__ == "chdb"
    columns = [_told(lakes[0], column, zone) for column, zone in _SHOWN_IN]
    heads = ("condition", *(f"`{column}`, {zone}" for column, zone in _SHOWN_IN))
    shown = (f"`{form.format(t='t')}`" for form in SHOWN)
    lines = page.table(heads, zip(shown, *columns, strict=True))
    page.check("ClickHouse", "\n".join(("", *lines, "")))


def _told(lake: Lake, column: str, zone: str) -> list[str]:
    from tests.differential.clickhouse.engine import answers  # noqa: PLC0415

    asked = [form.format(t=column) for form in SHOWN]
    both = zip(answers(lake, asked, zone), kept_of(lake, asked, zone), strict=True)
    return [_cell(lake, answered, kept) for answered, kept in both]


def _cell(lake: Lake, answered: frozenset[int] | None, kept: frozenset[int]) -> str:
    if answered is None:
        return "fails"
    return "yes" if kept == answered else "in part" if len(kept) < len(lake.rows) else "no"


def test_where_answers_what_is_selected(lakes: Sequence[Lake], chdb: ModuleType) -> None:
    """That answers are those of WHERE, of which the engine may make something else."""
    from tests.differential.clickhouse.engine import answers, filtered  # noqa: PLC0415

    assert chdb.__name__ == "chdb"
    asked = [form for form in forms() if crc32(form.encode()) % 200 == 0]
    for zone in ("America/Chicago", "Pacific/Apia"):
        selected = answers(lakes[0], asked, zone)
        assert selected == [filtered(lakes[0], form, zone) for form in asked]
