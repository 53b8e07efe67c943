"""Runs the statements on one real Spark; called by ../make_operator_fixtures.py with that Spark's Python.

`cases.sql` has the statements in their order. A name with a slash, `<rule>/<case>`, is a case: it is the job description,
by which the plans are found in the event log. What has another name or none prepares the cases after it and always runs.
A name without SQL is a frame of `FRAMES`. Lines before the SQL say more:

    -- versions: 3.1 3.5        the versions whose text is a fixture; without it 3.5
    -- from: 3.3                the first version that can run it
    -- text: formatted extended both text forms; without it the formatted one
    -- set: KEY=VALUE …         settings of the statement

Usage: `python run.py WORK_FOLDER [ONLY]`, the latter how the names of the cases to run begin (`a,b`); with the
environment variable `EVERY_VERSION` set, all cases run, whatever the versions whose text is a fixture.
"""

import functools
import os
import sys
from pathlib import Path

import pandas as pd
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812

ROOT = Path(sys.argv[1])
DATA = ROOT / "data"
ONLY = tuple(sys.argv[2].split(",")) if len(sys.argv) > 2 else ("",)
DERBY = {"driver": "org.apache.derby.jdbc.EmbeddedDriver", "url": f"jdbc:derby:{ROOT}/derbydb;create=true"}
MODE = "spark.sql.ui.explainMode"

spark = (
    SparkSession.builder.master("local[2]")
    .appName("operator cases")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.default.parallelism", "2")
    .config("javax.jdo.option.ConnectionURL", f"jdbc:derby:;databaseName={ROOT}/metastore;create=true")
    .config("spark.driver.extraJavaOptions", f"-Dderby.system.home={ROOT}/derby")
    .enableHiveSupport()
    .getOrCreate()
)
VERSION = ".".join(spark.version.split(".")[:2])


def orders(*columns):
    """Columns of the orders."""
    return spark.table("orders").select(*columns)


def people():
    """The id and name of each customer."""
    return spark.table("customers").select("customer_id", "name")


def wide():
    """Forty columns and an id, from files."""
    return spark.read.parquet(str(DATA / "wide"))


def files():
    """Make the files that the frames read."""
    spark.range(10).selectExpr("id", "id * 2 AS twice").write.parquet(str(DATA / "pairs"))
    spark.range(3).selectExpr("id", "id AS c").write.option("header", True).csv(str(DATA / "csv"))
    spark.range(10).selectExpr("id", "id % 2 AS part").write.partitionBy("part").parquet(str(DATA / "parts"))
    columns = [(F.col("id") + number).alias(f"c{number:02}") for number in range(40)]
    spark.range(5).select("id", *columns).write.parquet(str(DATA / "wide"))


def odd_names():
    """Make a file with column names that look like a plan's structure; Spark before 3.3 writes none to Parquet."""
    spark.sql(
        "SELECT status AS `x#1, y#2`, CAST(order_id AS INT) AS `p[q`, named_struct('y.z', status, 'n', 1) AS `x.y` FROM orders"
    ).write.parquet(str(DATA / "odd"))


def checkpoint():
    """A checkpoint and what reads it."""
    frame = spark.sql("SELECT order_id, amount * 3 AS triple FROM orders").localCheckpoint()
    return frame.groupBy().agg(F.sum("triple").alias("total"))


def odd_literals():
    """Literals that look like a plan's structure."""
    return orders(
        F.concat("status", F.lit(", [x], #5 ")).alias("a"),
        F.concat("status", F.lit("x\n\n(3) Filter\nInput [1]: [a#1]")).alias("b"),
        F.when(F.col("status") == "(1) Scan", F.lit("+- x")).otherwise(F.lit(")")).alias("c"),
        F.split("status", "\\(").getItem(0).alias("d"),
    )


def odd_aliases():
    """Aliases that look like a plan's structure."""
    names = ("a b", "x,y", "h#12", "br[0]", "a AS b", "(p)")
    return orders(*[F.col("order_id").alias(name) for name in names]).filter("`a b` > 1 AND `h#12` > 1")


