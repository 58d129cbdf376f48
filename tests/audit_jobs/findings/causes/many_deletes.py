"""Many delete files: more by position than data files, or one of equality for every ten."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.records import ScanRecord
from tests.audit_jobs.findings.usages import Case, Night, Told, plan, scan, table
from tests.audit_jobs.plans import NO_DELETES


def _deletes(
    data_files: int, *, position: int = 0, equality: int = 0, vectors: int = 0, dangling: int = 0
) -> ScanRecord:
    listed = {
        "position_delete_files": position,
        "equality_delete_files": equality,
        "deletion_vectors": vectors,
    }
    return scan(
        kept=replace(
            plan(data_files),
            delete_files_by=listed,
            dangling_delete_files={**NO_DELETES, "position_delete_files": dangling},
        )
    )


def _applied(found: ScanRecord, count: int) -> ScanRecord:
    """A scan whose engine told how many delete files it applied."""
    return replace(found, observed={"result_delete_files": count})


# A thousand of positions: all are for one data file each, and eight or one for each of these.
_EIGHT = table(position_delete_files=1_000, deletes_of_one_file=1_000, deletes_of_a_file=8.0)
_ONE = replace(_EIGHT, deletes_of_a_file=1.0)

_POSITIONS = "rewrite_position_delete_files"
_DATA = "'delete-file-threshold', '1', 'remove-dangling-deletes', 'true'"
_OPTIMIZE = ("EXECUTE optimize(file_size_threshold => '100TB')",)

FOUND = {
    "more by position than data files": Case(
        Night((_deletes(10, position=11),)),
        Told(
            spark=(_DATA, _POSITIONS),
            trino=_OPTIMIZE,
            evidence={
                "data_files_read": 20,
                "delete_files_read": {**NO_DELETES, "position_delete_files": 22},
            },
        ),
    ),
    "six, of one data file": Case(
        Night((_deletes(1, position=6),)), Told(spark=(_DATA, _POSITIONS), trino=_OPTIMIZE)
    ),
    "eight of each data file": Case(
        Night((_deletes(2, position=1_000),), health=_EIGHT),
        Told(
            spark=(_DATA, _POSITIONS),
            trino=_OPTIMIZE,
            evidence={"delete_files_read": {**NO_DELETES, "position_delete_files": 32}},
        ),
    ),
    "half of them are for several data files": Case(
        Night((_deletes(2, position=100),), health=replace(_ONE, deletes_of_one_file=500)),
        Told(
            spark=(_DATA, _POSITIONS),
            trino=_OPTIMIZE,
            evidence={"delete_files_read": {**NO_DELETES, "position_delete_files": 104}},
        ),
    ),
    "eleven of equality, of a hundred data files": Case(
        Night((_deletes(100, equality=11),)),
        Told(spark=("rewrite_manifests", _DATA), trino=_OPTIMIZE, advice="Flink"),
    ),
    "both kinds": Case(
        Night((_deletes(20, position=21, equality=3),)),
        Told(spark=("rewrite_manifests", _DATA, _POSITIONS), trino=_OPTIMIZE),
    ),
    # Of both kinds it may have been any, for each data file again.
    "the engine applied some of them": Case(
        Night((_applied(_deletes(10, position=30, equality=1), 12),)),
        Told(
            spark=("rewrite_manifests", _DATA, _POSITIONS),
            trino=_OPTIMIZE,
            evidence={
                "delete_files_read": {
                    **NO_DELETES,
                    "position_delete_files": 24,
                    "equality_delete_files": 2,
                },
            },
        ),
    ),
    "some of them dangle": Case(
        Night((_deletes(10, position=16, dangling=5),)),
        Told(
            spark=(_DATA, _POSITIONS),
            trino=_OPTIMIZE,
            evidence={
                "delete_files_read": {**NO_DELETES, "position_delete_files": 22},
                "dangling_delete_files": {**NO_DELETES, "position_delete_files": 10},
            },
        ),
    ),
}

SILENT = {
    # Each was of one data file, which was written anew since.
    "the engine applied none of them": Night((_applied(_deletes(10, position=30), 0),)),
    "five, of one data file": Night((_deletes(1, position=5),)),
    "as many by position as data files": Night((_deletes(10, position=10),)),
    "one of equality for every ten data files": Night((_deletes(100, equality=10),)),
    "deletion vectors": Night((_deletes(10, vectors=1_000),)),
    "one of each data file, of which few are read": Night(
        (_deletes(10, position=1_000),), health=_ONE
    ),
    "most of them dangle": Night((_deletes(10, position=16, dangling=6),)),
}
