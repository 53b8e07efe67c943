"""Other writes of Paimon: `python -m lakehouse.paimon_writers NAME ROOT PACKAGES`."""

from __future__ import annotations

from pathlib import Path

from lakehouse import common
from lakehouse.session import Shop, Statement

NS = "paimon.shop"

FROM_OTHERS: list[Statement] = [
    (
        "update: from subquery",
        (
            "UPDATE {ns}.orders SET amount = (SELECT max(amount) FROM {ns}.updates WHERE op = 'u')"
            " WHERE id IN (SELECT id FROM {ns}.updates)"
        ),
    ),
    ("delete: where in", "DELETE FROM {ns}.orders WHERE id IN (SELECT id FROM {ns}.updates WHERE op = 'd')"),
    (
        "ctas: system table",
        "CREATE TABLE {ns}.made USING paimon AS SELECT snapshot_id, commit_kind FROM {ns}.`orders$snapshots`",
    ),
]
CREATE_KEYED: Statement = (
    "create: keyed",
    (
        "CREATE TABLE {ns}.keyed (id BIGINT, name STRING, amount DOUBLE) USING paimon"
        " TBLPROPERTIES ('primary-key' = 'id')"
    ),
)
KEYED: list[Statement] = [
    (
        "insert: keyed, computed",
        "INSERT INTO {ns}.keyed SELECT id, upper(customer), amount * 2 FROM {ns}.updates WHERE op <> 'd'",
    ),
    (
        "insert: keyed, named",
        "INSERT INTO {ns}.keyed SELECT id + 1 AS id, concat(customer, op) AS name, amount FROM {ns}.updates",
    ),
    (
        "insert: keyed, aggregated",
        (
            "INSERT INTO {ns}.keyed SELECT id, max(customer) AS name, sum(amount) AS amount"
            " FROM {ns}.updates GROUP BY id"
        ),
    ),
    (
        "insert: keyed, joined",
        (
            "INSERT INTO {ns}.keyed SELECT u.id, o.customer AS name, u.amount"
            " FROM {ns}.updates u JOIN {ns}.orders o ON u.id = o.id"
        ),
    ),
    ("overwrite: keyed", "INSERT OVERWRITE {ns}.keyed SELECT id, customer, amount FROM {ns}.updates"),
]
"""Rows that are handed over as an RDD (dynamic buckets): no formatted text has their query."""


def settings(root: Path) -> dict[str, str]:
    """Paimon's catalog, below a folder."""
    return {
        "spark.sql.extensions": "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions",
        "spark.sql.catalog.paimon": "org.apache.paimon.spark.SparkCatalog",
        "spark.sql.catalog.paimon.warehouse": f"file://{root}/lake",
    }


def main() -> None:
    """Runs all statements."""
    shop, root = common.opened(NS, "paimon", settings)
    shop.run(
        [
            (
                "insert: by name",
                "INSERT INTO {ns}.orders BY NAME SELECT day, amount, op AS customer, id FROM {ns}.updates",
            ),
            ("insert: list of columns", "INSERT INTO {ns}.orders (id, day) SELECT id, op FROM {ns}.updates"),
            *FROM_OTHERS,
            ("branch: orders", "CALL paimon.sys.create_branch('shop.orders', 'dev')"),
            (
                "insert: branch",
                "INSERT INTO {ns}.`orders$branch_dev` SELECT id, lower(customer), amount, day FROM {ns}.updates",
            ),
            ("ctas: branch", "CREATE TABLE {ns}.tried USING paimon AS SELECT id, amount FROM {ns}.`orders$branch_dev`"),
        ]
    )
    with shop.extended():
        shop.run([CREATE_KEYED, *KEYED])
    evolving(shop, str(root / "lake" / "shop.db" / "open"))
    shop.spark.stop()


def evolving(shop: Shop, place: str) -> None:
    """A write that widens the table's schema."""
    shop.run([("create: open", "CREATE TABLE {ns}.open (id BIGINT, amount DOUBLE) USING paimon")])
    rows = shop.table("updates").selectExpr("id", "amount * 2 AS amount", "upper(op) AS reason")
    writer = rows.write.format("paimon").mode("append").option("write.merge-schema", "true")
    shop.step("save: new column", lambda: writer.save(place))
    shop.run(
        [
            ("refresh: open", "REFRESH TABLE {ns}.open"),  # the catalog keeps what it knows of the table
            ("ctas: new column", "CREATE TABLE {ns}.reasons USING paimon AS SELECT id, reason FROM {ns}.open"),
        ]
    )


if __name__ == "__main__":
    main()
