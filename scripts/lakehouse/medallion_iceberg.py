"""Bronze, silver and gold on Iceberg: `python -m lakehouse.medallion_iceberg NAME ROOT PACKAGES`.

Three nights with Spark's and Iceberg's default settings. A name with `two` has two catalogs of one class: `ice`, a
folder, holds bronze and silver; `jdb`, a database, holds gold. Otherwise `ice` holds all.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import functions as f

from lakehouse.medallion import WIDE, WIDE_LIST, Night, customers, events, land, merge_batches, wide
from lakehouse.session import session

MARKED = ", ".join(f"'write.{each}.mode' = 'merge-on-read'" for each in ("merge", "update", "delete"))
EXTENSIONS = "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"


def main() -> None:
    """Run three nights."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    two = "two" in name
    land(root, 1)
    spark = session(name, root, packages, settings(root, two=two))
    for catalog in ("ice", "jdb") if two else ("ice",):
        for layer in ("bronze", "silver", "gold"):
            spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {catalog}.{layer}")
    night = Night(spark, root, "jdb" if two else "ice", root / "snapshots.jsonl")
    first_night(night)
    land(root, 2)
    second_night(night)
    third_night(night)
    spark.stop()


def settings(root: Path, *, two: bool) -> dict[str, str]:
    """Return the settings of the catalogs; nothing else differs from the defaults."""
    key = "spark.sql.catalog"
    made = {
        "spark.sql.extensions": EXTENSIONS,
        f"{key}.ice": "org.apache.iceberg.spark.SparkCatalog",
        f"{key}.ice.type": "hadoop",
        f"{key}.ice.warehouse": f"file://{root}/ice",
        f"{key}.spark_catalog": "org.apache.iceberg.spark.SparkSessionCatalog",
        f"{key}.spark_catalog.type": "hadoop",
        f"{key}.spark_catalog.warehouse": f"file://{root}/session",
    }
    if two:
        made |= {
            f"{key}.jdb": "org.apache.iceberg.spark.SparkCatalog",
            f"{key}.jdb.type": "jdbc",
            f"{key}.jdb.uri": f"jdbc:sqlite:{root}/jdb.db",
            f"{key}.jdb.jdbc.schema-version": "V1",
            f"{key}.jdb.warehouse": f"file://{root}/jdb",
        }
    return made


def first_night(night: Night) -> None:
    """Create the tables, load them once."""
    spark = night.spark
    _bronze(night)
    _wide_tables(night)
    night.sql(
        (
            "n1 silver.orders ctas",
            "CREATE TABLE ice.silver.orders USING iceberg PARTITIONED BY (day) TBLPROPERTIES ('format-version' = '2')"
            " AS SELECT o.id, o.cust, upper(c.name) AS name, o.amount, o.city, o.day"
            " FROM ice.bronze.orders o LEFT JOIN ice.bronze.customers c ON o.cust = c.id",
        ),
        (
            "n1 silver.latest ctas window",
            "CREATE TABLE ice.silver.latest USING iceberg AS SELECT id, cust, amount FROM (SELECT id, cust, amount,"
            " row_number() OVER (PARTITION BY cust ORDER BY id DESC) AS rn FROM ice.bronze.orders) WHERE rn = 1",
        ),
        (
            "n1 silver.marked create",
            f"CREATE TABLE ice.silver.marked (id BIGINT, cust BIGINT, amount DOUBLE, note STRING) USING iceberg"
            f" TBLPROPERTIES ('format-version' = '2', {MARKED})",
        ),
        (
            "n1 silver.marked insert",
            "INSERT INTO ice.silver.marked SELECT id, cust, amount, concat('n', id) FROM ice.bronze.orders WHERE amount >= 0",
        ),
        (
            "n1 gold.daily ctas",
            "CREATE TABLE {gold}.gold.daily USING iceberg AS SELECT day, sum(amount) AS total, count(*) AS n"
            " FROM ice.silver.orders GROUP BY day",
        ),
        (
            "n1 gold.cust create",
            "CREATE TABLE {gold}.gold.cust (cust BIGINT, name STRING, total DOUBLE) USING iceberg",
        ),
        (
            "n1 gold.cust insert",
            "INSERT INTO {gold}.gold.cust SELECT cust, max(name), sum(amount) FROM ice.silver.orders GROUP BY cust",
        ),
        ("n1 gold.same create", "CREATE TABLE {gold}.gold.same (k BIGINT, v STRING) USING iceberg"),
        ("n1 gold.same create again", "CREATE TABLE IF NOT EXISTS {gold}.gold.same (k BIGINT, v STRING) USING iceberg"),
        ("n1 gold.same insert", "INSERT INTO {gold}.gold.same VALUES (1, 'a'), (2, 'b')"),
        ("n1 read daily", "SELECT day, total FROM {gold}.gold.daily WHERE total > 1"),
    )
    night.step(
        "n1 gold.top saveAsTable",
        lambda: (
            spark.table(f"{night.gold}.gold.cust")
            .where("total > 5")
            .select("cust", (f.col("total") * 2).alias("twice"))
            .write.format("iceberg")
            .saveAsTable(f"{night.gold}.gold.top")
        ),
    )
    night.step(
        "n1 gold.top append",
        lambda: (
            spark.table(f"{night.gold}.gold.cust")
            .select("cust", f.col("total").alias("twice"))
            .writeTo(f"{night.gold}.gold.top")
            .append()
        ),
    )
    _stream_in(night, "n1")


