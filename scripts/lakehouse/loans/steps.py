"""Frames and streams of the workload."""

from __future__ import annotations

import json
from pathlib import Path

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as f

from lakehouse.runner import Frames, Job, Names

LOANS = "id BIGINT, book STRING, reader BIGINT, fee DOUBLE, at TIMESTAMP, place STRUCT<city: STRING, room: INT>, tags ARRAY<STRING>, props MAP<STRING, STRING>, day STRING"
READERS = "id BIGINT, name STRING, mail STRING, level STRING"


def land(root: Path) -> None:
    """Write the files that the steps load."""
    folder = root / "landing" / "loans"
    folder.mkdir(parents=True)
    rows = [
        {
            "id": n,
            "book": f"b{n % 4}",
            "reader": n % 5,
            "fee": n * 0.5,
            "at": f"2026-02-0{1 + n % 3}T09:00:0{n % 6}",
            "place": {"city": "XY"[n % 2], "room": n},
            "tags": ["new", "old"][: n % 3],
            "props": {"lang": "en"},
            "day": f"2026-02-0{1 + n % 3}",
        }
        for n in range(12)
    ]
    (folder / "part-1.json").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    lines = [f"{n},N{n},n{n}@x.org,{'gold blue'.split()[n % 2]}" for n in range(6)]
    (root / "landing" / "readers.csv").write_text("\n".join(("id,name,mail,level", *lines)) + "\n", encoding="utf-8")


def gov_of(job: Job) -> str:
    """Return the catalog of `pub`."""
    return "gov" if (job.root / "gov.db").exists() else "lake"


def _loans(job: Job) -> DataFrame:
    return job.spark.read.schema(LOANS).json(f"{job.root}/landing/loans")


def _readers(job: Job) -> DataFrame:
    return job.spark.read.option("header", "true").schema(READERS).csv(f"{job.root}/landing/readers.csv")


def _joined(job: Job) -> DataFrame:
    return job.spark.table("lake.raw.w60").join(job.spark.table("lake.raw.w30"), f.expr("d1 = c3"))


def _wide(job: Job) -> DataFrame:
    return job.spark.read.parquet(f"{job.root}/landing/wide")


def _first() -> Frames:
    return {
        "loans": lambda j: _loans(j).writeTo("lake.raw.loans").using("iceberg").create(),
        "readers": lambda j: _readers(j).write.format("iceberg").saveAsTable("lake.raw.readers"),
        "qualify like": _newest,
        "pivoted": lambda j: (
            j.spark.table("lake.dwh.loan")
            .groupBy("reader")
            .pivot("city", ["X", "Y"])
            .agg({"fee": "sum"})
            .writeTo(f"{gov_of(j)}.pub.pivoted")
            .createOrReplace()
        ),
    }


def _newest(job: Job) -> None:

    loan = job.spark.table("lake.dwh.loan")
    newest = loan.withColumn("rn", f.row_number().over(Window.partitionBy("reader").orderBy(f.desc("at")))).where(
        "rn = 1"
    )
    newest.select("reader", "book", "at").write.format("iceberg").mode("overwrite").saveAsTable(
        f"{gov_of(job)}.pub.newest"
    )


