"""Whole queries and workloads."""

from __future__ import annotations

from tests.workloads.pairs.queries import (
    boards_and_audits,
    by_hand_and_orm,
    engines,
    families,
    joins,
    ledgers_and_records,
    logged,
    needs_of_several,
    of_a_warehouse,
    of_bi_tools,
    of_clients,
    of_clocks_and_stars,
    of_models_and_checks,
    of_pipelines_and_syncs,
    of_spark_alone,
    people,
    shapes,
    shops_and_campaigns,
    whole,
)

PAIRS = (
    *boards_and_audits.PAIRS,
    *by_hand_and_orm.PAIRS,
    *engines.PAIRS,
    *families.PAIRS,
    *joins.PAIRS,
    *ledgers_and_records.PAIRS,
    *logged.PAIRS,
    *needs_of_several.PAIRS,
    *of_a_warehouse.PAIRS,
    *of_bi_tools.PAIRS,
    *of_clients.PAIRS,
    *of_clocks_and_stars.PAIRS,
    *of_models_and_checks.PAIRS,
    *of_pipelines_and_syncs.PAIRS,
    *of_spark_alone.PAIRS,
    *people.PAIRS,
    *shapes.PAIRS,
    *shops_and_campaigns.PAIRS,
    *whole.PAIRS,
)
