"""Iceberg's second workload: `python -m lakehouse.workload_iceberg NAME ROOT PACKAGES`, or `--truth [two]`.

A library's loans, in other words and other ways than the medallion's. A name with `two` has two catalogs of one class:
`lake`, a folder, and `gov`, a database; otherwise `lake` holds all. It was written before any of its statements was
traced; docs/accuracy.md has the figures of that first run.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from pyspark.sql import DataFrame

from lakehouse import workload_iceberg_changes, workload_iceberg_more
from lakehouse.session import session
from lakehouse.workload import Job, Step, numbered, truth_of
from lakehouse.workload_iceberg_truth import CHANGES, datasets
from lakehouse.workload_run import snapshots

KEY = "spark.sql.catalog"
LOANS = (
    "id BIGINT, book STRING, reader BIGINT, fee DOUBLE, at TIMESTAMP, place STRUCT<city: STRING, room: INT>,"
    " tags ARRAY<STRING>, props MAP<STRING, STRING>, day STRING"
)
READERS = "id BIGINT, name STRING, mail STRING, level STRING"


def main() -> None:
    """Run all steps, or print their truth."""
    if sys.argv[1] == "--truth":
        gov = "gov" if "two" in sys.argv else "lake"
        print(truth_of(datasets(gov), steps(gov), CHANGES), end="")
        return
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    gov = "gov" if "two" in name else "lake"
    spark = session(name, root, packages, settings(root, gov))
    job = Job(spark, root, lambda: snapshots(root, "lake", "gov"), name)
    for namespace in ("lake.raw", "lake.dwh", f"{gov}.pub"):
        spark.sql(f"CREATE NAMESPACE IF NOT EXISTS {namespace}")
    land(root)
    job.spark.sparkContext.setJobDescription("helper: wide")
    spark.range(6).selectExpr("id AS c1", *(f"id * {n} AS c{n}" for n in range(2, 121))).write.parquet(
        f"{root}/landing/wide"
    )
    job.run(steps(gov))
    spark.stop()


def settings(root: Path, gov: str) -> dict[str, str]:
    """Return the settings of the catalogs."""
    made = {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        f"{KEY}.lake": "org.apache.iceberg.spark.SparkCatalog",
        f"{KEY}.lake.type": "hadoop",
        f"{KEY}.lake.warehouse": f"file://{root}/lake",
    }
    if gov == "gov":
        made |= {
            f"{KEY}.gov": "org.apache.iceberg.spark.SparkCatalog",
            f"{KEY}.gov.type": "jdbc",
            f"{KEY}.gov.uri": f"jdbc:sqlite:{root}/gov.db",
            f"{KEY}.gov.jdbc.schema-version": "V1",
            f"{KEY}.gov.warehouse": f"file://{root}/gov",
        }
    return made


def steps(gov: str) -> tuple[Step, ...]:
    """Return all steps, in their order, with the name of the catalog of `pub`."""
    made = (*FIRST, *WRITERS, *WIDE, *workload_iceberg_changes.STEPS, *workload_iceberg_more.STEPS)
    return tuple(
        replace(step, run=step.run.replace("{g}", gov)) if isinstance(step.run, str) else step for step in made
    )


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
    from pyspark.sql import functions as f

    return job.spark.table("lake.raw.w60").join(job.spark.table("lake.raw.w30"), f.expr("d1 = c3"))


def _wide(job: Job) -> DataFrame:
    return job.spark.read.parquet(f"{job.root}/landing/wide")


FIRST = (
    Step(
        "loans",
        lambda j: _loans(j).writeTo("lake.raw.loans").using("iceberg").create(),
        "create loans",
        "id book reader fee at place tags props day < l_loans.*",
    ),
    Step(
        "readers",
        lambda j: _readers(j).write.format("iceberg").saveAsTable("lake.raw.readers"),
        "create readers",
        "id name mail level < l_readers.*",
    ),
    Step(
        "loan ddl",
        "CREATE TABLE lake.dwh.loan (id BIGINT, book STRING, reader BIGINT, fee DOUBLE, at TIMESTAMP, city STRING, day STRING)"
        " USING iceberg PARTITIONED BY (day, bucket(2, id)) TBLPROPERTIES ('format-version' = '2')",
    ),
    Step(
        "loan insert",
        "INSERT INTO lake.dwh.loan SELECT id, upper(book), reader, fee, at, place.city, day FROM lake.raw.loans",
        "append loan",
        "id book reader fee at day < loans.*; city < loans.place.city",
    ),
    Step(
        "loan insert columns",
        "INSERT INTO lake.dwh.loan (day, id, fee) SELECT '2026-02-07', id + 50, 1.5D FROM lake.raw.readers WHERE level = 'gold'",
        "append loan",
        "id < readers.id; book reader fee at city day < ",
        "FILTER readers.level",
    ),
    Step(
        "loan by name",
        "INSERT INTO lake.dwh.loan BY NAME SELECT level AS city, name AS book, id, id * 2 AS reader, 0.0D AS fee,"
        " current_timestamp() AS at, '2026-02-08' AS day FROM lake.raw.readers",
        "append loan",
        "id reader < readers.id; city < readers.level; book < readers.name; fee at day < ",
    ),
    Step(
        "tags",
        "CREATE TABLE lake.dwh.tags USING iceberg AS SELECT id, tag, pos FROM lake.raw.loans LATERAL VIEW posexplode(tags) t AS pos, tag",
        "create tags",
        "id < loans.id; tag < loans.tags; pos < loans.tags",
    ),
    Step(
        "daily",
        "CREATE OR REPLACE TABLE {g}.pub.daily USING iceberg AS WITH x AS (SELECT l.day, r.level, l.fee FROM lake.dwh.loan l"
        " JOIN lake.raw.readers r ON r.id = l.reader WHERE l.fee > 0) SELECT day, level, sum(fee) AS fees, count(fee) AS n FROM x GROUP BY day, level",
        "overwrite daily",
        "day < loan.day; level < readers.level; fees n < loan.fee",
        "FILTER loan.fee; JOIN readers.id; JOIN loan.reader; GROUP_BY readers.level",
    ),
    Step(
        "daily again",
        "INSERT OVERWRITE {g}.pub.daily SELECT day, city, max(fee), 1 FROM lake.dwh.loan GROUP BY day, city HAVING max(fee) > 0",
        "overwrite daily",
        "day < loan.day; level < loan.city; fees < loan.fee; n < ",
    ),
    Step(
        "same name here",
        "CREATE TABLE {g}.pub.loan USING iceberg AS SELECT id, book, fee FROM lake.dwh.loan",
        "create pub_loan",
        "id book fee < loan.*",
    ),
    Step(
        "same name raw",
        "CREATE TABLE {g}.pub.readers USING iceberg PARTITIONED BY (truncate(2, name)) AS SELECT id, name FROM lake.raw.readers",
        "create pub_readers",
        "id name < readers.*",
    ),
    Step(
        "cross join",
        "INSERT INTO {g}.pub.loan SELECT l.id, p.name, l.fee + d.fees FROM lake.dwh.loan l JOIN {g}.pub.readers p ON p.id = l.reader"
        " JOIN {g}.pub.daily d ON d.day = l.day",
        "append pub_loan",
        "id < loan.id; book < pub_readers.name; fee < loan.fee daily.fees",
        "JOIN pub_readers.id; JOIN daily.day; JOIN loan.day",
    ),
    Step(
        "union types",
        "CREATE TABLE lake.dwh.ids USING iceberg AS SELECT id, CAST(name AS STRING) AS what FROM lake.raw.readers UNION ALL"
        " SELECT CAST(room AS BIGINT), city FROM (SELECT place.room, place.city FROM lake.raw.loans)",
        "create ids",
        "id < readers.id loans.place.room; what < readers.name loans.place.city",
    ),
    Step(
        "windowed",
        "CREATE TABLE {g}.pub.ranked USING iceberg AS SELECT reader, fee, dense_rank() OVER (PARTITION BY day ORDER BY fee DESC) AS r,"
        " avg(fee) OVER (PARTITION BY reader) AS mean FROM lake.dwh.loan",
        "create ranked",
        "reader fee < loan.*; r < ; mean < loan.fee",
    ),
    Step(
        "qualify like",
        lambda j: _newest(j),
        "overwrite newest",
        "reader < loan.reader; book < loan.book; at < loan.at",
    ),
    Step(
        "pivoted",
        lambda j: (
            j.spark.table("lake.dwh.loan")
            .groupBy("reader")
            .pivot("city", ["X", "Y"])
            .agg({"fee": "sum"})
            .writeTo(f"{gov_of(j)}.pub.pivoted")
            .createOrReplace()
        ),
        "overwrite pivoted",
        "reader < loan.reader; X Y < loan.fee",
    ),
    Step(
        "scalar",
        "INSERT INTO {g}.pub.ranked SELECT reader, fee / (SELECT max(fees) FROM {g}.pub.daily), 0, NULL FROM lake.dwh.loan"
        " WHERE reader NOT IN (SELECT id FROM {g}.pub.readers WHERE name LIKE 'Z%')",
        "append ranked",
        "reader < loan.reader; fee < loan.fee daily.fees; r mean < ",
        "JOIN pub_readers.id",
    ),
    Step(
        "read join",
        "SELECT a.id, b.name FROM {g}.pub.loan a JOIN lake.raw.readers b ON a.id = b.id WHERE a.fee > 1",
        "",
        "id < pub_loan.id; name < readers.name",
        "FILTER pub_loan.fee; JOIN readers.id",
    ),
)


def _newest(job: Job) -> None:
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    loan = job.spark.table("lake.dwh.loan")
    newest = loan.withColumn("rn", f.row_number().over(Window.partitionBy("reader").orderBy(f.desc("at")))).where(
        "rn = 1"
    )
    newest.select("reader", "book", "at").write.format("iceberg").mode("overwrite").saveAsTable(
        f"{gov_of(job)}.pub.newest"
    )


WRITERS = (
    Step(
        "save append",
        lambda j: (
            j.spark.table("lake.dwh.loan")
            .selectExpr("reader", "book", "at")
            .write.format("iceberg")
            .mode("append")
            .saveAsTable(f"{gov_of(j)}.pub.newest")
        ),
        "append newest",
        "reader book at < loan.*",
    ),
    Step(
        "insertInto",
        lambda j: (
            j.spark.table("lake.dwh.loan").selectExpr("id", "city", "at").write.insertInto(f"{gov_of(j)}.pub.newest")
        ),
        "append newest",
        "reader < loan.id; book < loan.city; at < loan.at",
    ),
    Step(
        "insertInto overwrite",
        lambda j: (
            j.spark.table("lake.dwh.loan")
            .selectExpr("id", "book", "at")
            .write.insertInto(f"{gov_of(j)}.pub.newest", overwrite=True)
        ),
        "overwrite newest",
        "reader < loan.id; book at < loan.*",
    ),
    Step(
        "writeTo append",
        lambda j: (
            j.spark.table("lake.raw.readers")
            .selectExpr("id AS reader", "mail AS book", "current_timestamp() AS at")
            .writeTo(f"{gov_of(j)}.pub.newest")
            .append()
        ),
        "append newest",
        "reader < readers.id; book < readers.mail; at < ",
    ),
    Step(
        "writeTo partitions",
        lambda j: j.spark.table("lake.dwh.loan").where("fee > 1").writeTo("lake.dwh.loan").overwritePartitions(),
        "overwrite loan",
        "id book reader fee at city day < loan.*",
        "FILTER loan.fee",
    ),
    Step(
        "writeTo where",
        lambda j: _overwrite_where(j),
        "overwrite loan",
        "id reader fee at city day < loan.*; book < loan.city",
    ),
    Step(
        "writeTo partitioned", lambda j: _partitioned(j), "create parted", "id < loan.id; at < loan.at; fee < loan.fee"
    ),
    Step(
        "writeTo replace",
        lambda j: j.spark.table("lake.raw.readers").selectExpr("id", "name AS at").writeTo("lake.dwh.parted").replace(),
        "overwrite parted",
        "id < readers.id; at < readers.name",
    ),
    Step(
        "static overwrite",
        "INSERT OVERWRITE lake.dwh.loan PARTITION (day = '2026-02-20') SELECT id, book, reader, fee * 2, at, city FROM lake.dwh.loan",
        "overwrite loan",
        "id book reader fee at city < loan.*; day < ",
    ),
    Step("dynamic on", lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")),
    Step(
        "dynamic overwrite",
        "INSERT OVERWRITE lake.dwh.loan SELECT id, lower(book), reader, fee, at, city, day FROM lake.dwh.loan WHERE reader = 2",
        "overwrite loan",
        "id book reader fee at city day < loan.*",
        "FILTER loan.reader",
    ),
    Step("dynamic off", lambda j: j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")),
    Step(
        "like",
        "CREATE TABLE {g}.pub.loan_like USING iceberg AS SELECT * FROM lake.dwh.loan WHERE fee > 100",
        "create loan_like",
        "id book reader fee at city day < loan.*",
    ),
    Step(
        "like insert",
        "INSERT INTO {g}.pub.loan_like SELECT * FROM lake.dwh.loan ORDER BY fee LIMIT 5",
        "append loan_like",
        "id book reader fee at city day < loan.*",
        "SORT loan.fee",
    ),
    Step(
        "cached",
        lambda j: _cached(j),
        "append pub_readers",
        "id < readers.id loan.reader; name < readers.name loan.book",
    ),
    Step("udf", lambda j: _udf(j), "append pub_readers", "id < readers.id; name < readers.mail"),
    Step(
        "parquet out",
        lambda j: j.spark.table(f"{gov_of(j)}.pub.daily").write.mode("overwrite").parquet(f"{j.root}/out/daily"),
        "overwrite out_daily",
        "day level fees n < daily.*",
    ),
    Step(
        "parquet in",
        lambda j: (
            j.spark.read.parquet(f"{j.root}/out/daily")
            .selectExpr("day", "level", "fees + n AS fees", "n")
            .writeTo(f"{gov_of(j)}.pub.daily")
            .append()
        ),
        "append daily",
        "day level n < out_daily.*; fees < out_daily.fees out_daily.n",
    ),
    Step(
        "values",
        "INSERT INTO lake.raw.readers VALUES (90, 'zoe', 'z@x.org', 'gold')",
        "append readers",
        "id name mail level < ",
    ),
    Step(
        "hidden days",
        "CREATE TABLE lake.dwh.hidden (id BIGINT, at TIMESTAMP, book STRING) USING iceberg PARTITIONED BY (days(at), bucket(4, id))",
    ),
    Step(
        "hidden insert",
        "INSERT INTO lake.dwh.hidden SELECT id, at, concat_ws('/', book, place.city) FROM lake.raw.loans",
        "append hidden",
        "id at < loans.*; book < loans.book loans.place.city",
    ),
    Step(
        "hidden filter",
        "CREATE TABLE lake.dwh.hid2 USING iceberg AS SELECT id, book FROM lake.dwh.hidden WHERE at >= TIMESTAMP '2026-02-02 00:00:00' AND id = 4",
        "create hid2",
        "book < hidden.book; id < hidden.id",
        "FILTER hidden.at; FILTER hidden.id",
    ),
)


def _overwrite_where(job: Job) -> None:
    from pyspark.sql import functions as f

    frame = job.spark.table("lake.dwh.loan").withColumn("book", f.initcap("city"))
    frame.where("day = '2026-02-01'").writeTo("lake.dwh.loan").overwrite(f.col("day") == "2026-02-01")


def _partitioned(job: Job) -> None:
    from pyspark.sql import functions as f

    frame = job.spark.table("lake.dwh.loan").select("id", "at", "fee")
    frame.writeTo("lake.dwh.parted").using("iceberg").partitionedBy(f.days("at")).tableProperty("k", "v").create()


def _cached(job: Job) -> None:
    both = job.spark.sql("SELECT id, name FROM lake.raw.readers UNION SELECT reader, book FROM lake.dwh.loan").cache()
    both.count()
    both.writeTo(f"{gov_of(job)}.pub.readers").append()
    both.unpersist()


def _udf(job: Job) -> None:
    from pyspark.sql import functions as f

    mask = f.udf(lambda text: None if text is None else text[:1])
    frame = job.spark.table("lake.raw.readers").select("id", mask("mail").alias("name"))
    frame.writeTo(f"{gov_of(job)}.pub.readers").append()


_MOR = (
    "'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read'"
)
WIDE = (
    Step(
        "w30",
        f"CREATE TABLE lake.raw.w30 USING iceberg AS SELECT {numbered(30, 'c{n}')} FROM parquet.`{{root}}/landing/wide`",
        "create w30",
        "c{1..30} < l_wide.*",
    ),
    Step(
        "w60",
        lambda j: (
            _wide(j).selectExpr(*(f"c{n} + c{n + 1} AS d{n}" for n in range(1, 61))).writeTo("lake.raw.w60").create()
        ),
        "create w60",
        "; ".join(f"d{n} < l_wide.c{n} l_wide.c{n + 1}" for n in range(1, 61)),
    ),
    Step(
        "w120 gov", lambda j: _wide(j).writeTo(f"{gov_of(j)}.pub.w120").create(), "create w120", "c{1..120} < l_wide.*"
    ),
    Step(
        "w60 mor",
        f"CREATE TABLE lake.raw.w60m USING iceberg TBLPROPERTIES ('format-version' = '2', {_MOR}) AS SELECT * FROM lake.raw.w60",
        "create w60m",
        "d{1..60} < w60.*",
    ),
    Step(
        "w120 insert",
        f"INSERT INTO {{g}}.pub.w120 SELECT {numbered(120, 'c{n} * 2')} FROM {{g}}.pub.w120 WHERE c9 > 3",
        "append w120",
        "c{1..120} < w120.*",
        "FILTER w120.c9",
    ),
    Step(
        "w60 rtas",
        f"CREATE OR REPLACE TABLE {{g}}.pub.w60r USING iceberg AS SELECT d1, {numbered(60, 'max(d{n}) AS m{n}', 2)} FROM lake.raw.w60 GROUP BY d1",
        "overwrite w60r",
        "d1 < w60.d1; " + "; ".join(f"m{n} < w60.d{n}" for n in range(2, 61)),
        "GROUP_BY w60.d1",
    ),
    Step(
        "w60 save overwrite",
        lambda j: _joined(j).write.format("iceberg").mode("overwrite").saveAsTable("lake.dwh.w90"),
        "overwrite w90",
        "d{1..60} < w60.*; c{1..30} < w30.*",
        "JOIN w60.d1; JOIN w30.c3",
    ),
    Step(
        "w60 update cow",
        "UPDATE lake.raw.w60 SET d60 = d59 + 1, d2 = d3 WHERE d1 > 2",
        "update w60",
        "d60 < w60.d59; d2 < w60.d3",
        "FILTER w60.d1",
    ),
    Step(
        "w60 update mor",
        "UPDATE lake.raw.w60m SET d60 = d59 + 1, d40 = d41 * d42 WHERE d5 > 2",
        "update w60m",
        "d60 < w60m.d59; d40 < w60m.d41 w60m.d42",
        "FILTER w60m.d5",
    ),
    Step(
        "w60 merge cow",
        "MERGE INTO lake.raw.w60 t USING (SELECT * FROM lake.raw.w60m WHERE d1 < 100) s ON t.d1 = s.d1"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        "merge w60",
        "d{1..60} < w60m.*",
    ),
    Step(
        "w60 merge mor",
        f"MERGE INTO lake.raw.w60m t USING (SELECT {numbered(60, 'c{n} + 1 AS s{n}')} FROM {{g}}.pub.w120) s ON t.d1 = s.s1"
        f" WHEN MATCHED THEN UPDATE SET t.d59 = s.s58, t.d5 = t.d5 + s.s6"
        f" WHEN NOT MATCHED THEN INSERT ({numbered(60, 'd{n}')}) VALUES ({numbered(60, 's.s{n}')})",
        "merge w60m",
        "; ".join(f"d{n} < w120.c{n}" for n in range(1, 61) if n not in (5, 59))
        + "; d59 < w120.c58 w120.c59; d5 < w60m.d5 w120.c6 w120.c5",
    ),
    Step(
        "w60 delete mor",
        "DELETE FROM lake.raw.w60m WHERE d58 = 3 AND d3 > 2",
        "delete w60m",
        "",
        "FILTER w60m.d58; FILTER w60m.d3",
    ),
    Step("w60 delete cow", "DELETE FROM lake.raw.w60 WHERE d57 = 3", "delete w60", "", "FILTER w60.d57"),
    Step(
        "w120 update cow",
        "UPDATE {g}.pub.w120 SET c120 = c1, c60 = c61 + c62 WHERE c119 < 50",
        "update w120",
        "c120 < w120.c1; c60 < w120.c61 w120.c62",
        "FILTER w120.c119",
    ),
    Step(
        "w30 dynamic",
        f"INSERT OVERWRITE lake.raw.w30 SELECT {numbered(30, 'c{n} + 1')} FROM {{g}}.pub.w120",
        "overwrite w30",
        "c{1..30} < w120.*",
    ),
    Step("w120 read", "SELECT * FROM {g}.pub.w120 WHERE c77 > 2", "", "c{1..120} < w120.*", "FILTER w120.c77"),
    Step(
        "w120 struct",
        f"CREATE TABLE {{g}}.pub.packed USING iceberg AS SELECT c1, struct({numbered(40, 'c{n}')}) AS s FROM {{g}}.pub.w120",
        "create packed",
        "c1 < w120.c1; s < " + " ".join(f"w120.c{n}" for n in range(1, 41)),
    ),
    Step(
        "w40 unpack",
        "CREATE TABLE lake.dwh.unpacked USING iceberg AS SELECT c1 AS k, s.* FROM {g}.pub.packed",
        "create unpacked",
        "k < packed.c1; " + "; ".join(f"c{n} < packed.s.c{n}" for n in range(1, 41)),
    ),
    Step(
        "w60 count",
        "INSERT INTO {g}.pub.daily SELECT '2026', 'w', sum(d60), count(d44) FROM lake.raw.w60",
        "append daily",
        "day level < ; fees < w60.d60; n < w60.d44",
    ),
)


if __name__ == "__main__":
    main()
