"""A bazaar's orders over three nights on every format, each night an application with a log of its own.

Written before any of its statements was traced. In SQL `R.t`, `C.t` and `M.t` are tables of the layers bronze, silver
and gold, whose names are often equal; in the truth they are `r_t`, `c_t` and `m_t`. With two Iceberg catalogs (`two` in
the log's name) silver is in `jdb`, and `j_t` is a gold table there. A log's name ends its first part with the night:
`bazaar_delta_n2-3-5`. `python -m lakehouse.workload_bazaar --truth FORMAT NIGHT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse import workload_bazaar_delta, workload_bazaar_iceberg, workload_bazaar_rest
from lakehouse.workload import CatalogNames, Job, Step, numbered, truth_of
from lakehouse.workload_nights import add_datasets, created, saved_as_table
from lakehouse.workload_run import LASTING, Workload, layered, variant

_LAYER = re.compile(r"\b([RCMJ])\.(?=[\w`])")
_ORDERS = "order_id BIGINT, customer_id INT, placed_at TIMESTAMP, status STRING, coupon STRING, shipping DOUBLE"
_ITEMS = (
    "order_id BIGINT, lines ARRAY<STRUCT<sku: STRING, qty: INT, price: DOUBLE>>,"
    " ship STRUCT<city: STRING, zip: STRING, geo: STRUCT<lat: DOUBLE, lon: DOUBLE>>, notes MAP<STRING, STRING>"
)
_CLICKS = "click_id BIGINT, customer_id INT, page STRING, at TIMESTAMP"
_WIDE = [f"f{n}" for n in range(1, 41)]


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of the layers, by their letters."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    second = "jdb" if two else first
    return {"R": f"{first}.bronze", "C": f"{second}.silver", "M": f"{first}.gold", "J": f"{second}.gold"}


def land(root: Path, night: int) -> None:
    """Write the landing files of a night, and the product table of another system."""
    day = f"dt=2026-10-0{night}"
    for folder in (f"orders/{day}", f"items/{day}", f"customers/{day}", "clicks"):
        (root / "landing" / folder).mkdir(parents=True, exist_ok=True)
    known = [(night - 1) * 100 + n for n in range(1, 5)] if night > 1 else []
    numbers = [*known, *(night * 100 + n for n in range(1, 25))]
    rows = [
        f"{n},{n % 8 + 1 if n % 7 else ''},2026-10-0{night} 0{n % 9}:30:00,{('paid', 'sent', 'open', 'cancelled')[n % 4]},"
        f"{f'SAVE{n % 5}' if n % 3 else ''},{n % 25 / 2}"
        for n in numbers
    ]
    header = "order_id,customer_id,placed_at,status,coupon,shipping"
    (root / "landing" / "orders" / day / "part.csv").write_text("\n".join([header, *rows]) + "\n")
    items = [
        {
            "order_id": n,
            "lines": [
                {"sku": f"s{n % 6}", "qty": n % 3 + 1, "price": n % 10 + 0.5},
                {"sku": "s9", "qty": 1, "price": 2.0},
            ],
            "ship": {"city": f"c{n % 4}", "zip": f"z{n}", "geo": {"lat": n / 10, "lon": n / 20}},
            "notes": {"pin": str(n), "gift": "yes"},
        }
        for n in numbers
    ]
    (root / "landing" / "items" / day / "part.json").write_text("".join(json.dumps(each) + "\n" for each in items))
    people = [
        f"{n},name {n},M{n}@X.ORG,{('NL', 'SE', 'PT')[(n + night) % 3]},202{n % 5}-02-0{night}" for n in range(1, 9)
    ]
    (root / "landing" / "customers" / day / "part.csv").write_text("\n".join(people) + "\n")
    clicks = [
        {
            "click_id": night * 50 + n,
            "customer_id": n % 8 + 1,
            "page": f"p{n % 4}",
            "at": f"2026-10-0{night}T1{n % 9}:{n}:00",
        }
        for n in range(10, 40)
    ]
    (root / "landing" / "clicks" / f"n{night}.json").write_text("".join(json.dumps(each) + "\n" for each in clicks))
    with sqlite3.connect(root / "erp.db") as database:
        database.execute(
            "CREATE TABLE IF NOT EXISTS products (sku VARCHAR(20), title VARCHAR(40), category VARCHAR(20), cost DOUBLE, active INTEGER)"
        )
        database.executemany(
            "INSERT INTO products VALUES (?, ?, ?, ?, ?)",
            [(f"s{n}", f"title {n} {night}", "tea" if n % 2 else "rug", n * 1.5, n % 3) for n in range(10)],
        )


def nightly(fmt: str, sql: Callable[[str], str], night: int) -> tuple[Step, ...]:  # noqa: C901, PLR0915 - functions of steps
    """Return the steps that run each night.

    Args:
        fmt: The format.
        sql: Puts catalogs into a text.
        night: 1 to 3.
    """
    table = CatalogNames(sql).table
    first = night == 1
    day = f"2026-10-0{night}"
    made = "create" if first else "append"
    clicks = "p_clicks" if fmt == "hudi" else "c_clicks"

    def orders_in(job: Job) -> None:
        frame = (
            job.spark.read.option("header", True).option("inferSchema", True).csv(f"{job.root}/landing/orders/dt={day}")
        )
        frame = frame.withColumn("_file", f.input_file_name()).withColumn("_loaded", f.current_timestamp())
        frame = frame.withColumn("dt", f.lit(day))
        if first:
            frame.write.format(fmt).partitionBy("dt").saveAsTable(sql("R.orders"))
        elif night == 2 or fmt == "hudi":
            frame.write.mode("append").insertInto(sql("R.orders"))
        else:
            frame.write.format(fmt).mode("append").partitionBy("dt").saveAsTable(sql("R.orders"))

    def items_in(job: Job) -> None:
        job.spark.read.schema(_ITEMS).json(f"{job.root}/landing/items/dt={day}").createOrReplaceTempView("landed_items")
        verb = f"CREATE TABLE R.items USING {fmt} AS" if first else "INSERT INTO TABLE R.items"
        job.sql(
            sql(
                f"{verb} SELECT i.order_id, i.lines, i.ship, i.notes, '{day}' AS dt FROM landed_items i WHERE size(i.lines) > 0"
            )
        )

    def products_in(job: Job) -> None:
        reader = (
            job.spark.read.format("jdbc")
            .option("url", f"jdbc:sqlite:{job.root}/erp.db")
            .option("driver", "org.sqlite.JDBC")
        )
        frame = reader.option("dbtable", "products").load().where("active > 0").drop("active").dropDuplicates(["sku"])
        frame.withColumn("margin", f.round(f.col("cost") * 1.3, 2)).write.format(fmt).mode("overwrite").saveAsTable(
            sql("R.products")
        )

    def lines(job: Job) -> None:
        rows = (
            table(job, "R.items")
            .where(f.col("dt") == day)
            .select("order_id", f.posexplode_outer("lines").alias("pos", "line"), "ship.city")
        )
        frame = rows.select("order_id", "pos", "line.*", "city").withColumn("total", f.col("qty") * f.col("price"))
        if fmt == "hudi" and first:
            frame.write.format(fmt).saveAsTable(sql("C.lines"))
        elif fmt == "hudi":
            frame.write.insertInto(sql("C.lines"))
        elif first:
            frame.writeTo(sql("C.lines")).using(fmt).create()
        else:
            frame.writeTo(sql("C.lines")).append()

    def customers(job: Job) -> None:
        label = f.udf(lambda name, tier: f"{name}/{tier}", "string")
        orders = table(job, "C.orders")
        spent = orders.join(table(job, "C.lines"), "order_id").groupBy("customer_id").agg(f.sum("total").alias("spent"))
        recent = orders.groupBy("customer_id").agg(f.count("*").alias("n"), f.max("placed_at").alias("last"))
        frame = (
            table(job, "R.customers")
            .join(recent, "customer_id", "left")
            .join(spent, "customer_id", "left")
            .withColumn("tier", f.when(f.col("spent") > 100, "gold").otherwise("basic"))
            .withColumn("label", label("name", "tier"))
            .withColumn("nth", f.dense_rank().over(Window.partitionBy("country").orderBy(f.desc_nulls_last("spent"))))
            .select("customer_id", "name", "country", "n", "last", "spent", "tier", "label", "nth")
        )
        frame.write.format(fmt).mode("overwrite").saveAsTable(sql("M.customers"))

    def clicks_stream(job: Job) -> None:
        rows = (
            job.spark.readStream.schema(_CLICKS)
            .json(f"{job.root}/landing/clicks")
            .withWatermark("at", "1 hour")
            .dropDuplicates(["click_id"])
            .select("click_id", "customer_id", f.upper("page").alias("page"), "at")
        )
        writer = job.stream(rows, "clicks stream").format(fmt)
        if fmt == "hudi":
            options = {
                "hoodie.table.name": "clicks",
                "hoodie.datasource.write.recordkey.field": "click_id",
                "hoodie.datasource.write.precombine.field": "at",
            }
            writer.options(**options).start(f"{job.root}/lake/clicks").awaitTermination()
        elif fmt == "paimon":  # 0.9 has no streams into tables by name
            writer.start(f"{job.root}/pai/silver.db/clicks").awaitTermination()
        else:
            writer.toTable(sql("C.clicks")).awaitTermination()

    def top(job: Job) -> None:
        job.spark.sql(
            sql(
                "CREATE OR REPLACE TEMP VIEW paid AS SELECT order_id, customer_id, shipping FROM C.orders WHERE status IN ('paid', 'sent')"
            )
        )
        job.spark.sql("CACHE TABLE paid")
        job.sql(
            sql(
                "INSERT INTO M.top SELECT p.customer_id, max(struct(p.shipping, p.order_id)).order_id, avg(p.shipping) FROM paid p GROUP BY p.customer_id"
            )
        )
        job.spark.sql("UNCACHE TABLE paid")

    paid = "sum(l.total) FILTER (WHERE o.status = 'paid')"
    return (
        Step(
            "orders in",
            orders_in,
            f"{made} r_orders",
            "order_id customer_id placed_at status coupon shipping < csv.*; _file _loaded dt <",
        ),
        Step("items in", items_in, f"{made} r_items", "order_id lines ship notes < json.*; dt <", "FILTER json.lines"),
        Step(
            "products in",
            products_in,
            "overwrite r_products",
            "sku title category cost < erp.*; margin < erp.cost",
            "FILTER erp.active; GROUP_BY erp.sku",
        ),
        Step(
            "customers in",
            sql(
                "INSERT OVERWRITE R.customers SELECT CAST(_c0 AS INT) AS customer_id, _c1 AS name, lower(_c2) AS email, _c3 AS country, to_date(_c4) AS since"
                f" FROM csv.`{{root}}/landing/customers/dt={day}` WHERE _c0 IS NOT NULL"
            ),
            "overwrite r_customers",
            "customer_id < people._c0; name < people._c1; email < people._c2; country < people._c3; since < people._c4",
            "FILTER people._c0",
        ),
        Step(
            "lines",
            lines,
            f"{made} c_lines",
            "order_id < r_items.order_id; pos < r_items.lines; sku < r_items.lines.sku; qty < r_items.lines.qty; price < r_items.lines.price; city < r_items.ship.city; total < r_items.lines.qty r_items.lines.price",
            "FILTER r_items.dt",
        ),
        Step(
            "rejected",
            sql(
                "INSERT INTO C.rejected (order_id, reason) SELECT CAST(order_id AS STRING), CASE WHEN customer_id IS NULL THEN 'nobody' ELSE concat('bad ', status) END"
                f" FROM R.orders WHERE dt = '{day}' AND (customer_id IS NULL OR shipping < 1)"
            ),
            "append c_rejected",
            "order_id < r_orders.order_id; reason < r_orders.status; at"
            + (" severity <" if fmt == "delta" and night == 3 else " <"),  # a column that the second night adds
            "FILTER r_orders.customer_id; FILTER r_orders.shipping",
        ),
        Step(
            "daily",
            sql(
                (f"CREATE TABLE M.daily USING {fmt} AS" if first else "INSERT OVERWRITE M.daily")
                + f" SELECT to_date(o.placed_at) AS day, l.city, count(DISTINCT o.order_id) AS orders, {paid} AS paid, sum(l.total) - max(o.shipping) AS net, any_value(o.coupon) AS coupon"
                " FROM C.orders o JOIN C.lines l ON l.order_id = o.order_id GROUP BY ALL"
            ),
            "create m_daily" if first else "overwrite m_daily",
            "day < c_orders.placed_at; city < c_lines.city; orders < c_orders.order_id; paid < c_lines.total; net < c_lines.total c_orders.shipping; coupon < c_orders.coupon",
            "JOIN c_lines.order_id; JOIN c_orders.order_id; GROUP_BY c_lines.city",
        ),
        Step(
            "customers",
            customers,
            "overwrite m_customers",
            "customer_id name country < r_customers.*; n <; last < c_orders.placed_at; spent < c_lines.total; tier <; label < r_customers.name; nth <",
            "JOIN c_lines.order_id; JOIN c_orders.customer_id",
        ),
        Step(
            "clicks stream",
            clicks_stream,
            f"append {clicks}",
            "click_id customer_id page at < clicks.*",
            "GROUP_BY clicks.click_id",
        ),
        Step(
            "top",
            top,
            "append m_top",
            "customer_id order_id < c_orders.*; shipping < c_orders.shipping",
            "FILTER c_orders.status; GROUP_BY c_orders.customer_id",
        ),
    )


def special(fmt: str, sql: Callable[[str], str], night: int) -> tuple[Step, ...]:
    """Return the steps of one night that all formats run."""
    return {1: _first, 2: _second, 3: _third}[night](fmt, sql)


def _first(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    table, made, saved = CatalogNames(sql).table, created(fmt, sql), saved_as_table(fmt, sql)

    def features(job: Job) -> DataFrame:
        return table(job, "C.lines").select(
            "order_id", "sku", *((f.col("price") * n + f.col("qty")).alias(f"f{n}") for n in range(1, 41))
        )

    def statuses(job: Job) -> DataFrame:
        grouped = table(job, "R.orders").groupBy("customer_id").pivot("status", ["paid", "sent"])
        return grouped.agg(f.sum("shipping").alias("ship"), f.count("order_id").alias("n"))

    return (
        made(
            "calendar",
            "SELECT d AS day, weekofyear(d) AS week, date_format(d, 'E') AS name, d = DATE'2026-10-01' AS opening FROM (SELECT explode(sequence(DATE'2026-10-01', DATE'2026-10-31')) AS d)",
            "day week name opening <",
        ),
        saved("features", features, "order_id sku < c_lines.*; f{1..40} < c_lines.price c_lines.qty"),
        saved(
            "statuses",
            statuses,
            "customer_id < r_orders.customer_id; paid_ship sent_ship < r_orders.shipping; paid_n sent_n < r_orders.order_id",
            "GROUP_BY r_orders.customer_id",
        ),
        Step(
            "tiers",
            sql("INSERT INTO M.tiers VALUES ('low', 0.0D, 3.0D), ('mid', 3.0D, 8.0D), ('high', 8.0D, 99.0D)"),
            "append m_tiers",
            "tier low high <",
        ),
        made(
            "bands",
            "SELECT o.customer_id, t.tier, count(*) AS n, sum(o.shipping - t.low) AS over FROM C.orders o JOIN M.tiers t ON o.shipping >= t.low AND o.shipping < t.high GROUP BY o.customer_id, t.tier",
            "customer_id < c_orders.customer_id; tier < m_tiers.tier; n <; over < c_orders.shipping m_tiers.low",
            "JOIN m_tiers.high; GROUP_BY m_tiers.tier",
        ),
        Step(
            "check",
            sql(
                "SELECT status, count(*) AS n, percentile_approx(shipping, 0.5) AS mid FROM C.orders GROUP BY status HAVING count(*) > 1 ORDER BY mid"
            ),
            "",
            "status < c_orders.status; n <; mid < c_orders.shipping",
            "GROUP_BY c_orders.status",
        ),
    )


def _second(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    table, made, saved = CatalogNames(sql).table, created(fmt, sql), saved_as_table(fmt, sql)
    clicks = "p_clicks" if fmt == "hudi" else "c_clicks"

    def ships(job: Job) -> DataFrame:
        ship = f.col("ship").withField("zip", f.lit("x")).dropFields("geo")
        return (
            table(job, "R.items")
            .withColumn("ship", ship)
            .withColumn("notes", f.map_filter("notes", lambda key, _: key != "pin"))
            .withColumn("skus", f.transform("lines", lambda line: line["sku"]))
            .select(
                "order_id",
                "ship",
                "notes",
                "skus",
                f.aggregate("lines", f.lit(0.0), lambda total, line: total + line["price"]).alias("sum"),
            )
        )

    def sessions(job: Job) -> DataFrame:
        source = (
            job.spark.read.format("hudi").load(f"{job.root}/lake/clicks") if fmt == "hudi" else table(job, "C.clicks")
        )
        spec = Window.partitionBy("customer_id").orderBy("at")
        gap = f.unix_timestamp("at") - f.unix_timestamp(f.lag("at").over(spec))
        return (
            source.withColumn("fresh", f.when(gap.isNull() | (gap > 600), 1).otherwise(0))
            .withColumn("session", f.sum("fresh").over(spec))
            .groupBy("customer_id", "session")
            .agg(f.min("at").alias("begun"), f.collect_list("page").alias("pages"), f.countDistinct("page").alias("n"))
        )

    return (
        Step(
            "features shifted",
            sql(
                "INSERT OVERWRITE M.features SELECT a.order_id, a.sku, coalesce(b.f40, a.f1) AS f1, "
                + numbered(39, "a.f{n} + 1 AS f{n}", first=2)
                + ", a.f40 + b.f1 AS f40 FROM M.features a LEFT JOIN M.features b ON a.order_id = b.order_id + 1 AND a.sku = b.sku"
            ),
            "overwrite m_features",
            "order_id sku < m_features.*; f1 < m_features.f40 m_features.f1; f{2..39} < m_features.*; f40 < m_features.f40 m_features.f1",
            "JOIN m_features.order_id",
        ),
        made(
            "melted",
            "SELECT * FROM (SELECT order_id, shipping, CAST(customer_id AS DOUBLE) AS buyer FROM C.orders) UNPIVOT (amount FOR what IN (shipping AS ship, buyer AS who))",
            "order_id < c_orders.order_id; what <; amount < c_orders.shipping c_orders.customer_id",
        ),
        saved(
            "ships",
            ships,
            "order_id < r_items.order_id; ship < r_items.ship.city; notes < r_items.notes; skus < r_items.lines.sku; sum < r_items.lines.price",
        ),
        saved(
            "sessions",
            sessions,
            f"customer_id < {clicks}.customer_id; session <; begun < {clicks}.at; pages n < {clicks}.page",
            f"GROUP_BY {clicks}.customer_id",
        ),
        made(
            "recent",
            "SELECT c.customer_id, upper(c.name) AS name, (SELECT max(o.placed_at) FROM C.orders o WHERE o.customer_id = c.customer_id) AS last,"
            " (SELECT sum(shipping) FROM C.orders) AS all_ship FROM R.customers c WHERE EXISTS (SELECT 1 FROM C.orders o WHERE o.customer_id = c.customer_id AND o.status <> 'open')",
            "customer_id name < r_customers.*; last < c_orders.placed_at; all_ship < c_orders.shipping",
            "JOIN c_orders.customer_id; FILTER c_orders.status",
        ),
        Step(
            "compare",
            sql(
                "WITH a AS (SELECT customer_id, sum(shipping) AS s FROM C.orders GROUP BY customer_id), b AS (SELECT customer_id, max(shipping) AS m FROM M.top GROUP BY customer_id)"
                " SELECT coalesce(a.customer_id, b.customer_id) AS who, a.s / b.m AS ratio, sum(a.s) OVER () AS grand FROM a FULL OUTER JOIN b ON a.customer_id = b.customer_id"
            ),
            "",
            "who < c_orders.customer_id m_top.customer_id; ratio < c_orders.shipping m_top.shipping; grand < c_orders.shipping",
            "JOIN m_top.customer_id",
        ),
    )


def _third(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    table, made, saved = CatalogNames(sql).table, created(fmt, sql), saved_as_table(fmt, sql)

    def scores(job: Job) -> DataFrame:
        def score(frame):  # type: ignore[no-untyped-def]
            frame["score"] = frame["shipping"].mean()
            return frame[["order_id", "score"]]

        return (
            table(job, "C.orders")
            .select("customer_id", "order_id", "shipping")
            .groupBy("customer_id")
            .applyInPandas(score, "order_id long, score double")
        )

    def events(job: Job) -> DataFrame:
        orders = table(job, "C.orders").selectExpr("order_id", "customer_id AS who", "placed_at AS at")
        lines = table(job, "C.lines").selectExpr("order_id", "city", "total")
        rejected = table(job, "C.rejected").selectExpr("CAST(order_id AS BIGINT) AS order_id", "reason AS city")
        return orders.unionByName(lines, allowMissingColumns=True).unionByName(rejected, allowMissingColumns=True)

    def missing(job: Job) -> DataFrame:
        people = (
            table(job, "R.customers")
            .select("customer_id", "country")
            .join(table(job, "M.top"), "customer_id", "left_anti")
        )
        return people.exceptAll(
            table(job, "R.customers").where("country = 'PT'").select("customer_id", "country")
        ).distinct()

    return (
        saved(
            "scores",
            scores,
            "order_id score < c_orders.customer_id c_orders.order_id c_orders.shipping",
            "GROUP_BY c_orders.customer_id",
        ),
        made(
            "cube",
            "SELECT c.country, o.status, grouping_id() AS g, sum(o.shipping) AS shipping, approx_count_distinct(o.customer_id) AS people FROM C.orders o LEFT JOIN R.customers c ON c.customer_id = o.customer_id GROUP BY CUBE (c.country, o.status)",
            "country < r_customers.country; status < c_orders.status; g <; shipping < c_orders.shipping; people < c_orders.customer_id",
            "JOIN r_customers.customer_id",
        ),
        saved(
            "events",
            events,
            "order_id < c_orders.order_id c_lines.order_id c_rejected.order_id; who < c_orders.customer_id; at < c_orders.placed_at; city < c_lines.city c_rejected.reason; total < c_lines.total",
        ),
        made(
            "parsed",
            "SELECT i.order_id, to_json(i.ship) AS doc, x.sku, x.price * 2 AS twice, map_keys(i.notes) AS keys, element_at(i.notes, 'gift') AS gift FROM R.items i LATERAL VIEW OUTER inline(i.lines) x AS sku, qty, price WHERE i.dt > '2026-10-01'",
            "order_id < r_items.order_id; doc < r_items.ship; sku < r_items.lines.sku; twice < r_items.lines.price; keys gift < r_items.notes",
            "FILTER r_items.dt",
        ),
        made(
            "rated",
            "SELECT c.country, d.rate, o.shipping * d.rate AS local FROM C.orders o JOIN R.customers c USING (customer_id) JOIN (VALUES ('NL', 1.0D), ('SE', 11.2D)) AS d(country, rate) ON d.country = c.country",
            "country < r_customers.country; rate <; local < c_orders.shipping",
            "JOIN r_customers.country",
        ),
        saved("missing", missing, "customer_id country < r_customers.*", "JOIN m_top.customer_id"),
        Step(
            "latest",
            sql(
                "SELECT DISTINCT l.city, first_value(o.status) OVER (PARTITION BY l.city ORDER BY o.placed_at DESC) AS newest FROM C.lines l JOIN C.orders o ON o.order_id = l.order_id AND o.shipping > 2"
            ),
            "",
            "city < c_lines.city; newest < c_orders.status",
            "JOIN c_orders.order_id; FILTER c_orders.shipping",
        ),
    )


def tables(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the definitions of the first night."""
    return (
        Step(
            "customers ddl",
            sql(
                f"CREATE TABLE R.customers (customer_id INT, name STRING, email STRING, country STRING, since DATE) USING {fmt}"
            ),
        ),
        Step(
            "rejected ddl", sql(f"CREATE TABLE C.rejected (order_id STRING, reason STRING, at TIMESTAMP) USING {fmt}")
        ),
        Step(
            "top ddl",
            sql(f"CREATE TABLE IF NOT EXISTS M.top (customer_id INT, order_id BIGINT, shipping DOUBLE) USING {fmt}"),
        ),
        Step(
            "tiers ddl",
            sql(f"CREATE TABLE M.tiers (tier STRING, low DOUBLE, high DOUBLE) USING {fmt} COMMENT 'bands of shipping'"),
        ),
    )


