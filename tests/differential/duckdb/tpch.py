"""Small TPC-H-like data, made so that each of the 22 queries finds something."""

from __future__ import annotations

import duckdb

# Counts per table; DuckDB's hash makes values that look random and are the same every time.
_SETUP = """
CREATE MACRO pick(seed, salt, n) AS (hash(seed::VARCHAR || salt) % n::UBIGINT)::INTEGER;
CREATE TABLE region AS SELECT i::BIGINT AS regionkey,
    ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'][i + 1] AS name, 'c' AS comment
FROM range(5) r(i);
CREATE TABLE nation AS SELECT i::BIGINT AS nationkey,
    ['ALGERIA', 'ARGENTINA', 'BRAZIL', 'CANADA', 'EGYPT', 'ETHIOPIA', 'FRANCE', 'GERMANY', 'INDIA',
     'INDONESIA', 'IRAN', 'IRAQ', 'JAPAN', 'JORDAN', 'KENYA', 'MOROCCO', 'MOZAMBIQUE', 'PERU',
     'CHINA', 'ROMANIA', 'SAUDI ARABIA', 'VIETNAM', 'RUSSIA', 'UNITED KINGDOM',
     'UNITED STATES'][i + 1] AS name,
    [0, 1, 1, 1, 4, 0, 3, 3, 2, 2, 4, 4, 2, 4, 0, 0, 0, 1, 2, 3, 4, 2, 3, 3, 1][i + 1]::BIGINT
        AS regionkey, 'c' AS comment
FROM range(25) r(i);
CREATE TABLE supplier AS SELECT i::BIGINT AS suppkey, 'Supplier#' || i AS name, 'a' || i AS address,
    pick(i, 'n', 25)::BIGINT AS nationkey, (10 + pick(i, 'n', 25)) || '-1' AS phone,
    (pick(i, 'b', 10000) - 1000)::DOUBLE AS acctbal,
    CASE WHEN i % 20 = 0 THEN 'x Customer y Complaints z' ELSE 'fine' END AS comment
FROM range(60) r(i);
CREATE TABLE customer AS SELECT i::BIGINT AS custkey, 'Customer#' || i AS name, 'a' || i AS address,
    pick(i, 'cn', 25)::BIGINT AS nationkey, (10 + pick(i, 'cn', 25)) || '-7' AS phone,
    (pick(i, 'cb', 10000) - 1000)::DOUBLE AS acctbal,
    ['AUTOMOBILE', 'BUILDING', 'FURNITURE', 'MACHINERY', 'HOUSEHOLD'][1 + pick(i, 'm', 5)]
        AS mktsegment, 'c' AS comment
FROM range(300) r(i);
CREATE TABLE part AS SELECT i::BIGINT AS partkey,
    ['forest green', 'green almond', 'navy blue', 'forest red'][1 + pick(i, 'pn', 4)] AS name,
    'Manufacturer#' || (1 + i % 5) AS mfgr,
    'Brand#' || (1 + pick(i, 'b1', 5)) || (1 + pick(i, 'b2', 5)) AS brand,
    ['PROMO', 'ECONOMY', 'STANDARD', 'MEDIUM'][1 + pick(i, 't1', 4)] || ' '
        || ['ANODIZED', 'POLISHED'][1 + pick(i, 't2', 2)] || ' '
        || ['STEEL', 'BRASS', 'TIN'][1 + pick(i, 't3', 3)] AS type,
    1 + pick(i, 'sz', 20) AS size,
    ['SM CASE', 'SM BOX', 'MED BAG', 'MED BOX', 'LG CASE', 'LG BOX'][1 + pick(i, 'c', 6)]
        AS container, (900 + i)::DOUBLE AS retailprice, 'c' AS comment
FROM range(300) r(i);
CREATE TABLE partsupp AS SELECT p.partkey, ((p.partkey * 4 + k) % 60)::BIGINT AS suppkey,
    pick(p.partkey * 4 + k, 'q', 9999) AS availqty,
    (1 + pick(p.partkey * 4 + k, 'sc', 1000))::DOUBLE AS supplycost, 'c' AS comment
FROM part p, range(4) r(k);
CREATE TABLE orders AS SELECT i::BIGINT AS orderkey, (pick(i, 'oc', 280))::BIGINT AS custkey,
    ['F', 'O', 'P'][1 + pick(i, 'os', 3)] AS orderstatus, (1000 + pick(i, 'tp', 400000))::DOUBLE
        AS totalprice, DATE '1992-01-01' + pick(i, 'od', 2400) AS orderdate,
    ['1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW'][1 + pick(i, 'op', 5)]
        AS orderpriority, 'Clerk#1' AS clerk, 0 AS shippriority,
    CASE WHEN i % 9 = 0 THEN 'a special b requests c' ELSE 'plain' END AS comment
FROM range(3000) r(i);
CREATE TABLE lineitem AS SELECT o.orderkey, pick(o.orderkey * 8 + k, 'lp', 300)::BIGINT AS partkey,
    ((pick(o.orderkey * 8 + k, 'lp', 300) * 4 + pick(o.orderkey * 8 + k, 'ls', 4)) % 60)::BIGINT
        AS suppkey, (k + 1)::INTEGER AS linenumber,
    (1 + pick(o.orderkey * 8 + k, 'lq', 50) + CASE WHEN o.orderkey % 500 = 0 THEN 60 ELSE 0 END)
        ::DOUBLE AS quantity, (100 + pick(o.orderkey * 8 + k, 'le', 90000))::DOUBLE
        AS extendedprice, (pick(o.orderkey * 8 + k, 'ld', 11) / 100)::DECIMAL(4, 2) AS discount,
    (pick(o.orderkey * 8 + k, 'lt', 9) / 100)::DECIMAL(4, 2) AS tax,
    ['A', 'N', 'R'][1 + pick(o.orderkey * 8 + k, 'lr', 3)] AS returnflag,
    ['F', 'O'][1 + pick(o.orderkey * 8 + k, 'lls', 2)] AS linestatus,
    o.orderdate + 1 + pick(o.orderkey * 8 + k, 'lsd', 120) AS shipdate,
    o.orderdate + 30 + pick(o.orderkey * 8 + k, 'lcd', 60) AS commitdate,
    o.orderdate + 2 + pick(o.orderkey * 8 + k, 'lrd', 150) AS receiptdate,
    ['DELIVER IN PERSON', 'COLLECT COD', 'NONE', 'TAKE BACK RETURN']
        [1 + pick(o.orderkey * 8 + k, 'li', 4)] AS shipinstruct,
    ['REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB', 'AIR REG']
        [1 + pick(o.orderkey * 8 + k, 'lm', 8)] AS shipmode, 'c' AS comment
FROM orders o, range(5) r(k) WHERE k <= pick(o.orderkey, 'n', 5);
"""

TABLES = ("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem")


def tpch() -> duckdb.DuckDBPyConnection:
    """A database with the eight tables."""
    database = duckdb.connect()
    database.execute(_SETUP)
    return database