def _bronze(night: Night) -> None:
    night.sql(
        (
            "n1 bronze.orders create",
            "CREATE TABLE ice.bronze.orders (id BIGINT, cust BIGINT, amount DOUBLE, city STRING, zip BIGINT, day STRING)"
            " USING iceberg PARTITIONED BY (day)",
        ),
        (
            "n1 bronze.orders create again",
            "CREATE TABLE IF NOT EXISTS ice.bronze.orders (id BIGINT, cust BIGINT, amount DOUBLE, city STRING,"
            " zip BIGINT, day STRING) USING iceberg PARTITIONED BY (day)",
        ),
        (
            "n1 bronze.orders insert",
            "INSERT INTO ice.bronze.orders SELECT id, cust, amount, addr.city, addr.zip, day"
            " FROM json.`{root}/landing/orders/n1.json`",
        ),
        ("n1 bronze.events create", "CREATE TABLE ice.bronze.events (eid BIGINT, kind STRING, v DOUBLE) USING iceberg"),
    )
    landed = customers(night, 1)
    night.step(
        "n1 bronze.customers writeTo create",
        lambda: landed.writeTo("ice.bronze.customers").using("iceberg").tableProperty("format-version", "2").create(),
    )


def _wide_tables(night: Night) -> None:
    spark = night.spark
    source = spark.table("ice.bronze.orders")
    night.step("n1 bronze.wide writeTo create", lambda: wide(source).writeTo("ice.bronze.wide").create())
    night.sql(
        (
            "n1 silver.wide ctas",
            f"CREATE TABLE ice.silver.wide USING iceberg AS SELECT {WIDE_LIST} FROM ice.bronze.wide",
        ),
        (
            "n1 silver.widemark ctas",
            f"CREATE TABLE ice.silver.widemark USING iceberg TBLPROPERTIES ('format-version' = '2', {MARKED})"
            f" AS SELECT {WIDE_LIST} FROM ice.bronze.wide",
        ),
        (
            "n1 silver.wide insert",
            "INSERT INTO ice.silver.wide SELECT "
            + ", ".join(f"{c} * 2" for c in WIDE)
            + " FROM ice.bronze.wide WHERE c0 > 1",
        ),
    )


