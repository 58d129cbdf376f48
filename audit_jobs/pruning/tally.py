"""Counts that the passes make for one scan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """Additive counts of one scan over any part of a snapshot.

    Bytes are file sizes; `old_spec_*` those of files under another spec than new files; of row
    groups, compressed column chunks; of pages, compressed pages. `uncounted_files` and
    `unsized_files` are considered files whose record counts, or sizes, are unknown. `dangling_*`
    are kept delete files that apply to no data file of the snapshot.

    `whole_*` are the row groups of kept files whose footers need no reading. `skipped_*` are those
    of kept files whose footers the budget left out: the kept part is estimated from the others, for
    which `*_squares` sum up the squares of each file's contribution to the pass.
    `unindexed_row_groups` are kept ones whose pages are unknown.

    The `unread_*` fields count kept data files whose row groups are unknown, by cause: another
    format than Parquet, a file that is missing, storage that cannot be reached or refuses access,
    places that the table must not name, encrypted columns, a footer that cannot be parsed, and
    files whose number of row groups is in neither footer nor split offsets.
    """

    manifests_kept: int = 0
    delete_manifests_kept: int = 0
    data_files_considered: int = 0
    data_files_kept: int = 0
    bytes_considered: int = 0
    unsized_files: int = 0
    bytes_kept: int = 0
    old_spec_files_kept: int = 0
    old_spec_bytes_kept: int = 0
    records_considered: int = 0
    uncounted_files: int = 0
    records_kept: int = 0
    delete_files_considered: int = 0
    position_delete_files_kept: int = 0
    equality_delete_files_kept: int = 0
    deletion_vectors_kept: int = 0
    dangling_position_delete_files: int = 0
    dangling_equality_delete_files: int = 0
    dangling_deletion_vectors: int = 0
    row_groups_listed: int = 0
    unlisted_files: int = 0
    row_groups_considered: int = 0
    row_groups_kept: int = 0
    row_groups_squares: float = 0.0
    row_group_records_considered: int = 0
    row_group_records_kept: int = 0
    row_group_records_squares: float = 0.0
    row_group_bytes_considered: int = 0
    row_group_bytes_kept: int = 0
    row_group_bytes_squares: float = 0.0
    row_groups_by_statistics: int = 0
    row_groups_by_dictionary: int = 0
    row_groups_by_bloom: int = 0
    pages_considered: int = 0
    pages_kept: int = 0
    page_bytes_considered: int = 0
    page_bytes_kept: int = 0
    page_records_considered: int = 0
    page_records_kept: int = 0
    unindexed_row_groups: int = 0
    whole_files: int = 0
    whole_row_groups: int = 0
    whole_records: int = 0
    sampled_files: int = 0
    skipped_files: int = 0
    skipped_row_groups: int = 0
    skipped_records: int = 0
    skipped_bytes: int = 0
    unread_format: int = 0
    unread_missing: int = 0
    unread_unreachable: int = 0
    unread_not_allowed: int = 0
    unread_encrypted: int = 0
    unread_corrupt: int = 0
    unread_unlisted: int = 0


COUNTS: Mapping[str, type] = {name: type(count) for name, count in asdict(Tally()).items()}
"""The counts of a Tally, and their types."""

CONJUNCT_COUNTS = (
    *("manifests_pruned", "manifests_unknown"),
    *("data_files_pruned", "data_files_unknown", "data_files_unmeasured"),
    *("row_groups_pruned", "row_groups_unknown"),
)
"""Counts of a conjunct: what it alone rules out of what its scan considers, and of how much
nothing is known. `data_files_unmeasured` are those of the latter that the whole filter keeps."""

FILTER_LEVELS = ("statistics", "dictionary", "bloom")
"""Evidence that rules out row groups, in the order in which readers ask for it: FilterLevel of
parquet-java."""
UNREAD_REASONS = {
    "unread_format": "not a Parquet file",
    "unread_missing": "data file missing",
    "unread_unreachable": "storage unreachable or access refused",
    "unread_not_allowed": "outside of the places that may be read",
    "unread_encrypted": "footer or columns encrypted",
    "unread_corrupt": "footer corrupt, too large, or of other rows than its manifest",
    "unread_unlisted": "no footer read and no split offsets recorded",
}

DELETE_KINDS = ("position_delete_files", "equality_delete_files", "deletion_vectors")
"""Kinds of delete files, as Iceberg counts them: each file is of one of these."""
