"""Idioms of SQL and frames over calls of a telephone company, the same for Delta, Iceberg and Paimon, with their truth.

Written without regard to the other workloads, before any statement was traced. `python -m lakehouse.workload_idioms
--truth FORMAT` writes the truth; it needs no Spark.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse import workload_delta
from lakehouse.session import session
from lakehouse.workload import Job, Step, numbered, truth_of
from lakehouse.workload_run import snapshots

CATALOGS = {"delta": "spark_catalog.", "iceberg": "lake.", "paimon": "pai."}
CONF: Mapping[str, Mapping[str, str]] = {
    "delta": {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    },
    "iceberg": {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
        "spark.sql.catalog.lake.type": "hadoop",
        "spark.sql.catalog.lake.warehouse": "file://{root}/lake",
    },
    "paimon": {
        "spark.sql.extensions": "org.apache.paimon.spark.extensions.PaimonSparkSessionExtensions",
        "spark.sql.catalog.pai": "org.apache.paimon.spark.SparkCatalog",
        "spark.sql.catalog.pai.warehouse": "file://{root}/pai",
    },
}
CALLS = (
    "SELECT id, id % 5 AS sub, id % 3 AS cell, CAST(id * 7 AS INT) AS secs, CAST(id AS DOUBLE) / 4 AS cost, "
    "timestamp'2026-04-01 08:00:00' + make_interval(0,0,0,0,CAST(id AS INT)) AS at, array(concat('t', id), 'x') AS tags, "
    "map('k', CAST(id AS STRING)) AS attrs, named_struct('x', id * 1.0D, 'city', concat('c', id)) AS loc, "
    "CAST(id % 2 AS STRING) AS day FROM range(20)"
)
WIDE = numbered(60, "id * {n} AS c{n}")
EVOLVED = """
ev: column_added zeta omega kappa alpha nest brief
ev: column_renamed label theta
ev: column_moved label kappa
ev: column_dropped omega theta nest brief
f_save: column_added n2
f_save: column_dropped cost
"""
OTHERS = {
    "delta": "ev: column_added loc.c\nev: column_dropped label alpha amount kappa loc\nev: column_added money\nf_save: column_added region @4-1",
    "iceberg": "ev: column_added loc.c\nev: type_changed amount",
    "paimon": "ev: type_changed amount",
}


def only(step: Step, holds: bool) -> Iterator[Step]:
    """Yield a step if it is for the format."""
    if holds:
        yield step


def steps(fmt: str) -> tuple[Step, ...]:  # noqa: C901 - functions of single steps
    """Return the steps for a format.

    Args:
        fmt: `delta`, `iceberg` or `paimon`.
    """
    at = f"{CATALOGS[fmt]}tel."

    def sql(text: str) -> str:
        return re.sub(r"(?<![\w.])tel\.", at, text.replace("{f}", fmt))

    def table(job: Job, name: str) -> DataFrame:
        return job.spark.table(at + name)

    def ctas(name: str, query: str, columns: str, conditions: str = "", only: str = "") -> Step:
        text = sql(f"CREATE TABLE tel.{name} USING {{f}} AS {query}")
        return Step(name, text, f"create {name}", columns, conditions, only)

    def frame(name: str, make: Callable[[Job], DataFrame], columns: str, conditions: str = "") -> Step:
        def run(job: Job) -> None:
            make(job).writeTo(at + name).using(fmt).create()

        return Step(name, run, f"create {name}", columns, conditions)

    def pdf(j: Job) -> DataFrame:
        def up(it: Any) -> Any:
            for p in it:
                p["cost"] = p["cost"] + 1
                yield p[["id", "cost"]]

        return table(j, "calls").select("id", "cost").mapInPandas(up, "id long, cost double")

    def grouped(j: Job) -> DataFrame:
        def g(p: Any) -> Any:
            return p.groupby("sub", as_index=False).agg({"secs": "sum"})

        return table(j, "calls").select("sub", "secs").groupBy("sub").applyInPandas(g, "sub long, secs long")

    def udf(j: Job) -> DataFrame:
        u = f.udf(lambda a, b: f"{a}{b}", "string")
        return table(j, "calls").select("id", u("sub", "cell").alias("u"))

    def checkpointed(j: Job) -> DataFrame:
        j.spark.sparkContext.setCheckpointDir(f"{j.root}/cp")
        return (
            table(j, "calls")
            .where("secs > 7")
            .select("id", "cost")
            .checkpoint()
            .withColumn("double", f.expr("cost * 2"))
        )

    def sdedup(j: Job) -> None:
        src = (
            j.spark.readStream.format(fmt).table(at + "calls2")
            if fmt != "iceberg"
            else j.spark.readStream.format("iceberg").load(at + "calls2")
        )
        d = (
            src.withWatermark("at", "1 hour")
            .dropDuplicates(["id", "at"])
            .selectExpr("id", "secs * 2 AS secs", "loc.city AS city")
        )
        j.stream(d, "s dedup").format(fmt).toTable(at + "s_dedup").awaitTermination()

    def sstatic(j: Job) -> None:
        src = j.spark.readStream.table(at + "calls2").alias("a")
        d = src.join(table(j, "subs").alias("b"), f.expr("a.sub = b.sub_id"), "left").selectExpr(
            "a.id", "b.name", "a.cost"
        )
        j.stream(d, "s static").format(fmt).toTable(at + "s_static").awaitTermination()

    def swin(j: Job) -> None:
        src = (
            j.spark.readStream.table(at + "calls2")
            .withWatermark("at", "10 minutes")
            .groupBy(f.window("at", "1 hour").alias("w"), "cell")
            .agg(f.sum("cost").alias("total"), f.approx_count_distinct("sub").alias("subs"))
        )
        j.stream(src.selectExpr("w.start AS begun", "cell", "total", "subs"), "s win", "complete").format(fmt).toTable(
            at + "s_win"
        ).awaitTermination()

    def seach(j: Job) -> None:
        def fn(b: DataFrame, _: int) -> None:
            b.persist()
            b.groupBy("sub").agg(f.max("cost").alias("cost")).createOrReplaceTempView("bb")
            b.sparkSession.sql(
                sql(
                    "MERGE INTO tel.bal t USING bb s ON t.sub = s.sub WHEN MATCHED AND s.cost > t.cost THEN UPDATE SET cost = s.cost WHEN NOT MATCHED THEN INSERT (sub, cost, note) VALUES (s.sub, s.cost, 'stream')"
                )
            ).collect()
            b.unpersist()

        j.stream(j.spark.readStream.table(at + "calls2"), "s each").foreachBatch(fn).start().awaitTermination()

    return (
        Step(
            "calls",
            sql(f"CREATE TABLE tel.calls USING {{f}} PARTITIONED BY (day) AS {CALLS}"),
            "create calls",
            "id sub cell secs cost at tags attrs loc day <",
        ),
        ctas(
            "subs",
            "SELECT id AS sub_id, concat('n', id) AS name, CASE WHEN id > 2 THEN 'gold' ELSE 'tin' END AS plan, concat('r', id % 2) AS region FROM range(5)",
            "sub_id name plan region <",
        ),
        ctas(
            "cells",
            "SELECT id AS cell_id, concat('r', id % 2) AS region, CAST(id AS DOUBLE) AS lat FROM range(3)",
            "cell_id region lat <",
        ),
        ctas(
            "p_pivot",
            "SELECT * FROM (SELECT sub, day, cost FROM tel.calls) PIVOT (sum(cost) FOR day IN ('0' AS d0, '1' AS d1))",
            "sub < calls.sub; d0 d1 < calls.cost",
        ),
        ctas(
            "p_unpivot",
            "SELECT sub_id, what, val FROM (SELECT sub_id, name, plan FROM tel.subs) UNPIVOT (val FOR what IN (name, plan))",
            "sub_id < subs.sub_id; what <; val < subs.name subs.plan",
        ),
        ctas(
            "lv",
            "SELECT id, t, k, v FROM tel.calls LATERAL VIEW explode(tags) x AS t LATERAL VIEW OUTER explode(attrs) y AS k, v",
            "id < calls.id; t < calls.tags; k v < calls.attrs",
        ),
        ctas(
            "pe",
            "SELECT id, p, t FROM tel.calls LATERAL VIEW posexplode(tags) x AS p, t WHERE p > 0",
            "id < calls.id; p t < calls.tags",
        ),
        ctas(
            "inl",
            "SELECT id, a, b FROM tel.calls LATERAL VIEW inline(array(named_struct('a', secs, 'b', cost), named_struct('a', cell, 'b', 1.0D))) x AS a, b",
            "id < calls.id; a < calls.secs calls.cell; b < calls.cost",
        ),
        ctas(
            "stk",
            "SELECT id, n, v FROM tel.calls LATERAL VIEW stack(2, 'secs', CAST(secs AS DOUBLE), 'cost', cost) x AS n, v",
            "id < calls.id; n <; v < calls.secs calls.cost",
        ),
        ctas(
            "lat",
            "SELECT s.name, l.total FROM tel.subs s, LATERAL (SELECT sum(c.cost) AS total FROM tel.calls c WHERE c.sub = s.sub_id) l",
            "name < subs.name; total < calls.cost",
        ),
        ctas(
            "corr",
            "SELECT s.sub_id, (SELECT max(c.secs) FROM tel.calls c WHERE c.sub = s.sub_id) AS longest, s.plan IN (SELECT p.plan FROM tel.subs p WHERE p.region = 'r1') AS same FROM tel.subs s",
            "sub_id < subs.sub_id; longest < calls.secs; same <",
        ),
        ctas(
            "exi",
            "SELECT name FROM tel.subs s WHERE EXISTS (SELECT 1 FROM tel.calls c WHERE c.sub = s.sub_id AND c.secs > 30) AND NOT EXISTS (SELECT 1 FROM tel.cells z WHERE z.region = s.region AND z.lat > 100)",
            "name < subs.name",
            "JOIN calls.sub",
        ),
        ctas(
            "cub",
            "SELECT sub, cell, sum(secs) AS s, grouping_id() AS g FROM tel.calls GROUP BY CUBE (sub, cell)",
            "sub < calls.sub; cell < calls.cell; s < calls.secs; g <",
        ),
        ctas(
            "rol",
            "SELECT coalesce(region, 'all') AS region, plan, count(DISTINCT name) AS n FROM tel.subs GROUP BY ROLLUP (region, plan)",
            "region < subs.region; plan < subs.plan; n < subs.name",
        ),
        ctas(
            "win",
            "SELECT id, lag(cost, 1, 0.0D) OVER w AS before, cost - first_value(cost) OVER w AS gain, ntile(3) OVER w AS part, sum(secs) OVER (PARTITION BY cell ORDER BY at ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS run FROM tel.calls WINDOW w AS (PARTITION BY sub ORDER BY at)",
            "id < calls.id; before gain < calls.cost; part <; run < calls.secs",
        ),
        ctas(
            "top",
            "SELECT id, sub, cost FROM (SELECT *, row_number() OVER (PARTITION BY sub ORDER BY cost DESC) AS rn FROM tel.calls) WHERE rn <= 2",
            "id sub cost < calls.*",
        ),
        ctas(
            "ctes",
            "WITH a AS (SELECT sub, sum(cost) AS c FROM tel.calls GROUP BY sub), b AS (SELECT avg(c) AS m FROM a) SELECT a.sub, a.c / b.m AS share FROM a CROSS JOIN b",
            "sub < calls.sub; share < calls.cost",
        ),
        ctas(
            "rec",
            "WITH RECURSIVE r(n, s) AS (SELECT 1, CAST(0 AS BIGINT) UNION ALL SELECT n + 1, s + n FROM r WHERE n < 5) SELECT r.n, r.s, c.cost FROM r JOIN tel.calls c ON c.id = r.n",
            "n s <; cost < calls.cost",
            only="4-1",
        ),
        ctas(
            "hof",
            "SELECT id, transform(tags, t -> concat(t, sub)) AS tt, filter(tags, t -> length(t) > cell) AS ft, aggregate(sequence(0, sub), 0L, (a, x) -> a + x) AS ag, map_keys(attrs) AS mk, attrs['k'] AS mv FROM tel.calls",
            "id < calls.id; tt < calls.tags calls.sub; ft < calls.tags calls.cell; ag < calls.sub; mk mv < calls.attrs",
        ),
        ctas(
            "js",
            "SELECT id, to_json(struct(sub, loc.city AS city)) AS js, from_json(concat('{\"a\":', secs, '}'), 'a INT').a AS ja, get_json_object(to_json(attrs), '$.k') AS gk FROM tel.calls",
            "id < calls.id; js < calls.sub calls.loc.city; ja < calls.secs; gk < calls.attrs",
        ),
        ctas(
            "dst",
            "SELECT DISTINCT region, plan FROM tel.subs UNION SELECT region, 'cell' FROM tel.cells",
            "region < subs.region cells.region; plan < subs.plan",
        ),
        ctas(
            "exc",
            "SELECT sub_id AS k FROM tel.subs EXCEPT SELECT sub FROM tel.calls WHERE secs > 100",
            "k < subs.sub_id",
        ),
        ctas("ins_", "SELECT sub_id AS k FROM tel.subs INTERSECT ALL SELECT sub FROM tel.calls", "k < subs.sub_id"),
        ctas(
            "nat",
            "SELECT sub, name, secs FROM tel.calls JOIN (SELECT sub_id AS sub, name FROM tel.subs) USING (sub)",
            "sub < calls.sub; name < subs.name; secs < calls.secs",
            "JOIN subs.sub_id",
        ),
        ctas(
            "ful",
            "SELECT coalesce(a.region, b.region) AS region, a.n, b.m FROM (SELECT region, count(*) AS n FROM tel.subs GROUP BY region) a FULL OUTER JOIN (SELECT region, max(lat) AS m FROM tel.cells GROUP BY region) b ON a.region = b.region",
            "region < subs.region cells.region; n <; m < cells.lat",
        ),
        ctas(
            "rng",
            "SELECT a.id, b.id AS other FROM tel.calls a JOIN tel.calls b ON b.secs BETWEEN a.secs AND a.secs + 10 AND a.id <> b.id",
            "id other < calls.id",
            "JOIN calls.secs",
        ),
        ctas(
            "smp",
            "SELECT id, monotonically_increasing_id() AS rid, uuid() AS u, current_date() AS d, cost FROM tel.calls TABLESAMPLE (10 ROWS) ORDER BY cost LIMIT 3",
            "id cost < calls.*; rid u d <",
        ),
        ctas(
            "vals",
            "SELECT v.k, c.cost FROM VALUES (1L, 'a'), (2L, 'b') AS v(k, w) LEFT JOIN tel.calls c ON c.id = v.k",
            "k <; cost < calls.cost",
        ),
        ctas(
            "strct",
            "SELECT id, named_struct('c', cost, 'n', loc.city) AS s, array(secs, cell) AS a, map(loc.city, cost) AS m FROM tel.calls",
            "id < calls.id; s < calls.cost calls.loc.city; a < calls.secs calls.cell; m < calls.loc.city calls.cost",
        ),
        ctas(
            "mb",
            "SELECT sub, max_by(id, cost) AS top, min_by(loc, at) AS first, collect_list(secs) AS l, percentile_approx(cost, 0.5) AS med, count_if(secs > 5) AS n, bool_or(cell = 1) AS any1 FROM tel.calls GROUP BY sub HAVING sum(cost) > 1",
            "sub < calls.sub; top < calls.id; first < calls.loc; l < calls.secs; med < calls.cost; n < calls.secs; any1 < calls.cell",
        ),
        ctas(
            "flt",
            "SELECT sub, sum(cost) FILTER (WHERE secs > 10) AS c10, count(*) FILTER (WHERE cell = 1) AS n1 FROM tel.calls GROUP BY ALL",
            "sub < calls.sub; c10 < calls.cost; n1 <",
        ),
        *only(
            ctas(
                "odd",
                "SELECT id AS `Call Id`, cost AS `kost/€`, secs AS `a.b` FROM tel.calls",
                "`Call Id` < calls.id; `kost/€` < calls.cost; `a.b` < calls.secs",
            ),
            fmt != "delta",
        ),
        # INSERT forms
        Step(
            "acc ddl",
            sql(
                "CREATE TABLE tel.acc (id BIGINT, cost DOUBLE, note STRING, day STRING) USING {f} PARTITIONED BY (day)"
            ),
        ),
        Step(
            "multi",
            sql(
                "FROM tel.calls INSERT INTO tel.acc SELECT id, cost, loc.city, day WHERE secs > 10 INSERT INTO tel.acc SELECT sub, secs, 'x', day WHERE secs <= 10"
            ),
        ),
        Step(
            "by name",
            sql("INSERT INTO tel.acc BY NAME SELECT day, id, loc.city AS note, cost FROM tel.calls WHERE secs > 20"),
            "append acc",
            "id cost day < calls.*; note < calls.loc.city",
            "FILTER calls.secs",
        ),
        Step(
            "cols",
            sql("INSERT INTO tel.acc (day, id) SELECT 'z', sub_id FROM tel.subs"),
            "append acc",
            "id < subs.sub_id; day cost note <",
        ),
        Step(
            "static over",
            sql("INSERT OVERWRITE tel.acc PARTITION (day = 'z') SELECT id, cost, upper(loc.city) FROM tel.calls"),
            "overwrite acc",
            "id cost < calls.*; note < calls.loc.city; day <",
        ),
        Step("dyn on", lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")),
        Step(
            "dyn over",
            sql(
                "INSERT OVERWRITE tel.acc SELECT c.id, c.cost * 2, s.name, c.day FROM tel.calls c JOIN tel.subs s ON c.sub = s.sub_id"
            ),
            "overwrite acc",
            "id cost day < calls.*; note < subs.name",
            "JOIN subs.sub_id",
        ),
        Step(
            "dyn part",
            sql("INSERT OVERWRITE tel.acc PARTITION (day) SELECT id, cost, 'n', day FROM tel.calls WHERE cell = 1"),
            "overwrite acc",
            "id cost day < calls.*; note <",
            "FILTER calls.cell",
        ),
        Step(
            "dyn frame",
            lambda j: (
                table(j, "calls")
                .selectExpr("id", "cost", "loc.city AS note", "day")
                .where("id > 3")
                .write.insertInto(at + "acc", overwrite=True)
            ),
            "overwrite acc",
            "id cost day < calls.*; note < calls.loc.city",
        ),
        Step("dyn off", lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "static")),
        Step(
            "self ins",
            sql("INSERT INTO tel.acc SELECT id + 1000, cost, note, day FROM tel.acc WHERE cost > 1"),
            "append acc",
            "id cost note day < acc.*",
            "FILTER acc.cost",
        ),
        Step(
            "self over",
            sql("INSERT OVERWRITE tel.acc SELECT id, max(cost), max(note), max(day) FROM tel.acc GROUP BY id"),
            "overwrite acc",
            "id cost note day < acc.*",
        ),
        *only(
            Step(
                "replace where",
                sql(
                    "INSERT INTO tel.acc REPLACE WHERE day = '1' SELECT id, cost, 'rw', day FROM tel.calls WHERE day = '1'"
                ),
                "overwrite acc",
                "id cost day < calls.*; note <",
            ),
            fmt == "delta",
        ),
        Step(
            "overwrite cond",
            lambda j: (
                table(j, "calls")
                .selectExpr("id", "cost", "'oc' AS note", "day")
                .where("day = '0'")
                .writeTo(at + "acc")
                .overwrite(f.expr("day = '0'"))
            ),
            "overwrite acc",
            "id cost day < calls.*; note <",
        ),
        Step("empty ins", sql("INSERT INTO tel.acc SELECT id, cost, 'e', day FROM tel.calls WHERE 1 = 0")),
        # frames
        frame(
            "f_pivot",
            lambda j: table(j, "calls").groupBy("sub").pivot("cell", [0, 1]).agg(f.sum("cost")),
            "sub < calls.sub; 0 1 < calls.cost",
        ),
        frame(
            "f_melt",
            lambda j: (
                table(j, "calls")
                .selectExpr("id", "CAST(secs AS DOUBLE) AS secs", "cost")
                .melt(["id"], ["secs", "cost"], "var", "val")
            ),
            "id < calls.id; var <; val < calls.secs calls.cost",
        ),
        frame(
            "f_union",
            lambda j: (
                table(j, "subs")
                .select("name", "region")
                .unionByName(table(j, "cells").select("region", "lat"), allowMissingColumns=True)
            ),
            "name < subs.name; region < subs.region cells.region; lat < cells.lat",
        ),
        frame(
            "f_drop",
            lambda j: (
                table(j, "calls")
                .drop("tags", "attrs", "loc", "at")
                .na.fill(0)
                .withColumnRenamed("secs", "s2")
                .dropDuplicates(["sub"])
            ),
            "id sub cell cost day < calls.*; s2 < calls.secs",
        ),
        frame(
            "f_with",
            lambda j: (
                table(j, "calls")
                .select("id", "cost", "loc")
                .withColumns({"cost": f.col("cost") * 3, "x": f.col("loc.x")})
                .withColumn("loc", f.col("loc").dropFields("x").withField("z", f.col("cost")))
            ),
            "id < calls.id; cost < calls.cost; x < calls.loc.x; loc < calls.loc.city calls.cost",
        ),
        frame(
            "f_join",
            lambda j: (
                table(j, "calls")
                .alias("a")
                .join(f.broadcast(table(j, "cells").alias("b")), f.expr("a.cell = b.cell_id"), "left_anti")
                .select("a.id")
            ),
            "id < calls.id",
            "JOIN cells.cell_id",
        ),
        frame(
            "f_desc",
            lambda j: (
                table(j, "calls")
                .groupBy()
                .agg(f.min("cost").alias("lo"), f.stddev("secs").alias("sd"), f.countDistinct("sub", "cell").alias("n"))
            ),
            "lo < calls.cost; sd < calls.secs; n < calls.sub calls.cell",
        ),
        frame("f_udf", udf, "id < calls.id; u < calls.sub calls.cell"),
        frame("f_pdf", pdf, "id cost < calls.id calls.cost"),
        frame("f_grp", grouped, "sub secs < calls.sub calls.secs"),
        frame("f_cp", checkpointed, "id < calls.id; cost < calls.cost; double < calls.cost"),
        frame(
            "f_rep",
            lambda j: (
                table(j, "calls")
                .repartition(3, "sub")
                .sortWithinPartitions("cost")
                .select("sub", f.struct("id", "cost").alias("st"))
            ),
            "sub < calls.sub; st < calls.id calls.cost",
        ),
        frame(
            "f_expl",
            lambda j: (
                table(j, "calls")
                .select("id", f.explode_outer("tags").alias("t"))
                .groupBy("t")
                .agg(f.collect_set("id").alias("ids"))
            ),
            "t < calls.tags; ids < calls.id",
        ),
        Step(
            "f_save",
            lambda j: (
                table(j, "calls").select("id", "cost").write.format(fmt).mode("overwrite").saveAsTable(at + "f_save")
            ),
            "overwrite f_save",
            "id cost < calls.*",
        ),
        Step(
            "f_save2",
            lambda j: (
                table(j, "calls")
                .selectExpr("id", "cost + secs AS cost")
                .write.format(fmt)
                .mode("overwrite")
                .saveAsTable(at + "f_save")
            ),
            "overwrite f_save",
            "id < calls.id; cost < calls.cost calls.secs",
        ),
        Step(
            "f_cor",
            lambda j: (
                table(j, "subs")
                .selectExpr("sub_id AS id", "name AS n2")
                .writeTo(at + "f_save")
                .using(fmt)
                .createOrReplace()
            ),
            "overwrite f_save",
            "id < subs.sub_id; n2 < subs.name",
        ),
        # UPDATE, DELETE, MERGE
        ctas(
            "bal",
            "SELECT sub, sum(cost) AS cost, 'n' AS note FROM tel.calls GROUP BY sub",
            "sub < calls.sub; cost < calls.cost; note <",
        ),
        Step(
            "u case",
            sql(
                "UPDATE tel.bal SET cost = CASE WHEN sub > 2 THEN cost * 2 ELSE cost END, note = concat_ws('-', note, sub) WHERE cost > 0"
            ),
            "update bal",
            "cost < bal.cost; note < bal.note bal.sub",
            "FILTER bal.cost",
        ),
        Step(
            "u in",
            sql("UPDATE tel.bal SET note = 'gold' WHERE sub IN (SELECT sub_id FROM tel.subs WHERE plan = 'gold')"),
            "update bal",
            "note <",
        ),
        *only(
            Step(
                "u map",
                sql(
                    "UPDATE tel.calls SET attrs = map_concat(attrs, map('n', loc.city)), tags = array_append(tags, day) WHERE id = 4"
                ),
                "update calls",
                "attrs < calls.attrs calls.loc.city; tags < calls.tags calls.day",
                "FILTER calls.id",
            ),
            fmt != "paimon",
        ),
        Step(
            "d ex",
            sql("DELETE FROM tel.bal WHERE EXISTS (SELECT 1 FROM tel.subs s WHERE s.sub_id = sub AND s.region = 'r9')"),
            "delete bal",
        ),
        Step(
            "m full",
            sql(
                "MERGE INTO tel.bal AS t USING (WITH x AS (SELECT sub, max(cost) AS mc, max_by(loc.city, at) AS city FROM tel.calls GROUP BY sub) SELECT x.*, s.plan FROM x LEFT JOIN tel.subs s ON s.sub_id = x.sub) AS s ON t.sub = s.sub WHEN MATCHED AND s.plan = 'gold' THEN UPDATE SET t.cost = t.cost + s.mc, t.note = s.city WHEN MATCHED AND t.cost < 0 THEN DELETE WHEN NOT MATCHED AND s.mc > 0 THEN INSERT (sub, cost, note) VALUES (s.sub, s.mc, s.plan)"
            ),
            "merge bal",
            "cost < bal.cost calls.cost; note < calls.loc.city subs.plan; sub < calls.sub",
        ),
        Step(
            "m union",
            sql(
                "MERGE INTO tel.bal t USING (SELECT sub_id AS k, name AS w FROM tel.subs WHERE region = 'r0' UNION ALL SELECT cell_id + 100, region FROM tel.cells) s ON t.sub = s.k WHEN MATCHED THEN UPDATE SET note = s.w WHEN NOT MATCHED THEN INSERT (sub, note, cost) VALUES (s.k, s.w, 0)"
            ),
            "merge bal",
            "sub < subs.sub_id cells.cell_id; note < subs.name cells.region; cost <",
        ),
        Step(
            "m expr",
            sql(
                "MERGE INTO tel.bal t USING tel.subs s ON t.sub = s.sub_id + 1 AND s.plan <> 'x' WHEN MATCHED THEN UPDATE SET note = coalesce(s.name, t.note), cost = (t.cost + length(s.region)) / 2"
            ),
            "merge bal",
            "note < subs.name bal.note; cost < bal.cost subs.region",
        ),
        Step(
            "m del",
            sql(
                "MERGE INTO tel.bal t USING (SELECT sub_id FROM tel.subs WHERE region = 'none') s ON t.sub = s.sub_id WHEN MATCHED THEN DELETE"
            ),
            "merge bal",
        ),
        Step(
            "m ins",
            sql(
                "MERGE INTO tel.bal t USING (SELECT DISTINCT sub + 500 AS sub, cost FROM tel.calls WHERE id < 3) s ON t.sub = s.sub WHEN NOT MATCHED THEN INSERT (sub, cost, note) VALUES (s.sub, s.cost, NULL)"
            ),
            f"{'append' if fmt == 'iceberg' else 'merge'} bal",  # the plan is that of an INSERT with an anti join
            "sub cost < calls.*; note <",
        ),
        Step(
            "m temp",
            lambda j: (
                table(j, "calls").groupBy("sub").agg(f.avg("cost").alias("a")).createOrReplaceTempView("avgs"),
                j.sql(
                    sql(
                        "MERGE INTO tel.bal t USING avgs ON t.sub = avgs.sub WHEN MATCHED THEN UPDATE SET cost = avgs.a"
                    )
                ),
            ),
            "merge bal",
            "cost < calls.cost",
        ),
        *only(
            Step(
                "m evolve",
                sql(
                    "MERGE WITH SCHEMA EVOLUTION INTO tel.f_save t USING (SELECT sub_id AS id, name AS n2, region FROM tel.subs) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                ),
                "merge f_save",
                "id < subs.sub_id; n2 < subs.name; region < subs.region",
                only="4-1",
            ),
            fmt == "delta",
        ),
        # wide
        ctas("w60", f"SELECT id, {WIDE} FROM tel.calls", "id < calls.id; c{1..60} < calls.id"),
        Step(
            "w60 ins",
            sql(f"INSERT INTO tel.w60 SELECT id + 100, {numbered(60, 'c{n} + 1')} FROM tel.w60 WHERE c55 > 3"),
            "append w60",
            "id c{1..60} < w60.*",
            "FILTER w60.c55",
        ),
        Step(
            "w60 cast",
            sql(
                f"INSERT OVERWRITE tel.w60 SELECT w.id, {numbered(59, 'w.c{n}')}, c.secs FROM tel.w60 w LEFT JOIN tel.calls c ON c.id = w.c60"
            ),
            "overwrite w60",
            "id c{1..59} < w60.*; c60 < calls.secs",
        ),
        ctas(
            "w60agg",
            f"SELECT sub, {numbered(60, 'sum(w.c{n}) AS s{n}')} FROM tel.w60 w JOIN tel.calls c ON c.id = w.id GROUP BY sub",
            "sub < calls.sub; " + "; ".join(f"s{n} < w60.c{n}" for n in range(1, 61)),
        ),
        Step(
            "w60 upd",
            sql("UPDATE tel.w60 SET c60 = c59 + c1, c7 = 0 WHERE c33 > 5"),
            "update w60",
            "c60 < w60.c59 w60.c1; c7 <",
            "FILTER w60.c33",
        ),
        Step("w60 del", sql("DELETE FROM tel.w60 WHERE c44 > 400"), "delete w60", "", "FILTER w60.c44"),
        Step(
            "w60 mrg",
            sql(
                "MERGE INTO tel.w60 t USING (SELECT * FROM tel.w60 WHERE id < 5) s ON t.id = s.id + 3000 WHEN MATCHED THEN UPDATE SET t.c60 = s.c1 WHEN NOT MATCHED THEN INSERT *"
            ),
            "merge w60",
            "id c{1..59} < w60.*; c60 < w60.c60 w60.c1",
        ),
        # schema
        Step(
            "ev",
            sql(
                "CREATE TABLE tel.ev (id BIGINT COMMENT 'key', amount INT, loc STRUCT<a: INT, b: STRING>, tag STRING) USING {f}"
                + (" TBLPROPERTIES ('delta.columnMapping.mode'='name')" if fmt == "delta" else "")
            ),
        ),
        Step(
            "ev ins",
            sql("INSERT INTO tel.ev SELECT id, secs, named_struct('a', 1, 'b', loc.city), 'q' FROM tel.calls"),
            "append ev",
            "id < calls.id; amount < calls.secs; loc < calls.loc.city; tag <",
        ),
        Step(
            "ev add",
            sql("ALTER TABLE tel.ev ADD COLUMNS (zeta DECIMAL(12,3) COMMENT 'the z', omega ARRAY<STRING>)"),
            "alter ev",
        ),
        Step(
            "ev add after",
            sql("ALTER TABLE tel.ev ADD COLUMN kappa DATE COMMENT 'when it was' AFTER amount"),
            "alter ev",
        ),
        Step("ev add first", sql("ALTER TABLE tel.ev ADD COLUMN alpha STRING FIRST"), "alter ev"),
        Step(
            "ev add struct",
            sql(
                "ALTER TABLE tel.ev ADD COLUMN nest STRUCT<p: INT COMMENT 'pp', q: ARRAY<STRUCT<r: DOUBLE>>> COMMENT 'nested'"
            ),
            "alter ev",
        ),
        Step("ev add field", sql("ALTER TABLE tel.ev ADD COLUMN loc.c BIGINT COMMENT 'field c'"), "alter ev"),
        Step("ev rename", sql("ALTER TABLE tel.ev RENAME COLUMN tag TO label"), "alter ev"),
        Step("ev rename back", sql("ALTER TABLE tel.ev RENAME COLUMN zeta TO theta"), "alter ev"),
        Step("ev comment", sql("ALTER TABLE tel.ev ALTER COLUMN label COMMENT 'a label'"), "alter ev"),
        Step("ev first", sql("ALTER TABLE tel.ev ALTER COLUMN label FIRST"), "alter ev"),
        Step("ev after", sql("ALTER TABLE tel.ev ALTER COLUMN kappa AFTER label"), "alter ev"),
        *only(Step("ev widen", sql("ALTER TABLE tel.ev ALTER COLUMN amount TYPE BIGINT"), "alter ev"), fmt != "delta"),
        Step("ev drop", sql("ALTER TABLE tel.ev DROP COLUMN omega"), "alter ev"),
        Step("ev drop2", sql("ALTER TABLE tel.ev DROP COLUMNS (theta, nest)"), "alter ev"),
        Step("ev gone", sql("ALTER TABLE tel.ev ADD COLUMN brief SMALLINT"), "alter ev"),
        Step("ev gone2", sql("ALTER TABLE tel.ev DROP COLUMN brief"), "alter ev"),
        Step("ev read", sql("SELECT id, label FROM tel.ev"), "", "id label < ev.*"),
        *only(
            Step(
                "ev over",
                lambda j: (
                    table(j, "calls")
                    .selectExpr("id", "CAST(cost AS STRING) AS money")
                    .write.format("delta")
                    .mode("overwrite")
                    .option("overwriteSchema", "true")
                    .saveAsTable(at + "ev")
                ),
                "overwrite ev",
                "id < calls.id; money < calls.cost",
            ),
            fmt == "delta",
        ),
        # streams
        Step(
            "calls2",
            sql("CREATE TABLE tel.calls2 USING {f} AS SELECT id, sub, cell, secs, cost, at, loc FROM tel.calls"),
            "create calls2",
            "id sub cell secs cost at loc < calls.*",
        ),
        Step("sd ddl", sql("CREATE TABLE tel.s_dedup (id BIGINT, secs INT, city STRING) USING {f}")),
        Step("ss ddl", sql("CREATE TABLE tel.s_static (id BIGINT, name STRING, cost DOUBLE) USING {f}")),
        Step(
            "sw ddl", sql("CREATE TABLE tel.s_win (begun TIMESTAMP, cell BIGINT, total DOUBLE, subs BIGINT) USING {f}")
        ),
        Step("s dedup", sdedup, "append s_dedup", "id secs < calls2.*; city < calls2.loc.city"),
        Step("s static", sstatic, "append s_static", "id cost < calls2.*; name < subs.name", "JOIN subs.sub_id"),
        Step(
            "s win",
            swin,
            "overwrite s_win",
            "begun < calls2.at; cell < calls2.cell; total < calls2.cost; subs < calls2.sub",
        ),
        Step("s each", seach, "merge bal", "sub cost < calls2.*; note <"),
        Step(
            "final",
            sql("SELECT b.sub, b.note, d.city FROM tel.bal b JOIN tel.s_dedup d ON d.id = b.sub"),
            "",
            "sub note < bal.*; city < s_dedup.city",
        ),
    )


def truth(fmt: str) -> str:
    """Return the truth of a format's log as JSON."""
    listed = steps(fmt)
    texts = " ".join(step.run for step in listed if isinstance(step.run, str))
    at = f"{CATALOGS[fmt]}tel."
    named = re.findall(rf"{re.escape(at)}(\w+)", texts)
    tables = sorted({*named, *(step.writes.partition(" ")[2] for step in listed if " " in step.writes)})
    return truth_of({name: at + name for name in tables}, listed, EVOLVED + OTHERS[fmt])


def main() -> None:
    """Run the steps, or write the truth."""
    if sys.argv[1] == "--truth":
        print(truth(sys.argv[2]), end="")
        return
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    fmt = next(each for each in CATALOGS if each in name)
    spark = session(name, root, packages, {key: value.replace("{root}", str(root)) for key, value in CONF[fmt].items()})
    states = {
        "delta": lambda: workload_delta.versions(root),
        "iceberg": lambda: snapshots(root, "lake", "gov"),
        "paimon": dict,
    }
    spark.sql(f"CREATE DATABASE {CATALOGS[fmt]}tel")
    Job(spark, root, states[fmt], name).run(steps(fmt))
    spark.stop()


if __name__ == "__main__":
    main()