def _stream_in(night: Night, number: str) -> None:
    spark, root = night.spark, night.root
    night.spark.sparkContext.setJobDescription(None)
    query = (
        events(night)
        .writeStream.queryName(f"{number} stream events")
        .trigger(availableNow=True)
        .option("checkpointLocation", f"{root}/ck/events")
        .toTable("ice.bronze.events")
    )
    query.awaitTermination()
    copied = spark.readStream.table("ice.bronze.events").select("eid", "kind", (f.col("v") * 2).alias("dv"))
    if number == "n1":
        spark.sql("CREATE TABLE ice.silver.events (eid BIGINT, kind STRING, dv DOUBLE) USING iceberg")
        spark.sql("CREATE TABLE ice.silver.kinds (kind STRING, total DOUBLE) USING iceberg")
        spark.sql("CREATE TABLE ice.silver.merged (eid BIGINT, kind STRING, dv DOUBLE) USING iceberg")
    query = (
        copied.writeStream.queryName(f"{number} stream silver")
        .trigger(availableNow=True)
        .option("checkpointLocation", f"{root}/ck/silver")
        .toTable("ice.silver.events")
    )
    query.awaitTermination()
    counted = spark.readStream.table("ice.bronze.events").groupBy("kind").agg(f.sum("v").alias("total"))
    query = (
        counted.writeStream.queryName(f"{number} stream kinds")
        .outputMode("complete")
        .trigger(availableNow=True)
        .option("checkpointLocation", f"{root}/ck/kinds")
        .toTable("ice.silver.kinds")
    )
    query.awaitTermination()
    merge_batches(
        night,
        f"{number} stream merge",
        copied,
        "MERGE INTO ice.silver.merged t USING batch s ON t.eid = s.eid WHEN MATCHED THEN UPDATE SET t.dv = s.dv"
        " WHEN NOT MATCHED THEN INSERT *",
    )


