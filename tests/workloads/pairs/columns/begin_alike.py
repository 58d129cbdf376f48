"""Texts that begin alike in groups of files, and long ones that do not."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from tests.workloads.model import Expected, Pair
from tests.workloads.physical import Layout
from tests.workloads.rows import FILE_ROWS, each, laid_out, repeated, rng, table, texts

COUNT = 60 * FILE_ROWS
PARKS = ("Alpine", "Boreal", "Coastal", "Desert", "Estuarine", "Fluvial")


def _report(number: int) -> str:
    return f"tenant-{number * 12 // COUNT:04d}/reports/{number:08d}.pdf"


def reports() -> Layout:
    """60 files in order of keys, five of each tenant."""
    return laid_out(table({"path": texts(map(_report, range(COUNT)))}))


def reports_before_their_property() -> Layout:
    """The same, of which longer bounds are asked for since."""
    return replace(
        reports(), properties_since={"write.metadata.metrics.column.path": "truncate(64)"}
    )


def habitats() -> Layout:
    """60 files in order of habitats, ten of each."""
    names = [f"{PARKS[n * 6 // COUNT]} habitat of the northern range" for n in range(COUNT)]
    return laid_out(table({"habitat": texts(names)}))


def reasons() -> Layout:
    """100 files: one row in thirty has one of 80 reasons, which are anywhere."""
    draw = rng(877)
    count = 100 * FILE_ROWS
    chosen = zip(draw.random(count) < 1 / 30, draw.integers(0, 80, count), strict=True)
    names = [f"R{code:02d} was returned to sender" if some else None for some, code in chosen]
    return laid_out(table({"reason": pa.array(names), "parcel": pa.array(range(count))}))


PAIRS = (
    # Files begin alike as each has the first of the same few reasons, which bounds tell apart.
    Pair(
        "parcels_by_reason",
        reasons,
        [
            *repeated("SELECT * FROM lake.db.parcels_by_reason WHERE reason IS NOT NULL", 6),
            *repeated("SELECT * FROM lake.db.parcels_by_reason WHERE reason LIKE 'R41%'", 6),
        ],
        expected=(Expected("unclustered_column", ("reason",), (0.8, 0.99), True, False),),
        tempting={"truncated_bounds": "three characters tell reasons apart"},
        never=("TBLPROPERTIES",),
    ),
    Pair(
        "parcels_of_one_reason",
        reasons,
        repeated(
            "SELECT * FROM lake.db.parcels_of_one_reason"
            " WHERE reason = 'R41 was returned to sender'",
            6,
        ),
        expected=(Expected("unclustered_column", ("reason",), (0.8, 0.99), True, False),),
        allowed=(Expected("row_groups_not_pruned", ()),),
        tempting={"truncated_bounds": "three characters tell reasons apart"},
    ),
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
    # Somebody set the property, and wrote nothing anew.
    Pair(
        "reports_asked_for_whole_since",
        reports_before_their_property,
        each(
            "SELECT * FROM lake.db.reports_asked_for_whole_since WHERE path = '{}'",
            [_report(number) for number in range(300, COUNT, 700)],
        ),
        expected=(
            Expected("truncated_bounds", ("path",), (0.65, 0.85), True, False, ("written anew",)),
        ),
        tempting={"unclustered_column": "files are in order of it"},
        never=("ORDERED BY", "PARTITION FIELD", "TBLPROPERTIES"),
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
