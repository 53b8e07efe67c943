"""Runs the statements on one real Spark; called by ../make_operator_fixtures.py with that Spark's Python.

Every statement has a job description `<rule>/<case>`, by which its plans are found in the event log. `cases.sql` has
those that are SQL.
Usage: `python run.py WORK_FOLDER [ONLY]`, the latter how the names of the statements to run begin (`a,b`); with the
environment variable `EVERY_VERSION` set, all statements run, whatever the versions whose text is a fixture.
"""

import os
import sys
from pathlib import Path

import pandas as pd
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812

VERSIONS_ALL = ("3.1", "3.3", "3.5", "4.3")
ROOT = Path(sys.argv[1])
ONLY = tuple(sys.argv[2].split(",")) if len(sys.argv) > 2 else ("",)

spark = (
    SparkSession.builder.master("local[2]")
    .appName("operator cases")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.default.parallelism", "2")
    .config("spark.ui.enabled", "false")
    .config("spark.sql.warehouse.dir", str(ROOT / "warehouse"))
    .config("spark.eventLog.enabled", "true")
    .config("spark.eventLog.compress", "false")
    .config("spark.eventLog.rolling.enabled", "false")
    .config("spark.eventLog.dir", f"file://{ROOT}/logs")
    .config("javax.jdo.option.ConnectionURL", f"jdbc:derby:;databaseName={ROOT}/metastore;create=true")
    .config("spark.driver.extraJavaOptions", f"-Dderby.system.home={ROOT}/derby")
    .enableHiveSupport()
    .getOrCreate()
)
VERSION = ".".join(spark.version.split(".")[:2])
failures = []


def listed():
    """Return the statements of `cases.sql`: name, SQL and the versions whose text is a fixture."""
    for block in Path(__file__).with_name("cases.sql").read_text().strip().split("\n\n"):
        lines = block.splitlines()
        front = dict(line[3:].split(": ", 1) for line in lines if line.startswith("-- "))
        sql = " ".join(line for line in lines if not line.startswith("-- "))
        yield front["name"], sql[:-1], tuple(front.get("versions", "3.5").split())


def cases(first, count=1):
    """Run statements of `cases.sql`, from the one of a name on."""
    begin = next(number for number, each in enumerate(CASES) if each[0] == first)
    for each in CASES[begin : begin + count]:
        case(*each)


def case(name, action, versions=("3.5",)):
    """Runs one statement under its name, on the versions whose text it is a fixture for."""
    if not name.startswith(ONLY) or (VERSION not in versions and "EVERY_VERSION" not in os.environ):
        return
    spark.sparkContext.setJobDescription(name)
    try:
        result = spark.sql(action) if isinstance(action, str) else action()
        if result is not None and hasattr(result, "collect"):
            result.collect()
    except Exception as error:  # a statement that this version lacks fails the script at its end
        failures.append(f"{name}: {' '.join(str(error).split())[-300:]}")
    spark.sparkContext.setJobDescription(None)


def tables():
    """The tables that the statements read."""
    spark.sql(
        "CREATE TABLE orders (order_id BIGINT, customer_id BIGINT, amount DOUBLE, status STRING, tags ARRAY<STRING>,"
        " address STRUCT<city: STRING, zip: STRING>, items ARRAY<STRUCT<sku: STRING, qty: INT>>,"
        " extra MAP<STRING, STRING>) USING parquet"
    )
    spark.sql(
        "INSERT INTO orders SELECT id, id % 5, id * 1.5, IF(id % 2 = 0, 'paid', 'open'), array('a', 'b'),"
        " named_struct('city', concat('c', id), 'zip', 'z'), array(named_struct('sku', 's', 'qty', 1)),"
        " map('k', 'v') FROM range(20)"
    )
    spark.sql("CREATE TABLE customers (customer_id BIGINT, name STRING, email STRING) USING parquet")
    spark.sql("INSERT INTO customers SELECT id, concat('n', id), concat('e', id) FROM range(5)")
    spark.sql("CREATE TABLE days (order_id BIGINT, amount DOUBLE, day INT) USING parquet PARTITIONED BY (day)")
    spark.sql("INSERT INTO days SELECT order_id, amount, CAST(order_id % 3 AS INT) FROM orders")
    spark.sql("CREATE TABLE target (order_id BIGINT, amount DOUBLE) USING parquet")
    spark.sql("CREATE TABLE hive_orders (order_id BIGINT, status STRING) STORED AS TEXTFILE")
    spark.sql("CREATE TABLE hive_days (order_id BIGINT, status STRING) PARTITIONED BY (day STRING) STORED AS TEXTFILE")
    spark.range(10).selectExpr("id", "id * 2 AS twice").write.parquet(str(ROOT / "data" / "pairs"))
    spark.range(3).selectExpr("id", "id AS c").write.option("header", True).csv(str(ROOT / "data" / "csv"))
    wide = [(F.col("id") + number).alias(f"c{number:02}") for number in range(40)]
    spark.range(5).select("id", *wide).write.parquet(str(ROOT / "data" / "wide"))