def second_night(night: Night) -> None:
    """Load changes: merges, updates, deletes, overwrites."""
    spark, root = night.spark, night.root
    spark.read.json(f"{root}/landing/orders/n2.json").createOrReplaceTempView("landed")
    night.sql(
        (
            "n2 bronze.orders append",
            "INSERT INTO ice.bronze.orders SELECT id, cust, amount, addr.city, addr.zip, day FROM landed",
        ),
        (
            "n2 bronze.orders update",
            "UPDATE ice.bronze.orders SET amount = amount * 1.1, city = lower(city) WHERE cust = 1",
        ),
        ("n2 bronze.orders delete partition", "DELETE FROM ice.bronze.orders WHERE day = '2026-11-09'"),
        ("n2 bronze.orders delete rows", "DELETE FROM ice.bronze.orders WHERE id = 13"),
        (
            "n2 silver.orders merge",
            "MERGE INTO ice.silver.orders t USING (SELECT o.id, o.cust, c.name, o.amount, o.city, o.day"
            " FROM ice.bronze.orders o JOIN ice.bronze.customers c ON o.cust = c.id) s ON t.id = s.id"
            " WHEN MATCHED AND s.amount < 0 THEN DELETE WHEN MATCHED THEN UPDATE SET amount = s.amount + t.amount,"
            " name = s.name WHEN NOT MATCHED THEN INSERT *",
        ),
        (
            "n2 silver.marked merge",
            "MERGE INTO ice.silver.marked t USING ice.bronze.orders s ON t.id = s.id"
            " WHEN MATCHED AND s.amount = 0 THEN DELETE WHEN MATCHED THEN UPDATE SET t.amount = s.amount, t.note = s.city"
            " WHEN NOT MATCHED THEN INSERT (id, cust, amount, note) VALUES (s.id, s.cust, s.amount, s.day)",
        ),
        ("n2 silver.marked update", "UPDATE ice.silver.marked SET note = upper(note) WHERE amount > 20"),
        ("n2 silver.marked delete", "DELETE FROM ice.silver.marked WHERE cust = 2 AND amount > 40"),
        (
            "n2 silver.marked update in",
            "UPDATE ice.silver.marked SET amount = 0 WHERE cust IN (SELECT id FROM ice.bronze.customers WHERE name LIKE 'x%')",
        ),
        (
            "n2 silver.orders delete in",
            "DELETE FROM ice.silver.orders WHERE cust IN (SELECT id FROM ice.bronze.customers WHERE email IS NULL)",
        ),
        (
            "n2 silver.orders update scalar",
            "UPDATE ice.silver.orders SET amount = (SELECT max(amount) FROM ice.bronze.orders) WHERE id = 10",
        ),
        (
            "n2 silver.orders update case",
            "UPDATE ice.silver.orders SET name = CASE WHEN amount > 10 THEN concat(name, city) ELSE city END",
        ),
        ("n2 silver.wide update", "UPDATE ice.silver.wide SET c59 = c58 + c1 WHERE c0 = 10"),
        ("n2 silver.wide update one", "UPDATE ice.silver.wide SET c3 = c4 + 1 WHERE c58 = 70"),
        ("n2 silver.widemark update", "UPDATE ice.silver.widemark SET c59 = c58 + c1 WHERE c0 = 10"),
        ("n2 silver.widemark update first", "UPDATE ice.silver.widemark SET c0 = c59 * 2, c30 = 5 WHERE c40 > 3"),
        (
            "n2 silver.wide merge star",
            "MERGE INTO ice.silver.wide t USING ice.bronze.wide s ON t.c0 = s.c0 WHEN MATCHED THEN UPDATE SET *"
            " WHEN NOT MATCHED THEN INSERT *",
        ),
        (
            "n2 silver.widemark merge star",
            "MERGE INTO ice.silver.widemark t USING ice.bronze.wide s ON t.c0 = s.c0 WHEN MATCHED THEN UPDATE SET *"
            " WHEN NOT MATCHED THEN INSERT *",
        ),
        (
            "n2 silver.widemark merge some",
            "MERGE INTO ice.silver.widemark t USING ice.bronze.wide s ON t.c0 = s.c0 WHEN MATCHED AND s.c50 > 3 THEN"
            " UPDATE SET t.c59 = s.c2 + t.c3, t.c1 = s.c59",
        ),
        (
            "n2 silver.wide merge some",
            "MERGE INTO ice.silver.wide t USING ice.bronze.wide s ON t.c0 = s.c0 WHEN MATCHED AND s.c50 > 3 THEN"
            " UPDATE SET t.c59 = s.c2 + t.c3, t.c1 = s.c59",
        ),
        ("n2 silver.widemark delete", "DELETE FROM ice.silver.widemark WHERE c59 > 1000"),
        ("n2 silver.wide delete", "DELETE FROM ice.silver.wide WHERE c59 > 1000 AND c2 = c3"),
        (
            "n2 silver.wide overwrite",
            "INSERT OVERWRITE ice.silver.wide SELECT "
            + ", ".join(f"b.{c} + 1" for c in WIDE)
            + " FROM ice.bronze.wide b JOIN ice.bronze.orders o ON b.c0 = o.id",
        ),
        (
            "n2 gold.daily rtas",
            "CREATE OR REPLACE TABLE {gold}.gold.daily USING iceberg AS SELECT day, cust, sum(amount) AS total"
            " FROM ice.silver.orders GROUP BY day, cust",
        ),
        (
            "n2 gold.cust overwrite",
            "INSERT OVERWRITE {gold}.gold.cust SELECT cust, min(name), avg(amount) FROM ice.silver.orders GROUP BY cust",
        ),
        (
            "n2 gold.wide ctas",
            "CREATE TABLE {gold}.gold.wide USING iceberg AS SELECT "
            + ", ".join(f"max({c}) AS {c}" for c in WIDE)
            + " FROM ice.silver.wide GROUP BY c0",
        ),
        ("n2 gold.same drop", "DROP TABLE {gold}.gold.same"),
        ("n2 gold.same recreate", "CREATE TABLE {gold}.gold.same (k BIGINT, w DOUBLE) USING iceberg"),
        ("n2 gold.same insert", "INSERT INTO {gold}.gold.same (w, k) SELECT amount, id FROM ice.bronze.orders"),
        ("n2 truncate", "TRUNCATE TABLE {gold}.gold.same"),
    )
    if night.gold == "jdb":
        night.sql(("n2 gold.top rename", "ALTER TABLE jdb.gold.top RENAME TO gold.best"))
    orders = spark.table("ice.bronze.orders")
    night.step(
        "n2 silver.latest overwrite frame",
        lambda: (
            orders.groupBy("cust")
            .agg(f.max("id").alias("id"), f.max("amount").alias("amount"))
            .select("id", "cust", "amount")
            .writeTo("ice.silver.latest")
            .overwrite(f.lit(True))
        ),
    )
    night.step(
        "n2 bronze.orders overwritePartitions",
        lambda: (
            orders.where("day = '2026-11-02'")
            .withColumn("amount", f.col("amount") + 1)
            .writeTo("ice.bronze.orders")
            .overwritePartitions()
        ),
    )
    night.step(
        "n2 gold.pivot createOrReplace",
        lambda: (
            orders.groupBy("day")
            .pivot("city", ["X", "Y"])
            .agg(f.sum("amount"))
            .writeTo(f"{night.gold}.gold.pivot")
            .using("iceberg")
            .createOrReplace()
        ),
    )
    night.step(
        "n2 bronze.customers save append",
        lambda: customers(night, 2).write.format("iceberg").mode("append").save("ice.bronze.customers"),
    )
    night.step(
        "n2 gold.cust insertInto",
        lambda: (
            spark.table("ice.silver.orders")
            .selectExpr("cust", "name", "amount AS total")
            .write.insertInto(f"{night.gold}.gold.cust")
        ),
    )
    _stream_in(night, "n2")


