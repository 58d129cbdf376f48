"""Values spread over all files: of what is kept, all but the rows that match is lost, or all but
one file where these are fewer."""

from __future__ import annotations

from dataclasses import replace

from prunescope.collectors.predicates.model import any_of
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    GB,
    ID,
    KEY,
    MB,
    NAME,
    TS,
    Case,
    Night,
    Told,
    column,
    compared,
    micros,
    part,
    partitioned,
    scan,
    table,
)

_ONE = part(compared(ID, Op.EQ, 7), share=0.001)
_NIGHT = Night((scan(_ONE, share=0.001),))
_NULL = compared(NAME, Op.IS_NULL)
_UUID = part(compared(KEY, Op.EQ, b"0123456789abcdef"), share=0.001)
_RANGES = any_of(compared(ID, Op.LT, 7), compared(ID, Op.GT, 999_000))
_LATER = compared(TS, Op.GT, micros("2024-11-01"))
_OF_UUIDS = any_of(compared(KEY, Op.LT, bytes(16)), compared(KEY, Op.GT, b"\xff" * 16))


def _beside_times(first: str, last: str, *shares: float) -> Night:
    """Scans by an id and between two times, each of which matches such a share of rows."""
    ends = compared(TS, Op.GT_EQ, micros(first)), compared(TS, Op.LT, micros(last))
    parts = (part(end, share=share) for end, share in zip(ends, shares, strict=True))
    return Night((scan(_ONE, *parts, share=0.0001),))


def _sorted_by(name: str, stake: int, confidence: str = "medium") -> Told:
    return Told(
        (name,),
        stake,
        "high",
        confidence,
        spark=(f"WRITE ORDERED BY `{name}`", f"sort_order => '`{name}`'"),
        trino=(
            f"sorted_by = ARRAY['\"{name}\"']",
            "EXECUTE optimize(file_size_threshold => '100TB')",
        ),
        advice="Prefer Spark",
    )


FOUND = {
    "few rows of a key": Case(
        _NIGHT,
        replace(
            _sorted_by("id", 2 * (100 * GB - 100 * MB)),
            evidence={"overlap": 1.0, "depth": 1_000.0, "other_columns": []},
        ),
    ),
    "other columns are compared as well": Case(
        replace(
            _NIGHT,
            scans=(scan(_ONE, part(compared(NAME, Op.EQ, b"x"), share=0.5), share=0.0005),),
        ),
        replace(
            _sorted_by("id", 2 * (100 * GB - 100 * MB), "low"),
            advice="zorder(`id`, `name`)",
            evidence={"other_columns": ["name"]},
        ),
    ),
    # Each end leaves most, and both a twelfth.
    "a range of another column is compared as well": Case(
        _beside_times("2024-08-01", "2024-09-01", 0.6, 0.6),
        replace(
            _sorted_by("id", 2 * (100 * GB - 100 * MB), "low"),
            unsaid="zorder",  # of a time without a zone, which Spark refuses before Iceberg 1.11
            evidence={"other_columns": ["ts"]},
        ),
    ),
    "most of another column's range is compared as well": Case(
        _beside_times("2024-02-01", "2024-12-01", 0.9, 0.9),
        replace(
            _sorted_by("id", 2 * (100 * GB - 100 * MB)),
            evidence={"other_columns": []},
        ),
    ),
    # As Spark adds for what joins compare.
    "that another column is not null": Case(
        replace(
            _NIGHT,
            scans=(scan(_ONE, part(compared(NAME, Op.NOT_NULL), share=1.0), share=0.0005),),
        ),
        replace(
            _sorted_by("id", 2 * (100 * GB - 100 * MB)),
            evidence={"other_columns": []},
        ),
    ),
    "by bounds alone": Case(
        replace(_NIGHT, scans=(scan(part(compared(ID, Op.EQ, 7))),)),
        _sorted_by("id", 2 * (100 * GB - 100 * MB), "low"),
    ),
    "few nulls": Case(
        replace(_NIGHT, scans=(scan(part(_NULL, share=0.01), share=0.01),)),
        _sorted_by("name", 2 * 99 * GB),
    ),
    "several ranges of it": Case(
        replace(_NIGHT, scans=(scan(part(_RANGES, share=0.001), share=0.001),)),
        _sorted_by("id", 2 * (100 * GB - 100 * MB)),
    ),
    "a value of it or none": Case(
        replace(
            _NIGHT,
            scans=(scan(part(any_of(_NULL, compared(NAME, Op.EQ, b"x")), share=0.01), share=0.01),),
        ),
        _sorted_by("name", 2 * 99 * GB),
    ),
    "few nulls in all files, though its values are in order": Case(
        replace(
            _NIGHT,
            scans=(scan(part(_NULL, share=0.01), share=0.01),),
            health=table(column(NAME, overlap=0.0, depth=1.0)),
        ),
        _sorted_by("name", 2 * 99 * GB),
    ),
    "just more than two files hold a value": Case(
        replace(_NIGHT, health=table(column(ID, depth=2.1))),
        _sorted_by("id", 2 * (100 * GB - 100 * MB)),
    ),
    "what is asked for lies in more than a tenth of the files": Case(
        replace(
            _NIGHT,
            scans=(
                scan(
                    part(compared(NAME, Op.EQ, b"open"), pruned=890, share=0.001),
                    kept=110,
                    share=0.001,
                ),
            ),
        ),
        replace(_sorted_by("name", 2 * (11 * GB - 100 * MB)), severity="medium"),
    ),
    # In files of other partitions there are none.
    "a tenth of the files, which is a bucket": Case(
        replace(
            _NIGHT,
            scans=(
                scan(part(compared(ID, Op.EQ, 7), pruned=900, share=0.001), kept=100, share=0.001),
            ),
            spec=[(ID, "bucket[10]")],
            health=partitioned(10),
        ),
        replace(_sorted_by("id", 2 * (10 * GB - 100 * MB)), severity="medium"),
    ),
    # 512 buckets of whole files.
    "a UUID in Spark": Case(
        replace(_NIGHT, scans=(scan(_UUID, engine="spark", share=0.001),)),
        Told(
            ("key",),
            2 * (100 * GB - 100 * MB),
            "high",
            "medium",
            spark=("ADD PARTITION FIELD bucket(512, `key`)", "rewrite_data_files"),
            trino=("partitioning = ARRAY['bucket(\"key\", 512)']", "EXECUTE optimize"),
            evidence={"buckets": 512},
        ),
    ),
}

