"""Delta's second workload: `python -m lakehouse.workload_delta NAME ROOT PACKAGES`, or `--truth` for its truth.

Metering data of a utility, in other words and other ways than the medallion's. It was written before any of its
statements was traced; docs/accuracy.md has the figures of that first run.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyspark.sql import DataFrame

from lakehouse import workload_delta_changes, workload_delta_more
from lakehouse.session import session
from lakehouse.workload import Job, Step, numbered, truth_of
from lakehouse.workload_delta_truth import CHANGES, DATASETS

CONF = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.databricks.delta.snapshotPartitions": "1",
}
METERS = "id BIGINT, serial STRING, site STRING, kind STRING, installed DATE"
READINGS = (
    "mid BIGINT, ts TIMESTAMP, kwh DOUBLE, volt DOUBLE, pos STRUCT<lat: DOUBLE, lon: DOUBLE>,"
    " attrs MAP<STRING, STRING>, flags ARRAY<STRING>, day STRING"
)


def main() -> None:
    """Run all steps, or print their truth."""
    if sys.argv[1] == "--truth":
        print(truth_of(DATASETS, steps(), CHANGES), end="")
        return
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, CONF)
    job = Job(spark, root, lambda: versions(root), name)
    for database in ("stage", "core", "mart"):
        spark.sql(f"CREATE DATABASE {database}")
    land(root)
    job.spark.sparkContext.setJobDescription("helper: wide")
    spark.range(6).selectExpr("id AS c1", *(f"id * {n} AS c{n}" for n in range(2, 121))).write.parquet(
        f"{root}/landing/wide"
    )
    job.run(steps())
    spark.stop()


def steps() -> tuple[Step, ...]:
    """Return all steps, in their order."""
    return (*FIRST, *WRITERS, *WIDE, *workload_delta_changes.STEPS, *workload_delta_more.STEPS)


def versions(root: Path) -> dict[str, str]:
    """Return the newest version of every table, by `database.table` or its path below the root."""
    found = {}
    for log in root.rglob("_delta_log"):
        folder = log.parent
        name = f"{folder.parent.name[:-3]}.{folder.name}" if folder.parent.name.endswith(".db") else str(folder)
        commits = [int(path.stem) for path in log.glob("*.json") if path.stem.isdigit()]
        if commits:
            found[name] = str(max(commits))
    return found


def land(root: Path) -> None:
    """Write the files that the steps load."""
    folder = root / "landing" / "readings"
    folder.mkdir(parents=True)
    rows = [
        {
            "mid": n % 5,
            "ts": f"2026-01-0{1 + n % 3}T10:0{n % 6}:00",
            "kwh": n * 1.5,
            "volt": 220.0 + n,
            "pos": {"lat": 1.0 * n, "lon": 2.0 * n},
            "attrs": {"unit": "kWh", "src": "ab"[n % 2]},
            "flags": ["x", "y"][: n % 3],
            "day": f"2026-01-0{1 + n % 3}",
        }
        for n in range(12)
    ]
    (folder / "part-1.json").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    lines = [f"{n},S{n},site{n % 2},{'gas power'.split()[n % 2]},2025-0{1 + n}-01" for n in range(6)]
    text = "\n".join(("id,serial,site,kind,installed", *lines)) + "\n"
    (root / "landing" / "meters.csv").write_text(text, encoding="utf-8")


def _meters(job: Job) -> DataFrame:
    return job.spark.read.option("header", "true").schema(METERS).csv(f"{job.root}/landing/meters.csv")


def _readings(job: Job) -> DataFrame:
    return job.spark.read.schema(READINGS).json(f"{job.root}/landing/readings")


def _joined(job: Job) -> DataFrame:
    from pyspark.sql import functions as f

    return job.spark.table("stage.w60").join(job.spark.table("stage.w30"), f.expr("d1 = c3"))


def _wide(job: Job) -> DataFrame:
    return job.spark.read.parquet(f"{job.root}/landing/wide")


FIRST = (
    Step(
        "meters",
        lambda j: _meters(j).write.format("delta").saveAsTable("stage.meters"),
        "create meters",
        "id serial site kind installed < l_meters.*",
    ),
    Step(
        "readings",
        lambda j: _readings(j).write.format("delta").partitionBy("day").saveAsTable("stage.readings"),
        "create readings",
        "mid ts kwh volt pos attrs flags day < l_readings.*",
    ),
    Step(
        "flat readings",
        "CREATE TABLE core.flat USING delta PARTITIONED BY (day) COMMENT 'one row per reading' AS"
        " SELECT mid, ts, kwh, pos.lat, pos.lon AS lng, attrs['unit'] AS unit, get(flags, 0) AS flag, size(flags) AS n, day"
        " FROM stage.readings",
        "create flat",
        "mid ts kwh day < readings.*; lat < readings.pos.lat; lng < readings.pos.lon; unit < readings.attrs;"
        " flag n < readings.flags",
    ),
    Step(
        "flags",
        lambda j: (
            j.spark.table("stage.readings")
            .selectExpr("mid", "ts", "explode_outer(flags) AS flag")
            .writeTo("core.flags")
            .using("delta")
            .create()
        ),
        "create flags",
        "mid ts < readings.*; flag < readings.flags",
    ),
    Step(
        "daily with cte",
        "CREATE OR REPLACE TABLE mart.daily USING delta AS WITH r AS (SELECT mid, day, kwh FROM core.flat WHERE kwh > 0),"
        " s AS (SELECT mid, day, sum(kwh) AS kwh, max(kwh) AS peak FROM r GROUP BY mid, day)"
        " SELECT m.site, s.day, s.kwh, s.peak, m.serial || '-' || m.kind AS label FROM s JOIN stage.meters m ON m.id = s.mid",
        "overwrite daily",
        "site < meters.site; day < flat.day; kwh peak < flat.kwh; label < meters.serial meters.kind",
        "FILTER flat.kwh; JOIN meters.id; JOIN flat.mid; GROUP_BY flat.day",
    ),
    Step(
        "ddl mixed",
        "CREATE TABLE core.device (id BIGINT NOT NULL, name STRING, battery DOUBLE, note STRING COMMENT 'free',"
        " place STRUCT<city: STRING, zip: INT>) USING delta TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')",
    ),
    Step(
        "insert column list",
        "INSERT INTO core.device (name, id, place) SELECT serial, id, named_struct('city', site, 'zip', 7) FROM stage.meters",
        "append device",
        "id < meters.id; name < meters.serial; battery note < ; place < meters.site",
    ),
    Step(
        "insert by name",
        "INSERT INTO core.device BY NAME SELECT site AS note, id + 100 AS id, upper(kind) AS name FROM stage.meters",
        "append device",
        "id < meters.id; name < meters.kind; battery < ; note < meters.site; place < ",
        only="3-5 4-1",
    ),
    Step(
        "insert values",
        "INSERT INTO core.device VALUES (900, 'v', 1.0, NULL, named_struct('city', 'Q', 'zip', 1))",
        "append device",
        "id name battery note place < ",
    ),
    Step(
        "generated ddl",
        lambda j: _generated(j),
        only="4-1",
    ),
    Step(
        "generated insert",
        lambda j: (
            j.spark.table("core.flat")
            .select("mid", "ts", "kwh")
            .write.format("delta")
            .mode("append")
            .saveAsTable("core.gen")
        ),
        "append gen",
        "mid ts kwh < flat.*; day y < flat.ts",
        only="4-1",
    ),
    Step(
        "generated insert",
        lambda j: (
            j.spark.table("core.flat")
            .select("mid", "ts", "kwh")
            .write.format("delta")
            .mode("append")
            .saveAsTable("core.gen")
        ),
        "create gen",
        "mid ts kwh < flat.*",
        only="3-5",
    ),
    Step(
        "default ddl",
        "CREATE TABLE core.dflt (id BIGINT, state STRING DEFAULT 'new', qty INT DEFAULT 3) USING delta"
        " TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')",
    ),
    Step(
        "default insert",
        "INSERT INTO core.dflt (id) SELECT id FROM stage.meters WHERE site = 'site1'",
        "append dflt",
        "id < meters.id; state qty < ",
        "FILTER meters.site",
    ),
    Step(
        "default keyword",
        "INSERT INTO core.dflt SELECT mid, flag, n FROM core.flat",
        "append dflt",
        "id < flat.mid; state < flat.flag; qty < flat.n",
    ),
    Step(
        "identity ddl",
        lambda j: _identity(j),
    ),
    Step(
        "identity insert",
        "INSERT INTO core.ident (serial) SELECT serial FROM stage.meters",
        "append ident",
        "serial < meters.serial; key < ",
    ),
    Step(
        "like",
        "CREATE TABLE core.flat_like LIKE core.flat",
    ),
    Step(
        "like insert",
        "INSERT INTO core.flat_like SELECT * FROM core.flat WHERE n BETWEEN 0 AND 5",
        "append flat_like",
        "mid ts kwh lat lng unit flag n day < flat.*",
        "FILTER flat.n",
    ),
    Step(
        "union all ctas",
        "CREATE TABLE core.both USING delta AS SELECT id AS k, serial AS v FROM stage.meters"
        " UNION ALL SELECT mid, unit FROM core.flat",
        "create both",
        "k < meters.id flat.mid; v < meters.serial flat.unit",
    ),
    Step(
        "distinct ctas",
        "CREATE TABLE core.sites USING delta AS SELECT DISTINCT site, count(*) OVER (PARTITION BY site) AS n FROM stage.meters",
        "create sites",
        "site < meters.site; n < ",
    ),
    Step(
        "pivot",
        "CREATE TABLE mart.pivoted USING delta AS SELECT * FROM (SELECT site, kind, id FROM stage.meters)"
        " PIVOT (sum(id) FOR kind IN ('gas' AS gas, 'power' AS power))",
        "create pivoted",
        "site < meters.site; gas power < meters.id",
    ),
    Step(
        "unpivot",
        "CREATE TABLE mart.unpivoted USING delta AS SELECT mid, what, value FROM core.flat"
        " UNPIVOT (value FOR what IN (kwh, lat))",
        "create unpivoted",
        "mid < flat.mid; what < ; value < flat.kwh flat.lat",
    ),
    Step(
        "rollup",
        "INSERT INTO mart.unpivoted SELECT mid, day, sum(kwh) FROM core.flat GROUP BY ROLLUP (mid, day)",
        "append unpivoted",
        "mid < flat.mid; what < flat.day; value < flat.kwh",
    ),
    Step(
        "lateral view",
        "CREATE TABLE mart.attrs USING delta AS SELECT mid, k, v FROM stage.readings LATERAL VIEW explode(attrs) a AS k, v",
        "create attrs",
        "mid < readings.mid; k v < readings.attrs",
    ),
    Step(
        "window rank",
        "CREATE TABLE mart.latest USING delta AS SELECT mid, ts, kwh, prev FROM (SELECT mid, ts, kwh,"
        " lag(kwh) OVER (PARTITION BY mid ORDER BY ts) AS prev,"
        " row_number() OVER (PARTITION BY mid ORDER BY ts DESC) AS rn FROM core.flat) WHERE rn = 1",
        "create latest",
        "mid ts kwh < flat.*; prev < flat.kwh",
    ),
    Step(
        "scalar subquery",
        "INSERT INTO mart.latest SELECT mid, ts, kwh / (SELECT max(kwh) FROM mart.daily), NULL FROM core.flat"
        " WHERE mid IN (SELECT id FROM stage.meters WHERE kind = 'gas')",
        "append latest",
        "mid ts < flat.*; kwh < flat.kwh daily.kwh; prev < ",
        "JOIN meters.id; FILTER meters.kind",
    ),
    Step(
        "plain read", "SELECT site, kwh FROM mart.daily WHERE peak > 1", "", "site kwh < daily.*", "FILTER daily.peak"
    ),
)


def _generated(job: Job) -> None:
    from delta.tables import DeltaTable

    made = DeltaTable.create(job.spark).tableName("core.gen")
    for name, kind in (("mid", "BIGINT"), ("ts", "TIMESTAMP"), ("kwh", "DOUBLE")):
        made = made.addColumn(name, kind)
    made = made.addColumn("day", "DATE", generatedAlwaysAs="CAST(ts AS DATE)")
    made.addColumn("y", "INT", generatedAlwaysAs="YEAR(ts)").partitionedBy("day").execute()


def _identity(job: Job) -> None:
    from delta.tables import DeltaTable, IdentityGenerator

    made = DeltaTable.create(job.spark).tableName("core.ident")
    made.addColumn("key", "BIGINT", generatedAlwaysAs=IdentityGenerator()).addColumn("serial", "STRING").execute()


WRITERS = (
    Step(
        "save path",
        lambda j: _meters(j).selectExpr("id", "lower(serial) AS serial").write.format("delta").save(f"{j.root}/lake/m"),
        "create p_m",
        "id serial < l_meters.*",
    ),
    Step(
        "save path append merge schema",
        lambda j: (
            j.spark.table("core.flat")
            .selectExpr("mid AS id", "unit AS serial", "kwh")
            .write.format("delta")
            .mode("append")
            .option("mergeSchema", "true")
            .save(f"{j.root}/lake/m")
        ),
        "append p_m",
        "id < flat.mid; serial < flat.unit; kwh < flat.kwh",
    ),
    Step(
        "save path overwrite schema",
        lambda j: (
            j.spark.table("stage.meters")
            .selectExpr("id", "site")
            .write.format("delta")
            .mode("overwrite")
            .option("overwriteSchema", "true")
            .save(f"{j.root}/lake/m")
        ),
        "overwrite p_m",
        "id site < meters.*",
    ),
    Step(
        "read path",
        lambda j: j.spark.read.format("delta").load(f"{j.root}/lake/m").where("id > 2").collect(),
        "",
        "id site < p_m.*",
        "FILTER p_m.id",
    ),
    Step(
        "sql path",
        "INSERT INTO delta.`{root}/lake/m` SELECT id, upper(site) FROM stage.meters",
        "append p_m",
        "id site < meters.*",
    ),
    Step(
        "external",
        "CREATE TABLE core.ext USING delta LOCATION '{root}/lake/ext' AS SELECT id, installed FROM stage.meters",
        "create ext",
        "id installed < meters.*",
    ),
    Step(
        "external by path",
        lambda j: j.spark.read.format("delta").load(f"{j.root}/lake/ext").write.mode("append").insertInto("core.ext"),
        "append ext",
        "id installed < ext.*",
    ),
    Step(
        "save overwrite",
        lambda j: (
            j.spark.table("stage.meters")
            .groupBy("site")
            .count()
            .write.format("delta")
            .mode("overwrite")
            .saveAsTable("mart.counts")
        ),
        "overwrite counts",
        "site < meters.site; count < ",
    ),
    Step(
        "save overwrite again",
        lambda j: (
            j.spark.table("stage.meters")
            .groupBy("site")
            .agg({"id": "max"})
            .toDF("site", "count")
            .write.format("delta")
            .mode("overwrite")
            .saveAsTable("mart.counts")
        ),
        "overwrite counts",
        "site < meters.site; count < meters.id",
    ),
    Step(
        "save ignore",
        lambda j: j.spark.table("stage.meters").write.format("delta").mode("ignore").saveAsTable("mart.counts"),
    ),
    Step(
        "writeTo append",
        lambda j: j.spark.table("core.sites").selectExpr("site", "n AS count").writeTo("mart.counts").append(),
        "append counts",
        "site < sites.site; count < sites.n",
    ),
    Step(
        "writeTo createOrReplace",
        lambda j: (
            j.spark.table("core.flat")
            .groupBy("day")
            .agg({"kwh": "avg"})
            .toDF("day", "mean")
            .writeTo("mart.means")
            .using("delta")
            .tableProperty("a.b", "c")
            .createOrReplace()
        ),
        "overwrite means",
        "day < flat.day; mean < flat.kwh",
    ),
    Step(
        "writeTo replace",
        lambda j: (
            j.spark.table("core.flat")
            .selectExpr("day", "kwh * 2 AS mean", "unit")
            .writeTo("mart.means")
            .using("delta")
            .replace()
        ),
        "overwrite means",
        "day < flat.day; mean < flat.kwh; unit < flat.unit",
    ),
    Step(
        "writeTo overwrite where",
        lambda j: _overwrite_where(j),
        "overwrite means",
        "day < flat.day; mean < flat.lat; unit < flat.flag",
    ),
    Step(
        "replaceWhere",
        lambda j: (
            j.spark.table("core.flat")
            .where("day = '2026-01-01' AND kwh > 1")
            .write.format("delta")
            .mode("overwrite")
            .option("replaceWhere", "day = '2026-01-01'")
            .saveAsTable("core.flat_like")
        ),
        "overwrite flat_like",
        "mid ts kwh lat lng unit flag n < flat.*; day < flat.day",
        "FILTER flat.kwh",
    ),
    Step(
        "insert replace where",
        "INSERT INTO core.flat_like REPLACE WHERE n > 100 SELECT mid, ts, kwh, lat, lng, flag, unit, n + 101, day FROM core.flat",
        "overwrite flat_like",
        "mid ts kwh lat lng n day < flat.*; unit < flat.flag; flag < flat.unit",
    ),
    Step(
        "static partition",
        "INSERT OVERWRITE core.flat_like PARTITION (day = '2026-01-09')"
        " SELECT mid, ts, kwh + 1, lat, lng, unit, flag, n FROM core.flat",
        "overwrite flat_like",
        "mid ts kwh lat lng unit flag n < flat.*; day < ",
    ),
    Step(
        "dynamic on",
        lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic"),
    ),
    Step(
        "dynamic sql",
        "INSERT OVERWRITE core.flat_like SELECT mid, ts, kwh * 3, lat, lng, unit, flag, n, day FROM core.flat WHERE mid = 2",
        "overwrite flat_like",
        "mid ts kwh lat lng unit flag n day < flat.*",
        "FILTER flat.mid",
    ),
    Step(
        "dynamic frame",
        lambda j: j.spark.table("core.flat").write.mode("overwrite").insertInto("core.flat_like"),
        "overwrite flat_like",
        "mid ts kwh lat lng unit flag n day < flat.*",
    ),
    Step(
        "dynamic partitions",
        lambda j: j.spark.table("core.flat").where("lat > 3").writeTo("core.flat_like").overwritePartitions(),
        "overwrite flat_like",
        "mid ts kwh lat lng unit flag n day < flat.*",
        "FILTER flat.lat",
    ),
    Step(
        "dynamic off",
        lambda j: j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode"),
    ),
    Step(
        "insert overwrite all",
        "INSERT OVERWRITE core.both SELECT id, kind FROM stage.meters",
        "overwrite both",
        "k < meters.id; v < meters.kind",
    ),
    Step(
        "insert table",
        "INSERT INTO core.both TABLE core.both",
        "append both",
        "k v < both.*",
    ),
    Step(
        "from insert",
        "FROM core.flat INSERT INTO core.both SELECT mid, unit INSERT INTO mart.counts SELECT day, n",
    ),
    Step(
        "cached",
        lambda j: _cached(j),
        "append both",
        "k < meters.id; v < meters.serial flat.flag",
    ),
    Step(
        "udf",
        lambda j: _udf(j),
        "append both",
        "k < meters.id; v < meters.kind",
    ),
    Step(
        "parquet out",
        lambda j: (
            j.spark.table("mart.daily").select("site", "kwh").write.mode("overwrite").parquet(f"{j.root}/out/daily")
        ),
        "overwrite out_daily",
        "site kwh < daily.*",
    ),
    Step(
        "parquet back",
        lambda j: (
            j.spark.read.parquet(f"{j.root}/out/daily")
            .withColumnRenamed("kwh", "energy")
            .write.format("delta")
            .saveAsTable("mart.back")
        ),
        "create back",
        "site < out_daily.site; energy < out_daily.kwh",
    ),
)


def _overwrite_where(job: Job) -> None:
    from pyspark.sql import functions as f

    frame = job.spark.table("core.flat").selectExpr("day", "lat AS mean", "flag AS unit")
    frame.writeTo("mart.means").overwrite(f.col("mean") >= 0)


def _cached(job: Job) -> None:
    joined = job.spark.sql(
        "SELECT m.id AS k, concat(m.serial, f.flag) AS v FROM stage.meters m JOIN core.flat f ON m.id = f.mid"
    )
    joined.cache()
    joined.count()
    joined.write.format("delta").mode("append").saveAsTable("core.both")
    joined.unpersist()


def _udf(job: Job) -> None:
    from pyspark.sql import functions as f

    mask = f.udf(lambda text: None if text is None else text[::-1])
    job.spark.table("stage.meters").select(f.col("id").alias("k"), mask("kind").alias("v")).write.insertInto(
        "core.both"
    )


WIDE = (
    Step(
        "wide 30 ctas",
        f"CREATE TABLE stage.w30 USING delta AS SELECT {numbered(30, 'c{n}')} FROM parquet.`{{root}}/landing/wide`",
        "create w30",
        "c{1..30} < l_wide.*",
    ),
    Step(
        "wide 60 save",
        lambda j: (
            _wide(j)
            .selectExpr(*(f"c{n} + c{n + 1} AS d{n}" for n in range(1, 61)))
            .write.format("delta")
            .saveAsTable("stage.w60")
        ),
        "create w60",
        "; ".join(f"d{n} < l_wide.c{n} l_wide.c{n + 1}" for n in range(1, 61)),
    ),
    Step(
        "wide 120 writeTo",
        lambda j: _wide(j).writeTo("stage.w120").using("delta").create(),
        "create w120",
        "c{1..120} < l_wide.*",
    ),
    Step(
        "wide 120 insert",
        f"INSERT INTO stage.w120 SELECT {numbered(120, 'c{n} * 2')} FROM stage.w120 WHERE c7 > 3",
        "append w120",
        "c{1..120} < w120.*",
        "FILTER w120.c7",
    ),
    Step(
        "wide 60 rtas",
        f"CREATE OR REPLACE TABLE mart.w60r USING delta AS SELECT d1, {numbered(60, 'max(d{n}) AS m{n}', 2)} FROM stage.w60 GROUP BY d1",
        "overwrite w60r",
        "d1 < w60.d1; " + "; ".join(f"m{n} < w60.d{n}" for n in range(2, 61)),
        "GROUP_BY w60.d1",
    ),
    Step(
        "wide 60 save overwrite",
        lambda j: _joined(j).write.format("delta").mode("overwrite").saveAsTable("mart.w90"),
        "overwrite w90",
        "d{1..60} < w60.*; c{1..30} < w30.*",
        "JOIN w60.d1; JOIN w30.c3",
    ),
    Step(
        "wide 60 path",
        lambda j: j.spark.table("stage.w60").write.format("delta").save(f"{j.root}/lake/w60"),
        "create p_w60",
        "d{1..60} < w60.*",
    ),
    Step(
        "wide 60 path overwrite",
        lambda j: (
            j.spark.table("stage.w60")
            .selectExpr(*(f"d{61 - n} AS d{n}" for n in range(1, 61)))
            .write.format("delta")
            .mode("overwrite")
            .save(f"{j.root}/lake/w60")
        ),
        "overwrite p_w60",
        "; ".join(f"d{n} < w60.d{61 - n}" for n in range(1, 61)),
    ),
    Step(
        "wide 60 update",
        "UPDATE stage.w60 SET d60 = d59 + 1, d2 = d3 WHERE d1 > 2",
        "update w60",
        "d60 < w60.d59; d2 < w60.d3",
        "FILTER w60.d1",
    ),
    Step(
        "wide 120 update",
        "UPDATE stage.w120 SET c120 = c1, c60 = c61 * c62 WHERE c119 < 50",
        "update w120",
        "c120 < w120.c1; c60 < w120.c61 w120.c62",
        "FILTER w120.c119",
    ),
    Step(
        "wide 60 merge star",
        "MERGE INTO stage.w60 t USING (SELECT * FROM stage.w60 WHERE d1 < 100) s ON t.d1 = s.d1"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        "merge w60",
        "d{1..60} < w60.*",
    ),
    Step(
        "wide 120 merge other",
        f"MERGE INTO stage.w120 t USING (SELECT {numbered(120, 'c{n} + 1 AS s{n}')} FROM parquet.`{{root}}/landing/wide`) s ON t.c1 = s.s1"
        f" WHEN MATCHED THEN UPDATE SET t.c119 = s.s118, t.c5 = t.c5 + s.s6"
        f" WHEN NOT MATCHED THEN INSERT ({numbered(120, 'c{n}')}) VALUES ({numbered(120, 's.s{n}')})",
        "merge w120",
        "c{1..4} c{6..118} c120 < l_wide.*; c119 < l_wide.c118 l_wide.c119; c5 < w120.c5 l_wide.c6 l_wide.c5",
        "JOIN w120.c1; JOIN l_wide.c1",
    ),
    Step(
        "wide 120 delete",
        "DELETE FROM stage.w120 WHERE c118 = 0 AND c3 > 2",
        "delete w120",
        "",
        "FILTER w120.c118; FILTER w120.c3",
    ),
    Step(
        "wide partitioned",
        lambda j: j.spark.table("stage.w30").write.format("delta").partitionBy("c30").saveAsTable("stage.w30p"),
        "create w30p",
        "c{1..30} < w30.*",
    ),
    Step("wide dynamic on", lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")),
    Step(
        "wide dynamic",
        f"INSERT OVERWRITE stage.w30p SELECT {numbered(29, 'c{n} + 1')}, c30 FROM stage.w30",
        "overwrite w30p",
        "c{1..30} < w30.*",
    ),
    Step(
        "wide dynamic frame",
        lambda j: (
            j.spark.table("stage.w120")
            .selectExpr(*(f"c{n + 30} AS c{n}" for n in range(1, 31)))
            .writeTo("stage.w30p")
            .overwritePartitions()
        ),
        "overwrite w30p",
        "; ".join(f"c{n} < w120.c{n + 30}" for n in range(1, 31)),
    ),
    Step("wide dynamic off", lambda j: j.spark.conf.unset("spark.sql.sources.partitionOverwriteMode")),
    Step(
        "wide static",
        f"INSERT OVERWRITE stage.w30p PARTITION (c30 = 5) SELECT {numbered(29, 'c{n}')} FROM stage.w30 WHERE c2 > 0",
        "overwrite w30p",
        "c{1..29} < w30.*; c30 < ",
        "FILTER w30.c2",
    ),
    Step(
        "wide read",
        lambda j: j.spark.table("stage.w60").where("d50 > 1").collect(),
        "",
        "d{1..60} < w60.*",
        "FILTER w60.d50",
    ),
    Step(
        "wide view",
        "CREATE VIEW mart.v60 AS SELECT * FROM stage.w60",
        "create v60",
        "d{1..60} < w60.*",
    ),
    Step(
        "wide from view",
        "CREATE TABLE mart.w60v USING delta AS SELECT *, d1 + d2 AS extra FROM mart.v60",
        "create w60v",
        "d{1..60} < w60.*; extra < w60.d1 w60.d2",
    ),
    Step(
        "wide struct",
        f"CREATE TABLE mart.packed USING delta AS SELECT c1, struct({numbered(40, 'c{n}')}) AS s FROM stage.w120",
        "create packed",
        "c1 < w120.c1; s < " + " ".join(f"w120.c{n}" for n in range(1, 41)),
    ),
    Step(
        "wide unpack",
        "CREATE TABLE mart.unpacked USING delta AS SELECT c1 AS k, s.* FROM mart.packed",
        "create unpacked",
        "k < packed.c1; " + "; ".join(f"c{n} < packed.s.c{n}" for n in range(1, 41)),
    ),
)


if __name__ == "__main__":
    main()
