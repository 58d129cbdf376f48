"""What can become of an input, a scan or a question: the one list of outcomes."""

from __future__ import annotations

from enum import Enum, StrEnum, auto


class Standing(Enum):
    """What an outcome says of the input."""

    FINE = auto()
    """Nothing is wrong with it."""
    NOTHING_TO_JUDGE = auto()
    """Nothing is wrong with it, and it reads no rows of an Iceberg table."""
    FAULT = auto()
    """It should have been replayed, and could not be."""


_REPORT_IS_EVIDENCE = "nothing: [ADR 8](adr/0008-scan-reports-are-evidence.md)"
_ADDRESS = "check the endpoint and the region, and run again"
_RUN_AGAIN = "run again, while fewer others read; `--threads`, if there are many"
_WRITER = "check what writes the log"
_WHOLE = "check that the log was not cut off or reformatted"
_REPORT_THIS = "please report it"


class Outcome(StrEnum):
    """A stable code, what it means, what to do about it, and where the input stands. Meaning and
    remedy are Markdown: those of docs/audit.md."""

    meaning: str
    remedy: str
    standing: Standing

    def __new__(
        cls, code: str, meaning: str, remedy: str, standing: Standing = Standing.FAULT
    ) -> Outcome:
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        member.remedy = remedy
        member.standing = standing
        return member

    REPLAYED = (
        "replayed",
        "every scan of an Iceberg table was planned",
        "nothing",
        Standing.FINE,
    )
    NO_ICEBERG_TABLE = (
        "no_iceberg_table",
        "the query reads no table of a configured catalog",
        "nothing; if it does read one, see `catalogs` and their `aliases`",
        Standing.NOTHING_TO_JUDGE,
    )
    NOT_A_QUERY = (
        "not_a_query",
        "DDL, SHOW, SET, …",
        "nothing",
        Standing.NOTHING_TO_JUDGE,
    )
    ALWAYS_FALSE = (
        "always_false",
        "no row can satisfy the filter (`a = 1 AND a = 2`, for an engine that sees it): nothing is "
        "read for it, and it is part of no average",
        "nothing",
        Standing.NOTHING_TO_JUDGE,
    )
    NOT_SCANNED = (
        "not_scanned",
        "the engine planned no scan for it: it needed none, or answered from metadata",
        "nothing",
        Standing.FINE,
    )
    REPEATED = (
        "repeated",
        "the same query is in the log twice, as a listener that misses an answer sends it again",
        "nothing",
        Standing.FINE,
    )
    REPORT_MATCHED = (
        "report_matched",
        "the scan report belongs to a replayed scan, which has its counts",
        _REPORT_IS_EVIDENCE,
        Standing.FINE,
    )
    REPORT_UNMATCHED = (
        "report_unmatched",
        "no scan of the audited queries has the table, snapshot and shape of filter of the scan "
        "report",
        _REPORT_IS_EVIDENCE,
        Standing.FINE,
    )
    REPORT_AMBIGUOUS = (
        "report_ambiguous",
        "scans with different literals have the table, snapshot and shape of filter of the scan "
        "report",
        _REPORT_IS_EVIDENCE,
        Standing.FINE,
    )
