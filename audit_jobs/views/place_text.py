"""Places of findings in files, and what is to be written there, in words."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from prunescope.audit_jobs.checking.limits import MAX_BYTES, Excess
from prunescope.audit_jobs.findings.entries import Place
from prunescope.audit_jobs.findings.model import Finding
from prunescope.audit_jobs.units import of

INSTEAD = "Write this instead; it selects the same rows: "
BESIDE = "Add this with AND, and keep the condition, as it alone may select more rows: "


def at(place: Place) -> str:
    """`file:line:column`, as far as they are known."""
    parts = (place.file, place.line, place.column)
    return ":".join(str(part) for part in parts if part is not None)


def to_write(place: Place) -> str | None:
    """The sentence on what to write at a place; None where that is not known."""
    if place.replacement is not None:
        return INSTEAD + place.replacement
    return None if place.addition is None else BESIDE + place.addition


def paragraphs(finding: Finding, place: Place | None) -> Sequence[str]:
    """Returns the lines that tell of a finding: what is wrong, the condition, and what to do, at a
    place in the file's own words if these are known."""
    parts = [finding.sentence]
    if finding.conjunct is not None:
        parts.append(f"Condition: {finding.conjunct}")
    own = None if place is None else to_write(place)
    if own is not None:
        parts.append(own)
        return parts
    if finding.fix.rewrite is not None:
        parts.append(f"Write: {finding.fix.rewrite}")
    if finding.fix.advice is not None:
        parts.append(finding.fix.advice)
    return parts


def excess_text(excess: Excess) -> str:
    """Returns what a file reads, and the option that does not allow it."""
    whole = excess.table or "all tables that it reads"
    option = "--max-bytes" if excess.limit == MAX_BYTES else "--max-share"
    share = f"{of(excess.read, excess.total)} ({excess.percent} %) of {whole}"
    return f"reads {share}: more than {option} allows"


def from_here(path: Path) -> Path:
    """A path as the working directory sees it: relative to it where it is inside, resolved, as
    tools that show results in a repository do not follow links."""
    absolute = path.resolve()
    return absolute.relative_to(Path.cwd()) if absolute.is_relative_to(Path.cwd()) else absolute


def as_text(path: Path) -> str:
    """A path with slashes, whatever bytes it has."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")
