"""SQL over the audit tables, in the SQL that Trino and Athena have in common.

Only rows of visible runs count: those with a row in `audit_runs`. `$schema` is the audit's
namespace, `${fingerprint:sqlstring}` the chosen query's fingerprint as a literal, and
`$__timeFilter` the plugins' macro for the time range of the dashboard.
"""

# ruff: noqa: S608  # made of names from the schemas alone

from __future__ import annotations

from prunescope.audit_jobs.results.audit_table import AuditTable
from prunescope.audit_jobs.results.scan_schemas import CONJUNCTS, PASSES, POTENTIAL, SCAN_PLANS
from prunescope.audit_jobs.results.schemas import AUDIT_RUNS, COLUMN_HEALTH, FINDINGS

_SHOWN = ("manifests", "data_files", "bytes", "records", "row_groups")
_CHOSEN = "${fingerprint:sqlstring}"


def worst() -> str:
    """The queries that read most, by fingerprint and table; their share is one of data files,
    because the bytes below pruned manifests are unknown."""
    return f"""\
SELECT
  p.fingerprint,
  p.catalog,
  p.namespace,
  p."table",
  count(*) AS scans,
  sum(p.bytes_kept) AS bytes_read,
  CAST(sum(p.data_files_kept) FILTER (WHERE p.data_files_total IS NOT NULL) AS double)
    / nullif(sum(p.data_files_total) FILTER (WHERE p.data_files_kept IS NOT NULL), 0) AS share_read,
  sum(p.bytes_kept - p.potential_bytes_kept) AS readable_less,
  max(p.predicate) AS predicate
FROM {_visible(SCAN_PLANS, "p")}
WHERE $__timeFilter(p.window_start)
  AND p.fingerprint IS NOT NULL
  AND p.bytes_kept IS NOT NULL
GROUP BY p.fingerprint, p.catalog, p.namespace, p."table"
ORDER BY bytes_read DESC
LIMIT 100"""


def kept_over_time() -> str:
    """The share that each pass keeps for the chosen query, by window."""
    ratios = ",\n".join(
        f"  CAST({_known(name, 'kept')} AS double) / nullif({_known(name, 'considered')}, 0)"
        f' AS "{name}"'
        for name in PASSES
    )
    return f"""\
SELECT
  p.window_start AS time,
{ratios}
FROM {_visible(SCAN_PLANS, "p")}
WHERE $__timeFilter(p.window_start) AND p.fingerprint = {_CHOSEN}
GROUP BY p.window_start
ORDER BY p.window_start"""


def funnel() -> str:
    """The containers that each pass considers and keeps for the chosen query, summed over its
    scans."""
    return "\nUNION ALL\n".join(_funnel_row(name) for name in _SHOWN)


def conjuncts() -> str:
    """The conditions of the chosen query, with what each alone prunes, and why it prunes
    nothing."""
    pruned = ",\n".join(f"  sum(c.{name}_pruned) AS {name}_pruned" for name in PASSES)
    reasons = ",\n".join(f"  max(c.{name}_reason) AS {name}_reason" for name in PASSES)
    return f"""\
SELECT
  p.namespace,
  p."table",
  c.predicate,
  c."class",
  c.pushed,
  count(*) AS scans,
{pruned},
{reasons}
FROM {_visible(SCAN_PLANS, "p")}
JOIN $schema.{CONJUNCTS.name} c ON c.run_id = p.run_id AND c.scan_key = p.scan_key
WHERE $__timeFilter(p.window_start) AND p.fingerprint = {_CHOSEN}
GROUP BY p.namespace, p."table", c.predicate, c."class", c.pushed
ORDER BY scans DESC
LIMIT 100"""


def findings() -> str:
    """The findings for the chosen query and for the tables that it reads, newest first."""
    return f"""\
SELECT
  f.window_start AS time,
  f.severity,
  f.cause,
  f.namespace,
  f."table",
  f.sentence,
  f.bytes_at_stake,
  f.rewrite,
  array_join(f.fix_trino, '; ') AS fix_trino,
  array_join(f.fix_spark, '; ') AS fix_spark
FROM {_visible(FINDINGS, "f")}
WHERE $__timeFilter(f.window_start)
  AND f.suppressed IS NULL
  AND (f.fingerprint = {_CHOSEN} OR (f.fingerprint IS NULL AND {_reads("f")}))
ORDER BY f.window_start DESC, f."rank"
LIMIT 100"""


def columns() -> str:
    """The clustering of the columns of the tables that the chosen query reads: how well their
    bounds tell files apart."""
    return f"""\
SELECT
  h.window_start AS time,
  h.namespace,
  h."table",
  h."column",
  h.type,
  h.bounded,
  h.overlap,
  h.depth,
  h.common_bounds,
  h.impossible
FROM {_visible(COLUMN_HEALTH, "h")}
WHERE $__timeFilter(h.window_start) AND {_reads("h")}
ORDER BY h.window_start DESC, h.depth DESC
LIMIT 100"""


def engines() -> str:
    """The engines that ran the chosen query, the rules by which it was planned, and whether what
    they read agrees with these rules."""
    return f"""\
SELECT
  p.engine,
  p.engine_version,
  p.planner,
  p.agreement,
  count(*) AS scans
FROM {_visible(SCAN_PLANS, "p")}
WHERE $__timeFilter(p.window_start) AND p.fingerprint = {_CHOSEN}
GROUP BY p.engine, p.engine_version, p.planner, p.agreement
ORDER BY scans DESC"""


def _visible(table: AuditTable, alias: str) -> str:
    return (
        f"$schema.{table.name} {alias}\n"
        f"JOIN $schema.{AUDIT_RUNS.name} r ON r.run_id = {alias}.run_id"
    )


def _known(funnel: str, stage: str) -> str:
    """The sum over scans for which the pass is known, so that ratios are of the same scans."""
    other = "considered" if stage == "kept" else "kept"
    return f"sum(p.{funnel}_{stage}) FILTER (WHERE p.{funnel}_{other} IS NOT NULL)"


def _funnel_row(funnel: str) -> str:
    allowed = f"sum(p.potential_{funnel}_kept)" if funnel in POTENTIAL else "CAST(NULL AS bigint)"
    return f"""\
SELECT
  '{funnel.replace("_", " ")}' AS what,
  sum(p.{funnel}_total) AS in_snapshots,
  sum(p.{funnel}_considered) AS considered,
  sum(p.{funnel}_kept) AS kept,
  {allowed} AS allowed
FROM {_visible(SCAN_PLANS, "p")}
WHERE $__timeFilter(p.window_start) AND p.fingerprint = {_CHOSEN}"""


def _reads(alias: str) -> str:
    return f"""EXISTS (
    SELECT 1 FROM $schema.{SCAN_PLANS.name} s
    WHERE s.run_id = {alias}.run_id AND s.fingerprint = {_CHOSEN} AND s.catalog = {alias}.catalog
      AND s.namespace = {alias}.namespace AND s."table" = {alias}."table")"""