def _writers() -> Frames:
    return {
        "save append": lambda j: (
            j.spark.table("lake.dwh.loan")
            .selectExpr("reader", "book", "at")
            .write.format("iceberg")
            .mode("append")
            .saveAsTable(f"{gov_of(j)}.pub.newest")
        ),
        "insertInto": lambda j: (
            j.spark.table("lake.dwh.loan").selectExpr("id", "city", "at").write.insertInto(f"{gov_of(j)}.pub.newest")
        ),
        "insertInto overwrite": lambda j: (
            j.spark.table("lake.dwh.loan")
            .selectExpr("id", "book", "at")
            .write.insertInto(f"{gov_of(j)}.pub.newest", overwrite=True)
        ),
        "writeTo append": lambda j: (
            j.spark.table("lake.raw.readers")
            .selectExpr("id AS reader", "mail AS book", "current_timestamp() AS at")
            .writeTo(f"{gov_of(j)}.pub.newest")
            .append()
        ),
        "writeTo partitions": lambda j: (
            j.spark.table("lake.dwh.loan").where("fee > 1").writeTo("lake.dwh.loan").overwritePartitions()
        ),
        "writeTo where": _overwrite_where,
        "writeTo partitioned": _partitioned,
        "writeTo replace": lambda j: (
            j.spark.table("lake.raw.readers").selectExpr("id", "name AS at").writeTo("lake.dwh.parted").replace()
        ),
        "dynamic on": lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
        "dynamic off": lambda j: j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode"),
        "cached": _cached,
        "udf": _udf,
        "parquet out": lambda j: (
            j.spark.table(f"{gov_of(j)}.pub.daily").write.mode("overwrite").parquet(f"{j.root}/out/daily")
        ),
        "parquet in": lambda j: (
            j.spark.read.parquet(f"{j.root}/out/daily")
            .selectExpr("day", "level", "fees + n AS fees", "n")
            .writeTo(f"{gov_of(j)}.pub.daily")
            .append()
        ),
    }


def _overwrite_where(job: Job) -> None:
    frame = job.spark.table("lake.dwh.loan").withColumn("book", f.initcap("city"))
    frame.where("day = '2026-02-01'").writeTo("lake.dwh.loan").overwrite(f.col("day") == "2026-02-01")


def _partitioned(job: Job) -> None:
    frame = job.spark.table("lake.dwh.loan").select("id", "at", "fee")
    frame.writeTo("lake.dwh.parted").using("iceberg").partitionedBy(f.days("at")).tableProperty("k", "v").create()


def _cached(job: Job) -> None:
    both = job.spark.sql("SELECT id, name FROM lake.raw.readers UNION SELECT reader, book FROM lake.dwh.loan").cache()
    both.count()
    both.writeTo(f"{gov_of(job)}.pub.readers").append()
    both.unpersist()


def _udf(job: Job) -> None:
    mask = f.udf(lambda text: None if text is None else text[:1])
    frame = job.spark.table("lake.raw.readers").select("id", mask("mail").alias("name"))
    frame.writeTo(f"{gov_of(job)}.pub.readers").append()


def _wide() -> Frames:
    return {
        "w60": lambda j: (
            _wide(j).selectExpr(*(f"c{n} + c{n + 1} AS d{n}" for n in range(1, 61))).writeTo("lake.raw.w60").create()
        ),
        "w120 gov": lambda j: _wide(j).writeTo(f"{gov_of(j)}.pub.w120").create(),
        "w60 save overwrite": lambda j: (
            _joined(j).write.format("iceberg").mode("overwrite").saveAsTable("lake.dwh.w90")
        ),
    }


def _rows() -> Frames:
    return {"merge view": _merge_view, "merge api": _merge_api}


def _alters() -> Frames:
    return {"merge schema": _merge_schema}


def _merge_view(job: Job) -> None:
    job.spark.table("lake.dwh.loan").where("fee >= 0").groupBy("id").agg({"city": "max"}).toDF(
        "id", "c"
    ).createOrReplaceTempView("towns")
    job.sql("MERGE INTO lake.dwh.cow t USING towns s ON t.id = s.id WHEN MATCHED THEN UPDATE SET book = s.c")


def _merge_api(job: Job) -> None:
    source = job.spark.table("lake.dwh.loan").select("id", "fee").distinct().alias("s")
    merge = source.mergeInto("lake.dwh.cow", f.expr("s.id = lake.dwh.cow.id"))
    merge.whenMatched().update({"fee": f.col("s.fee")}).whenNotMatched().insert(
        {"id": f.col("s.id"), "fee": f.col("s.fee")}
    ).merge()


