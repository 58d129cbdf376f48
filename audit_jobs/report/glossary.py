"""The words of a report, for people who do not plan scans."""

GLOSSARY = {
    "pass": "One step of planning: manifests first, then data files, then row groups.",
    "manifest": (
        "A list of data files in the table's metadata, with a summary of their partitions by "
        "which all of it can be skipped."
    ),
    "data file": (
        "A Parquet, ORC or Avro file of the table; skipped by its partition and by the bounds "
        "of its columns."
    ),
    "row group": (
        "A part of a Parquet file; skipped by its own statistics, dictionaries and bloom filters."
    ),
    "considered, kept": (
        "What reaches a pass, and what is left after it. Only what is proven to hold no match "
        "is left out."
    ),
    "could be": (
        "What would be kept if the engine gave the whole filter to the planner, and the planner "
        "used all statistics that there are."
    ),
    "at stake": (
        "Bytes that scans read and would skip if the cause were mended. Each byte has one cause, "
        "so that they add up; what got worse repeats bytes of other findings, and is left out."
    ),
    "finding": (
        "One cause of bad pruning, for one shape of query or for a table, with what shows it "
        "and what mends it."
    ),
    "confidence": (
        "High where metadata proves the cause, medium where it rests on a sample or on what an "
        "engine is known to do, low where it rests on an assumption."
    ),
    "query": "All queries of one shape: the same text but for its literals. Its id is a hash.",
    "overlap": (
        "The share of other files whose range of values overlaps that of a file: 0% is perfect."
    ),
    "depth": "How many files may hold a given value of a column: 1 is perfect.",
    "domain, by rank": (
        "All values of a column in order, each stretch as wide as it has bounds of files; the "
        "plots tell how files lie, and no values."
    ),
    "small file": "One below a quarter of the size that writers of the table aim at.",
    "partition spec": (
        "How rows are put into partitions. Files keep the one under which they were written."
    ),
}
"""Words and what they mean."""