def third_night(night: Night) -> None:
    """Change schemas, go back in time, branch, maintain."""
    _evolve(night)
    _time_travel(night)
    _procedures(night)


def _evolve(night: Night) -> None:
    night.sql(
        ("n3 alter add", "ALTER TABLE ice.silver.marked ADD COLUMN seen TIMESTAMP COMMENT 'when' AFTER cust"),
        ("n3 alter add two", "ALTER TABLE ice.silver.marked ADD COLUMNS (x INT, y STRUCT<a: INT, b: STRING>)"),
        ("n3 alter add nested", "ALTER TABLE ice.silver.marked ADD COLUMN y.c DOUBLE"),
        ("n3 alter rename", "ALTER TABLE ice.silver.marked RENAME COLUMN note TO remark"),
        ("n3 alter widen", "ALTER TABLE ice.silver.marked ALTER COLUMN x TYPE BIGINT"),
        ("n3 alter drop", "ALTER TABLE ice.silver.marked DROP COLUMN x"),
        ("n3 alter comment", "ALTER TABLE {gold}.gold.cust ALTER COLUMN total COMMENT 'sum'"),
        ("n3 alter properties", "ALTER TABLE {gold}.gold.cust SET TBLPROPERTIES ('a' = 'b')"),
        ("n3 alter partition field", "ALTER TABLE ice.silver.marked ADD PARTITION FIELD bucket(2, id)"),
        ("n3 alter ordered", "ALTER TABLE ice.silver.latest WRITE ORDERED BY cust"),
        ("n3 alter first", "ALTER TABLE {gold}.gold.cust ALTER COLUMN total FIRST"),
        (
            "n3 insert evolved",
            "INSERT INTO ice.silver.marked SELECT id, cust, current_timestamp(), amount, city, NULL FROM ice.bronze.orders",
        ),
        (
            "n3 insert ordered",
            "INSERT INTO ice.silver.latest SELECT id, cust, amount * 3 FROM ice.bronze.orders WHERE day = '2026-11-02'",
        ),
    )
    if night.gold == "jdb":
        night.sql(
            (
                "n3 create view",
                "CREATE VIEW jdb.gold.rich AS SELECT cust, total AS money FROM jdb.gold.cust WHERE total > 3",
            ),
            ("n3 read view", "SELECT money FROM jdb.gold.rich"),
            (
                "n3 ctas from view",
                "CREATE TABLE jdb.gold.fromview USING iceberg AS SELECT cust, money FROM jdb.gold.rich",
            ),
            (
                "n3 replace view",
                "CREATE OR REPLACE VIEW jdb.gold.rich (who, much) AS SELECT cust, total FROM jdb.gold.cust",
            ),
            ("n3 drop view", "DROP VIEW jdb.gold.rich"),
        )