def scans():
    """Reads."""
    both = ("3.1", "3.5", "4.3")
    case("file_scan/table", "SELECT order_id, amount FROM orders", both)
    case("file_scan/path", lambda: spark.read.parquet(str(ROOT / "data" / "pairs")))
    case("file_scan/csv", lambda: spark.read.option("header", True).csv(str(ROOT / "data" / "csv")))
    cases("file_scan/partition_filter")
    case("file_scan/nested", "SELECT address.city, items.sku, extra['k'] AS k FROM orders", both)
    cases("hive_scan/table", 6)
    case("existing_rdd_scan/rows", lambda: spark.createDataFrame([(1, "a")], "x INT, y STRING").filter("x > 0"))
    case("existing_rdd_scan/checkpoint", checkpoint)
    spark.conf.set("spark.sql.sources.useV1SourceList", "")
    case(
        "batch_scan/files",
        lambda: spark.read.parquet(str(ROOT / "data" / "pairs")).filter("id > 2").selectExpr("twice"),
    )
    spark.conf.unset("spark.sql.sources.useV1SourceList")


def checkpoint():
    """A checkpoint and what reads it."""
    frame = spark.sql("SELECT order_id, amount * 3 AS triple FROM orders").localCheckpoint()
    return frame.groupBy().agg(F.sum("triple").alias("total"))


def rows():
    """Operators that work row by row."""
    cases("project/expressions", 5)
    case(
        "project/odd_literals",
        lambda: spark.table("orders").select(
            F.concat("status", F.lit(", [x], #5 ")).alias("a"),
            F.concat("status", F.lit("x\n\n(3) Filter\nInput [1]: [a#1]")).alias("b"),
            F.when(F.col("status") == "(1) Scan", F.lit("+- x")).otherwise(F.lit(")")).alias("c"),
            F.split("status", "\\(").getItem(0).alias("d"),
        ),
    )
    case(
        "project/odd_names",
        lambda: (
            spark.table("orders")
            .select(
                F.col("order_id").alias("a b"),
                F.col("order_id").alias("x,y"),
                F.col("order_id").alias("h#12"),
                F.col("order_id").alias("br[0]"),
                F.col("order_id").alias("a AS b"),
                F.col("order_id").alias("(p)"),
            )
            .filter("`a b` > 1 AND `h#12` > 1")
        ),
    )
    cases("filter/conjunction", 10)
    case(
        "pass_through/repartition",
        lambda: spark.table("orders").select("order_id", "amount").repartition(3, "order_id").coalesce(1),
    )
    case("pass_through/limit", lambda: spark.table("customers").sample(0.5, 3).limit(2))
    case(
        "pass_through/observe",
        lambda: spark.table("orders").observe("o", F.count(F.lit(1)).alias("n")).select("order_id"),
    )


def groups():
    """Aggregates, windows, sorts."""
    cases("aggregate/group_by", 11)
    case(
        "sort/within_partitions",
        lambda: spark.table("orders").select("order_id", "amount").sortWithinPartitions("amount"),
    )
    cases("take_ordered/top")
    case(
        "take_ordered/wide",
        lambda: (
            spark.read.parquet(str(ROOT / "data" / "wide"))
            .select("id", *[(F.col(f"c{n:02}") * 2).alias(f"d{n:02}") for n in range(40)])
            .orderBy("d01")
            .limit(3)
        ),
    )
    case(
        "window/wide",
        lambda: spark.read.parquet(str(ROOT / "data" / "wide")).select(
            "id", *[F.sum(f"c{n:02}").over(Window.partitionBy("id")).alias(f"w{n:02}") for n in range(40)]
        ),
    )


