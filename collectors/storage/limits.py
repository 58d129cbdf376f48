"""How large the files of a table's metadata may be, in bytes: many times what writers make of them,
and no more than a process can hold."""

METADATA = 256 << 20
"""A metadata file, packed and unpacked: 100,000 snapshots take 100 MB."""

METADATA_VALUES = 8_000_000
"""Names, values, lists and objects in a metadata file, each of which takes some 80 bytes when it is
parsed, however few it is written in: 100,000 snapshots have 5 million."""

MANIFEST_LIST = 128 << 20
"""Of half a million manifests."""

MANIFEST = 256 << 20
"""Writers begin another at 8 MB (`commit.manifest.target-size-bytes`)."""

FOOTER = 64 << 20
"""Of a Parquet file of 1,000 columns and 100 row groups, three times over."""

RANGE = 64 << 20
"""Any other part of a Parquet file: a dictionary, a bloom filter, an index."""

BUNDLE = 256 << 20
"""Of what machines keep for each other: eight times what we aim at."""

INDEX = 256 << 20
"""Of such bundles: of 30 million manifests and footers."""