def _time_travel(night: Night) -> None:
    spark = night.spark
    first = night.snapshots("ice.bronze.orders")[0]
    night.sql(
        ("n3 read newest", "SELECT id, amount FROM ice.bronze.orders"),
        ("n3 read version", f"SELECT id, city FROM ice.bronze.orders VERSION AS OF {first}"),
        (
            "n3 ctas version",
            "CREATE TABLE ice.silver.before USING iceberg AS SELECT id, amount AS was FROM ice.bronze.orders"
            f" VERSION AS OF {first}",
        ),
        ("n3 branch", "ALTER TABLE ice.bronze.orders CREATE BRANCH dev"),
        ("n3 tag", "ALTER TABLE ice.bronze.orders CREATE TAG eom"),
        (
            "n3 branch insert",
            "INSERT INTO ice.bronze.orders.branch_dev SELECT id + 100, cust, amount, city, zip, day FROM ice.silver.orders o"
            " LATERAL VIEW explode(array(1)) e AS zip",
        ),
        ("n3 branch update", "UPDATE ice.bronze.orders.branch_dev SET amount = 0 WHERE id = 110"),
        ("n3 read after branch", "SELECT id, day FROM ice.bronze.orders"),
        ("n3 read branch", "SELECT id, zip FROM ice.bronze.orders VERSION AS OF 'dev'"),
        ("n3 read tag", "SELECT cust, zip FROM ice.bronze.orders VERSION AS OF 'eom'"),
    )
    night.step(
        "n3 read versionAsOf frame",
        lambda: spark.read.option("versionAsOf", first).table("ice.bronze.orders").select("zip").collect(),
    )
    night.step(
        "n3 incremental frame",
        lambda: (
            spark.read.format("iceberg")
            .option("start-snapshot-id", first)
            .load("ice.bronze.orders")
            .select("id", "cust")
            .writeTo("ice.silver.increment")
            .createOrReplace()
        ),
    )
    night.sql(
        ("n3 metadata table", "SELECT snapshot_id, operation FROM ice.bronze.orders.snapshots"),
        (
            "n3 metadata columns",
            "CREATE TABLE ice.silver.files USING iceberg AS SELECT id, _file AS f FROM ice.bronze.orders",
        ),
        (
            "n3 self insert",
            "INSERT INTO ice.silver.before SELECT id + 1000, was FROM ice.silver.before WHERE was > 5",
        ),
    )