def joins():
    """Joins, set operations, reuse."""
    cases("join/inner", 6)
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    cases("join/sort_merge")
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    cases("reused_exchange/self_join")
    spark.conf.set("spark.sql.adaptive.enabled", "true")
    spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")
    cases("join/pruned", 6)


def python():
    """Python functions and black boxes."""
    plus = F.udf(lambda x: x + 1, "bigint")
    case(
        "python_eval/scalar",
        lambda: spark.table("orders").select("order_id", plus(plus("customer_id")).alias("more")),
        ("3.1", "3.5"),
    )

    @F.pandas_udf("double")
    def scaled(v: pd.Series) -> pd.Series:
        return v * 2

    @F.pandas_udf("double")
    def middle(v: pd.Series) -> float:
        return float(v.mean())

    case("python_eval/pandas", lambda: spark.table("orders").select(scaled("amount").alias("twice")))
    case(
        "python_eval/aggregate",
        lambda: spark.table("orders").groupBy("customer_id").agg(middle("amount").alias("m")),
        ("3.1", "3.3", "3.5"),
    )
    case(
        "python_eval/aggregates",
        lambda: (
            spark.table("orders")
            .groupBy("customer_id")
            .agg(middle("amount").alias("m"), (middle(F.col("order_id") * 1.0) + middle("amount")).alias("s"))
        ),
        ("3.1", "3.3", "3.5", "4.3"),
    )
    case(
        "window/pandas",
        lambda: spark.table("orders").select(
            "order_id", middle("amount").over(Window.partitionBy("customer_id")).alias("m")
        ),
    )
    case(
        "python_rows/map_in_pandas",
        lambda: spark.table("customers").mapInPandas(
            lambda frames: frames, "customer_id long, name string, email string"
        ),
    )
    case(
        "python_rows/apply",
        lambda: (
            spark.table("orders")
            .select("customer_id", "amount")
            .groupBy("customer_id")
            .applyInPandas(lambda frame: frame, "customer_id long, amount double")
        ),
    )
    case(
        "python_rows/cogroup",
        lambda: (
            spark.table("orders")
            .select("customer_id", "amount")
            .groupBy("customer_id")
            .cogroup(spark.table("customers").select("customer_id", "name").groupBy("customer_id"))
            .applyInPandas(lambda left, right: left, "customer_id long, amount double")
        ),
    )
    if VERSION >= "3.5":
        case("python_rows/table_function", table_function)
    case("attach_distributed_sequence/index", distributed_sequence, ("3.3", "3.5", "4.3"))
    cases("script_transformation/cat")
    case(
        "typed/rdd_round_trip",
        lambda: spark.createDataFrame(
            spark.table("customers").rdd.map(lambda row: (row[0], row[1])), "id long, name string"
        ),
    )


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


def caches():
    """Cached relations."""
    cached = spark.sql("SELECT order_id, amount * 2 AS twice, status FROM orders").cache()
    case("in_memory_scan/first", lambda: cached.filter("twice > 3").select("order_id"), ("3.1", "3.5", "4.3"))
    cached.count()
    case(
        "in_memory_scan/filled", lambda: cached.groupBy("status").agg(F.sum("twice").alias("s")), ("3.1", "3.5", "4.3")
    )
    cases("no_lineage/cache_table", 2)
    open_ended = spark.sql(
        """SELECT order_id, customer_id, concat('[', status) AS s FROM orders
        WHERE status <> '(' AND order_id > 0 AND customer_id > 0 AND amount > 0 AND amount < 100000"""
    ).cache()
    case("in_memory_scan/brackets", lambda: open_ended.filter("s <> ']'").select("order_id", "s"), ("3.1",))
    twice = spark.sql("SELECT customer_id, name FROM customers WHERE name <> '\\n\\n(3) Project'").cache()
    case(
        "in_memory_scan/several",
        lambda: (
            open_ended.join(twice, "customer_id")
            .join(open_ended.selectExpr("customer_id", "s AS other"), "customer_id")
            .filter("other <> '('")
            .select("name", "s", "other")
        ),
        ("3.1",),
    )
    nested = open_ended.join(twice, "customer_id").groupBy("name").agg(F.count("s").alias("n")).cache()
    case(
        "in_memory_scan/nested",
        lambda: nested.select("name").union(open_ended.filter("order_id > 1").select("s")),
        ("3.1",),
    )