def _merge_schema(job: Job) -> None:
    job.sql("ALTER TABLE lake.dwh.ids SET TBLPROPERTIES ('write.spark.accept-any-schema' = 'true')")
    frame = job.spark.table("lake.raw.readers").selectExpr("id", "name AS day", "mail")
    frame.writeTo("lake.dwh.ids").option("mergeSchema", "true").append()


def _versions() -> Frames:
    return {
        "ver id": lambda j: j.sql(f"SELECT id FROM lake.dwh.ver VERSION AS OF {_nth(j, 'lake.dwh.ver', 0)}"),
        "ver id write": lambda j: j.sql(
            f"INSERT INTO lake.dwh.ids SELECT id, 'old', NULL FROM lake.dwh.ver VERSION AS OF {_nth(j, 'lake.dwh.ver', 1)}"
        ),
        "ver option": lambda j: (
            j.spark.read.option("snapshot-id", _nth(j, "lake.dwh.ver", 0)).table("lake.dwh.ver").collect()
        ),
        "ver read branch": lambda j: _ref(j, "dev", "SELECT id FROM lake.dwh.ver VERSION AS OF 'dev'"),
        "ver read tag": lambda j: _ref(j, "first_tag", "SELECT id FROM lake.dwh.ver VERSION AS OF 'first_tag'"),
        "ver rollback": lambda j: j.sql(
            f"CALL lake.system.rollback_to_snapshot('dwh.ver', {_plain(j, 'lake.dwh.ver', 1)})"
        ),
        "ver set current": lambda j: j.sql(
            f"CALL lake.system.set_current_snapshot('dwh.ver', {_plain(j, 'lake.dwh.ver', 2)})"
        ),
        "wap write": _wap,
        "wap branch write": _wap_branch,
        "cherry-pick": lambda j: j.sql(f"CALL lake.system.cherrypick_snapshot('dwh.ver', {_tip(j)})"),
        "ver incremental": _incremental,
        "changelog view": lambda j: j.sql(
            "CALL lake.system.create_changelog_view(table => 'dwh.cow', changelog_view => 'cow_changes')"
        ),
        "time": lambda j: j.sql(f"SELECT id FROM lake.dwh.ver TIMESTAMP AS OF '{_at(j)}'"),
    }


def _views() -> Frames:
    return {"temp view": _temp, "shadow": _shadow}


def _streams() -> Frames:
    return {
        "stream table": lambda j: _stream(
            j,
            "stream table",
            j.spark.readStream.format("iceberg")
            .load("lake.raw.loans")
            .where("fee > 0")
            .selectExpr("id", "fee * 2 AS twice"),
            "lake.dwh.s_flat",
        ),
        "stream files": lambda j: _stream(
            j,
            "stream files",
            j.spark.readStream.schema(j.spark.table("lake.raw.loans").schema)
            .json(f"{j.root}/landing/loans")
            .selectExpr("book", "place.city"),
            "lake.dwh.s_files",
        ),
        "stream totals": lambda j: _stream(
            j,
            "stream totals",
            j.spark.readStream.table("lake.raw.loans").groupBy("book").agg({"fee": "sum"}).toDF("book", "total"),
            "lake.dwh.s_totals",
            "complete",
        ),
        "stream merge": _stream_merge,
        "stream batch": _stream_batch,
    }


def _gov(job: Job) -> str:
    return "gov" if (job.root / "gov.db").exists() else "lake"


def _asked(job: Job, text: str) -> list:
    """Query without the step's name: the log leaves it out."""
    job.spark.sparkContext.setJobDescription("helper: snapshots")
    rows = job.spark.sql(text).collect()
    job.spark.sparkContext.setJobDescription(job.step)
    return rows


def _plain(job: Job, table: str, number: int) -> int:
    return _asked(job, f"SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at")[number][0]


def _nth(job: Job, table: str, number: int) -> str:
    return job.pins(table, _plain(job, table, number))


def _ref(job: Job, name: str, text: str) -> None:
    job.pins("lake.dwh.ver", _asked(job, f"SELECT snapshot_id FROM lake.dwh.ver.refs WHERE name = '{name}'")[0][0])
    job.sql(text)


