"""Delta's medallion: `python -m lakehouse.medallion_delta NAME ROOT PACKAGES`.

Three nights of bronze, silver and gold tables, with the default settings of Spark and Delta.
tests/medallion_logs/delta.json is the truth about its statements, by their job descriptions.
"""

from __future__ import annotations

import sys
from pathlib import Path

from lakehouse import medallion_delta_changes, medallion_delta_streams, medallion_delta_wide
from lakehouse.medallion_landing import land, orders_of
from lakehouse.session import Shop, session

CONF = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.databricks.delta.snapshotPartitions": "1",
}


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, CONF)
    shop = Shop(spark, "spark_catalog", lambda table: _version(shop, table), root / "snapshots.jsonl")
    for database in ("bronze", "silver", "gold"):
        spark.sql(f"CREATE DATABASE {database}")
    land(root, 1)
    bronze(shop, root)
    silver(shop)
    gold(shop)
    medallion_delta_wide.wide(shop, root)
    land(root, 2)
    medallion_delta_changes.changes(shop, root)
    land(root, 3)
    medallion_delta_streams.streams(shop, root)
    spark.stop()


def _version(shop: Shop, table: str) -> str | None:
    bare = table.replace("spark_catalog.", "")
    row = shop.spark.sql(f"DESCRIBE HISTORY {bare} LIMIT 1").select("version").first()
    return None if row is None else str(row[0])


def bronze(shop: Shop, root: Path) -> None:
    """Loads the first night's files: bare relations, maps, arrays and structs."""
    spark = shop.spark
    customers = spark.read.option("header", "true").csv(f"{root}/landing/customers/n1.csv")
    shop.step(
        "n1: bronze customers", lambda: customers.write.format("delta").saveAsTable("bronze.customers"),
        ("bronze.customers",),
    )  # fmt: skip
    orders = orders_of(spark, root, 1)
    shop.step("n1: bronze orders", lambda: orders.write.format("delta").saveAsTable("bronze.orders"))
    shop.step("n1: bronze raw", lambda: orders.writeTo("bronze.raw").using("delta").create())
    loaded = orders.selectExpr("id", "attrs['k'] AS k", "tags[0] AS first_tag", "addr.city", "current_date() AS loaded")
    shop.step("n1: bronze picked", lambda: loaded.write.format("delta").saveAsTable("bronze.picked"))
    shop.step("n1: bronze picked, create", lambda: loaded.writeTo("bronze.picked2").using("delta").create())
    named = orders.selectExpr("id", "_metadata.file_name AS source_file")
    shop.step("n1: bronze files", lambda: named.write.format("delta").saveAsTable("bronze.files"))
    orders.createOrReplaceTempView("landed")
    shop.run(
        [
            (
                "n1: bronze attributes",
                (
                    "CREATE TABLE {ns}.bronze.attributes USING delta AS"
                    " SELECT id, attrs['k'] AS k, tags[1] AS second, transform(tags, x -> upper(x)) AS loud FROM landed"
                ),
            ),
            ("n1: bronze all", "CREATE TABLE {ns}.bronze.all_orders USING delta AS SELECT * FROM landed"),
            (
                "n1: bronze tags",
                (
                    "CREATE OR REPLACE TABLE {ns}.bronze.tags USING delta AS"
                    " SELECT id, explode(tags) AS tag FROM {ns}.bronze.orders"
                ),
            ),
            (
                "n1: bronze path ctas",
                (
                    f"CREATE TABLE {{ns}}.bronze.by_path USING delta LOCATION '{root}/lake/by_path' AS"
                    f" SELECT id, amount * 2 AS doubled FROM {{ns}}.bronze.orders WHERE status = 'new'"
                ),
            ),
        ]
    )
    late = spark.read.option("header", "true").csv(f"{root}/landing/customers/late1.csv")
    shop.step(
        "n1: bronze append json",
        lambda: orders.select("id", "amount").write.format("delta").mode("append").save(f"{root}/lake/appended"),
    )
    shop.step(
        "n1: bronze insertInto", lambda: late.write.insertInto("bronze.customers"), ("bronze.customers",)
    )  # fmt: skip
    _jdbc(shop)


