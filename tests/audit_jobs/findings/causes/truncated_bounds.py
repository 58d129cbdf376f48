"""Bounds cut short: texts that begin alike, in files that have one lower bound. A layout made for
them would let a scan read one file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prunescope.audit_jobs.health.model import TableHealth
from prunescope.audit_jobs.pruning.summary import Funnel
from prunescope.audit_jobs.records import ScanRecord
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    BYTES,
    GB,
    MB,
    NAME,
    Case,
    Night,
    Told,
    column,
    compared,
    part,
    plan,
    scan,
    table,
)


def _url(length: int, **changes: Any) -> ScanRecord:
    url = b"https://example.org/".ljust(length, b"x")
    return scan(part(compared(NAME, Op.EQ, url), share=0.001), share=0.001, **changes)


def _texts(form: str) -> tuple[ScanRecord, ...]:
    """Scans for five texts of 30 characters or so."""
    texts = (form.format(number).ljust(30, "x").encode() for number in range(5))
    parts = (part(compared(NAME, Op.EQ, text), share=0.001) for text in texts)
    return tuple(scan(one, share=0.001) for one in parts)


def _beginnings(*lengths: int) -> tuple[ScanRecord, ...]:
    """Scans for texts that begin as long as that."""
    texts = (b"https://example.org/".ljust(length, b"x")[:length] for length in lengths)
    parts = (part(compared(NAME, Op.STARTS_WITH, text), share=0.001) for text in texts)
    return tuple(scan(one, share=0.001) for one in parts)


def _alike(low: bytes) -> TableHealth:
    """A table whose files begin alike, the lowest of them with a text."""
    return table(column(NAME, common_bounds=0.6, low=low))


_NIGHT = Night((_url(64),), health=_alike(b"https://example."))
_FOOTERS = replace(
    plan(1_000), row_groups=Funnel(None, 8_000, 80), row_group_bytes=Funnel(None, BYTES, GB)
)
_DICTIONARIES = replace(_FOOTERS, row_groups_by={"statistics": 0, "dictionary": 7_920, "bloom": 0})
_CUT = Told(
    ("name",),
    2 * (100 * GB - 100 * MB),
    "high",
    "medium",
    spark=(
        "('write.metadata.metrics.column.name' = 'truncate(64)')",
        "WRITE ORDERED BY `name`",
        "sort_order => '`name`'",
    ),
    trino=("sorted_by = ARRAY['\"name\"']", "EXECUTE optimize"),
    evidence={"common_bounds": 0.6, "metrics_mode": "truncate(16)", "clustered": False},
)
# What footers rule out, but for a file that is made anew.
_IN_ORDER = replace(
    _CUT,
    stake=2 * (99 * GB - 100 * MB),
    confidence="high",
    spark=("'truncate(64)'", "sort_order => '`name`'"),
    trino=(),
    evidence={"clustered": True},
)
_LONGEST = "'truncate(128)'"
_MODE = "write.metadata.metrics.column.name"
_CUT_SINCE = replace(_CUT, evidence={"metrics_mode": "truncate(32)"})

FOUND = {
    "a URL of 64 characters": Case(_NIGHT, _CUT),
    "no more than 128 characters are kept": Case(
        replace(_NIGHT, scans=(_url(500),)),
        replace(_CUT, spark=(_LONGEST, "WRITE ORDERED BY `name`", "sort_order")),
    ),
    "texts that differ after what bounds keep": Case(
        replace(_NIGHT, scans=_texts("https://example.org/{}")),
        replace(
            _CUT,
            scans=10,
            stake=10 * (100 * GB - 100 * MB),
            spark=("'truncate(32)'", "WRITE ORDERED BY `name`", "sort_order"),
        ),
    ),
    # Whichever of them is the example.
    **{
        f"of three beginnings, that of scan {number} is short": Case(
            replace(_NIGHT, scans=_beginnings(*(5 if one == number else 40 for one in range(3)))),
            replace(_CUT, scans=6, stake=6 * (100 * GB - 100 * MB)),
        )
        for number in range(3)
    },
    "one text, in files that begin alike in groups": Case(
        replace(
            _NIGHT,
            health=table(column(NAME, common_bounds=0.6, low=b"http://a.example", overlap=0.1)),
        ),
        _CUT,
    ),
    "dictionaries, which are no bounds, tell": Case(
        replace(_NIGHT, scans=(_url(64, kept=_DICTIONARIES),)), _CUT
    ),
    # Files are as they were: no order of rows is missing, but a rewrite.
    "the property was set, and nothing is written since": Case(
        replace(_NIGHT, properties={_MODE: "truncate(64)"}),
        replace(
            _CUT,
            spark=("WRITE ORDERED BY `name`", "sort_order => '`name`'"),
            evidence={"metrics_mode": "truncate(64)"},
            says="Existing files need a rewrite",
            unsaid="no such property",
        ),
    ),
    "a property that was set keeps less than is asked for": Case(
        replace(_NIGHT, properties={_MODE: "truncate(32)"}), _CUT_SINCE
    ),
    "whole bounds are asked for since, of files in order": Case(
        replace(_NIGHT, scans=(_url(64, kept=_FOOTERS),), properties={_MODE: "full"}),
        replace(
            _IN_ORDER,
            spark=("sort_order => '`name`'",),
            evidence={"metrics_mode": "full", "clustered": True},
        ),
    ),
    "footers prove that rows are in order": Case(
        replace(_NIGHT, scans=(_url(64, kept=_FOOTERS),)),
        _IN_ORDER,
    ),
}

SILENT = {
    # As there: each file has some of the same few values.
    "one text, which differs from the lowest within what bounds keep": replace(
        _NIGHT, health=_alike(b"http://a.example")
    ),
    "the beginning of texts, which bounds keep": replace(
        _NIGHT,
        scans=(scan(part(compared(NAME, Op.STARTS_WITH, b"https"), share=0.001), share=0.001),),
    ),
    **{
        f"of three beginnings, that of scan {number} alone is long": replace(
            _NIGHT, scans=_beginnings(*(40 if one == number else 5 for one in range(3)))
        )
        for number in range(3)
    },
    "nulls, of which bounds say nothing": replace(
        _NIGHT, scans=(scan(part(compared(NAME, Op.NOT_NULL), share=0.001), share=0.001),)
    ),
    # Files begin alike as many rows have their least value.
    "texts that differ within what bounds keep": replace(_NIGHT, scans=_texts("DE{:010d}")),
    "half of the files begin alike": replace(_NIGHT, health=table(column(NAME, common_bounds=0.5))),
    "nobody knows how files begin": replace(_NIGHT, health=table(column(NAME, common_bounds=None))),
    "nothing tells how many rows match": replace(
        _NIGHT, scans=(scan(part(compared(NAME, Op.EQ, b"https://example.org"))),)
    ),
    "all rows match": replace(
        _NIGHT, scans=(scan(part(compared(NAME, Op.GT, b"https"), share=1.0), share=1.0),)
    ),
}
