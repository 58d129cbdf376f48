"""One remedy for each table: its findings with the one change of the layout that is chosen, and
why what else they ask for is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil

from prunescope.audit_jobs.findings import wording
from prunescope.audit_jobs.findings.building import fingerprints
from prunescope.audit_jobs.findings.choosing import (
    ROW_GROUPS,
    bytes_won,
    chosen,
    has_fields_of,
    is_of_night,
    opening_won,
)
from prunescope.audit_jobs.findings.condition import columns_in
from prunescope.audit_jobs.findings.entries import shapes
from prunescope.audit_jobs.findings.layout_claims import (
    Won,
    is_about_queries,
    is_part,
    is_served,
    won_by_each,
    won_of,
)
from prunescope.audit_jobs.findings.merged_changes import in_one_rewrite
from prunescope.audit_jobs.findings.model import KEPT, NO_WISH, Change, Confidence, Files, Finding
from prunescope.audit_jobs.findings.policy import is_reported
from prunescope.audit_jobs.findings.proposing import (
    any_of_fields,
    in_present_fields,
    proposed,
    wish_of,
)
from prunescope.audit_jobs.findings.refused_layouts import (
    for_another,
    for_nothing,
    merging,
    moving,
    overwriting,
)
from prunescope.audit_jobs.findings.trials import Tried, columns_of
from prunescope.audit_jobs.findings.uniting import united
from prunescope.audit_jobs.findings.unused_conditions import (
    serves_later,
    serving_later,
    waiting_for_writing,
)
from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.tuning import POINT
from prunescope.audit_jobs.units import plural, size

NOTHING_TRIED: Mapping[Change, Tried] = {}
_CONFIDENCES = list(Confidence)
_WHOLE = (Files.ALL, Files.SMALL)


def prescribed(
    usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Change, Tried] = NOTHING_TRIED
) -> list[Finding]:
    """The findings of one table, of which those that the chosen change of the layout serves ask for
    it, with the bytes that their scans win by it, less what others lose. Others that ask for a
    layout keep their diagnosis; advice and evidence say why nothing is done for them. All that has
    every file written anew is one change. Suppressed findings stay and decide nothing."""
    findings = [moving(usage, overwriting(usage, finding)) for finding in findings]
    proposals = [*proposed(usage, findings), *_parts(usage, findings, tried)]
    change = chosen(usage, findings, proposals, tried)
    findings = [_as_chosen(finding, change) for finding in findings]
    served = [one for one in findings if is_served(usage, one, wish_of(one), change, tried)]
    served.sort(key=_most_first)
    asking = [one for one in served if is_part(one, change)] or served[:1]
    beside = [one for one in findings if wish_of(one) is None and one.suppressed is None]
    told = _asked(usage, united(usage, asking, change), beside, change, tried) if asking else []
    if not any(_is_worth(usage, one) for one in told):
        change, served, asking, told = KEPT, [], [], []
    named, asked = ", ".join(one.named for one in told), tuple(told)
    for finding in findings:
        wish = wish_of(finding)
        if finding.suppressed is not None:
            told.append(finding)
            continue
        if wish is None:
            merged = merging(finding, tried)
            told.append(_beside(usage, merged, asked, tried.get(change.layout)))
            continue
        if any(finding is one for one in asking):
            continue
        known = tried.get(wish.layout)
        won = finding.bytes_at_stake or 0 if known is None else won_of(usage, finding, known)
        if change == KEPT:
            told += for_nothing(usage, finding, known, won)
        else:
            is_won = any(finding is one for one in served)
            told.append(for_another(usage, finding, change, named, won, is_won=is_won))
    small = [one for one in told if not _is_worth(usage, one)]
    return [*in_one_rewrite([one for one in told if _is_worth(usage, one)]), *small]


def _as_chosen(finding: Finding, change: Change) -> Finding:
    """A finding that wishes for any of some changes, as one that wishes for that which is part of a
    chosen change, if one is."""
    own = next((one for one in any_of_fields(finding) if has_fields_of(change, one)), None)
    if own is None:
        return finding
    columns = tuple(name for _, name in own.added)
    return replace(finding, columns=columns, fix=replace(finding.fix, change=own))


def _parts(
    usage: TableUsage, findings: Sequence[Finding], tried: Mapping[Change, Tried]
) -> list[Change]:
    """Returns what was tried of parts of the table, by orders by which the whole would win as much,
    as new files have them, too; nothing where files elsewhere are to be written anew as well, which
    is one rewrite."""
    if any(wish_of(one) is None and one.fix.change.files in _WHOLE for one in findings):
        return []
    parts = [replace(one, files=Files.ALL) for one in tried if one.where is not None]
    won = {one: bytes_won(usage, findings, one, tried) or 0 for one in parts}
    whole = {one: bytes_won(usage, findings, replace(one, where=None), tried) for one in parts}
    point = POINT * usage.bytes_read
    return [one for one in parts if won[one] and (whole[one] or 0) >= won[one] - point]


def _is_worth(usage: TableUsage, finding: Finding) -> bool:
    """Tells whether a finding is told; of others nothing becomes part of what is done."""
    return is_reported(
        finding, usage.thresholds, None if usage.health is None else usage.health.bytes
    )


def _most_first(finding: Finding) -> tuple[int, str]:
    return -(finding.bytes_at_stake or 0), finding.named


def _asked(
    usage: TableUsage,
    served: Sequence[Finding],
    beside: Sequence[Finding],
    change: Change,
    tried: Mapping[Change, Tried],
) -> list[Finding]:
    """The findings that ask for a change, with what they win by it."""
    known = tried.get(change.layout)
    served = [_in_words_of(one, change) for one in served]
    if known is not None:
        won = won_by_each(usage, known, served, beside)
        served = [_as_tried(usage, *each, change) for each in zip(served, won, strict=True)]
        if not known.is_assumed:
            served = [replace(one, confidence=_at_least_medium(one)) for one in served]
    withheld = [one for one in served if one.fix.wish.withheld is not None]
    is_withheld = change.changes_fields and not any(
        one.fix.change.changes_fields and has_fields_of(change, one.fix.change) for one in served
    )
    if withheld and is_withheld:
        told = [_later(one, wording.MORE_WINDOWS) for one in served]
    elif known is not None and known.is_worse_yet:
        after = wording.once_written(change)
        told = [_asking(one, change) if one.fix.rewrite else _later(one, after) for one in served]
    else:
        told = [_asking(one, change) for one in served]
    return told if known is None else [_with_price(usage, told[0], known, tried), *told[1:]]


def _in_words_of(finding: Finding, change: Change) -> Finding:
    """A finding with the advice of the change, if that is another one than it asks for."""
    wish, fix = wish_of(finding), finding.fix
    keeps_own = fix.rewrite is not None or fix.change.modes or fix.wish.withheld is not None
    if wish is None or wish.layout == change.layout or keeps_own:
        return finding
    told = (wording.moving(fix.wish.moving) if fix.wish.moving else None, wording.advice_of(change))
    fix = replace(fix, advice=" ".join(filter(None, told)))
    later = serves_later(finding.fix)
    return replace(finding, fix=serving_later(fix) if later else fix)


def _as_tried(usage: TableUsage, finding: Finding, won: Won, change: Change) -> Finding:
    """A finding with the bytes that its scans win as they were tried, beside those that a condition
    to write wins, and with the scans of others that win much."""
    if finding.lost_at == ROW_GROUPS:
        return finding
    before, wish = finding.bytes_at_stake, finding.fix.wish
    if won.others and is_about_queries(finding):
        finding = _with_others(usage, finding, won, change)
    if before is None and (not won.others or wish.fewer_files):
        return finding
    is_order = bool(finding.fix.change.order) and not finding.fix.change.changes_fields
    by_query = max(0, (before or 0) - wish.bytes_by_order) if is_order else 0
    stake = min(won.bytes + by_query, finding.bytes_read)
    return replace(finding, bytes_at_stake=stake, severity=usage.thresholds.severity(stake))


def _at_least_medium(finding: Finding) -> Confidence:
    """Returns what rests on rows that were read is no assumption."""
    return min(finding.confidence, Confidence.MEDIUM, key=_CONFIDENCES.index)


def _with_others(usage: TableUsage, finding: Finding, won: Won, change: Change) -> Finding:
    asked = dict.fromkeys(name for group in won.others for name in columns_in(group.conditions))
    waits = waiting_for_writing(usage, columns_of(change))
    later = {g.fingerprint for g, is_later in zip(usage.groups, waits, strict=True) if is_later}
    is_later = any(group.fingerprint in later for group in won.others)
    names = {*finding.evidence.get("fingerprints", ()), *fingerprints(won.others)}
    beside = f" Scans that ask for {', '.join(asked)} skip files by it as well." if asked else ""
    return replace(
        finding,
        scans=finding.scans + sum(group.count for group in won.others),
        bytes_read=finding.bytes_read + sum(group.bytes_read for group in won.others),
        sentence=f"{finding.sentence}{beside}",
        fix=serving_later(finding.fix) if is_later else finding.fix,
        evidence={**finding.evidence, "fingerprints": sorted(names)},
    )


def _with_price(
    usage: TableUsage, finding: Finding, known: Tried, tried: Mapping[Change, Tried]
) -> Finding:
    """A finding that says what its change costs: what others lose, and the rewrite, beside what is
    won in a window, and in a night."""
    advice, evidence = [finding.fix.advice], dict(finding.evidence)
    if finding.fix.wish.fewer_files:
        present = tried.get(in_present_fields(finding.fix.change).layout)
        less = (known.won + opening_won(known, present)) / max(1, known.cost)
        advice.append(f"Scans cost about {less:.0%} less, opening of files included.")
        evidence |= {"cost_saved": less}
    if known.lost.bytes:
        net = "" if finding.bytes_at_stake is None else ", which the bytes at stake allow for"
        advice.append(f"{known.lost.loss}{net}.")
        evidence |= known.lost.told
    if usage.health is not None and known.won > 0 and finding.fix.change.acts:
        rewrite = round(2 * known.rewritten * usage.health.bytes)
        windows = ceil(rewrite / known.won)
        advice.append(
            f"It pays after {plural(windows, 'window')} like this one ({size(rewrite)} are read "
            "and written)."
        )
        evidence |= {"rewrite_bytes": rewrite, "pays_after_windows": windows}
        advice.append(_of_nights(usage, finding.fix.change, tried))
    told = " ".join(part for part in advice if part) or None
    return replace(finding, fix=replace(finding.fix, advice=told), evidence=evidence)


def _of_nights(usage: TableUsage, change: Change, tried: Mapping[Change, Tried]) -> str:
    """Says how a change and the bytes of a night go together, where there is a limit."""
    if usage.part_of_night is None:
        return ""
    limit = f"`advice.rewrite_bytes_per_night` ({size(usage.rewrite_bytes or 0)})"
    if not is_of_night(usage, change, tried):
        return f"It writes more anew than {limit}: nothing within that is worth it."
    whole = tried.get(replace(change.layout, where=None))
    if change.where is None or whole is None or whole.won <= 0:
        return ""
    return (
        f"All of the table would win {size(whole.won)}, which is more than {limit} allows: audit "
        "again after it."
    )


def _asking(finding: Finding, change: Change) -> Finding:
    """A finding that asks for a change, with what else its own does in the same rewrite."""
    own = finding.fix.change
    if own.layout == change.layout:
        return finding
    whole = replace(change, modes=own.modes, row_group_bytes=own.row_group_bytes)
    return replace(finding, fix=replace(finding.fix, change=whole))


def _later(finding: Finding, advice: str) -> Finding:
    """A finding whose bytes are at stake, and that asks for nothing yet."""
    said = finding.fix.advice
    advice = said if said is not None and advice in said else advice
    return replace(finding, fix=replace(finding.fix, advice=advice, change=KEPT, wish=NO_WISH))


def _beside(
    usage: TableUsage, finding: Finding, asked: Sequence[Finding], known: Tried | None
) -> Finding:
    """A finding that asks for no layout, with the bytes that it wins beside the one that is
    `asked` for: of row groups, the same share of what that leaves its scans."""
    stake = finding.bytes_at_stake
    if stake is None or not asked or finding.lost_at != ROW_GROUPS:
        return finding
    if known is None:
        won = sum(one.bytes_at_stake or 0 for one in asked if {*shapes(one)} & {*shapes(finding)})
    else:
        won = won_of(usage, finding, known)
    stake = round(stake * max(0.0, 1 - won / max(1, finding.bytes_read)))
    return replace(finding, bytes_at_stake=stake, severity=usage.thresholds.severity(stake))