def _jdbc(shop: Shop) -> None:
    """A table of another database, whose connector takes the filters over."""
    options = {"url": "jdbc:derby:memory:crm;create=true", "dbtable": "people"}
    people = shop.table("bronze.customers").selectExpr("CAST(id AS BIGINT) AS id", "name", "city")
    types = "name VARCHAR(20), city VARCHAR(20)"
    shop.step(
        "n1: jdbc people", lambda: people.write.format("jdbc").options(**options, createTableColumnTypes=types).save()
    )
    read = shop.spark.read.format("jdbc").options(**options).load()
    adults = read.where("city = 'Rome' AND id > 1").selectExpr("id", "upper(name) AS name")
    shop.step("n1: bronze people", lambda: adults.write.format("delta").saveAsTable("bronze.people"))


def silver(shop: Shop) -> None:
    """Cleans: joins, windows, deduplication; every way to create a table."""
    shop.run(
        [
            (
                "n1: silver orders",
                (
                    "CREATE TABLE {ns}.silver.orders USING delta PARTITIONED BY (day) AS"
                    " SELECT o.id, c.name AS customer, o.amount, o.status, o.day FROM {ns}.bronze.orders o"
                    " JOIN {ns}.bronze.customers c ON o.customer_id = CAST(c.id AS BIGINT) WHERE o.amount > 0"
                ),
            ),
            (
                "n1: silver latest",
                (
                    "CREATE TABLE {ns}.silver.latest USING delta AS SELECT id, customer, amount FROM (SELECT *,"
                    " row_number() OVER (PARTITION BY customer ORDER BY day DESC) AS n FROM {ns}.silver.orders)"
                    " WHERE n = 1"
                ),
            ),
            (
                "n1: silver clustered",
                (
                    "CREATE TABLE {ns}.silver.clustered USING delta CLUSTER BY (customer) AS"
                    " SELECT customer, count(*) AS orders, sum(amount) AS total"
                    " FROM {ns}.silver.orders GROUP BY customer"
                ),
            ),
            (
                "n1: silver clustered, insert",
                "INSERT INTO {ns}.silver.clustered SELECT concat(customer, '!'), 0L, amount FROM {ns}.silver.orders",
            ),
            ("n1: silver clustered, optimize", "OPTIMIZE {ns}.silver.clustered"),
            (
                "n1: silver literal",
                "CREATE TABLE {ns}.silver.literals USING delta AS SELECT 1 AS id, 'a' AS name, current_date() AS day",
            ),
            (
                "n1: silver union",
                (
                    "CREATE TABLE {ns}.silver.names USING delta AS SELECT id, name FROM {ns}.bronze.customers"
                    " UNION ALL SELECT CAST(id AS STRING), customer FROM {ns}.silver.orders"
                ),
            ),
            (
                "n1: silver case",
                (
                    "CREATE OR REPLACE TABLE {ns}.silver.graded USING delta AS SELECT id,"
                    " CASE WHEN amount > 15 THEN status ELSE customer END AS grade, (amount + id) / 2 AS mean"
                    " FROM {ns}.silver.orders"
                ),
            ),
            (
                "n1: silver exists",
                (
                    "CREATE TABLE {ns}.silver.known USING delta AS SELECT id, amount FROM {ns}.silver.orders o"
                    " WHERE EXISTS (SELECT 1 FROM {ns}.bronze.customers c WHERE c.name = o.customer)"
                ),
            ),
            (
                "n1: silver scalar",
                (
                    "CREATE TABLE {ns}.silver.shares USING delta AS"
                    " SELECT id, amount / (SELECT sum(amount) FROM {ns}.bronze.orders) AS share FROM {ns}.silver.orders"
                ),
            ),
        ]
    )
    orders = shop.table("silver.orders")
    shop.step(
        "n1: silver replaced",
        lambda: orders.selectExpr("id", "lower(customer) AS customer").writeTo("silver.replaced").using("delta")
        .createOrReplace(),
    )  # fmt: skip
    shop.step(
        "n1: silver replaced again",
        lambda: orders.selectExpr("id", "amount * 2 AS amount").writeTo("silver.replaced").using("delta").replace(),
    )
    shop.step(
        "n1: silver overwritten",
        lambda: orders.select("id", "day").write.format("delta").mode("overwrite")
        .option("overwriteSchema", "true").saveAsTable("silver.replaced"),
    )  # fmt: skip
    cached = orders.where("amount > 10").cache()
    shop.step(
        "n1: silver cached", lambda: cached.select("id", "amount").write.format("delta").saveAsTable("silver.cached")
    )  # fmt: skip
    cached.unpersist()
    _builders(shop)


