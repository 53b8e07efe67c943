"""Hudi with extended text: `python -m lakehouse.hudi_extended NAME ROOT PACKAGES`; MERGE from what a query computes."""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import common, hudi
from lakehouse.session import EXPLAIN_MODE, Shop, Statement, session

COMPUTED: list[Statement] = [
    common.MERGES[2],
    hudi.INSERT_ONLY,
    (
        "merge: computed",
        (
            "MERGE INTO {ns}.orders t USING (SELECT u.id AS id, concat(u.customer, o.day) AS label, o.amount AS amount,"
            " o.day AS day FROM {ns}.updates u JOIN {ns}.marked o ON u.id = o.id WHERE u.op = 'u') s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET customer = s.label, amount = s.amount + t.amount"
            " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day) VALUES (s.id, s.label, s.amount, s.day)"
        ),
    ),
]


def main() -> None:
    """Runs all statements."""
    shop = opened("extended")
    shop.run([common.MERGES[1], *COMPUTED, *common.CHANGES])
    shop.spark.sparkContext.setJobDescription("merge: not collected")
    shop.spark.sql(common.MERGES[2][1].format(ns=hudi.NS))
    shop.spark.stop()


def opened(mode: str) -> Shop:
    """The shop of a module that is called `NAME ROOT PACKAGES`: `orders`, `updates`, `marked`, each with a key.

    Args:
        mode: `spark.sql.ui.explainMode`.
    """
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, {**hudi.CONF, EXPLAIN_MODE: mode})
    spark.sql("CREATE DATABASE shop")
    shop = Shop(spark, hudi.NS, lambda _: None, root / "snapshots.jsonl")
    rows = dict(common.first_tables("USING hudi"))
    shop.run(
        [
            (f"create: {table}", f"CREATE TABLE {{ns}}.{table} ({common.ORDERS}{more}) USING hudi {hudi.KEYED}")
            for table, more in (("orders", ""), ("updates", ", op STRING"), ("marked", ""))
        ]
    )
    shop.run([(each, rows[each]) for each in ("insert: orders, values", "insert: updates, values")])
    shop.run([("insert: marked", "INSERT INTO {ns}.marked SELECT id, upper(customer), amount, day FROM {ns}.orders")])
    return shop


if __name__ == "__main__":
    main()
