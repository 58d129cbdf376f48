"""All that has every file of a table written anew, in one rewrite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from prunescope.audit_jobs.findings.model import Change, Files, Finding, Severity


def in_one_rewrite(findings: Sequence[Finding]) -> list[Finding]:
    """The findings of a table, of which those that have all files written anew ask for one change
    that does what each of them needs, and say so. One that has small files merged, or leaves them
    as they are, names it where it mixes rows of files. What may be wrong is mended by itself."""
    asking = sorted(filter(_is_of_all, findings), key=_layout_first)
    if not asking:
        return list(findings)
    whole = _as_one([one.fix.change for one in asking])
    mixes = not whole.file_by_file
    found = []
    for finding in findings:
        fix = finding.fix
        is_mixed = mixes and _is_open(finding)
        if any(finding is one for one in asking) or (is_mixed and fix.change.files is Files.SMALL):
            fix = replace(fix, change=whole)
        elif is_mixed and fix.wish.keeps_files:
            fix = replace(fix, advice=_merging(asking[0].named))
        found.append(replace(finding, fix=fix))
    having = [
        one
        for _, one in sorted(
            zip(findings, found, strict=True), key=lambda both: _layout_first(both[0])
        )
        if one.fix.change == whole and one.suppressed is None
    ]
    return [_of_several(having, one) for one in found]


def _layout_first(finding: Finding) -> tuple[bool, bool, int, str]:
    """Ranks who has the statements, in any order of findings; others say that they are the same."""
    change = finding.fix.change
    is_of_all = change.files is Files.ALL
    return not is_of_all, not change.moves_rows, -(finding.bytes_at_stake or 0), finding.named


def _is_of_all(finding: Finding) -> bool:
    return _is_open(finding) and finding.fix.change.files is Files.ALL


def _is_open(finding: Finding) -> bool:
    return finding.suppressed is None and finding.severity is not Severity.CRITICAL


def _as_one(changes: Sequence[Change]) -> Change:
    """The layout is that of the first change that moves rows, if any does: no two differ."""
    first = next((one for one in changes if one.moves_rows), changes[0])
    blooms = dict(each for one in changes for each in one.bloom_filters)
    modes = dict(each for one in changes for each in one.modes)
    sizes = [one.row_group_bytes for one in changes if one.row_group_bytes is not None]
    keeps = next((one.keeps for one in changes if one.keeps), ())
    return replace(
        first,
        keeps=() if first.order else keeps,
        modes=tuple(modes.items()),
        bloom_filters=tuple(blooms.items()),
        row_group_bytes=min(sizes, default=None),
        file_by_file=all(one.file_by_file for one in changes),
        rewrites=any(one.rewrites for one in changes),
        manifests=any(one.manifests for one in changes),
        position_deletes=any(one.position_deletes for one in changes),
    )


def _merging(named: str) -> str:
    return (
        f"The statements of {named} write all files anew, and merge these as well. Without them, "
        "leave the files as they are: queries skip some that they would have to read once these "
        "are merged with others."
    )


def _of_several(having: Sequence[Finding], finding: Finding) -> Finding:
    others = dict.fromkeys(one.named for one in having if one is not finding)
    if not others or not any(one is finding for one in having):
        return finding
    is_first = having[0] is finding
    named = f"{', '.join(others)} as well" if is_first else having[0].named
    once = f"These are the statements of {named}: run them once."
    advice = f"{once} {finding.fix.advice}" if finding.fix.advice else once
    return replace(finding, fix=replace(finding.fix, advice=advice))
