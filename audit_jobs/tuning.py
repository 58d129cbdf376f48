"""What was chosen and not derived: shares, ratios and numbers by which findings are judged, tables
measured and layouts tried. Each has one place, whoever asks; what users set is in `thresholds`."""

from __future__ import annotations

# Shares, of 1.

POINT = 0.01
"""Of what all scans of a table read: what differs by less wins the same."""
SLACK = 0.02
"""Of what scans read: so much more than before is no loss, as files are not cut to the row."""
ALIKE = 0.03
"""Of what all scans of a table read: what wins no more than that beyond something simpler is no
better, as trials tell no more exactly, and is not worth the work."""
FEW = 0.1
"""Of the files of a table: so few may be kept, or ruled out, by chance."""
MUCH = 0.2
"""Of what a query reads, or of sampled files: so much is worth a word of its own."""
SMALL = 0.25
"""Of the target size of files, below which one is small; of row groups, the most that may have a
value of which a bloom filter tells."""
HALF = 0.5
"""Of anything: more of it is most."""
SPREAD = 2 / 3
"""Of the pairs of files of a partition: from so many that overlap on, files are in no order."""
NEWEST = 0.75
"""Of the time that a table spans: what is later is new."""
TOLD = 0.8
"""Of what scans read: from so much on, of which sampled files tell something, a trial tells."""
NEARLY_ALL = 0.9
"""Of anything: as much as that is about all of it."""

# Ratios, of what is compared with 1.

LARGER = 1.25
"""Row groups that writers would make so many times as large are asked for smaller."""
ABOUT_ONE = 1.5
"""Files of a partition, row groups of a file, or anything that is usually one of each: up to so
many, on average, it is one."""
TWICE = 2.0
"""Bytes that a query keeps, or files that hold a value: so many times as many is worse."""

# Numbers.

ENOUGH_WINDOWS = 3
"""Earlier windows that make a habit."""
ENOUGH_VALUES = 5
"""Values that queries have to ask for to show how values begin; delete files that a scan may read
before anybody notices."""
ENOUGH_PAIRS = 10
"""Pairs of containers from which on they tell something of the others."""
MANY_FILES = 100
"""Files that a scan opens, from which on their number costs more than their size: each costs a
request or two, and planners count it as 4 MiB (`read.split.open-file-cost`)."""
VALUES_OF_BUCKET = 4
"""Values of the usual size that a bucket should have room for: of fewer, some buckets have several,
and others none."""
MOST_BUCKETS = 1_024
"""Buckets of a partition field."""
OPENINGS = 16
"""Files that are opened for as much as one of the table's target size is read, at least."""
LARGE_ROW_GROUP = 32 * 1024 * 1024
"""Bytes of row groups of which smaller ones let readers skip more."""