def binned(selected, names="", rest=""):
    """A relation whose ranges are split into bins of five minutes."""
    spark.conf.set("spark.sql.binByRelationOperator.enabled", "true")
    ranges = "(SELECT order_id, timestamp_seconds(order_id) AS s, timestamp_seconds(customer_id) AS e, amount AS v FROM orders)"
    bins = f"BIN BY (RANGE s TO e BIN WIDTH INTERVAL '5' MINUTE DISTRIBUTE UNIFORM (v) {names})"
    return spark.sql(f"SELECT {selected} {ranges} {bins} {rest}")


def sql_function():
    """A SQL function that returns a table (4.0+)."""
    spark.sql(
        "CREATE FUNCTION above(least DOUBLE) RETURNS TABLE (order_id BIGINT, amount DOUBLE)"
        " RETURN SELECT order_id, amount FROM orders WHERE amount > least"
    )
    spark.sql("CREATE VIEW big_orders AS SELECT order_id, amount + 1 AS more FROM above(3.0)")


def writes():
    """Writes."""
    out = ROOT / "data"
    every = VERSIONS_ALL
    case(
        "insert_into_files/path",
        lambda: spark.table("orders").select("order_id", "amount").write.mode("overwrite").json(str(out / "json")),
        every,
    )
    case(
        "insert_into_files/insert",
        "INSERT INTO target SELECT order_id, amount * 2 FROM orders WHERE status = 'paid'",
        every,
    )
    cases("insert_into_files/overwrite")
    case(
        "insert_into_files/static_partition",
        "INSERT OVERWRITE days PARTITION (day = 7) SELECT order_id, amount FROM orders",
        every,
    )
    case(
        "insert_into_files/dynamic_partition",
        "INSERT INTO days SELECT order_id, amount, CAST(customer_id AS INT) FROM orders",
        every,
    )
    case(
        "insert_into_files/sorted_by_user",
        lambda: (
            spark.table("orders")
            .select("order_id", "amount")
            .sortWithinPartitions("amount")
            .write.mode("overwrite")
            .parquet(str(out / "sorted"))
        ),
    )
    case(
        "insert_into_files/wide",
        lambda: spark.read.parquet(str(out / "wide")).write.mode("overwrite").parquet(str(out / "wide2")),
        ("3.3", "3.5"),
    )
    case(
        "create_table_as_select/sql",
        "CREATE TABLE totals USING parquet AS SELECT customer_id, sum(amount) AS total FROM orders GROUP BY customer_id",
        every,
    )
    case(
        "create_table_as_select/save_as_table",
        lambda: (
            spark.table("orders")
            .select("order_id")
            .write.mode("overwrite")
            .partitionBy("order_id")
            .format("parquet")
            .saveAsTable("saved")
            if False
            else spark.table("customers").write.mode("overwrite").saveAsTable("saved")
        ),
        every,
    )
    cases("create_table_as_select/hive", 3)
    case(
        "insert_into_hive/directory",
        f"INSERT OVERWRITE DIRECTORY '{out}/dir' USING parquet SELECT order_id FROM orders",
    )
    case(
        "insert_into_hive/local_directory",
        f"INSERT OVERWRITE LOCAL DIRECTORY '{out}/local' STORED AS TEXTFILE SELECT order_id FROM orders",
    )
    case(
        "create_view/view",
        "CREATE VIEW paid_orders (id, net) AS SELECT order_id, amount * 0.9 AS reduced FROM orders WHERE status = 'paid'",
        every,
    )
    cases("create_view/through", 2)
    case("create_view/on_path", lambda: spark.read.parquet(str(out / "pairs")).createOrReplaceTempView("pairs"))
    case("load_data/local", f"LOAD DATA LOCAL INPATH '{out}/local' INTO TABLE hive_copy")
    case(
        "v2_write/noop",
        lambda: spark.table("orders").select("order_id").write.format("noop").mode("overwrite").save(),
        ("3.5", "4.3"),
    )
    cases("pass_through/pipe", 2)
    case("pass_through/sql_function", sql_function, ("4.3",))
    cases("logical_operators/distinct", 5)


def both_modes(name, action, versions=("3.5", "4.3")):
    """Runs one statement with formatted and with extended text."""
    case(name, action, versions)
    spark.conf.set("spark.sql.ui.explainMode", "extended")
    case(f"{name}_extended", action, versions)
    spark.conf.unset("spark.sql.ui.explainMode")