def struct_fields():
    """Structs whose fields are dropped and added."""
    address = F.col("address")
    return orders(
        "order_id",
        address.dropFields("zip").alias("dropped"),
        address.withField("zip", F.lower("address.zip")).alias("changed"),
        address.withField("street", F.col("status")).dropFields("street").alias("same"),
    )


def scaled(v: pd.Series) -> pd.Series:
    """Twice each value."""
    return v * 2


def middle(v: pd.Series) -> float:
    """The mean of the values."""
    return float(v.mean())


def by_pandas(function, column):
    """A column through a function of pandas."""
    return F.pandas_udf(function, "double")(column)


def python_function():
    """One Python function inside another."""
    plus = F.udf(lambda x: x + 1, "bigint")
    return orders("order_id", plus(plus("customer_id")).alias("more"))


def python_cogroup():
    """Two grouped frames in one Python function."""
    amounts = orders("customer_id", "amount").groupBy("customer_id")
    both = amounts.cogroup(people().groupBy("customer_id"))
    return both.applyInPandas(lambda left, right: left, "customer_id long, amount double")


def distributed_sequence():
    """Pandas API on Spark numbers the rows of a table that has no index."""
    import pyspark.pandas as ps  # noqa: PLC0415 - only here, and slow

    ps.set_option("compute.default_index_type", "distributed-sequence")
    return ps.DataFrame(spark.table("customers")).reset_index().to_spark()


def table_function():
    """A Python table function."""

    class Pair:
        def eval(self, x):
            yield x, x + 1

    spark.udtf.register("pair", F.udtf(Pair, returnType="a bigint, b bigint"))
    return spark.sql("SELECT o.order_id, p.a, p.b FROM orders o, LATERAL pair(o.customer_id) p")


@functools.lru_cache(None)
def doubled():
    """A cached query."""
    return spark.sql("SELECT order_id, amount * 2 AS twice, status FROM orders").cache()


@functools.lru_cache(None)
def open_ended():
    """A cached query whose literals open brackets."""
    return spark.sql(
        """SELECT order_id, customer_id, concat('[', status) AS s FROM orders
        WHERE status <> '(' AND order_id > 0 AND customer_id > 0 AND amount > 0 AND amount < 100000"""
    ).cache()


@functools.lru_cache(None)
def block_in_a_literal():
    """A cached query with a literal that looks like an operator's block."""
    return spark.sql("SELECT customer_id, name FROM customers WHERE name <> '\\n\\n(3) Project'").cache()


def several_caches():
    """Two caches, one of them twice."""
    again = open_ended().selectExpr("customer_id", "s AS other")
    joined = open_ended().join(block_in_a_literal(), "customer_id").join(again, "customer_id")
    return joined.filter("other <> '('").select("name", "s", "other")


def cache_of_caches():
    """A cache over two others."""
    joined = open_ended().join(block_in_a_literal(), "customer_id")
    nested = joined.groupBy("name").agg(F.count("s").alias("n")).cache()
    return nested.select("name").union(open_ended().filter("order_id > 1").select("s"))


def sql_function():
    """A SQL function that returns a table (4.0+)."""
    spark.sql(
        "CREATE FUNCTION above(least DOUBLE) RETURNS TABLE (order_id BIGINT, amount DOUBLE)"
        " RETURN SELECT order_id, amount FROM orders WHERE amount > least"
    )
    spark.sql("CREATE VIEW big_orders AS SELECT order_id, amount + 1 AS more FROM above(3.0)")


def events():
    """Make the files that the streams read."""
    rows = spark.sql("SELECT order_id, amount, status, timestamp'2026-11-20 01:00:00' AS at FROM orders")
    rows.write.parquet(str(DATA / "events"))


def source(delay="1 minute"):
    """A stream of the events."""
    schema = "order_id BIGINT, amount DOUBLE, status STRING, at TIMESTAMP"
    return spark.readStream.schema(schema).parquet(str(DATA / "events")).withWatermark("at", delay)


def joined_streams():
    """Two streams joined within their watermarks."""
    on = F.expr("a.order_id = b.order_id AND a.amount > b.amount AND a.at > b.at")
    joined = source().alias("a").join(source("2 minutes").alias("b"), on)
    return joined.select("a.status", F.col("b.amount").alias("lower"))


