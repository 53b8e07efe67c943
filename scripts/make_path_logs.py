"""Make tests/path_logs: reads of several paths, and rows of RDDs, run on real Sparks and slimmed.

    python scripts/make_path_logs.py paths-2.4=PYTHON@JAVA_HOME paths-3.5-extended=PYTHON rdds-3.5=PYTHON …

Each statement writes to a folder of its name; tests/lineage/test_path_logs.py has what it reads. Spark 2.4 on Java 11
fails in jobs with closures (ASM 6) after it has logged the plan: all reads have a schema, which no job infers. The
statements of `reads`, `values` and `lines` are in scripts/path_jobs, written with their truth before any of their logs.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from spark_logs import publish, run_job

_TARGET = Path(__file__).resolve().parent.parent / "tests" / "path_logs"
_ROOT = Path("/tmp/path_logs")
_SESSION = """
import sys
from pyspark.sql import SparkSession, Window, functions as F

builder = SparkSession.builder.master("local[1]").appName("paths").config("spark.sql.shuffle.partitions", "1")
spark = builder.config("spark.sql.ui.explainMode", sys.argv[1]).getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
version = tuple(map(int, spark.version.split(".")[:2]))


def case(name, frame):
    try:
        frame.write.parquet(f"/tmp/path_logs/out/{name}")
    except Exception:
        if version >= (3, 0):
            raise
"""
_PATHS = """
LAKE = "/tmp/path_logs/lake"
LONG = LAKE + "/the_landing_zone_of_all_orders_from_europe"
SCHEMA = "id bigint, v bigint, k string, addr struct<city:string,zip:bigint>"

rows = spark.range(3).selectExpr(
    "id", "id * 2 AS v", "cast(id AS string) AS k", "named_struct('city', 'c', 'zip', id) AS addr"
)
for name in ("north", "south", "east", "west"):
    rows.write.parquet(f"{LAKE}/{name}")
for name in ("n", "s"):
    rows.write.parquet(f"{LONG}/{name}")
    rows.drop("addr").write.csv(f"{LAKE}/csv_{name}")
    rows.write.json(f"{LAKE}/json_{name}")
for name in ("sales", "returns"):
    rows.selectExpr("*", "concat('2026-11-0', id + 1) AS dt").write.partitionBy("dt").parquet(f"{LAKE}/{name}")
for day in (1, 2, 3):
    rows.write.parquet(f"{LAKE}/landed/2026-11-0{day}")
spark.sql("CREATE TABLE days (id bigint, v bigint, dt string) USING parquet PARTITIONED BY (dt)")
rows.selectExpr("id", "v", "concat('2026-11-0', id + 1) AS dt").write.insertInto("days")


def read(*names):
    return spark.read.schema(SCHEMA).parquet(*(f"{LAKE}/{name}" for name in names))


case("two", read("north", "south"))
case("three", read("north", "south", "east").where("v > 1"))
case("four", read("north", "south", "east", "west").select("id"))
case("load", spark.read.schema(SCHEMA).load([LAKE + "/north", LAKE + "/south"]).select("k"))
case("braces", read("{north,south}").select("id", "v"))
case("csv", spark.read.schema("id bigint, v bigint, k string").csv([LAKE + "/csv_n", LAKE + "/csv_s"]))
case("json", spark.read.schema(SCHEMA).json([LAKE + "/json_n", LAKE + "/json_s"]))
case("text", spark.read.text([LAKE + "/csv_n", LAKE + "/csv_s"]))
case("nested", read("north", "south").selectExpr("addr.city AS city", "addr.zip + id AS z"))
overlapping = read("north", "south").alias("a").join(read("north", "east").alias("b"), F.expr("a.id = b.v"))
case("join", overlapping.selectExpr("a.k AS k", "b.v AS v"))
row_number = F.row_number().over(Window.partitionBy("k").orderBy("v"))
case("window", read("north", "south").select("id", row_number.alias("n")))
case("cached", read("north", "south", "east").select("id", "v").cache().groupBy("id").agg(F.max("v").alias("m")))
case("twice", read("north", "north").select("id"))
case("partitions", read("sales/dt=2026-11-01", "sales/dt=2026-11-02").select("id"))
case("partition_glob", read("sales/dt=*").select("id"))
case("base", spark.read.schema(SCHEMA + ", dt string").option("basePath", LAKE + "/sales").parquet(
    *(f"{LAKE}/sales/dt=2026-11-0{day}" for day in (1, 2, 3))).select("id", "dt"))
