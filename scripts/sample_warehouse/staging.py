"""From the landing files to the staging tables."""

from __future__ import annotations

from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812 - PySpark's own habit

from sample_warehouse.statements import ROOT, Night, code, sql

_ORDERS = (
    "order_id BIGINT, customer_id BIGINT, ordered_at STRING, status STRING, "
    "amount STRING, discount STRING, coupon STRING, tags STRING"
)
_RETURNS = "order_id BIGINT, returned_on DATE, reason STRING, refund DECIMAL(10,2)"
_CUSTOMERS = (
    "customer_id BIGINT, name STRING, email STRING, "
    "addr STRUCT<street: STRING, city: STRING, zip: STRING, country: STRING>, "
    "phones ARRAY<STRUCT<kind: STRING, number: STRING>>, referrer_id BIGINT, updated_at TIMESTAMP"
)


def _orders(night: Night) -> None:
    """Dynamic partitions: only the days that arrived are replaced."""
    night.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")
    raw = night.spark.read.schema(_ORDERS).option("header", "true").csv(f"{ROOT}/landing/orders")
    typed = raw.where("order_id IS NOT NULL").selectExpr(
        "order_id",
        "customer_id",
        "to_timestamp(ordered_at) AS ordered_at",
        "lower(trim(status)) AS status",
        "CAST(amount AS DECIMAL(10,2)) AS amount",
        "coalesce(CAST(discount AS DECIMAL(10,2)), 0.00BD) AS discount",
        "nullif(coupon, '') AS coupon",
        "split(tags, ';') AS tags",
        "to_date(ordered_at) AS order_date",
    )
    typed.write.insertInto("staging.orders", overwrite=True)
    night.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")


def _returns_feed(night: Night) -> None:
    feed = night.spark.read.schema(_RETURNS).option("header", "true").csv(f"{ROOT}/landing/returns")
    feed.createOrReplaceTempView("returns_feed")


def _customers(night: Night) -> None:
    """A customer can arrive twice; the newest record wins."""
    raw = night.spark.read.schema(_CUSTOMERS).json(f"{ROOT}/landing/customers")
    newest_first = Window.partitionBy("customer_id").orderBy(F.col("updated_at").desc())
    latest = raw.withColumn("version", F.row_number().over(newest_first)).where("version = 1").drop("version")
    latest.write.format("parquet").saveAsTable("staging.customers")


def _order_tags(night: Night) -> None:
    orders = night.spark.table("staging.orders").where("tags IS NOT NULL")
    tags = orders.select("order_id", F.posexplode("tags").alias("position", "tag"))
    tags.write.format("parquet").saveAsTable("staging.order_tags")


STATEMENTS = [
    sql("ddl: database staging", "CREATE DATABASE staging"),
    sql("ddl: database sales", "CREATE DATABASE sales"),
    sql(
        "ddl: staging.orders",
        """CREATE TABLE staging.orders (
             order_id BIGINT, customer_id BIGINT, ordered_at TIMESTAMP, status STRING, amount DECIMAL(10,2),
             discount DECIMAL(10,2), coupon STRING, tags ARRAY<STRING>, order_date DATE)
           USING parquet PARTITIONED BY (order_date)""",
    ),
    sql(
        "ddl: staging.order_lines",
        """CREATE TABLE staging.order_lines (
             order_id BIGINT, line_no INT, product_id BIGINT, quantity BIGINT, unit_price DECIMAL(10,2))
           USING parquet""",
    ),
    sql(
        "ddl: staging.price_bands",
        "CREATE TABLE staging.price_bands (band STRING, low DECIMAL(10,2), high DECIMAL(10,2)) USING parquet",
    ),
    sql(
        "ddl: staging.returns",
        """CREATE TABLE staging.returns (order_id BIGINT, returned_on DATE, reason STRING, refund DECIMAL(10,2))
           STORED AS TEXTFILE""",
    ),
    sql(
        "ddl: staging.phone_book",
        "CREATE TABLE staging.phone_book (customer_id BIGINT, kind STRING, number STRING) USING orc",
        thorough=True,
    ),
    code("stage: orders", _orders),
    # `quantity` arrives as INT and is stored as BIGINT: the insert casts it
    sql(
        "stage: order_lines",
        """INSERT INTO staging.order_lines
           SELECT order_id, line_no, product_id, quantity, unit_price
           FROM parquet.`{landing}/order_lines` WHERE quantity > 0""",
    ),
    code("stage: customers", _customers),
    sql(
        "stage: products",
        """CREATE TABLE staging.products USING parquet AS
           SELECT product_id, title AS product_name, upper(category) AS category, list_price, launched
           FROM parquet.`{landing}/products`""",
    ),
    sql(
        "stage: price_bands",
        """INSERT INTO staging.price_bands
           VALUES ('small', 0.00, 10.00), ('middle', 10.00, 30.00), ('big', 30.00, 999.00)""",
    ),
    code("view: returns_feed", _returns_feed),
    sql("stage: returns", "INSERT INTO staging.returns SELECT * FROM returns_feed WHERE refund > 0"),
    sql(
        "stage: contacts",
        """CREATE TABLE staging.contacts USING parquet AS
           SELECT customer_id, md5(lower(email)) AS email_key, sha2(email, 256) AS email_hash,
                  substring(name, 1, 1) AS initial, addr.country AS country
           FROM staging.customers""",
    ),
    sql(
        "stage: phone_book",
        """INSERT INTO staging.phone_book
           SELECT customer_id, phone.kind, phone.number
           FROM staging.customers LATERAL VIEW explode(phones) exploded AS phone
           WHERE phone.kind <> 'fax'""",
        thorough=True,
    ),
    code("stage: order_tags", _order_tags),
    sql(
        "stage: calendar",
        """CREATE TABLE staging.calendar USING parquet AS
           SELECT day, date_format(day, 'EEEE') AS weekday
           FROM (SELECT explode(sequence(DATE'2026-10-25', DATE'2026-11-21')) AS day)""",
    ),
]