def steps(fmt: str, two: bool, night: int) -> tuple[Step, ...]:
    """Return the steps of a format's night, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    own = {
        "delta": workload_bazaar_delta.Own,
        "iceberg": workload_bazaar_iceberg.Own,
        "hudi": workload_bazaar_rest.Hudi,
        "paimon": workload_bazaar_rest.Paimon,
    }[fmt](sql)
    before = (*tables(fmt, sql), *own.tables()) if night == 1 else own.registered(night)
    common = nightly(fmt, sql, night)
    return (*before, *common[:4], *own.merged(night), *common[4:], *special(fmt, sql, night), *own.night(night))


def truth(fmt: str, two: bool, folder: Path, night: int) -> str:
    """Return the truth of a night's log as JSON."""
    root = f"file://{folder}"
    landing = {"csv": "orders", "json": "items", "people": "customers", "clicks": "clicks"}
    names = {name: f"{root}/landing/{place}" for name, place in landing.items()} | {"erp": "jdbc:products"}
    listed = steps(fmt, two, night)
    add_datasets(names, listed, layers(fmt, two), root)
    changes = {"delta": workload_bazaar_delta.CHANGES, "iceberg": workload_bazaar_iceberg.CHANGES}
    changes.update(workload_bazaar_rest.CHANGES)
    return truth_of(names, listed, changes[fmt].get(night, ""))


def main() -> None:
    """Run the steps of a night, or write its truth."""
    name = f"{sys.argv[2]}_n{sys.argv[3]}" if sys.argv[1] == "--truth" else sys.argv[1].removeprefix("medallion-")
    fmt, _ = variant(name)
    night = int(name.partition("-")[0][-1])
    Workload(
        Path(f"/tmp/lakehouse_bazaar_{fmt}{'_two' if fmt == 'iceberg' else ''}"),
        partial(land, night=night),
        lambda fmt, two: sorted(set(layers(fmt, two).values())) if night == 1 or fmt == "hudi" else (),
        partial(steps, night=night),
        partial(truth, night=night),
        LASTING if fmt == "delta" else {},
    ).main()


if __name__ == "__main__":
    main()