case("partitioned", spark.read.schema(SCHEMA + ", dt string").parquet(LAKE + "/sales").where("dt > '2026-11-01'"))
case("of_two", read("sales/dt=2026-11-01", "returns/dt=2026-11-01").select("id"))
case("landed", read("landed/2026-11-01", "landed/2026-11-02").select("id"))
case("landed_glob", read("landed/*").select("id"))
case("long", spark.read.schema(SCHEMA).parquet(LONG + "/n", LONG + "/s", LAKE + "/west").select("id"))
case("table", spark.table("days").where("dt IN ('2026-11-01', '2026-11-02')"))
if version >= (3, 1):
    spark.conf.set("spark.sql.sources.useV1SourceList", "")
    case("v2_two", read("north", "south").select("id"))
    case("v2", read("north", "south", "east", "west").select("id"))
    case("v2_five", read("north", "south", "east", "west", "landed/2026-11-01").select("id"))
    case("v2_braces", read("{north,south,east,west}").select("id"))
spark.stop()
"""
_RDDS = """
spark.range(3).selectExpr("id", "id * 2 AS v").write.saveAsTable("orders")
spark.range(3).selectExpr("id", "id * 3 AS w").write.saveAsTable("prices")
spark.range(3).selectExpr("id", "id * 3 AS w").write.parquet("/tmp/path_logs/lake/files")
SCHEMA = "a bigint, b bigint"


def rows(frame):
    return frame.rdd.map(tuple)


def frame(rdd):
    return spark.createDataFrame(rdd, SCHEMA)


orders, prices = spark.table("orders"), spark.table("prices")
case("mapped", frame(rows(orders)))
case("selected", frame(orders.where("v > 1").rdd))
case("reduced", frame(rows(orders).reduceByKey(lambda left, right: left + right)))
case("united", frame(rows(orders).union(rows(prices))))
case("joined", frame(rows(orders)).join(prices, F.expr("a = id")).select("a", "w"))
case("aggregated", frame(rows(orders)).where("a > 0").groupBy("a").agg(F.sum("b").alias("total")))
case("twice", frame(rows(frame(rows(orders)))))
case("files", frame(rows(spark.read.parquet("/tmp/path_logs/lake/files"))))
case("broadcast", frame(rows(orders.join(F.broadcast(prices), "id").select("id", "w"))))
case("local", frame(spark.sparkContext.parallelize([(1, 2)])))
spark.stop()
"""


def main() -> None:
    """Make a log for each `JOB-VERSION[-MODE]=PYTHON[@JAVA_HOME]` of the command line."""
    _TARGET.mkdir(parents=True, exist_ok=True)
    for argument in sys.argv[1:]:
        name, _, python = argument.partition("=")
        print(f"{name}: {make_log(name, python):,} bytes", flush=True)


def make_log(name: str, python: str) -> int:
    """Run the statements on one Spark; return the slimmed log's size in bytes."""
    shutil.rmtree(_ROOT, ignore_errors=True)
    job, _, version = name.partition("-")
    mode = version.partition("-")[2] or "formatted"
    further = Path(__file__).resolve().parent / "path_jobs" / f"{job}.job"
    statements = {"rdds": _RDDS, "paths": _PATHS}.get(job) or further.read_text(encoding="utf-8")
    written = run_job(["-c", _SESSION + statements, mode], python, _ROOT)
    return publish(written, _TARGET / f"{name.replace('.', '-')}.zstd")


if __name__ == "__main__":
    main()
