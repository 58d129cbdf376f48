"""The section `findings` of the configuration: what is worth one, and what nobody needs to be told.

What stands below each key is its meaning in docs/configuration.md, which `make generated` writes.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from prunescope.audit_jobs.findings.policy import Policy, Suppression
from prunescope.audit_jobs.findings.thresholds import Thresholds
from prunescope.audit_jobs.sections import Section
from prunescope.audit_jobs.suggestions import suggestion

_DEFAULTS = Thresholds()


class TableThresholds(Section):
    """Thresholds of findings on the tables that `table`, a glob over `catalog.namespace.table`,
    matches; one that is not set keeps its default: see
    `prunescope.audit_jobs.findings.thresholds`."""

    table: str
    """a glob over `catalog.namespace.table`; the first entry that matches a table counts, and what
    it does not set keeps its default"""
    small_table_bytes: Annotated[int, Field(ge=0)] = _DEFAULTS.small_table_bytes
    """smaller tables have no findings"""
    min_bytes_at_stake: Annotated[int, Field(ge=0)] = _DEFAULTS.min_bytes_at_stake
    """fewer bytes at stake in one window are no finding"""
    medium_bytes: Annotated[int, Field(ge=0)] = _DEFAULTS.medium_bytes
    """bytes at stake from which a finding is `medium`"""
    high_bytes: Annotated[int, Field(ge=0)] = _DEFAULTS.high_bytes
    """bytes at stake from which a finding is `high`"""
    medium_share: Annotated[float, Field(gt=0, le=1)] | None = _DEFAULTS.medium_share
    """the share of what all scans of the window read, from which bytes at stake are `medium`, too;
    `null`: by `medium_bytes` alone"""
    high_share: Annotated[float, Field(gt=0, le=1)] | None = _DEFAULTS.high_share
    """the share from which they are `high`; `null`: by `high_bytes` alone"""
    min_share: Annotated[float, Field(ge=0, le=1)] = _DEFAULTS.min_share
    """a smaller share of what the scans read is no finding"""
    min_scans: Annotated[int, Field(ge=1)] = _DEFAULTS.min_scans
    """a query that ran less often has no finding, unless it alone puts `high_bytes` at stake"""


class SuppressedFindings(Section):
    """Findings that nobody needs to be told, for a reason and until a day (inclusive)."""

    table: str
    """a glob over `catalog.namespace.table`: findings of these tables are suppressed"""
    reason: Annotated[str, Field(min_length=1)]
    """why nobody needs to see them"""
    until: dt.date
    """the last day (inclusive) of the suppression, by the day of the audited window, whenever it is
    run"""
    cause: str | None = None
    """suppress only findings of this cause; by default, of any"""
    fingerprint: str | None = None
    """suppress only findings of queries with this fingerprint; by default, of any"""

    @field_validator("cause")
    @classmethod
    def _known_cause(cls, cause: str | None) -> str | None:
        from prunescope.audit_jobs.findings.catalogue import BY_ID  # noqa: PLC0415  # a second to import

        if cause is not None and cause not in BY_ID:
            raise ValueError(f"unknown: {cause}; {suggestion(cause, BY_ID)}")
        return cause


def _is_link(link: str) -> bool:
    """True if a string is the template of a link that may be shown to anybody."""
    try:
        url = urlsplit(link)
    except ValueError:
        return False
    is_web = url.scheme in ("http", "https") and bool(url.hostname) and url.username is None
    is_plain = link.isprintable() and not set(link) & set(" \"'<>`\\")
    return is_web and is_plain and "{query_id}" in link.removeprefix(f"{url.scheme}://{url.netloc}")


class Advice(Section):
    """Limits of advice."""

    rewrite_bytes_per_night: Annotated[int, Field(ge=1)] | None = None
    """the bytes of data files of one table that a night's rewrite may write anew: of a table with
    more, the range of partitions is rewritten that is worth most; by default, there is no limit:
    [findings.md](findings.md#part-of-a-table)"""


class Findings(Section):
    """Thresholds and suppressions of findings."""

    thresholds: tuple[TableThresholds, ...] = ()
    """when bad pruning is worth a finding, by table"""
    suppress: tuple[SuppressedFindings, ...] = ()
    """findings that nobody needs to be told"""
    maintenance_users: tuple[str, ...] = ()
    """globs of users whose queries read all they can on purpose: these queries are replayed, but
    have no findings"""

    query_links: dict[str, str] = Field(default={})
    """by engine, the address of a query's page, http or https, with `{query_id}` for its id:
    `trino: "https://trino.example/ui/query.html?{query_id}"`; findings have a link to an example"""

    @field_validator("query_links")
    @classmethod
    def _are_links(cls, links: dict[str, str]) -> dict[str, str]:
        for engine, link in links.items():
            if not _is_link(link):
                raise ValueError(
                    f"{engine}: write a URL of http or https without a password and with "
                    "{query_id} for the id, such as https://trino.example/ui/query.html?{query_id}"
                )
        return links

    def however_small(self) -> Findings:
        """The section with no finding too small to be reported; severities stay."""
        least = {
            "small_table_bytes": 0,
            "min_bytes_at_stake": 0,
            "min_share": 0.0,
            "min_scans": 1,
        }
        others = TableThresholds(table="*")
        lowered = (t.model_copy(update=least) for t in (*self.thresholds, others))
        return self.model_copy(update={"thresholds": tuple(lowered)})

    @property
    def policy(self) -> Policy:
        """The policy by which findings are judged."""
        return Policy(
            thresholds=[
                (t.table, Thresholds(**t.model_dump(exclude={"table"}))) for t in self.thresholds
            ],
            suppressions=[Suppression(**s.model_dump()) for s in self.suppress],
            maintenance_users=self.maintenance_users,
            query_links=self.query_links,
        )
