"""Iceberg with extended text: `python -m lakehouse.iceberg_extended NAME ROOT PACKAGES`.

Aggregates that are answered from metadata, whose table stands in the analyzed plan only; MERGE, whose clauses no plan
prints in this mode but the parsed one.
"""

from __future__ import annotations

from lakehouse import common, iceberg_writers
from lakehouse.session import Statement

FROM_METADATA: list[Statement] = [
    iceberg_writers.CTAS_FROM_METADATA,
    (
        "insert: from metadata",
        "INSERT INTO {ns}.counted SELECT count(id) AS n, max(id) + 1 AS last FROM {ns}.orders",
    ),
    ("read: from metadata", "SELECT min(amount) AS least, max(amount) AS most FROM {ns}.updates"),
]


def main() -> None:
    """Runs all statements."""
    shop, _ = common.opened(iceberg_writers.NS, "iceberg", iceberg_writers.settings, "extended")
    shop.run([*FROM_METADATA, *common.MERGES[:4], common.BY_SOURCE])
    shop.run(
        [
            ("alter: marked", f"ALTER TABLE {{ns}}.orders SET TBLPROPERTIES ({iceberg_writers.ROW_LEVEL})"),
            (
                "merge: marked",
                (
                    "MERGE INTO {ns}.orders t USING {ns}.updates s ON t.id = s.id"
                    " WHEN MATCHED AND s.op = 'd' THEN DELETE"
                    " WHEN MATCHED THEN UPDATE SET t.amount = t.amount + s.amount"
                    " WHEN NOT MATCHED THEN INSERT (id, customer, amount, day)"
                    " VALUES (s.id, lower(s.customer), s.amount, s.day)"
                ),
            ),
            *common.CHANGES,
        ]
    )
    shop.spark.sparkContext.setJobDescription("merge: not collected")
    shop.spark.sql(common.MERGES[1][1].format(ns=shop.namespace))
    shop.spark.stop()


if __name__ == "__main__":
    main()
