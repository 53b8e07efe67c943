"""A fleet's trips on Hudi, truth by construction: `python -m lakehouse.medallion_hudi_fleet NAME ROOT PACKAGES`."""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import DataFrame

from lakehouse.constructed import Value, Workload, land, made, same, select, wide
from lakehouse.medallion import Night
from lakehouse.medallion_hudi_changes import (
    change_data,
    changes,
    evolution,
    expressions,
    landed,
    merges,
    place,
    procedures,
    save,
    vehicles,
)
from lakehouse.session import session

SETTINGS = {
    "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    "spark.kryo.registrator": "org.apache.spark.HoodieSparkKryoRegistrar",
    "spark.sql.extensions": "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.hudi.catalog.HoodieCatalog",
    "spark.driver.memory": "2g",
}
TABLES = {
    "trips": "raw.trips",
    "fuel": "raw.fuel",
    "tagged": "core.tagged",
    "driven": "core.driven",
    "ledger": "core.ledger",
    "rated": "core.rated",
    "score": "mart.score",
    "regions": "mart.regions",
    "best": "mart.best",
    "wide30": "core.wide30",
    "wide60": "core.wide60",
    "base60": "raw.base60",
    "evolved": "core.evolved",
}
PATHS = {
    "landed": ("json", "landing/trips"),
    "makers": ("csv", "landing/vehicles"),
    "vehicles": ("hudi", "lake/vehicles"),
    "hops": ("hudi", "lake/hops"),
    "streamed": ("hudi", "lake/streamed"),
    "frame60": ("hudi", "lake/frame60"),
    "increment": ("parquet", "out/increment"),
    "changes": ("parquet", "out/changes"),
    "flat": ("parquet", "out/flat"),
}


def main() -> None:
    """Run two nights; Hudi's settings are its defaults."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    land(root, 1)
    spark = session(name, root, packages, SETTINGS)
    for layer in ("raw", "core", "mart"):
        spark.sql(f"CREATE DATABASE {layer}")
    workload(str(root)).play(Night(spark, root, "spark_catalog", root / "snapshots.jsonl"))
    spark.stop()


def workload(root: str) -> Workload:
    """Return the statements and their truth.

    Args:
        root: The folder for all that the job writes.
    """
    work = Workload(TABLES, "spark_catalog.", PATHS, root)
    tables(work)
    frames(work)
    core(work)
    wide_tables(work)
    streams(work, "n1")
    work.run_step(lambda night: land(night.root, 2))
    changes(work)
    change_data(work)
    merges(work)
    streams(work, "n2")
    reads(work)
    evolution(work)
    procedures(work)
    return work


def _table(columns: str, key: str = "", kind: str = "cow", more: str = "", partition: str = "") -> str:
    properties = f"type = '{kind}'" + (f", primaryKey = '{key}'" if key else "") + more
    return f"({columns}) USING hudi TBLPROPERTIES ({properties})" + (
        f" PARTITIONED BY ({partition})" if partition else ""
    )


def tables(work: Workload) -> None:
    """Create tables and load the landed files."""
    work.run(
        "CREATE TABLE {trips} "
        + _table(
            "trip_id BIGINT, vehicle STRING, driver BIGINT, km DOUBLE, liters DOUBLE, ts BIGINT, region STRING",
            "trip_id",
            more=", preCombineField = 'ts'",
            partition="region",
        )
    )
    work.insert("load trips", "trips", landed(), "FROM {landed} WHERE km >= 0", "FILTER landed.km")
    work.run("CREATE TABLE {tagged} " + _table("trip_id BIGINT, tag STRING, ts BIGINT", "trip_id,tag", "mor"))
    work.insert(
        "explode tags",
        "tagged",
        [
            *same("trip_id", "landed", "l"),
            Value("tag", "concat(tag, '!')", "landed.tags"),
            Value("ts", "l.ts", "landed.ts"),
        ],
        "FROM {landed} l LATERAL VIEW explode(l.tags) x AS tag",
    )
    work.run("CREATE TABLE {score} " + _table("driver BIGINT, trips BIGINT, km DOUBLE, place BIGINT"))
    work.run(
        "CREATE TABLE {ledger} "
        + _table("id BIGINT, km DOUBLE, note STRING", "id", more=", 'hoodie.table.cdc.enabled' = 'true'")
    )
    work.run(
        "CREATE TABLE {rated} " + _table("trip_id BIGINT, driver BIGINT, rate DOUBLE, note STRING", "trip_id", "mor")
    )


def frames(work: Workload) -> None:
    """Load with the DataFrame API: the operations of Hudi's data source."""
    values = vehicles()
    for name, operation, mode, kind in (
        ("vehicles bulk insert", "bulk_insert", "overwrite", "overwrite"),
        ("vehicles insert", "insert", "append", "append"),
        ("vehicles upsert", "upsert", "append", "append"),
    ):
        work.frame(name, save(values, operation, mode), f"{kind} vehicles", values)
    fuel = [
        *same("vehicle", "trips"),
        Value("used", "sum(liters)", "trips.liters"),
        Value("longest", "max(km)", "trips.km"),
    ]

    def save_fuel(night: Night) -> None:
        frame = night.spark.sql(work.filled(select(fuel, "FROM {trips} GROUP BY vehicle")))
        writer = frame.write.format("hudi").option("hoodie.datasource.write.recordkey.field", "vehicle")
        writer.option("hoodie.table.name", "fuel").mode("overwrite").saveAsTable("raw.fuel")

    work.frame("fuel saveAsTable", save_fuel, "overwrite fuel", fuel, ["GROUP_BY trips.vehicle"])


