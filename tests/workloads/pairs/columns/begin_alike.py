"""Texts that begin alike in groups of files, and long ones that do not."""

from __future__ import annotations

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, each, laid_out, table, texts

COUNT = 60 * FILE_ROWS
PARKS = ("Alpine", "Boreal", "Coastal", "Desert", "Estuarine", "Fluvial")


def _report(number: int) -> str:
    return f"tenant-{number * 12 // COUNT:04d}/reports/{number:08d}.pdf"


def reports() -> Layout:
    """60 files in order of keys, five of each tenant."""
    return laid_out(table({"path": texts(map(_report, range(COUNT)))}))


def habitats() -> Layout:
    """60 files in order of habitats, ten of each."""
    names = [f"{PARKS[n * 6 // COUNT]} habitat of the northern range" for n in range(COUNT)]
    return laid_out(table({"habitat": texts(names)}))


PAIRS = (
    # Bounds tell the tenant, and not which of its five files has a report.
    Pair(
        "reports_told_by_tenant_alone",
        reports,
        each(
            "SELECT * FROM lake.db.reports_told_by_tenant_alone WHERE path = '{}'",
            [_report(number) for number in range(300, COUNT, 700)],
        ),
        expected=(Expected("truncated_bounds", ("path",), (0.65, 0.85), True, False),),
        tempting={"unclustered_column": "files are in order of it"},
        never=("ORDERED BY", "PARTITION FIELD"),
    ),
    # Ten files begin alike as all of their rows have one value, which is asked for.
    Pair(
        "habitats_of_ten_files",
        habitats,
        each(
            "SELECT * FROM lake.db.habitats_of_ten_files WHERE habitat ="
            " '{} habitat of the northern range'",
            PARKS[:3] * 4,
        ),
        tempting={"truncated_bounds": "rows of what is read match"},
        never=("ORDERED BY", "PARTITION FIELD", "TBLPROPERTIES"),
    ),
)