def _procedures(night: Night) -> None:
    spark, root = night.spark, night.root
    ids = night.snapshots("ice.silver.before")
    night.sql(
        ("n3 rollback", f"CALL ice.system.rollback_to_snapshot('silver.before', {ids[0]})"),
        ("n3 read after rollback", "SELECT id, was FROM ice.silver.before"),
        (
            "n3 insert after rollback",
            "INSERT INTO ice.silver.before SELECT id, amount FROM ice.bronze.orders WHERE id > 3",
        ),
        ("n3 read after insert", "SELECT was FROM ice.silver.before"),
        ("n3 set current", f"CALL ice.system.set_current_snapshot('silver.before', {ids[1]})"),
        ("n3 read after set", "SELECT id FROM ice.silver.before WHERE was > 0"),
        ("n3 fast forward", "CALL ice.system.fast_forward('bronze.orders', 'main', 'dev')"),
        ("n3 read after forward", "SELECT cust, city FROM ice.bronze.orders"),
        (
            "n3 changelog",
            "CALL ice.system.create_changelog_view(table => 'bronze.orders', changelog_view => 'order_changes',"
            " identifier_columns => array('id'))",
        ),
        (
            "n3 changelog ctas",
            "CREATE TABLE ice.silver.changes USING iceberg AS SELECT id, amount * 2 AS a2, _change_type AS op,"
            " _change_ordinal AS o FROM order_changes",
        ),
        (
            "n3 changelog plain",
            "CALL ice.system.create_changelog_view(table => 'silver.latest', changelog_view => 'latest_changes')",
        ),
        (
            "n3 changelog insert",
            "INSERT INTO ice.silver.changes SELECT cust, amount, _change_type, 1 FROM latest_changes",
        ),
        (
            "n3 changes table",
            "CREATE TABLE ice.silver.changes2 USING iceberg AS SELECT * FROM ice.silver.latest.changes",
        ),
        (
            "n3 rewrite files",
            "CALL ice.system.rewrite_data_files(table => 'bronze.orders', options => map('rewrite-all', 'true'))",
        ),
        (
            "n3 rewrite sort",
            "CALL ice.system.rewrite_data_files(table => 'silver.marked', strategy => 'sort', sort_order => 'cust', options => map('rewrite-all', 'true'))",
        ),
        ("n3 rewrite manifests", "CALL ice.system.rewrite_manifests('silver.marked')"),
        (
            "n3 rewrite deletes",
            "CALL ice.system.rewrite_position_delete_files(table => 'silver.widemark', options => map('rewrite-all', 'true'))",
        ),
        (
            "n3 expire",
            "CALL ice.system.expire_snapshots(table => 'silver.latest', retain_last => 1, older_than => TIMESTAMP '2030-01-01 00:00:00')",
        ),
        ("n3 orphans", "CALL ice.system.remove_orphan_files(table => 'silver.latest', dry_run => true)"),
        ("n3 ancestors", "CALL ice.system.ancestors_of('silver.latest')"),
        ("n3 stats", "CALL ice.system.compute_table_stats('silver.marked')"),
        ("n3 cherrypick prepare", "ALTER TABLE ice.silver.latest SET TBLPROPERTIES ('write.wap.enabled' = 'true')"),
    )
    spark.conf.set("spark.wap.id", "w1")
    night.sql(
        ("n3 wap insert", "INSERT INTO ice.silver.latest SELECT id, cust, amount FROM ice.bronze.orders WHERE id = 3")
    )
    spark.conf.unset("spark.wap.id")
    night.sql(
        ("n3 read before publish", "SELECT id, amount FROM ice.silver.latest"),
        ("n3 publish", "CALL ice.system.publish_changes('silver.latest', 'w1')"),
        ("n3 read after publish", "SELECT amount FROM ice.silver.latest"),
    )
    night.step(
        "n3 plain parquet",
        lambda: (
            spark.table("ice.bronze.orders")
            .select("id", "cust", "amount")
            .write.mode("overwrite")
            .parquet(f"{root}/files/plain")
        ),
    )
    night.sql(
        ("n3 added create", "CREATE TABLE ice.silver.added (id BIGINT, cust BIGINT, amount DOUBLE) USING iceberg"),
        (
            "n3 add_files path",
            "CALL ice.system.add_files(table => 'silver.added', source_table => '`parquet`.`{root}/files/plain`')",
        ),
        (
            "n3 session parquet",
            "CREATE TABLE spark_catalog.default.plain USING parquet AS SELECT id, cust, amount FROM ice.bronze.orders",
        ),
        (
            "n3 add_files table",
            "CALL ice.system.add_files(table => 'silver.added', source_table => 'spark_catalog.default.plain')",
        ),
        ("n3 read added", "SELECT id, amount FROM ice.silver.added"),
        ("n3 drop purge", "DROP TABLE ice.silver.added PURGE"),
    )


if __name__ == "__main__":
    main()