def core(work: Workload) -> None:
    """Build the core and the mart from the raw tables."""
    work.run_step(
        lambda night: (
            night.spark.read.format("hudi").load(f"{night.root}/lake/vehicles").createOrReplaceTempView("cars")
        )
    )
    work.ctas(
        "driven ctas",
        "driven",
        "USING hudi PARTITIONED BY (region) TBLPROPERTIES (type = 'mor', primaryKey = 'trip_id')",
        [
            *same("trip_id", "trips", "t"),
            Value("make", "coalesce(v.make, 'none')", "vehicles.make"),
            Value("rate", "t.liters / t.km * 100", "trips.liters trips.km"),
            Value("loaded", "'now'"),
            *same("region", "trips", "t"),
        ],
        "FROM {trips} t LEFT JOIN cars v ON upper(t.vehicle) = v.plate WHERE t.km > 1",
        "JOIN trips.vehicle",
        "JOIN vehicles.plate",
        "FILTER trips.km",
    )
    ranked = [
        *same("driver", "trips"),
        Value("trips", "count(*)"),
        Value("km", "sum(km)", "trips.km"),
        Value("place", "CAST(row_number() OVER (ORDER BY driver) AS BIGINT)"),
    ]
    work.insert("score window", "score", ranked, "FROM {trips} GROUP BY driver", "GROUP_BY trips.driver")
    work.ctas(
        "best ctas",
        "best",
        "USING hudi",
        [
            *same("driver", "score"),
            Value("label", "CASE WHEN km > 20 THEN 'far' ELSE 'near' END"),
            *same("km", "score"),
        ],
        "FROM {score} WHERE place <= 2",
        "FILTER score.place",
        "CONDITIONAL score.km",
    )
    work.insert(
        "ledger union",
        "ledger",
        [Value("id", "trip_id", "trips.trip_id"), *same("km", "trips"), Value("note", "region", "trips.region")],
        "FROM {trips} WHERE driver = 1",
        "FILTER trips.driver",
    )
    work.insert(
        "rated join",
        "rated",
        [
            *same("trip_id driver", "trips", "t"),
            Value("rate", "t.km / s.km", "trips.km score.km"),
            Value("note", "lower(t.vehicle)", "trips.vehicle"),
        ],
        "FROM {trips} t JOIN {score} s ON t.driver = s.driver",
        "JOIN trips.driver",
        "JOIN score.driver",
    )
    work.ctas(
        "regions ctas union",
        "regions",
        "USING hudi",
        [
            Value("region", "region", "trips.region driven.region"),
            Value("amount", "amount", "trips.km driven.rate"),
        ],
        "FROM (SELECT region, km AS amount FROM {trips} UNION ALL SELECT region, rate FROM {driven}) u",
    )
    work.insert(
        "score values",
        "score",
        [Value("driver", "99"), Value("trips", "1"), Value("km", "0.5"), Value("place", "9")],
        "",
    )


