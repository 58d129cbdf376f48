"""Which delete files can apply to a data file at all, by the age of both."""

from __future__ import annotations

from collectors.arrays import BoolArray
from collectors.statistics import Content, FileBatch


def dangling(files: FileBatch, min_data_sequence_number: int) -> BoolArray:
    """Which of N delete files apply to no data file of a snapshot, because none has a lower data
    sequence number than the one given.

    By the table spec, "Scan Planning": equality deletes apply to data files of a lower data
    sequence number, position deletes and deletion vectors also to those of the same. Which
    partition and which path a delete is for is not looked at; one of unknown age may apply.
    """
    known = files.sequence_number >= 0
    newest = files.sequence_number - (files.content == Content.EQUALITY_DELETES)
    found: BoolArray = known & (newest < min_data_sequence_number)
    return found
