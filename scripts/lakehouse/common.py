"""Statements that every format understands, on the tables of a small shop."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from pyspark.sql import DataFrame

from .session import EXPLAIN_MODE, Shop, Statement, session

ORDERS = "id BIGINT, customer STRING, amount DOUBLE, day STRING"


def first_tables(using: str) -> list[Statement]:
    """Tables and their first rows."""
    return [
        ("create: orders", f"CREATE TABLE {{ns}}.orders ({ORDERS}) {using} PARTITIONED BY (day)"),
        ("create: updates", f"CREATE TABLE {{ns}}.updates ({ORDERS}, op STRING) {using}"),
        (
            "insert: orders, values",
            (
                "INSERT INTO {ns}.orders VALUES (1, 'ann', 10.0, '2026-11-01'), (2, 'bob', 20.0, '2026-11-01'),"
                " (3, 'cid', 30.0, '2026-11-02'), (4, 'dan', 40.0, '2026-11-02'), (5, 'eve', 50.0, '2026-11-03')"
            ),
        ),
        (
            "insert: updates, values",
            (
                "INSERT INTO {ns}.updates VALUES (1, 'ann', 11.0, '2026-11-01', 'u'),"
                " (2, 'bob', 0.0, '2026-11-01', 'd'),"
                " (6, 'fay', 60.0, '2026-11-03', 'i')"
            ),
        ),
        (
            "ctas: totals",
            (
                f"CREATE TABLE {{ns}}.totals {using} AS"
                " SELECT day, sum(amount) AS total, count(id) AS orders FROM {ns}.orders GROUP BY day"
            ),
        ),
    ]


def opened(
    namespace: str, using: str, settings: Callable[[Path], Mapping[str, str]], mode: str = "formatted"
) -> tuple[Shop, Path]:
    """The shop of a module that is called `NAME ROOT PACKAGES`: its session, its database, `orders` and `updates`.

    Args:
        namespace: Catalog and database.
        using: The format.
        settings: The format's, of the folder for all that it writes.
        mode: `spark.sql.ui.explainMode`.

    Returns:
        The shop, which writes no snapshots down, and the folder.
    """
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, {**settings(root), EXPLAIN_MODE: mode})
    spark.sql(f"CREATE DATABASE {namespace}")
    shop = Shop(spark, namespace, lambda _: None, root / "snapshots.jsonl")
    shop.run(first_tables(f"USING {using}")[:4])
    return shop, root


WRITES: list[Statement] = [
    (
        "insert: orders, from updates",
        "INSERT INTO {ns}.orders SELECT id + 100, upper(customer), amount * 2, day FROM {ns}.updates WHERE op = 'i'",
    ),
    (
        "overwrite: totals",
        "INSERT OVERWRITE {ns}.totals SELECT day, max(amount), count(id) FROM {ns}.orders GROUP BY day",
    ),
    (
        "overwrite: orders, dynamic partition",
        (
            "INSERT OVERWRITE {ns}.orders SELECT id, customer, amount + 1 AS amount, day FROM {ns}.updates"
            " WHERE day = '2026-11-03'"
        ),
    ),
]

STATIC_OVERWRITE: Statement = (
    "overwrite: orders, static partition",
    (
        "INSERT OVERWRITE {ns}.orders PARTITION (day = '2026-11-02')"
        " SELECT id, lower(customer), amount FROM {ns}.updates WHERE op = 'u'"
    ),
)

RTAS = (
    "rtas: totals",
    (
        "CREATE OR REPLACE TABLE {{ns}}.totals {using} AS SELECT o.day, sum(o.amount) AS total, max(u.amount) AS best"
        " FROM {{ns}}.orders o JOIN {{ns}}.updates u ON o.id = u.id GROUP BY o.day"
    ),
)

MERGES: list[Statement] = [
    (
        "merge: update and insert all",
        (
            "MERGE INTO {ns}.orders t USING (SELECT id, customer, amount, day FROM {ns}.updates WHERE op != 'd') s"
            " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        ),
    ),
    (
        "merge: all clauses",
        (
            "MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id"
            " WHEN MATCHED AND s.op = 'd' THEN DELETE"
            " WHEN MATCHED AND t.amount < 100 THEN UPDATE SET t.amount = t.amount + s.amount,"
            " t.customer = lower(s.customer)"
            " WHEN NOT MATCHED AND s.amount > 0 THEN INSERT (id, customer, amount, day)"
            " VALUES (s.id, concat(s.customer, '!'), s.amount, s.day)"
        ),
    ),
    (
        "merge: from aggregate",
        (
            "MERGE INTO {ns}.orders t USING (SELECT id, max(customer) AS customer, sum(amount) AS amount"
            " FROM {ns}.updates GROUP BY id) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = s.amount * 2"
        ),
    ),
    (
        "merge: from itself",
        (
            "MERGE INTO {ns}.orders t USING (SELECT id, amount FROM {ns}.orders WHERE day = '2026-11-02') s"
            " ON t.id = s.id WHEN MATCHED THEN UPDATE SET amount = s.amount + 1"
        ),
    ),
    (
        "merge: insert only",
        (
            "MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id + 1000"
            " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id + 1000, s.customer, NULL, s.day)"
        ),
    ),
]

BY_SOURCE: Statement = (
    "merge: not matched by source",
    (
        "MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET t.amount = s.amount"
        " WHEN NOT MATCHED BY SOURCE AND t.amount > 35 THEN UPDATE SET t.customer = concat(t.customer, '?')"
        " WHEN NOT MATCHED BY SOURCE AND t.id > 1000 THEN DELETE"
    ),
)

CHANGES: list[Statement] = [
    ("update: orders", "UPDATE {ns}.orders SET amount = amount * 3, customer = concat(customer, day) WHERE id = 3"),
    ("delete: orders", "DELETE FROM {ns}.orders WHERE amount < 12 AND id > 1"),
]

READS: list[Statement] = [
    ("read: orders", "SELECT id, amount FROM {ns}.orders WHERE customer IS NOT NULL"),
]

ALTERS: list[Statement] = [
    ("alter: add", "ALTER TABLE {ns}.updates ADD COLUMNS (note STRING COMMENT 'free text')"),
    ("alter: comment", "ALTER TABLE {ns}.updates ALTER COLUMN note COMMENT 'words'"),
]

RENAMES: list[Statement] = [
    ("alter: reorder", "ALTER TABLE {ns}.updates ALTER COLUMN note AFTER customer"),
    ("alter: rename", "ALTER TABLE {ns}.updates RENAME COLUMN note TO remark"),
    ("ctas: remarks", "CREATE TABLE {ns}.remarks {using} AS SELECT id, remark, amount FROM {ns}.updates"),
    ("alter: drop", "ALTER TABLE {ns}.updates DROP COLUMN remark"),
]

STREAM_MERGE = (
    "MERGE INTO {ns}.orders t USING changed s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET amount = s.amount"
    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, s.name, s.amount, s.day)"
)
"""What a micro-batch does that stands as the view `changed`."""


def copy_stream(frame: DataFrame, using: str, table: str, checkpoint: Path) -> None:
    """Runs a stream into a table (a name, or a path), as a query named `stream: copied`, to the end of its source."""
    writer = frame.writeStream.format(using).option("checkpointLocation", str(checkpoint))
    writer = writer.queryName("stream: copied").trigger(availableNow=True)
    (writer.start(table) if "/" in table else writer.toTable(table)).awaitTermination()


def merge_stream(frame: DataFrame, merge: str, checkpoint: Path) -> None:
    """Runs a stream whose batches are merged by a statement over the view `changed`, as `stream: merged`."""

    def upsert(batch: DataFrame, number: int) -> None:
        batch.createOrReplaceTempView("changed")
        batch.sparkSession.sql(merge)

    writer = frame.writeStream.foreachBatch(upsert).option("checkpointLocation", str(checkpoint))
    writer.queryName("stream: merged").trigger(availableNow=True).start().awaitTermination()