def wide_tables(work: Workload) -> None:
    """Load tables of 30 and 60 columns."""
    columns = ", ".join(f"w{number} BIGINT" for number in range(60))
    work.run("CREATE TABLE {base60} " + _table(columns, "w0"))
    work.insert("base60 insert", "base60", made(60, "trips", "trip_id"), "FROM {trips}")
    work.ctas(
        "wide30 ctas", "wide30", "USING hudi TBLPROPERTIES (primaryKey = 'w0')", wide(30, "base60"), "FROM {base60}"
    )
    work.run("CREATE TABLE {wide60} " + _table(columns, "w0", "mor"))
    work.insert(
        "wide60 insert join",
        "wide60",
        [
            *wide(40, "base60", "b"),
            *(Value(f"w{each}", f"b.w{each} + t.w1", f"base60.w{each} wide30.w1") for each in range(40, 60)),
        ],
        "FROM {base60} b JOIN {wide30} t ON b.w0 = t.w0",
        "JOIN base60.w0",
        "JOIN wide30.w0",
    )
    values = made(60, "trips", "ts")

    def save(night: Night) -> None:
        frame = night.spark.sql(work.filled(select(values, "FROM {trips}")))
        writer = frame.write.format("hudi").option("hoodie.table.name", "frame60")
        writer = writer.option("hoodie.datasource.write.recordkey.field", "w0")
        writer.mode("overwrite").save(f"{night.root}/lake/frame60")

    work.frame("frame60 save", save, "overwrite frame60", values)
    work.update(
        "wide30 update", "wide30", [Value("w29", "w28 + w3", "wide30.w28 wide30.w3")], "w0 > 103", "FILTER wide30.w0"
    )
    work.update(
        "wide60 update many",
        "wide60",
        [Value(f"w{each}", f"w{each - 1} * 2", f"wide60.w{each - 1}") for each in range(20, 60, 3)],
        "w1 < 105",
        "FILTER wide60.w1",
    )
    star = [
        ("WHEN MATCHED THEN UPDATE SET *", wide(60, "base60")),
        ("WHEN NOT MATCHED THEN INSERT *", wide(60, "base60")),
    ]
    work.merge("wide60 merge star", "wide60", "{base60}", "t.w0 = s.w0", star, "JOIN wide60.w0", "JOIN base60.w0")
    partial = [Value("w29", "s.w59", "base60.w59"), Value("w5", "t.w5 + s.w6", "wide30.w5 base60.w6")]
    work.merge(
        "wide30 merge some",
        "wide30",
        "{base60}",
        "t.w0 = s.w0",
        [("WHEN MATCHED THEN UPDATE", partial)],
        "JOIN wide30.w0",
        "JOIN base60.w0",
    )
    work.merge(
        "wide60 merge query",
        "wide60",
        "(SELECT "
        + ", ".join(f"w{each} + 1 AS w{each}" if each else "w0" for each in range(60))
        + " FROM {base60} WHERE w2 > 0)",
        "t.w0 = s.w0",
        star,
        "JOIN wide60.w0",
        "JOIN base60.w0",
        "FILTER base60.w2",
    )
    work.insert("wide60 overwrite", "wide60", wide(60, "base60"), "FROM {base60}", overwrite=True)


