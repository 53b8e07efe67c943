"""Bronze, silver and gold on Paimon: `python -m lakehouse.medallion_paimon NAME ROOT PACKAGES`."""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import functions as f

from lakehouse.medallion import WIDE, WIDE_LIST, Night, customers, events, land, merge_batches, wide
from lakehouse.session import session

_COLUMNS = ", ".join(f"{name} BIGINT" for name in WIDE)


def main() -> None:
    """Run three nights with the default settings."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    settings = {
        "spark.sql.extensions": "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions",
        "spark.sql.catalog.pai": "org.apache.paimon.spark.SparkCatalog",
        "spark.sql.catalog.pai.warehouse": f"file://{root}/pai",
    }
    land(root, 1)
    spark = session(name, root, packages, settings)
    for layer in ("bronze", "silver", "gold"):
        spark.sql(f"CREATE DATABASE pai.{layer}")
    night = Night(spark, root, "pai", root / "snapshots.jsonl")
    first_night(night)
    streams(night, "n1")
    land(root, 2)
    second_night(night)
    streams(night, "n2")
    third_night(night)
    spark.stop()


def first_night(night: Night) -> None:
    """Create the tables, load them once."""
    spark = night.spark
    night.sql(
        (
            "n1 bronze.orders create",
            "CREATE TABLE pai.bronze.orders (id BIGINT, cust BIGINT, amount DOUBLE, city STRING, day STRING)"
            " PARTITIONED BY (day)",
        ),
        (
            "n1 bronze.orders insert",
            "INSERT INTO pai.bronze.orders SELECT id, cust, amount, addr.city, day FROM json.`{root}/landing/orders/n1.json`",
        ),
        (
            "n1 bronze.customers create",
            "CREATE TABLE pai.bronze.customers (id BIGINT, name STRING, email STRING)"
            " TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '1')",
        ),
    )
    night.step(
        "n1 bronze.customers insertInto",
        lambda: customers(night, 1).write.insertInto("pai.bronze.customers"),
    )
    night.sql(
        (
            "n1 silver.orders create",
            "CREATE TABLE pai.silver.orders (id BIGINT, cust BIGINT, name STRING, amount DOUBLE, day STRING)"
            " TBLPROPERTIES ('primary-key' = 'id', 'bucket' = '2')",
        ),
        (
            "n1 silver.orders insert join",
            "INSERT INTO pai.silver.orders SELECT o.id, o.cust, upper(c.name), o.amount, o.day"
            " FROM pai.bronze.orders o LEFT JOIN pai.bronze.customers c ON o.cust = c.id WHERE o.amount >= 0",
        ),
        (
            "n1 silver.keyed create",
            "CREATE TABLE pai.silver.keyed (id BIGINT, cust BIGINT, note STRING) TBLPROPERTIES ('primary-key' = 'id')",
        ),
        (
            "n1 silver.keyed insert",
            "INSERT INTO pai.silver.keyed SELECT id, cust, concat('n', city) FROM pai.bronze.orders WHERE cust > 0",
        ),
        (
            "n1 gold.daily ctas",
            "CREATE TABLE pai.gold.daily AS SELECT day, sum(amount) AS total, count(*) AS n FROM pai.silver.orders GROUP BY day",
        ),
        (
            "n1 silver.copied ctas",
            "CREATE TABLE pai.silver.copied AS SELECT id, amount * 2 AS twice, day FROM pai.bronze.orders",
        ),
    )
    night.step(
        "n1 bronze.wide saveAsTable",
        lambda: wide(spark.table("pai.bronze.orders")).write.format("paimon").saveAsTable("pai.bronze.wide"),
    )
    night.sql(
        ("n1 silver.wide ctas", f"CREATE TABLE pai.silver.wide AS SELECT {WIDE_LIST} FROM pai.bronze.wide"),
        (
            "n1 silver.widekey create",
            f"CREATE TABLE pai.silver.widekey ({_COLUMNS}) TBLPROPERTIES ('primary-key' = 'c0', 'bucket' = '1')",
        ),
        ("n1 silver.widekey insert", f"INSERT INTO pai.silver.widekey SELECT {WIDE_LIST} FROM pai.bronze.wide"),
        ("n1 gold.cust create", "CREATE TABLE pai.gold.cust (cust BIGINT, name STRING, total DOUBLE)"),
        (
            "n1 gold.cust insert",
            "INSERT INTO pai.gold.cust SELECT cust, max(name), sum(amount) FROM pai.silver.orders GROUP BY cust",
        ),
        (
            "n1 gold.cust create again",
            "CREATE TABLE IF NOT EXISTS pai.gold.cust (cust BIGINT, name STRING, total DOUBLE)",
        ),
        ("n1 read daily", "SELECT day, total FROM pai.gold.daily WHERE total > 1"),
        ("n1 values", "INSERT INTO pai.gold.cust VALUES (100, 'x', 1.0)"),
        ("n1 bronze.events create", "CREATE TABLE pai.bronze.events (eid BIGINT, kind STRING, v DOUBLE)"),
        (
            "n1 silver.merged create",
            "CREATE TABLE pai.silver.merged (eid BIGINT, kind STRING, dv DOUBLE)"
            " TBLPROPERTIES ('primary-key' = 'eid', 'bucket' = '1')",
        ),
    )


def streams(night: Night, number: str) -> None:
    """Load events: from files to a table, and into a function that merges."""
    spark, root = night.spark, night.root
    spark.sparkContext.setJobDescription(None)
    query = (
        events(night)
        .writeStream.queryName(f"{number} stream events")
        .format("paimon")
        .trigger(availableNow=True)
        .option("checkpointLocation", f"{root}/ck/events")
        .start(f"{root}/pai/bronze.db/events")
    )
    query.awaitTermination()
    stored = spark.readStream.format("paimon").load(f"{root}/pai/bronze.db/events")
    merge_batches(
        night,
        f"{number} stream merge",
        stored.select("eid", "kind", (f.col("v") * 2).alias("dv")),
        "MERGE INTO pai.silver.merged t USING batch s ON t.eid = s.eid WHEN MATCHED THEN UPDATE SET dv = s.dv"
        " WHEN NOT MATCHED THEN INSERT *",
    )


def second_night(night: Night) -> None:
    """Load changes: merges, updates, deletes, overwrites."""
    spark = night.spark
    night.sql(
        (
            "n2 bronze.orders append",
            "INSERT INTO pai.bronze.orders SELECT id, cust, amount, addr.city, day FROM json.`{root}/landing/orders/n2.json`",
        ),
        (
            "n2 silver.orders merge",
            "MERGE INTO pai.silver.orders t USING (SELECT o.id, o.cust, c.name, o.amount, o.day FROM pai.bronze.orders o"
            " JOIN pai.bronze.customers c ON o.cust = c.id) s ON t.id = s.id WHEN MATCHED AND s.amount < 0 THEN DELETE"
            " WHEN MATCHED THEN UPDATE SET amount = s.amount + t.amount, name = s.name WHEN NOT MATCHED THEN INSERT *",
        ),
        (
            "n2 silver.orders update",
            "UPDATE pai.silver.orders SET amount = amount * 1.1, name = lower(name) WHERE cust = 1",
        ),
        ("n2 silver.copied update", "UPDATE pai.silver.copied SET twice = twice + id WHERE day = '2026-11-01'"),
        (
            "n2 silver.orders update in",
            "UPDATE pai.silver.orders SET amount = 0 WHERE cust IN (SELECT id FROM pai.bronze.customers WHERE name LIKE 'x%')",
        ),
        (
            "n2 silver.copied update in",
            "UPDATE pai.silver.copied SET twice = id WHERE id IN (SELECT id FROM pai.bronze.orders WHERE city = 'Y')",
        ),
        (
            "n2 silver.copied delete in",
            "DELETE FROM pai.silver.copied WHERE id IN (SELECT id FROM pai.bronze.customers WHERE email IS NULL)",
        ),
        (
            "n2 silver.orders delete in",
            "DELETE FROM pai.silver.orders WHERE cust IN (SELECT id FROM pai.bronze.customers WHERE email IS NULL)",
        ),
        ("n2 silver.orders delete", "DELETE FROM pai.silver.orders WHERE id = 13"),
        ("n2 bronze.orders delete partition", "DELETE FROM pai.bronze.orders WHERE day = '2026-11-09'"),
        ("n2 silver.widekey update", "UPDATE pai.silver.widekey SET c59 = c58 + c1 WHERE c0 = 10"),
        ("n2 silver.wide update", "UPDATE pai.silver.wide SET c59 = c58 + c1 WHERE c0 = 10"),
        (
            "n2 silver.widekey merge star",
            "MERGE INTO pai.silver.widekey t USING pai.bronze.wide s ON t.c0 = s.c0 WHEN MATCHED THEN UPDATE SET *"
            " WHEN NOT MATCHED THEN INSERT *",
        ),
        (
            "n2 silver.wide overwrite",
            "INSERT OVERWRITE pai.silver.wide SELECT " + ", ".join(f"{c} + 1" for c in WIDE) + " FROM pai.bronze.wide",
        ),
        (
            "n2 gold.cust overwrite",
            "INSERT OVERWRITE pai.gold.cust SELECT cust, min(name), avg(amount) FROM pai.silver.orders GROUP BY cust",
        ),
        (
            "n2 bronze.orders overwrite partition",
            "INSERT OVERWRITE pai.bronze.orders PARTITION (day = '2026-11-02') SELECT id, cust, amount, upper(city)"
            " FROM pai.bronze.orders WHERE day = '2026-11-02'",
        ),
        ("n2 gold.daily drop", "DROP TABLE pai.gold.daily"),
        (
            "n2 gold.daily ctas again",
            "CREATE TABLE pai.gold.daily PARTITIONED BY (day) AS SELECT cust, sum(amount) AS total, day"
            " FROM pai.silver.orders GROUP BY day, cust",
        ),
    )
    night.step(
        "n2 gold.cust writeTo append",
        lambda: (
            spark.table("pai.silver.orders")
            .selectExpr("cust", "name", "amount AS total")
            .writeTo("pai.gold.cust")
            .append()
        ),
    )
    night.step(
        "n2 silver.copied overwrite frame",
        lambda: (
            spark.table("pai.bronze.orders")
            .selectExpr("id", "amount AS twice", "day")
            .write.format("paimon")
            .mode("overwrite")
            .insertInto("pai.silver.copied")
        ),
    )


def third_night(night: Night) -> None:
    """Change schemas, go back in time, maintain."""
    night.sql(
        ("n3 alter add", "ALTER TABLE pai.silver.copied ADD COLUMN seen STRING"),
        ("n3 alter rename", "ALTER TABLE pai.silver.copied RENAME COLUMN twice TO doubled"),
        ("n3 alter widen", "ALTER TABLE pai.gold.cust ALTER COLUMN total COMMENT 'sum'"),
        ("n3 alter drop", "ALTER TABLE pai.silver.keyed DROP COLUMN note"),
        ("n3 alter property", "ALTER TABLE pai.silver.copied SET TBLPROPERTIES ('snapshot.num-retained.max' = '50')"),
        (
            "n3 insert evolved",
            "INSERT INTO pai.silver.copied SELECT id, amount, day, city FROM pai.bronze.orders WHERE cust = 2",
        ),
        ("n3 read version", "SELECT id, city FROM pai.bronze.orders VERSION AS OF 1"),
        (
            "n3 insert version",
            "INSERT INTO pai.gold.cust SELECT cust, city, amount FROM pai.bronze.orders VERSION AS OF 1",
        ),
        ("n3 tag", "CALL pai.sys.create_tag(table => 'bronze.orders', tag => 'eom', snapshot => 1)"),
        ("n3 read tag", "SELECT id FROM pai.bronze.orders VERSION AS OF 'eom'"),
        ("n3 system table", "SELECT snapshot_id, commit_kind FROM pai.bronze.`orders$snapshots`"),
        (
            "n3 self insert",
            "INSERT INTO pai.gold.cust SELECT cust + 1000, name, total FROM pai.gold.cust WHERE total > 5",
        ),
        ("n3 compact", "CALL pai.sys.compact(table => 'silver.copied')"),
        ("n3 rollback", "CALL pai.sys.rollback(table => 'gold.cust', version => '1')"),
        ("n3 read after rollback", "SELECT cust, total FROM pai.gold.cust"),
        ("n3 expire", "CALL pai.sys.expire_snapshots(table => 'silver.orders', retain_max => 2)"),
        ("n3 orphans", "CALL pai.sys.remove_orphan_files(table => 'silver.orders')"),
        ("n3 rename table", "ALTER TABLE pai.silver.keyed RENAME TO silver.renamed"),
        ("n3 truncate", "TRUNCATE TABLE pai.gold.cust"),
        ("n3 drop", "DROP TABLE pai.gold.cust"),
    )


if __name__ == "__main__":
    main()