def odd_texts():
    """Names and literals that look like a plan's structure."""
    every = ("3.5", "4.1", "4.3")
    both_modes(
        "project/brackets_in_literals",
        "SELECT concat(status, '[') AS a, order_id, concat('range [0, ', order_id) AS b, split(status, '\\\\(')[0] AS c,"
        " format_string('... 3 more fields %s)', status) AS d, customer_id, concat_ws('((', status, address.city) AS e,"
        " CASE WHEN status = ':(' THEN address.zip WHEN status = ') END' THEN ' AS z' ELSE address.city END AS f,"
        " '\\\\' AS g, if(status = 'if (', amount, order_id) AS h, amount FROM orders",
        every,
    )
    both_modes(
        "filter/brackets_in_literals",
        "SELECT order_id, amount FROM orders WHERE status = ':(' AND concat(address.city, ')') <> '[' OR customer_id = 3",
    )
    both_modes(
        "aggregate/brackets_in_literals",
        "SELECT concat(status, '(') AS k, count(DISTINCT concat(address.city, '[')) AS n, max(split(status, '[)]')[0]) AS m,"
        " sum(amount) AS s FROM orders GROUP BY concat(status, '(')",
    )
    both_modes(
        "window/brackets_in_literals",
        "SELECT order_id, rank() OVER (PARTITION BY concat(status, '[') ORDER BY concat(address.city, '(')) AS r,"
        " max(concat(status, ')')) OVER (PARTITION BY customer_id ORDER BY amount) AS m FROM orders",
    )
    both_modes(
        "generate/brackets_in_literals",
        "SELECT order_id, w FROM orders LATERAL VIEW explode(split(status, '\\\\(')) t AS w",
    )
    both_modes(
        "project/plan_like_names",
        "SELECT `x#1, y#2`, upper(`p[q`) AS `w#3`, `a AS b` AS `(z`, `it, em` FROM (SELECT status AS `x#1, y#2`,"
        " address.city AS `p[q`, amount + order_id AS `a AS b`, customer_id AS `it, em` FROM orders WHERE rand() > 0)",
        every,
    )
    both_modes(
        "window/odd_names",
        "SELECT `p[q`, sum(`c)`) OVER (PARTITION BY `x#1, y#2` ORDER BY `p[q`) AS `w#3`, `c)` FROM"
        " (SELECT order_id AS `p[q`, status AS `x#1, y#2`, amount AS `c)` FROM orders)",
    )
    if VERSION < "3.3":
        return  # it writes no such names to Parquet
    odd = str(ROOT / "data" / "odd")
    spark.sql(
        "SELECT status AS `x#1, y#2`, CAST(order_id AS INT) AS `p[q`, named_struct('y.z', status, 'n', 1) AS `x.y` FROM orders"
    ).write.mode("overwrite").parquet(odd)
    both_modes(
        "file_scan/odd_names",
        f"SELECT `p[q` AS k, `x#1, y#2` AS v, `x.y`.`y.z` AS z FROM parquet.`{odd}` WHERE `x.y`.n > 3",
        every,
    )


def variants():
    """VARIANT columns (4.0+), whose paths a scan can read one by one (`PushVariantIntoScan`, 4.0 to 4.3)."""
    if VERSION < "4.1":
        return
    spark.sql("CREATE TABLE vt (id BIGINT, vj VARIANT, s STRUCT<v: VARIANT, n: INT>) USING parquet")
    new = ("4.1", "4.3")
    paths = "variant_get(vj, '$.a', 'int') AS a, vj:b::string AS b, try_variant_get(vj, '$.c[0].d', 'double') AS d"
    for setting in ("true", "false"):
        name = "variant_paths" if setting == "true" else "variant_paths_unpushed"
        spark.conf.set("spark.sql.variant.pushVariantIntoScan", setting)
        both_modes(f"file_scan/{name}", f"SELECT id, {paths} FROM vt WHERE vj:e::int > 3", new)
        both_modes(f"file_scan/{name}_and_copy", f"SELECT {paths}, vj AS whole, s.v:f::int AS f, s.n FROM vt", new)
        both_modes(
            f"join/{name}",
            "SELECT o.status, max(v.vj:a::int) AS m FROM vt v JOIN orders o ON v.vj:k::bigint = o.order_id GROUP BY o.status",
            new,
        )
    names = (
        """variant_get(vj, '$["a b"].c', 'int') AS quoted, variant_get(vj, "$['x, y'][0]['z(']", 'string') AS odd,"""
        " vj:a.b:c AS chained, variant_get(vj, '$', 'string') AS root, variant_get(vj, '$[0]', 'string') AS element,"
        " variant_get(vj, concat('$.', id), 'string') AS dynamic,"
        " variant_get(parse_json(cast(vj AS string)), '$.p', 'int') AS parsed,"
        " transform(array(vj, s.v), x -> variant_get(x, '$.l', 'int')) AS listed, coalesce(vj:m::int, s.v:n::int) AS chosen"
    )
    both_modes("project/variant_path_names", f"SELECT {names} FROM vt", new)
    both_modes(
        "generate/variant_paths",
        "SELECT id, t.key, t.value:w::int AS w FROM vt, LATERAL variant_explode(vj:items) t"
        " WHERE exists(cast(vj:flags AS array<variant>), f -> f:on::boolean)",
        new,
    )
    spark.conf.unset("spark.sql.variant.pushVariantIntoScan")
    both_modes("file_scan/variant_copies", "SELECT id, vj, s FROM vt WHERE is_variant_null(vj)", new)