def _tip(job: Job) -> int:
    return _asked(job, "SELECT snapshot_id FROM lake.dwh.ver.refs WHERE name = 'audit'")[0][0]


def _at(job: Job) -> str:
    row = _asked(job, "SELECT made_current_at, snapshot_id FROM lake.dwh.ver.history ORDER BY 1")[1]
    job.pins("lake.dwh.ver", row[1])
    return str(row[0])


def _wap(job: Job) -> None:
    job.spark.conf.set("spark.wap.id", "wap1")
    job.sql("INSERT INTO lake.dwh.ver SELECT id + 9000, 1.0D FROM lake.raw.readers")
    job.spark.conf.unset("spark.wap.id")


def _wap_branch(job: Job) -> None:
    job.spark.conf.set("spark.wap.branch", "audit")
    job.sql("INSERT INTO lake.dwh.ver SELECT id, id / 2 FROM lake.raw.readers")
    job.spark.conf.unset("spark.wap.branch")


def _incremental(job: Job) -> None:
    start, end = (_plain(job, "lake.dwh.ver", 0), _plain(job, "lake.dwh.ver", 2))
    job.pins("lake.dwh.ver", end)
    frame = (
        job.spark.read.format("iceberg")
        .option("start-snapshot-id", start)
        .option("end-snapshot-id", end)
        .load("lake.dwh.ver")
    )
    frame.selectExpr("id", "CAST(fee AS STRING) AS day", "CAST(NULL AS STRING) AS mail").writeTo(
        "lake.dwh.ids"
    ).append()


def _temp(job: Job) -> None:
    job.spark.table("lake.dwh.loan").where("fee > 0").createOrReplaceTempView("paid")
    job.sql(
        "CREATE OR REPLACE TEMP VIEW named AS SELECT p.id, r.name, p.fee FROM paid p JOIN lake.raw.readers r ON p.reader = r.id"
    )
    job.sql(f"INSERT INTO {_gov(job)}.pub.loan SELECT * FROM named")


def _shadow(job: Job) -> None:
    job.spark.table("lake.raw.readers").createOrReplaceTempView("loan")
    job.sql(f"INSERT INTO {_gov(job)}.pub.loan SELECT id, mail, 0.5D FROM loan")


def _stream(job: Job, name: str, frame: object, table: str, mode: str = "append") -> None:
    job.stream(frame, name, mode).format("iceberg").toTable(table).awaitTermination()


def _stream_merge(job: Job) -> None:
    job.spark.sql(
        "CREATE TABLE lake.dwh.s_merge (id BIGINT, fee DOUBLE) USING iceberg TBLPROPERTIES ('format-version' = '2')"
    )

    def upsert(batch, number) -> None:
        batch.createOrReplaceTempView("arrived")
        batch.sparkSession.sql(
            "MERGE INTO lake.dwh.s_merge t USING (SELECT id, max(fee) AS fee FROM arrived GROUP BY id) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET fee = s.fee WHEN NOT MATCHED THEN INSERT *"
        )

    job.stream(job.spark.readStream.table("lake.raw.loans"), "stream merge").foreachBatch(
        upsert
    ).start().awaitTermination()


def _stream_batch(job: Job) -> None:

    def append(batch, number) -> None:
        batch.selectExpr("reader AS id", "fee AS twice").writeTo("lake.dwh.s_flat").append()

    job.stream(job.spark.readStream.table("lake.raw.loans"), "stream batch").foreachBatch(
        append
    ).start().awaitTermination()


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    del names
    return {**_first(), **_writers(), **_wide(), **_rows(), **_alters(), **_versions(), **_views(), **_streams()}


def prepare(job: Job) -> None:
    """Write the wide rows that the steps load."""
    job.spark.sparkContext.setJobDescription("helper: wide")
    wide = (f"id * {n} AS c{n}" for n in range(2, 121))
    job.spark.range(6).selectExpr("id AS c1", *wide).write.parquet(f"{job.root}/landing/wide")
