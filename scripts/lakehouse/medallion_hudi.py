"""Bronze, silver and gold on Hudi: `python -m lakehouse.medallion_hudi NAME ROOT PACKAGES`."""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import functions as f

from lakehouse.medallion import WIDE_LIST, Night, customers, events, land, merge_batches, wide
from lakehouse.session import session

_KEYED = "USING hudi TBLPROPERTIES (type = 'cow', primaryKey = 'id', preCombineField = 'amount')"
_MARKED = "USING hudi TBLPROPERTIES (type = 'mor', primaryKey = 'id', preCombineField = 'amount')"


def main() -> None:
    """Run three nights; Hudi's own settings are its defaults."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    settings = {
        "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
        "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
        "spark.sql.extensions": "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.hudi.catalog.HoodieCatalog",
        "spark.driver.memory": "3g",
    }
    land(root, 1)
    spark = session(name, root, packages, settings)
    for layer in ("bronze", "silver", "gold"):
        spark.sql(f"CREATE DATABASE {layer}")
    night = Night(spark, root, "spark_catalog", root / "snapshots.jsonl")
    first_night(night)
    streams(night, "n1")
    land(root, 2)
    second_night(night)
    streams(night, "n2")
    third_night(night)
    spark.stop()


def first_night(night: Night) -> None:
    """Create the tables, load them once."""
    spark, root = night.spark, night.root
    night.sql(
        (
            "n1 bronze.orders create",
            f"CREATE TABLE bronze.orders (id BIGINT, cust BIGINT, amount DOUBLE, city STRING, day STRING) {_KEYED} PARTITIONED BY (day)",
        ),
        (
            "n1 bronze.orders insert",
            "INSERT INTO bronze.orders SELECT id, cust, amount, addr.city, day FROM json.`{root}/landing/orders/n1.json`",
        ),
    )
    night.step(
        "n1 bronze.customers save",
        lambda: (
            customers(night, 1)
            .write.format("hudi")
            .option("hoodie.table.name", "customers")
            .option("hoodie.datasource.write.recordkey.field", "id")
            .option("hoodie.datasource.write.precombine.field", "name")
            .mode("overwrite")
            .save(f"{root}/lake/customers")
        ),
    )
    spark.sparkContext.setJobDescription(None)
    spark.sql(f"CREATE TABLE bronze.customers USING hudi LOCATION '{root}/lake/customers'")
    night.sql(
        (
            "n1 silver.orders create",
            f"CREATE TABLE silver.orders (id BIGINT, cust BIGINT, name STRING, amount DOUBLE, day STRING) {_KEYED}",
        ),
        (
            "n1 silver.orders insert join",
            "INSERT INTO silver.orders SELECT o.id, o.cust, upper(c.name), o.amount, o.day"
            " FROM bronze.orders o LEFT JOIN bronze.customers c ON o.cust = c.id WHERE o.amount >= 0",
        ),
        (
            "n1 silver.marked ctas",
            f"CREATE TABLE silver.marked {_MARKED} AS SELECT id, cust, amount, concat('n', city) AS note FROM bronze.orders",
        ),
        (
            "n1 gold.daily ctas",
            "CREATE TABLE gold.daily USING hudi AS SELECT day, sum(amount) AS total, count(*) AS n FROM silver.orders GROUP BY day",
        ),
    )
    night.step(
        "n1 bronze.wide save",
        lambda: (
            wide(spark.table("bronze.orders"))
            .write.format("hudi")
            .option("hoodie.table.name", "wide")
            .option("hoodie.datasource.write.recordkey.field", "c0")
            .option("hoodie.datasource.write.precombine.field", "c1")
            .mode("overwrite")
            .save(f"{root}/lake/wide")
        ),
    )
    spark.sparkContext.setJobDescription(None)
    spark.sql(f"CREATE TABLE bronze.wide USING hudi LOCATION '{root}/lake/wide'")
    night.sql(
        (
            "n1 silver.wide ctas",
            f"CREATE TABLE silver.wide USING hudi TBLPROPERTIES (primaryKey = 'c0', preCombineField = 'c1') AS SELECT {WIDE_LIST} FROM bronze.wide",
        ),
        ("n1 gold.cust create", "CREATE TABLE gold.cust (cust BIGINT, name STRING, total DOUBLE) USING hudi"),
        (
            "n1 gold.cust insert",
            "INSERT INTO gold.cust SELECT cust, max(name), sum(amount) FROM silver.orders GROUP BY cust",
        ),
        ("n1 read daily", "SELECT day, total FROM gold.daily WHERE total > 1"),
        (
            "n1 silver.merged create",
            "CREATE TABLE silver.merged (eid BIGINT, kind STRING, dv DOUBLE) USING hudi"
            " TBLPROPERTIES (primaryKey = 'eid', preCombineField = 'dv')",
        ),
    )


def streams(night: Night, number: str) -> None:
    """Load events: from files to a table, and into a function that merges."""
    spark, root = night.spark, night.root
    spark.sparkContext.setJobDescription(None)
    query = (
        events(night)
        .writeStream.queryName(f"{number} stream events")
        .format("hudi")
        .option("hoodie.table.name", "events")
        .option("hoodie.datasource.write.recordkey.field", "eid")
        .option("hoodie.datasource.write.precombine.field", "v")
        .trigger(availableNow=True)
        .option("checkpointLocation", f"{root}/ck/events")
        .start(f"{root}/lake/events")
    )
    query.awaitTermination()
    stored = spark.readStream.format("hudi").load(f"{root}/lake/events")
    merge_batches(
        night,
        f"{number} stream merge",
        stored.select("eid", "kind", (f.col("v") * 2).alias("dv")),
        "MERGE INTO silver.merged t USING batch s ON t.eid = s.eid WHEN MATCHED THEN UPDATE SET t.dv = s.dv"
        " WHEN NOT MATCHED THEN INSERT *",
    )


def second_night(night: Night) -> None:
    """Load changes: merges, updates, deletes, overwrites."""
    root = night.root
    night.sql(
        (
            "n2 bronze.orders append",
            "INSERT INTO bronze.orders SELECT id, cust, amount, addr.city, day FROM json.`{root}/landing/orders/n2.json`",
        ),
        (
            "n2 silver.orders merge",
            "MERGE INTO silver.orders t USING (SELECT o.id, o.cust, c.name, o.amount, o.day FROM bronze.orders o"
            " JOIN bronze.customers c ON o.cust = c.id) s ON t.id = s.id WHEN MATCHED AND s.amount < 0 THEN DELETE"
            " WHEN MATCHED THEN UPDATE SET amount = s.amount, name = s.name WHEN NOT MATCHED THEN INSERT *",
        ),
        (
            "n2 silver.marked merge",
            "MERGE INTO silver.marked t USING bronze.orders s ON t.id = s.id WHEN MATCHED THEN UPDATE SET"
            " t.amount = s.amount, t.note = s.city WHEN NOT MATCHED THEN INSERT (id, cust, amount, note) VALUES (s.id, s.cust, s.amount, s.day)",
        ),
        (
            "n2 silver.orders update",
            "UPDATE silver.orders SET amount = amount * 1.1, name = lower(name) WHERE cust = 1",
        ),
        ("n2 silver.marked update", "UPDATE silver.marked SET note = upper(note) WHERE amount > 20"),
        ("n2 silver.marked delete", "DELETE FROM silver.marked WHERE cust = 2 AND amount > 40"),
        ("n2 silver.orders delete", "DELETE FROM silver.orders WHERE id = 13"),
        ("n2 silver.wide update", "UPDATE silver.wide SET c59 = c58 + c2 WHERE c0 = 10"),
        (
            "n2 silver.wide merge star",
            "MERGE INTO silver.wide t USING bronze.wide s ON t.c0 = s.c0 WHEN MATCHED THEN UPDATE SET *"
            " WHEN NOT MATCHED THEN INSERT *",
        ),
        (
            "n2 gold.cust overwrite",
            "INSERT OVERWRITE gold.cust SELECT cust, min(name), avg(amount) FROM silver.orders GROUP BY cust",
        ),
        (
            "n2 bronze.orders overwrite partition",
            "INSERT OVERWRITE bronze.orders PARTITION (day = '2026-11-02') SELECT id, cust, amount, upper(city)"
            " FROM bronze.orders WHERE day = '2026-11-02'",
        ),
    )
    night.step(
        "n2 bronze.customers upsert",
        lambda: (
            customers(night, 2)
            .write.format("hudi")
            .option("hoodie.table.name", "customers")
            .option("hoodie.datasource.write.recordkey.field", "id")
            .option("hoodie.datasource.write.precombine.field", "name")
            .option("hoodie.datasource.write.operation", "upsert")
            .mode("append")
            .save(f"{root}/lake/customers")
        ),
    )


def third_night(night: Night) -> None:
    """Change schemas, go back in time, maintain."""
    spark, root = night.spark, night.root
    night.sql(
        ("n3 alter add", "ALTER TABLE silver.orders ADD COLUMNS (seen STRING)"),
        (
            "n3 insert evolved",
            "INSERT INTO silver.orders SELECT id, cust, name, amount, day, day FROM silver.orders WHERE cust = 2",
        ),
        ("n3 read hoodie columns", "SELECT _hoodie_commit_time, id FROM bronze.orders"),
        ("n3 compact", "CALL run_compaction(op => 'schedule', table => 'silver.marked')"),
        ("n3 cluster", "CALL run_clustering(table => 'bronze.orders')"),
        ("n3 clean", "CALL run_clean(table => 'silver.orders')"),
        ("n3 truncate", "TRUNCATE TABLE gold.cust"),
        ("n3 drop", "DROP TABLE gold.cust"),
    )
    spark.sparkContext.setJobDescription("helper: snapshots")
    first = spark.sql("SELECT min(_hoodie_commit_time) FROM bronze.orders").first()[0]
    night.step(
        "n3 incremental read",
        lambda: (
            spark.read.format("hudi")
            .option("hoodie.datasource.query.type", "incremental")
            .option("hoodie.datasource.read.begin.instanttime", "000")
            .load(f"{root}/warehouse/bronze.db/orders")
            .select("id", "amount")
            .write.mode("overwrite")
            .parquet(f"{root}/out/incremental")
        ),
    )
    night.sql(("n3 time travel", f"SELECT id, city FROM bronze.orders TIMESTAMP AS OF '{first}'"))
    night.step(
        "n3 snapshot read path",
        lambda: spark.read.format("hudi").load(f"{root}/lake/customers").select("id", "email").collect(),
    )


if __name__ == "__main__":
    main()
