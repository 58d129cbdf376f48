"""Delete files that can apply to no data file, by the age of both."""

from __future__ import annotations

from prunescope.collectors.arrays import BoolArray
from prunescope.collectors.statistics import Content, FileBatch


def dangling(files: FileBatch, min_data_sequence_number: int) -> BoolArray:
    """Mask of the N delete files that apply to no data file of a snapshot whose data files all have
    at least `min_data_sequence_number`.

    By the table spec, "Scan Planning", equality deletes apply to data files of a lower data
    sequence number, position deletes and deletion vectors also to data files of the same number.
    Partitions and paths of delete files are ignored; a delete file of unknown age may apply.
    """
    known = files.sequence_number >= 0
    newest = files.sequence_number - (files.content == Content.EQUALITY_DELETES)
    found: BoolArray = known & (newest < min_data_sequence_number)
    return found
