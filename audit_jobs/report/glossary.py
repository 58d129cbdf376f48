"""The words of a report, for people who do not plan scans."""

GLOSSARY = {
    "pass": "One step of planning: manifests first, then data files, then row groups.",
    "manifest": (
        "A metadata file that lists data files. Its partition summary lets planners skip the "
        "whole list."
    ),
    "data file": (
        "A Parquet, ORC or Avro file of the table. Planners skip it by its partition and by the "
        "bounds of its columns."
    ),
    "row group": (
        "A part of a Parquet file. Readers skip it by its own statistics, dictionaries and bloom "
        "filters."
    ),
    "considered, kept": (
        "Considered: reaches the pass. Kept: survives it. A pass prunes only what provably holds "
        "no match."
    ),
    "best case": (
        "What planning would keep if the engine pushed down the whole filter and the planner used "
        "every statistic."
    ),
    "could skip, avoidable": (
        "Bytes that scans would skip if you fixed the cause. Each byte counts once, so findings "
        "add up. Regressions repeat bytes and are not added."
    ),
    "finding": (
        "One cause of bad pruning, for one query fingerprint or for a table, with evidence and "
        "the fix."
    ),
    "confidence": (
        "High: metadata proves the cause. Medium: it rests on a sample, or on how an engine is "
        "known to behave. Low: it rests on an assumption."
    ),
    "query": "All queries that differ only in their literals. The id is a hash.",
    "overlap": "Share of other files whose range of values overlaps the file's. 0% is best.",
    "depth": "Files per value of a column: how many may hold it. 1 is best.",
    "domain, by rank": (
        "The column's values, sorted and spaced by rank of file bounds. Plots show clustering "
        "without showing values."
    ),
    "small file": "Smaller than a quarter of the target file size.",
    "partition spec": (
        "The rule that assigns rows to partitions. Files keep the spec that wrote them."
    ),
}
"""Words and what they mean."""
