"""Dynamic filters of a Trino event: which columns they filter, without any value."""

from __future__ import annotations

import json
from typing import Any

import pytest

from prunescope.collectors.observed import ObservedQuery
from prunescope.collectors.predicates.model import Unsupported
from prunescope.collectors.queries.trino import events as trino_events

ORDERS = """
        ScanFilter[table = lake:db.orders$data@77 constraint on [day], filterPredicate = (a = 1), \
dynamicFilters = {customer_4 = #df_370, id_1 = #df_9}]
            Layout: [customer_4:bigint, id_1:bigint]
            customer_4 := 2:customer:bigint
            id_1 := 1:id_1:bigint
"""
OTHER = """
        TableScan[table = lake:db.other@5]
            customer := 1:customer:bigint
"""
DOMAINS = [
    {
        "dynamicFilterId": "df_370",
        "simplifiedDomain": "[ SortedRangeSet[type=bigint, ranges=3, {[77123], ..., [99]}] ]",
    },
    {"dynamicFilterId": "df_9", "simplifiedDomain": "[ NONE ]"},
]
CUSTOMER = "customer IN dynamic filter (3 ranges)"
ID = "id_1 IN dynamic filter"


def runtime(plan: object, domains: object = DOMAINS, *tables: str) -> list[list[str]]:
    """The leaves of each scan of `tables`, of lake.db.orders where none is given."""
    inputs = [
        {"catalogName": "lake", "schema": "db", "table": table} for table in tables or ("orders",)
    ]
    event: dict[str, Any] = {
        "metadata": {"queryId": "q", "query": "SELECT 1", "queryState": "FINISHED", "plan": plan},
        "statistics": {"dynamicFilterDomainStatistics": domains},
        "ioMetadata": {"inputs": inputs},
    }
    query = trino_events.from_json(json.dumps(event), "here")
    assert isinstance(query, ObservedQuery)
    leaves = [scan.runtime for scan in query.scans]
    for leaf in (leaf for found in leaves for leaf in found):
        assert isinstance(leaf, Unsupported)
        assert leaf.reason == "runtime_filter"
        assert leaf.text == leaf.redacted
        assert leaf.columns == (leaf.text.split()[0],)
    return [[leaf.text for leaf in found if isinstance(leaf, Unsupported)] for found in leaves]


def test_columns_are_those_of_the_scan_and_their_values_are_not_shown() -> None:
    leaves = [CUSTOMER, ID]
    assert runtime(f"Fragment 1 [SOURCE]{ORDERS}{OTHER}", DOMAINS, "orders", "other") == [
        leaves,
        [],
    ]


def test_old_plans_are_drawn_and_quote_symbols() -> None:
    plan = (
        "   └─ InnerJoin[criteria = (a = b)]\n"
        "      ├─ ScanFilterProject[table = lake:db.orders$data@7, grouped = false, "
        'dynamicFilters = {""customer_4"" = #df_370}]\n'
        "      │      Layout: [customer_4:bigint]\n"
        "      │      customer_4 := 2:customer:bigint\n"
        "      └─ LocalExchange[partitioning = SINGLE]\n"
    )
    assert runtime(plan) == [[CUSTOMER]]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("", "", [CUSTOMER, ID], id="as it is"),
        pytest.param("lake:db.orders", "LAKE:Db.Orders", [CUSTOMER, ID], id="case"),
        pytest.param("lake:db.orders$", "lake:db.orders2$", [], id="another table"),
        pytest.param("4 := 2:customer", "4 := 2:name", [ID], id="nested field"),
        pytest.param("customer_4 := 2:", "customer_5 := 2:", [ID], id="no column"),
        pytest.param("{customer_4 =", "{customer_4 >=", [ID], id="another operator"),
        pytest.param("{customer_4 =", "{CAST(customer_4 AS date) =", [ID], id="expression"),
        pytest.param("#df_370", "#df_371", [ID], id="another id"),
        pytest.param(
            "(a = 1)",
            "(a = 'dynamicFilters = {customer_4 = #df_9}')",
            [CUSTOMER, ID],
            id="literal like a filter",
        ),
    ],
)
def test_only_certain_links_are_taken(before: str, after: str, expected: list[str]) -> None:
    assert runtime(ORDERS.replace(before, after, 1)) == [expected]


def test_a_table_that_is_scanned_twice_has_the_filters_of_both_scans() -> None:
    second = ORDERS.replace("customer_4 = #df_370, ", "")
    assert runtime(ORDERS + second, DOMAINS, "orders", "orders") == [[ID]] * 2


@pytest.mark.parametrize(
    "domains",
    [
        pytest.param(None, id="absent"),
        pytest.param([], id="none"),
        pytest.param([{"dynamicFilterId": "df_370", "simplifiedDomain": "[ALL]"}], id="all"),
        pytest.param([{"dynamicFilterId": "df_370"}], id="not collected"),
        pytest.param([5, {"dynamicFilterId": 5, "simplifiedDomain": {}}], id="of other types"),
    ],
)
def test_domains_that_restrict_nothing_are_no_filters(domains: object) -> None:
    assert runtime(ORDERS, domains) == [[]]


@pytest.mark.parametrize("plan", [None, "", 5, "no plan", "ScanFilter[table = lake:db.orders"])
def test_without_a_plan_no_filter_has_a_column(plan: object) -> None:
    assert runtime(plan) == [[]]


def test_a_domain_of_one_range_is_in_the_singular() -> None:
    domains = [{"dynamicFilterId": "df_370", "simplifiedDomain": "[ SortedRangeSet[ranges=1] ]"}]
    assert runtime(ORDERS, domains) == [["customer IN dynamic filter (1 range)"]]