def rules_of_values():
    """What makes a value, and what only chooses or orders."""
    every = ("3.5", "4.1", "4.3")
    both_modes(
        "project/struct_without_fields",
        lambda: spark.table("orders").select(
            "order_id",
            F.col("address").dropFields("zip").alias("dropped"),
            F.col("address").withField("zip", F.lower("address.zip")).alias("changed"),
            F.col("address").withField("street", F.col("status")).dropFields("street").alias("same"),
        ),
        ("3.5", "4.3"),
    )
    both_modes(
        "aggregate/distinct_of_expressions",
        "SELECT customer_id, count(DISTINCT upper(status)) AS n FROM orders GROUP BY customer_id",
        every,
    )
    both_modes(
        "aggregate/distincts_of_expressions",
        "SELECT customer_id, count(DISTINCT upper(status)) AS n, sum(DISTINCT amount * 2) AS s, avg(order_id) AS a FROM orders"
        " GROUP BY customer_id HAVING count(DISTINCT address.city) > 1",
        every,
    )
    both_modes(
        "aggregate/distinct_number", "SELECT status, avg(DISTINCT amount) AS a FROM orders GROUP BY status", every
    )
    case("aggregate/distinct_with_a_literal", "SELECT DISTINCT status, 1 AS one FROM orders", every)
    cases("aggregate/listagg", 2)
    both_modes(
        "union/except_all",
        "SELECT customer_id, status FROM orders EXCEPT ALL SELECT customer_id, name FROM customers",
        every,
    )
    both_modes(
        "union/intersect_all",
        "SELECT customer_id, status FROM orders INTERSECT ALL SELECT customer_id, name FROM customers",
        every,
    )
    both_modes(
        "union/except_all_of_nothing",
        "SELECT customer_id, status FROM orders WHERE false EXCEPT ALL SELECT customer_id, name FROM customers",
        ("3.5", "4.3"),
    )
    both_modes(
        "union/intersect_all_of_nothing",
        "SELECT customer_id FROM orders WHERE false INTERSECT ALL SELECT customer_id FROM customers",
        ("3.5", "4.3"),
    )
    both_modes(
        "join/tested_keys",
        "SELECT o.order_id, c.name FROM orders o JOIN customers c ON o.customer_id = c.customer_id AND upper(o.status) = c.name"
        " WHERE o.customer_id IS NOT NULL AND o.amount > 1",
        ("3.5", "4.3"),
    )
    both_modes(
        "join/tested_keys_of_a_left_join",
        "SELECT o.order_id, c.name FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id"
        " WHERE o.customer_id IS NOT NULL",
        ("3.5", "4.3"),
    )
    both_modes("bin_by/plain", lambda: binned("order_id, s, v FROM"), ("4.3",))
    both_modes(
        "bin_by/named",
        lambda: binned("b, r, sum(v) AS v FROM", "BIN_START AS b BIN_DISTRIBUTE_RATIO AS r", "GROUP BY b, r"),
        ("4.3",),
    )
    both_modes("bin_by/all", lambda: binned("* FROM"), ("4.3",))
    both_modes("bin_by/filtered", lambda: binned("bin_end, v FROM", "", "WHERE bin_start > s"), ("4.3",))
    case(
        "generate/filtered", "SELECT order_id, explode(filter(items, e -> e.qty > customer_id)) AS e FROM orders", every
    )
    case(
        "generate/built_structs",
        "SELECT order_id, e.p, e.q FROM (SELECT order_id, explode(array(named_struct('p', status, 'q', amount))) AS e FROM orders)",
        every,
    )
    case(
        "generate/inline_built",
        "SELECT order_id, p, q FROM orders LATERAL VIEW inline(array(named_struct('a', status, 'b', amount),"
        " named_struct('a', address.city, 'b', order_id))) t AS p, q",
        every,
    )
    cases("generate/inline_renamed")
    case(
        "generate/arrays_zip",
        "SELECT z.tags AS a, z.`1` AS b FROM (SELECT explode(arrays_zip(tags, transform(items, e -> e.sku))) AS z FROM orders)",
        every,
    )