def streams(work: Workload, number: str) -> None:
    """Stream files into a table, a table into a table and into files, and batches into a function."""
    hops = [*same("trip_id", "landed"), Value("far", "km > 20", "landed.km"), Value("at", "ts", "landed.ts")]
    flat = [*same("trip_id", "hops"), Value("later", "at + 60", "hops.at")]
    joined = [Value("trip_id", "trip_id", "hops.trip_id"), Value("late", "at * 2", "hops.at")]

    def run(night: Night) -> None:
        night.spark.sparkContext.setJobDescription(None)
        spark, root = night.spark, night.root
        schema = "trip_id BIGINT, km DOUBLE, ts BIGINT"
        keyed = {"hoodie.table.name": "hops", "hoodie.datasource.write.recordkey.field": "trip_id"}
        frame = spark.readStream.schema(schema).json(f"{root}/landing/trips")
        _stream(frame.selectExpr(*expressions(hops)), "hudi", f"{number} hops", (root, "lake/hops"), **keyed)
        frame = spark.readStream.format("hudi").load(f"{root}/lake/hops")
        _stream(frame.selectExpr(*expressions(flat)), "parquet", f"{number} flat", (root, "out/flat"))

        def save(batch: DataFrame, _: int) -> None:
            writer = batch.write.format("hudi").option("hoodie.datasource.write.recordkey.field", "trip_id")
            writer.option("hoodie.table.name", "streamed").mode("append").save(f"{root}/lake/streamed")

        frame = spark.readStream.format("hudi").load(f"{root}/lake/hops").selectExpr(*expressions(joined))
        writer = frame.writeStream.queryName(f"{number} streamed").option("checkpointLocation", f"{root}/ck/streamed")
        writer.foreachBatch(save).trigger(availableNow=True).start().awaitTermination()

    work.run_step(run)
    work.expect(f"{number} hops", "append hops", hops)
    work.expect(f"{number} flat", "append flat", flat)
    work.expect(f"{number} streamed", "append streamed", joined)


def _stream(frame: DataFrame, using: str, name: str, place: tuple[Path, str], **options: str) -> None:
    root, path = place
    writer = frame.writeStream.format(using).queryName(name).option("checkpointLocation", f"{root}/ck/{path}")
    writer.options(**options).trigger(availableNow=True).start(f"{root}/{path}").awaitTermination()


def reads(work: Workload) -> None:
    """Read: snapshots, increments, changes, times before."""
    increment = [*same("trip_id region", "trips"), Value("double_km", "km * 2", "trips.km")]

    def incremental(night: Night) -> None:
        reader = night.spark.read.format("hudi").option("hoodie.datasource.query.type", "incremental")
        frame = reader.option("hoodie.datasource.read.begin.instanttime", "000").load(place(night, "raw", "trips"))
        frame.selectExpr(*expressions(increment)).write.mode("overwrite").parquet(f"{night.root}/out/increment")

    work.frame("increment save", incremental, "overwrite increment", increment)

    work.query(
        "table changes",
        [*same("trip_id", "trips"), Value("km", "km", "trips.km")],
        "FROM hudi_table_changes('raw.trips', 'latest_state', 'earliest') WHERE km > 2",
        "FILTER trips.km",
    )

    def travelled(night: Night) -> None:
        when = night.spark.sql("SELECT max(_hoodie_commit_time) FROM raw.trips").first()[0]
        night.spark.sparkContext.setJobDescription("time travel")
        night.spark.sql(f"SELECT trip_id, liters FROM raw.trips TIMESTAMP AS OF '{when}'").collect()
        night.spark.sparkContext.setJobDescription("time travel frame")
        frame = night.spark.read.format("hudi").option("as.of.instant", when).load(f"{night.root}/lake/vehicles")
        frame.select("plate", "seats").collect()

    work.run_step(travelled)
    work.expect("time travel", "", same("trip_id liters", "trips"))
    work.expect("time travel frame", "", same("plate seats", "vehicles"))

    def optimized(night: Night) -> None:
        reader = night.spark.read.format("hudi").option("hoodie.datasource.query.type", "read_optimized")
        reader.load(place(night, "core", "rated")).select("trip_id", "rate").collect()

    work.frame("read optimized", optimized, "", same("trip_id rate", "rated"))
    work.query("read mor", same("trip_id note", "rated"), "FROM {rated} WHERE driver = 1", "FILTER rated.driver")
    work.query(
        "read join",
        [*same("make", "driven", "d"), Value("n", "count(*)"), Value("total", "sum(t.km)", "trips.km")],
        "FROM {driven} d JOIN {trips} t USING (trip_id) GROUP BY d.make",
        "JOIN driven.trip_id",
        "JOIN trips.trip_id",
        "GROUP_BY driven.make",
    )


if __name__ == "__main__":
    main()
