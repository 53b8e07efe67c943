"""A fleet's trips on Paimon, truth by construction: `python -m lakehouse.medallion_paimon_fleet NAME ROOT PACKAGES`."""

from __future__ import annotations

import sys
from pathlib import Path

from pyspark.sql import DataFrame

from lakehouse.constructed import Value, Workload, land, made, same, select, wide
from lakehouse.medallion import Night
from lakehouse.medallion_paimon_changes import (
    changes,
    evolution,
    expressions,
    landed,
    makers,
    merges,
    procedures,
    vehicles,
)
from lakehouse.session import session

TABLES = {
    "trips": "lake.raw.trips",
    "vehicles": "lake.raw.vehicles",
    "fuel": "lake.raw.fuel",
    "tagged": "lake.core.tagged",
    "driven": "lake.core.driven",
    "ledger": "lake.core.ledger",
    "rated": "lake.core.rated",
    "hops": "lake.core.hops",
    "streamed": "lake.core.streamed",
    "latest": "lake.core.latest",
    "totals": "lake.core.totals",
    "score": "lake.mart.score",
    "regions": "lake.mart.regions",
    "best": "lake.mart.best",
    "wide30": "lake.core.wide30",
    "wide60": "lake.core.wide60",
    "base60": "lake.raw.base60",
    "evolved": "lake.core.evolved",
}
PATHS = {
    "landed": ("json", "landing/trips"),
    "makers": ("csv", "landing/vehicles"),
    "flat": ("parquet", "out/flat"),
    "increment": ("parquet", "out/increment"),
}