def parsed_queries():
    """Queries that 3.0 and 3.1 print as they were parsed, whatever they hold."""
    views = {
        "cte": "WITH a AS (SELECT order_id AS x FROM orders), b AS (SELECT x FROM a) SELECT a.x, b.x AS y FROM a JOIN b ON a.x = b.x",
        "having": "SELECT customer_id, sum(amount) AS total, count(*) FROM orders GROUP BY customer_id HAVING max(order_id) > 3",
        "star": "SELECT x.*, upper(x.status) FROM (SELECT order_id, status FROM orders) x",
        "star_of_a_table": "SELECT c.*, order_id FROM customers c JOIN orders o USING (customer_id)",
        "fields": "SELECT o.address.city, address.zip AS z, t.tag FROM orders o LATERAL VIEW OUTER explode(o.tags) t AS tag",
        "windows": "SELECT order_id, rank() OVER w AS r FROM orders WINDOW w AS (PARTITION BY status ORDER BY amount DESC)",
        "hidden_sort": "SELECT status FROM default.orders ORDER BY amount, lower(status)",
        "rollup": "SELECT status, customer_id, count(1) c FROM orders GROUP BY ROLLUP(status, customer_id)",
        "whose": "SELECT o.order_id, name FROM orders o, customers c WHERE o.customer_id = c.customer_id",
        "correlated": "SELECT order_id, (SELECT max(c.name) FROM customers c WHERE c.customer_id = o.customer_id) AS name"
        " FROM orders o WHERE EXISTS (SELECT * FROM customers d WHERE d.customer_id = o.order_id)",
        "lambda": "SELECT `order_id` AS `odd id`, transform(tags, t -> concat(t, status, ' it''s')) AS tt FROM orders",
        "renamed": "SELECT /*+ COALESCE(1) */ a, b FROM (SELECT order_id, amount FROM orders) AS t(a, b)",
        "values": "SELECT v.*, r.id FROM VALUES (1, 'a') AS v(x, y) JOIN range(5) r ON r.id = v.x",
    }
    for name, query in views.items():
        both = ("3.1",) if name in {"having", "star"} else ("3.1", "3.5")  # 3.3+ wants names for expressions
        case(f"logical_relation/{name}", f"CREATE VIEW parsed_{name} AS {query}", both)
    cases("logical_relation/altered")


def logical_trees():
    """Queries below commands, as logical trees."""
    spark.sql("CREATE TEMPORARY VIEW halves AS SELECT order_id, amount / 2 AS half FROM orders WHERE status <> '('")
    spark.sql("CREATE TEMPORARY VIEW shown_halves AS SELECT half AS h, order_id FROM halves WHERE half > 1")
    folder = f"INSERT OVERWRITE DIRECTORY '{ROOT}/data/halves' USING json SELECT h + 1 AS more FROM shown_halves"
    case("logical_operators/view", folder, ("3.1",))
    both = ("3.1", "3.5", "4.3")
    case(
        "logical_operators/except",
        "CREATE VIEW never AS SELECT customer_id FROM customers EXCEPT SELECT customer_id FROM orders",
        both,
    )
    cases("logical_operators/intersect_all", 2)
    case(
        "logical_operators/exists",
        "CREATE VIEW placed AS SELECT order_id, (SELECT max(c.name) FROM customers c WHERE c.customer_id ="
        " o.customer_id) AS name FROM orders o WHERE EXISTS (SELECT * FROM days d WHERE d.order_id = o.order_id)",
        both,
    )
    cases("logical_operators/pivot")
    case(
        "lateral_join/correlated",
        "CREATE VIEW doubled AS SELECT o.order_id, x.twice FROM orders o,"
        " LATERAL (SELECT o.amount * 2 AS twice, c.name FROM customers c WHERE c.customer_id = o.customer_id) x",
        both,
    )
    cases("union_loop/bosses")
    case("deduplicate/logical", lambda: spark.table("orders").dropDuplicates(["status"]).createOrReplaceTempView("o1"))
    cases("no_lineage/variable", 3)