def _builders(shop: Shop) -> None:
    """Tables of the builder API, with generated columns."""
    tables = shop.spark._jvm.io.delta.tables.DeltaTable
    session = shop.spark._jsparkSession
    day = tables.columnBuilder(session, "year").dataType("INT").generatedAlwaysAs("year(at)").build()

    def build(builder: object, name: str, last: str) -> None:
        columns = builder.tableName(name).addColumn("id", "BIGINT").addColumn("at", "DATE")
        columns.addColumn("amount", "DOUBLE").addColumn(day).addColumn(last, "STRING").execute()

    shop.step("n1: builder create", lambda: build(tables.create(session), "silver.built", "note"), ("silver.built",))
    shop.step("n1: builder if not exists",
              lambda: build(tables.createIfNotExists(session), "silver.built", "note"), ("silver.built",))  # fmt: skip
    rows = "SELECT id, CAST(day AS DATE), amount, status FROM {ns}.silver.orders"
    insert = f"INSERT INTO {{ns}}.silver.built (id, at, amount, note) {rows}"
    shop.run([("n1: builder insert", insert)], ("silver.built",))
    shop.step(
        "n1: builder replace", lambda: build(tables.replace(session), "silver.built", "remark"), ("silver.built",)
    )  # fmt: skip
    shop.step(
        "n1: builder create or replace",
        lambda: build(tables.createOrReplace(session), "silver.built2", "remark"),
        ("silver.built2",),
    )
    more = shop.table("silver.orders").selectExpr("id", "CAST(day AS DATE) AS at", "amount", "customer AS remark")
    shop.step(
        "n1: builder append",
        lambda: more.write.format("delta").mode("append").saveAsTable("silver.built2"),
        ("silver.built2",),
    )


def gold(shop: Shop) -> None:
    """Aggregates and views."""
    exists = "CREATE TABLE IF NOT EXISTS {ns}.gold.daily (day STRING, total DOUBLE, orders BIGINT) USING delta"
    totals = "SELECT day, sum(amount) AS total, count(id) AS orders FROM {ns}.silver.orders GROUP BY day"
    daily = ("gold.daily",)
    shop.run(
        [
            ("n1: gold daily, create", exists),
            ("n1: gold daily", f"INSERT INTO {{ns}}.gold.daily {totals}"),
            ("n1: gold daily, create again", exists),
            ("n1: gold daily, overwrite", f"INSERT OVERWRITE {{ns}}.gold.daily {totals}"),
            ("n1: gold daily, column", "ALTER TABLE {ns}.gold.daily ADD COLUMNS (best DOUBLE)"),
            (
                "n1: gold daily, by name",
                (
                    "INSERT INTO {ns}.gold.daily BY NAME"
                    " SELECT max(amount) AS best, day FROM {ns}.silver.orders GROUP BY day"
                ),
            ),
            (
                "n1: gold view",
                "CREATE VIEW {ns}.gold.best_days AS SELECT day, best FROM {ns}.gold.daily WHERE best > 1",
            ),
            ("n1: gold from view", "CREATE TABLE {ns}.gold.top_days USING delta AS SELECT * FROM {ns}.gold.best_days"),
            ("n1: read gold", "SELECT day, total FROM {ns}.gold.daily WHERE orders > 1"),
        ],
        daily,
    )
    shop.step(
        "n1: gold pivot",
        lambda: shop.table("silver.orders").groupBy("customer").pivot("status", ["new", "done"]).sum("amount")
        .write.format("delta").saveAsTable("gold.pivoted"),
    )  # fmt: skip


if __name__ == "__main__":
    main()