def main() -> None:
    """Run two nights with the default settings."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    settings = {
        "spark.sql.extensions": "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions",
        "spark.sql.catalog.lake": "org.apache.paimon.spark.SparkCatalog",
        "spark.sql.catalog.lake.warehouse": f"file://{root}/lake",
    }
    land(root, 1)
    spark = session(name, root, packages, settings)
    for layer in ("raw", "core", "mart"):
        spark.sql(f"CREATE DATABASE lake.{layer}")
    workload(str(root)).play(Night(spark, root, "lake", root / "snapshots.jsonl"))
    spark.stop()


def workload(root: str) -> Workload:
    """Return the statements and their truth.

    Args:
        root: The folder for all that the job writes.
    """
    work = Workload(TABLES, "", PATHS, root)
    tables(work)
    core(work)
    wide_tables(work)
    streams(work, "n1")
    work.run_step(lambda night: land(night.root, 2))
    changes(work)
    merges(work)
    streams(work, "n2")
    reads(work)
    evolution(work)
    procedures(work)
    return work


def _keyed(columns: str, key: str, more: str = "") -> str:
    return f"({columns}) TBLPROPERTIES ('primary-key' = '{key}', 'bucket' = '1'{more})"


def tables(work: Workload) -> None:
    """Create tables and load the landed files."""
    work.run(
        "CREATE TABLE {trips} (trip_id BIGINT, vehicle STRING, driver BIGINT, km DOUBLE, liters DOUBLE, ts BIGINT,"
        " region STRING) PARTITIONED BY (region)"
    )
    work.insert("load trips", "trips", landed(), "FROM {landed} WHERE km >= 0", "FILTER landed.km")
    work.run("CREATE TABLE {vehicles} " + _keyed("plate STRING, make STRING, seats INT", "plate"))
    values = vehicles()

    def load(night: Night) -> None:
        makers(night, values).writeTo("lake.raw.vehicles").append()

    work.frame("vehicles writeTo", load, "append vehicles", values)
    work.run("CREATE TABLE {tagged} " + _keyed("trip_id BIGINT, tag STRING, ts BIGINT", "trip_id,tag"))
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
    work.run("CREATE TABLE {score} (driver BIGINT, trips BIGINT, km DOUBLE, place BIGINT)")
    work.run(
        "CREATE TABLE {ledger} " + _keyed("id BIGINT, km DOUBLE, note STRING", "id", ", 'changelog-producer' = 'input'")
    )
    work.run("CREATE TABLE {rated} (trip_id BIGINT, driver BIGINT, rate DOUBLE, note STRING)")
    work.run("CREATE TABLE {hops} (trip_id BIGINT, far BOOLEAN, `at` BIGINT)")
    work.run("CREATE TABLE {streamed} " + _keyed("trip_id BIGINT, late BIGINT", "trip_id"))
    work.run(
        "CREATE TABLE {latest} "
        + _keyed("trip_id BIGINT, km DOUBLE, note STRING", "trip_id", ", 'merge-engine' = 'partial-update'")
    )
    work.run(
        "CREATE TABLE {totals} "
        + _keyed(
            "driver BIGINT, km DOUBLE",
            "driver",
            ", 'merge-engine' = 'aggregation', 'fields.km.aggregate-function' = 'sum'",
        )
    )


def core(work: Workload) -> None:
    """Build the core and the mart from the raw tables."""
    work.ctas(
        "driven ctas",
        "driven",
        "USING paimon PARTITIONED BY (region)",
        [
            *same("trip_id", "trips", "t"),
            Value("make", "coalesce(v.make, 'none')", "vehicles.make"),
            Value("rate", "t.liters / t.km * 100", "trips.liters trips.km"),
            Value("loaded", "'now'"),
            *same("region", "trips", "t"),
        ],
        "FROM {trips} t LEFT JOIN {vehicles} v ON upper(t.vehicle) = v.plate WHERE t.km > 1",
        "JOIN trips.vehicle",
        "JOIN vehicles.plate",
        "FILTER trips.km",
    )
    fuel = [
        *same("vehicle", "trips"),
        Value("used", "sum(liters)", "trips.liters"),
        Value("longest", "max(km)", "trips.km"),
    ]

    def save_fuel(night: Night) -> None:
        frame = night.spark.sql(work.filled(select(fuel, "FROM {trips} GROUP BY vehicle")))
        frame.write.format("paimon").option("primary-key", "vehicle").saveAsTable("lake.raw.fuel")

    work.frame("fuel saveAsTable", save_fuel, "create fuel", fuel, ["GROUP_BY trips.vehicle"])
    ranked = [
        *same("driver", "trips"),
        Value("trips", "count(*)"),
        Value("km", "sum(km)", "trips.km"),
        Value("place", "CAST(row_number() OVER (ORDER BY driver) AS BIGINT)"),
    ]
    work.insert("score window", "score", ranked, "FROM {trips} GROUP BY driver", "GROUP_BY trips.driver")
    best = [
        *same("driver", "score"),
        Value("label", "CASE WHEN km > 20 THEN 'far' ELSE 'near' END"),
        *same("km", "score"),
    ]
    work.ctas(
        "best ctas",
        "best",
        "USING paimon",
        best,
        "FROM {score} WHERE place <= 2",
        "FILTER score.place",
        "CONDITIONAL score.km",
    )
    work.insert(
        "ledger insert",
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
    regions = [
        Value("region", "region", "trips.region driven.region"),
        Value("amount", "amount", "trips.km driven.rate"),
    ]
    union = "FROM (SELECT region, km AS amount FROM {trips} UNION ALL SELECT region, rate FROM {driven}) u"
    work.ctas("regions ctas union", "regions", "USING paimon TBLPROPERTIES ('file.format' = 'parquet')", regions, union)
    literals = [Value("driver", "99"), Value("trips", "1"), Value("km", "0.5"), Value("place", "9")]
    work.insert("score values", "score", literals, "")
    partial = [*same("trip_id", "trips"), *same("km", "trips"), Value("note", "CAST(NULL AS STRING)")]
    work.insert("latest partial", "latest", partial, "FROM {trips}")
    partial = [*same("trip_id", "rated"), Value("km", "CAST(NULL AS DOUBLE)"), *same("note", "rated")]
    work.insert("latest rest", "latest", partial, "FROM {rated}")
    work.insert("totals add", "totals", same("driver km", "trips"), "FROM {trips}")


def wide_tables(work: Workload) -> None:
    """Load tables of 30 and 60 columns."""
    columns = ", ".join(f"w{number} BIGINT" for number in range(60))
    work.run(f"CREATE TABLE {{base60}} ({columns})")
    work.insert("base60 insert", "base60", made(60, "trips", "trip_id"), "FROM {trips}")
    work.ctas("wide30 ctas", "wide30", "USING paimon", wide(30, "base60"), "FROM {base60}")
    work.run("CREATE TABLE {wide60} " + _keyed(columns, "w0"))
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
    partial = [Value("w29", "s.w59", "base60.w59"), Value("w5", "t.w5 + s.w6", "wide60.w5 base60.w6")]
    work.merge(
        "wide60 merge some",
        "wide60",
        "{base60}",
        "t.w0 = s.w0",
        [("WHEN MATCHED THEN UPDATE", partial)],
        "JOIN wide60.w0",
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
    """Stream files into a table, a table into files, and batches into a function."""
    hops = [*same("trip_id", "landed"), Value("far", "km > 20", "landed.km"), Value("at", "ts", "landed.ts")]
    flat = [*same("trip_id", "hops"), Value("later", "at + 60", "hops.at")]
    joined = [*same("trip_id", "hops"), Value("late", "at * 2", "hops.at")]

    def run(night: Night) -> None:
        night.spark.sparkContext.setJobDescription(None)
        spark, root = night.spark, night.root
        frame = spark.readStream.schema("trip_id BIGINT, km DOUBLE, ts BIGINT").json(f"{root}/landing/trips")
        writer = frame.selectExpr(*expressions(hops)).writeStream.format("paimon").queryName(f"{number} hops")
        writer = writer.option("checkpointLocation", f"{root}/ck/hops").trigger(availableNow=True)
        writer.start(f"{root}/lake/core.db/hops").awaitTermination()
        frame = spark.readStream.table("lake.core.hops")
        writer = frame.selectExpr(*expressions(flat)).writeStream.format("parquet").queryName(f"{number} flat")
        writer = writer.option("checkpointLocation", f"{root}/ck/flat").trigger(availableNow=True)
        writer.start(f"{root}/out/flat").awaitTermination()

        def save(batch: DataFrame, _: int) -> None:
            batch.writeTo("lake.core.streamed").append()

        frame = spark.readStream.format("paimon").load(f"{root}/lake/core.db/hops").selectExpr(*expressions(joined))
        writer = frame.writeStream.queryName(f"{number} streamed").option("checkpointLocation", f"{root}/ck/streamed")
        writer.foreachBatch(save).trigger(availableNow=True).start().awaitTermination()

    work.run_step(run)
    work.expect(f"{number} hops", "append hops", hops)
    work.expect(f"{number} flat", "append flat", flat)
    work.expect(f"{number} streamed", "append streamed", joined)


def reads(work: Workload) -> None:
    """Read: versions, tags, branches, increments, changelogs."""
    work.query("version", same("trip_id liters", "trips"), "FROM {trips} VERSION AS OF 1")
    work.sql("tag", "CALL lake.sys.create_tag(table => 'raw.trips', tag => 'end', snapshot => 2)", "maintenance trips")
    work.query(
        "read tag", same("trip_id km", "trips"), "FROM {trips} VERSION AS OF 'end' WHERE km > 2", "FILTER trips.km"
    )
    work.query(
        "audit log",
        same("rowkind id km", "ledger"),
        "FROM lake.core.`ledger$audit_log` WHERE km > 1",
        "FILTER ledger.km",
    )
    saved = [*same("trip_id", "trips"), Value("twice", "km * 2", "trips.km")]

    def versioned(night: Night) -> None:
        frame = (
            night.spark.read.format("paimon").option("scan.snapshot-id", "1").load(f"{night.root}/lake/raw.db/trips")
        )
        frame.selectExpr(*expressions(saved)).write.mode("overwrite").parquet(f"{night.root}/out/increment")

    work.frame("version save", versioned, "overwrite increment", saved)
    work.sql("branch", "CALL lake.sys.create_branch('raw.trips', 'trial', 'end')", "maintenance trips")
    work.query("read branch", same("trip_id km", "trips"), "FROM lake.raw.`trips$branch_trial`")
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