SILENT = {
    # The newest files alone have what is open; a sort would move all of them for these.
    "what is asked for lies in a tenth of the files": replace(
        _NIGHT,
        scans=(
            scan(
                part(compared(NAME, Op.EQ, b"open"), pruned=900, share=0.001),
                kept=100,
                share=0.001,
            ),
        ),
    ),
    "nulls lie in a tenth of the files, and values are in order": replace(
        _NIGHT,
        scans=(scan(part(_NULL, pruned=900, share=0.001), kept=100, share=0.001),),
        health=table(column(NAME, overlap=0.0, depth=1.0)),
    ),
    "all rows match": replace(
        _NIGHT, scans=(scan(part(compared(ID, Op.GT, 7), share=1.0), share=1.0),)
    ),
    "two files hold a value": replace(_NIGHT, health=table(column(ID, depth=2.0))),
    "half of the rows are null": replace(_NIGHT, scans=(scan(part(_NULL, share=0.5), share=0.5),)),
    # In a file of each of ten partitions, as a sort inside them would leave it.
    "a key since some day, in order within days": replace(
        _NIGHT,
        scans=(
            scan(
                part(compared(ID, Op.EQ, 7), pruned=990, share=0.0001),
                part(compared(TS, Op.GT_EQ, micros("2023-01-01")), share=1.0),
                kept=10,
                share=0.0001,
            ),
        ),
        spec=[(TS, "day")],
        health=partitioned(10, column(ID, depth=10.0, mixed=0.0)),
    ),
    "partitions are what is missing": replace(
        _NIGHT, spec=[(NAME, "identity")], health=partitioned(10)
    ),
    "one of two columns": replace(
        _NIGHT,
        scans=(scan(part(any_of(_RANGES, _NULL), share=0.001), engine="spark", share=0.001),),
    ),
    "what is open still, or until later": replace(
        _NIGHT,
        scans=(scan(part(any_of(compared(TS, Op.IS_NULL), _LATER), share=0.3), share=0.3),),
    ),
    "several ranges of a UUID in Spark": replace(
        _NIGHT, scans=(scan(part(_OF_UUIDS, share=0.001), engine="spark", share=0.001),)
    ),
    "a UUID in Trino": replace(_NIGHT, scans=(scan(_UUID, share=0.001),)),
    "nothing tells how many rows match": replace(
        _NIGHT,
        scans=(scan(part(compared(ID, Op.EQ, 7))),),
        health=table(column(ID, low=None, high=None)),
    ),
    "nobody knows what is kept": replace(_NIGHT, scans=(scan(_ONE, kept=None, share=0.001),)),
}