def jdbc(writer_or_reader):
    """A writer or reader of the table PEOPLE in the Derby that Spark brings."""
    return writer_or_reader.format("jdbc").options(dbtable="PEOPLE", **DERBY)


def derby():
    """Make Derby a catalog whose scans aggregate."""
    spark.conf.set("spark.sql.catalog.derby", "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    for key, value in {**DERBY, "pushDownAggregate": "true"}.items():
        spark.conf.set(f"spark.sql.catalog.derby.{key}", value)
    jdbc(people().write).mode("overwrite").save()


FRAMES = {
    "files": files,
    "file_scan/path": lambda: spark.read.parquet(str(DATA / "pairs")),
    "file_scan/csv": lambda: spark.read.option("header", True).csv(str(DATA / "csv")),
    "existing_rdd_scan/rows": lambda: spark.createDataFrame([(1, "a")], "x INT, y STRING").filter("x > 0"),
    "existing_rdd_scan/checkpoint": checkpoint,
    "batch_scan/files": lambda: spark.read.parquet(str(DATA / "pairs")).filter("id > 2").selectExpr("twice"),
    "batch_scan/footers": lambda: (
        spark.read.parquet(str(DATA / "parts")).filter("part = 1").selectExpr("max(id) AS last", "count(*) AS n")
    ),
    "project/odd_literals": odd_literals,
    "project/odd_names": odd_aliases,
    "pass_through/repartition": lambda: orders("order_id", "amount").repartition(3, "order_id").coalesce(1),
    "pass_through/limit": lambda: spark.table("customers").sample(0.5, 3).limit(2),
    "pass_through/observe": lambda: spark.table("orders").observe("o", F.count(F.lit(1)).alias("n")).select("order_id"),
    "odd names": odd_names,
    "project/struct_without_fields": struct_fields,
    "sort/within_partitions": lambda: orders("order_id", "amount").sortWithinPartitions("amount"),
    "take_ordered/wide": lambda: (
        wide().select("id", *[(F.col(f"c{n:02}") * 2).alias(f"d{n:02}") for n in range(40)]).orderBy("d01").limit(3)
    ),
    "window/wide": lambda: wide().select(
        "id", *[F.sum(f"c{n:02}").over(Window.partitionBy("id")).alias(f"w{n:02}") for n in range(40)]
    ),
    "python_eval/scalar": python_function,
    "python_eval/pandas": lambda: orders(by_pandas(scaled, "amount").alias("twice")),
    "python_eval/aggregate": lambda: (
        spark.table("orders").groupBy("customer_id").agg(by_pandas(middle, "amount").alias("m"))
    ),
    "python_eval/aggregates": lambda: (
        spark.table("orders")
        .groupBy("customer_id")
        .agg(
            by_pandas(middle, "amount").alias("m"),
            (by_pandas(middle, F.col("order_id") * 1.0) + by_pandas(middle, "amount")).alias("s"),
        )
    ),
    "window/pandas": lambda: orders(
        "order_id", by_pandas(middle, "amount").over(Window.partitionBy("customer_id")).alias("m")
    ),
    "python_rows/map_in_pandas": lambda: spark.table("customers").mapInPandas(
        lambda frames: frames, "customer_id long, name string, email string"
    ),
    "python_rows/apply": lambda: (
        orders("customer_id", "amount")
        .groupBy("customer_id")
        .applyInPandas(lambda frame: frame, "customer_id long, amount double")
    ),
    "python_rows/cogroup": python_cogroup,
    "python_rows/table_function": table_function,
    "attach_distributed_sequence/index": distributed_sequence,
    "typed/rdd_round_trip": lambda: spark.createDataFrame(
        spark.table("customers").rdd.map(lambda row: (row[0], row[1])), "id long, name string"
    ),
    "in_memory_scan/first": lambda: doubled().filter("twice > 3").select("order_id"),
    "filled cache": lambda: doubled().count(),
    "in_memory_scan/filled": lambda: doubled().groupBy("status").agg(F.sum("twice").alias("s")),
    "in_memory_scan/brackets": lambda: open_ended().filter("s <> ']'").select("order_id", "s"),
    "in_memory_scan/several": several_caches,
    "in_memory_scan/nested": cache_of_caches,
    "insert_into_files/path": lambda: orders("order_id", "amount").write.mode("overwrite").json(str(DATA / "json")),
    "insert_into_files/sorted_by_user": lambda: (
        orders("order_id", "amount")
        .sortWithinPartitions("amount")
        .write.mode("overwrite")
        .parquet(str(DATA / "sorted"))
    ),
    "insert_into_files/wide": lambda: wide().write.mode("overwrite").parquet(str(DATA / "wide2")),
    "create_table_as_select/save_as_table": lambda: (
        spark.table("customers").write.mode("overwrite").saveAsTable("saved")
    ),
    "create_view/of_frame": lambda: spark.sql("SELECT order_id FROM {frame}", frame=spark.table("orders")),
    "create_view/on_path": lambda: spark.read.parquet(str(DATA / "pairs")).createOrReplaceTempView("pairs"),
    "v2_write/noop": lambda: orders("order_id").write.format("noop").mode("overwrite").save(),
    "pass_through/sql_function": sql_function,
    "deduplicate/logical": lambda: spark.table("orders").dropDuplicates(["status"]).createOrReplaceTempView("o1"),
    "events": events,
    "deduplicate/stream": lambda: source().dropDuplicates(["order_id", "at"]),
    "deduplicate/within_watermark": lambda: source().dropDuplicatesWithinWatermark(["order_id"]),
    "aggregate/session": lambda: (
        source().groupBy(F.session_window("at", "5 minutes"), "status").agg(F.sum("amount").alias("total"))
    ),
    "aggregate/streamlined": lambda: (
        source().groupBy(F.window("at", "5 minutes"), "status").agg(F.sum("amount").alias("total"))
    ),
    "join/stream": joined_streams,
    "pass_through/stream_limit": lambda: source().limit(3),
    "save_into_data_source/jdbc": lambda: jdbc(people().write).mode("overwrite").save(),
    "relation_scan/jdbc": lambda: jdbc(spark.read).load().filter("customer_id > 1").select("name"),
    "derby": derby,
    "v2_write/jdbc_append": lambda: people().writeTo("derby.APP.PEOPLE").append(),
}


def listed():
    """Return the statements of `cases.sql`: the lines before the SQL, and the SQL or nothing."""
    for block in Path(__file__).with_name("cases.sql").read_text().strip().split("\n\n"):
        lines = block.splitlines()
        front = dict(line[3:].split(": ", 1) for line in lines if line.startswith("-- "))
        sql = " ".join(line for line in lines if not line.startswith("-- "))
        yield front, sql[:-1].replace("{root}", str(ROOT))


def selected(front):
    """Tell whether a statement runs on this version: it prepares others, or is a case that was asked for."""
    name = front.get("name", "")
    if front.get("from", VERSION) > VERSION:
        return False
    wanted = "EVERY_VERSION" in os.environ or VERSION in front.get("versions", "3.5").split()
    return "/" not in name or (name.startswith(ONLY) and wanted)


def run(front, sql, description):
    """Run a statement under its job description; a stream has its own, which begins with the query's name."""
    spark.sparkContext.setJobDescription(description)
    result = spark.sql(sql) if sql else FRAMES[front["name"]]()
    if getattr(result, "isStreaming", False):
        sink = result.writeStream.queryName(description).format("noop").trigger(availableNow=True)
        sink.option("checkpointLocation", str(ROOT / "checkpoints" / description)).start().awaitTermination()
    elif hasattr(result, "collect"):
        result.collect()


def main():
    """Run all that is selected; a statement that this version lacks is printed, and the others go on."""
    for front, sql in filter(lambda each: selected(each[0]), listed()):
        name = front.get("name", "")
        settings = dict(setting.split("=", 1) for setting in front.get("set", "").split())
        for text in front.get("text", "formatted").split():
            extended = {MODE: text} if text == "extended" else {}
            for key, value in {**settings, **extended}.items():
                spark.conf.set(key, value)
            try:
                run(front, sql, (name + "_extended" * bool(extended)) if "/" in name else None)
            except Exception as error:
                print(f"FAILED {name or sql}: {' '.join(str(error).split())[-300:]}")
            for key in {**settings, **extended}:
                spark.conf.unset(key)
    spark.stop()


main()
