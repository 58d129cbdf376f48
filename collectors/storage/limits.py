"""Limits on the size of metadata files and of objects built of them, in bytes: many times as large
as writers make them, and no more than a process can hold."""

METADATA = 256 << 20
"""A metadata file, packed and unpacked: 100,000 snapshots take 100 MB."""

BUILT = 768 << 20
"""Memory for what is built of one file: 100,000 snapshots have 5 million values, which take 400
MB."""

NAMES = 128 << 20
"""The names of a table's columns, with those of the structs around them: of a million columns."""

MANIFEST_LIST = 128 << 20
"""The largest manifest list: one of half a million manifests."""

MANIFEST = 256 << 20
"""Writers begin another at 8 MB (`commit.manifest.target-size-bytes`)."""

AVRO_HEADER = 64 << 20
"""The largest header of a manifest: the schema of a table of 100,000 columns takes 10 MB."""

AVRO_SCHEMA = 4 << 20
"""The types of its records as JSON, read: 20 times that of a manifest of 100 partition fields."""

FOOTER = 64 << 20
"""The largest footer: three times that of a Parquet file of 1,000 columns and 100 row groups."""

FOOTERS = 512 << 20
"""Footers that are held at once: those of 256 files of 1,000 columns and 10 row groups."""

RANGE = 64 << 20
"""Any other part of a Parquet file: a dictionary, a bloom filter, an index."""

BUNDLE = 256 << 20
"""The largest bundle that machines keep for each other: eight times the size that bundles are made
for."""

INDEX = 256 << 20
"""The largest index of such bundles: one of 30 million manifests and footers."""
