"""Constants that were chosen and not derived: shares, ratios and numbers by which findings are
judged, tables measured and layouts tried, each with its unit. Each has one place for all users;
settings of users are in `thresholds`."""

from __future__ import annotations

# Shares, of 1.

POINT = 0.01
"""Share of what all scans of a table read: smaller differences count as equal."""
SLACK = 0.02
"""Share of what scans read: so much more than before is no loss, as files are not cut to the
row."""
ALIKE = 0.03
"""Share of what all scans of a table read: what wins no more than that beyond something simpler is
no better, as trials are no more exact, and is not worth the work."""
FEW = 0.1
"""Share of the files of a table: so few may be kept, or ruled out, by chance."""
MUCH = 0.2
"""Share of what a query reads, or of sampled files, that is worth a word of its own."""
SMALL = 0.25
"""Share of the target size of files, below which one is small; of row groups, the largest share
that may have a value for which a bloom filter is advised."""
HALF = 0.5
"""Share of anything, above which it counts as most."""
SPREAD = 2 / 3
"""Share of the pairs of files of a partition: from so many that overlap on, files are in no
order."""
NEWEST = 0.75
"""Share of the time that a table spans, after which rows are new."""
TOLD = 0.8
"""Share of what scans read, from which on sampled files are enough for a trial."""
NEARLY_ALL = 0.9
"""Share of anything that counts as about all of it."""

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

# Samples, and what is tried on them.

FOR_BUCKETS = 16
"""Values of which each one is drawn, where only those of a bucket may be."""
ROWS_OF_FILE = 24
"""Sampled rows of a simulated file, at least: where the sample has fewer, several files are
simulated as one, which reads as much as all of them."""
ENDS = 2
"""Files at both ends of a run of rows: as few tell its values apart as well as any do."""
TINY = 1 / 8
"""Partitions below this share of a file of the target size are looked into."""
LONGEST_BOUND = 128
"""Bounds are kept in manifests, twice per file and column: beyond this many characters each, a
column of the part that differs costs less."""
COLUMNS_KEPT = 2
"""Columns that rewrites keep rows in order of."""
FEW_FILES = 6
"""Files of a scan in the sample, below which the differences between them tell too little."""
COLUMNS_ASKED = 3
"""Columns that findings ask for, of which orders are proposed."""
FIELDS_ASKED = 2
"""Changes of partitions, those first that are to win most, of which each is proposed with
orders, and both together."""
RANGES_OF_ROOT = (0.5, 1.0, 2.0)
"""Numbers of ranges that are tried, of the square root of the number of files: of that many, who
asks for a value and who asks for a part of the other column keep about as many files."""
HELD_IN_RANGES = 3.0
"""Files that hold a value of either column, of the square root of their number, up to which rows
are in such ranges, in files that are not cut at their ends."""
SCANS_OF_GROUP = 64
"""Sampled scans per group."""
SCANS_TRIED = 512
"""Scans of a table on which its layouts are tried: those first that have most to win or lose."""
NARROW = 8
"""Scans that keep more than one in so many files meet a sample of all files."""
FILES_TRIED = 4
"""Files of a table of which rows are laid out, for each one of which rows are matched."""
FILES_BOUNDED = 400
"""Files of a table of which rows are drawn from bounds: fewer than are sampled of large ones, as
files that most scans ask for come beside these."""
BYTES_TRIED = 256_000_000
"""Compressed bytes that are read of a table, about."""
ROWS_TRIED = 20_000
"""Rows of a table that are laid out, about."""