def streams():
    """Operators with state."""
    both = ("3.5", "4.3")
    events = str(ROOT / "data" / "events")
    spark.sql("SELECT order_id, amount, status, timestamp'2026-11-20 01:00:00' AS at FROM orders").write.parquet(events)

    def source(delay="1 minute"):
        schema = "order_id BIGINT, amount DOUBLE, status STRING, at TIMESTAMP"
        return spark.readStream.schema(schema).parquet(events).withWatermark("at", delay)

    def run(name, frame):
        if VERSION in both and name.startswith(ONLY):
            sink = frame().writeStream.queryName(name).format("noop")
            sink.option("checkpointLocation", str(ROOT / "checkpoints" / name)).trigger(availableNow=True)
            sink.start().awaitTermination()

    def lower():
        on = F.expr("a.order_id = b.order_id AND a.amount > b.amount AND a.at > b.at")
        joined = source().alias("a").join(source("2 minutes").alias("b"), on)
        return joined.select("a.status", F.col("b.amount").alias("lower"))

    run("deduplicate/stream", lambda: source().dropDuplicates(["order_id", "at"]))
    run("deduplicate/within_watermark", lambda: source().dropDuplicatesWithinWatermark(["order_id"]))
    run(
        "aggregate/session",
        lambda: source().groupBy(F.session_window("at", "5 minutes"), "status").agg(F.sum("amount").alias("total")),
    )
    run("join/stream", lower)
    run("pass_through/stream_limit", lambda: source().limit(3))


def jdbc():
    """JDBC, with the Derby that Spark brings."""
    url = f"jdbc:derby:{ROOT}/derbydb;create=true"
    options = {"driver": "org.apache.derby.jdbc.EmbeddedDriver", "url": url}
    case(
        "save_into_data_source/jdbc",
        lambda: (
            spark.table("customers")
            .select("customer_id", "name")
            .write.format("jdbc")
            .options(**options)
            .option("dbtable", "PEOPLE")
            .mode("overwrite")
            .save()
        ),
        ("3.3", "3.5", "4.3"),
    )
    case(
        "relation_scan/jdbc",
        lambda: (
            spark.read.format("jdbc")
            .options(**options)
            .option("dbtable", "PEOPLE")
            .load()
            .filter("customer_id > 1")
            .select("name")
        ),
        ("3.3", "3.5"),
    )
    spark.conf.set("spark.sql.catalog.derby", "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog")
    for key, value in options.items():
        spark.conf.set(f"spark.sql.catalog.derby.{key}", value)
    spark.conf.set("spark.sql.catalog.derby.pushDownAggregate", "true")
    spark.sparkContext.setJobDescription(None)
    spark.table("customers").select("customer_id", "name").write.format("jdbc").options(**options).option(
        "dbtable", "PEOPLE"
    ).mode("overwrite").save()
    reader = "url '{url}', driver '{driver}', dbtable 'PEOPLE'".format(**options)
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW people USING jdbc OPTIONS ({reader})")
    cases("insert_into_data_source/jdbc")
    if VERSION >= "3.3":
        case(
            "v2_write/jdbc_append",
            lambda: spark.table("customers").select("customer_id", "name").writeTo("derby.APP.PEOPLE").append(),
            ("3.3", "3.5"),
        )
        case(
            "v2_write/jdbc_create",
            "CREATE TABLE derby.APP.COPY AS SELECT customer_id, name FROM customers",
            ("3.3", "3.5"),
        )
        case(
            "relation_scan/pushed_aggregate",
            "SELECT name, count(customer_id) AS n FROM derby.APP.PEOPLE GROUP BY name",
            ("3.5", "4.3"),
        )


def definitions():
    """DDL and commands without lineage."""
    cases("definitions/create_table", 7)


CASES = list(listed())
tables()
for group in (
    scans,
    rows,
    odd_texts,
    variants,
    rules_of_values,
    groups,
    joins,
    python,
    caches,
    writes,
    parsed_queries,
    logical_trees,
    streams,
    jdbc,
    definitions,
):
    group()
spark.stop()
for failure in failures:
    print("FAILED", failure)
