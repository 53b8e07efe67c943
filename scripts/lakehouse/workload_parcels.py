"""A parcel service on every format: two layers whose tables have equal names, in idioms that the other workloads lack.

Written before any of its statements was traced. In SQL `A.t` and `B.t` are tables of the two layers; in the truth they
are `t` and `b_t`. With two catalogs (`two` in the log's name) the layers are `ice.post` and `jdb.post`, else `post` and
`desk` of one catalog. `python -m lakehouse.workload_parcels --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse import workload_parcels_delta, workload_parcels_iceberg, workload_parcels_rest
from lakehouse.workload import CatalogNames, Job, Step, numbered, truth_of
from lakehouse.workload_harbour import catalogs
from lakehouse.workload_run import Workload, layered, named_datasets

_ROOT = Path("/tmp/lakehouse_parcels")
_LAYER = re.compile(r"\b([AB])\.(?=\w)")
_SCHEMA = "parcel_id BIGINT, sender STRING, recipient STRING, kg DOUBLE, price DOUBLE, day STRING"


def layers(fmt: str, two: bool) -> tuple[str, str]:
    """Return catalog and database of the two layers."""
    first, second = catalogs(fmt, two)
    return f"{first}post", f"{second}post" if two else f"{second}desk"


def land(root: Path) -> None:
    """Write the landing files."""
    for folder in ("parcels", "scans", "late"):
        (root / "landing" / folder).mkdir(parents=True, exist_ok=True)
    rows = [f"{n},s{n % 4},r{n % 5},{n * 1.5},{n * 2.25},2026-07-0{n % 3 + 1}" for n in range(1, 25)]
    header = "parcel_id,sender,recipient,kg,price,day"
    (root / "landing" / "parcels" / "day.csv").write_text("\n".join([header, *rows]) + "\n")
    (root / "landing" / "late" / "day.csv").write_text("\n".join([header, *rows[3:9]]) + "\n")
    scans = [
        {
            "parcel_id": n,
            "at": f"2026-07-0{n % 3 + 1}T0{n % 9}:00:00",
            "hub": {"code": f"h{n % 3}", "geo": {"lat": 1.0 * n, "lon": 2.0}},
            "events": [{"kind": "in", "ms": n}, {"kind": "out", "ms": n * 2}],
            "tags": {"prio": "x" if n % 2 else None, "box": "b"},
        }
        for n in range(1, 25)
    ]
    (root / "landing" / "scans" / "day.json").write_text("".join(json.dumps(row) + "\n" for row in scans))


def common(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:  # noqa: C901 - functions of single steps
    """Return the steps that all formats run.

    Args:
        fmt: The format.
        sql: Puts catalogs into a text.
    """
    table = CatalogNames(sql).table

    def short(name: str) -> str:
        return name[2:] if name.startswith("A.") else f"b_{name[2:]}"

    def made(name: str, query: str, columns: str, conditions: str = "") -> Step:
        text = sql(f"CREATE TABLE {name} USING {fmt} AS {query}")
        return Step(f"{name} made", text, f"create {short(name)}", columns, conditions)

    def saved(name: str, make: Callable[[Job], DataFrame], columns: str, conditions: str = "") -> Step:
        def run(job: Job) -> None:
            make(job).write.format(fmt).saveAsTable(sql(name))

        return Step(f"{name} saved", run, f"create {short(name)}", columns, conditions)

    def insert(name: str, text: str, target: str, columns: str, conditions: str = "") -> Step:
        return Step(name, sql(text), f"append {short(target)}", columns, conditions)

    def parcels(job: Job) -> None:
        frame = job.spark.read.schema(_SCHEMA).option("header", True).csv(f"{job.root}/landing/parcels")
        frame = frame.withColumn("recipient", f.initcap(f.trim("recipient"))).withColumn(
            "net", f.col("price") / f.lit(1.19)
        )
        frame.write.format(fmt).partitionBy("day").saveAsTable(sql("A.parcels"))

    def sessions(job: Job) -> DataFrame:
        order = Window.partitionBy("hub").orderBy("at")
        frame = table(job, "A.scans").withColumn("gap", f.col("n_events") - f.lag("n_events", 1, 0).over(order))
        frame = frame.withColumn("session", f.sum(f.when(f.col("gap") > 1, 1).otherwise(0)).over(order))
        return frame.groupBy("hub", "session").agg(
            f.min("at").alias("opened"), f.collect_set("parcel_id").alias("ids"), f.count(f.lit(1)).alias("n")
        )

    def enriched(job: Job) -> DataFrame:
        p, s = table(job, "A.parcels").alias("p"), table(job, "A.scans").alias("s")
        joined = p.join(s, f.expr("p.parcel_id = s.parcel_id AND p.kg > 2"), "left").drop(f.col("s.parcel_id"))
        return joined.select(
            "parcel_id", f.coalesce("s.hub", f.lit("?")).alias("hub"), f.struct("p.kg", "p.price").alias("m")
        ).hint("rebalance")

    def flattened(job: Job) -> DataFrame:
        return (
            table(job, "B.enriched")
            .select("parcel_id", "m.*")
            .withColumnRenamed("kg", "weight")
            .dropDuplicates(["parcel_id"])
        )

    def scored(job: Job) -> DataFrame:
        def score(frame):  # type: ignore[no-untyped-def]
            return frame.assign(score=frame.kg * 2)[["sender", "score"]]

        return (
            table(job, "A.parcels")
            .select("sender", "kg")
            .groupBy("sender")
            .applyInPandas(score, "sender STRING, score DOUBLE")
        )

    def measured(job: Job) -> DataFrame:
        double = f.udf(lambda kg: None if kg is None else kg * 2, "double")
        return (
            table(job, "A.parcels")
            .withColumn("twice", double("kg"))
            .filter(double("price") > 3)
            .select("parcel_id", "twice")
        )

    def wide(job: Job) -> DataFrame:
        return table(job, "A.parcels").selectExpr(
            "parcel_id AS pk", *(f"kg * {n} + net AS m{n:02d}" for n in range(1, 70))
        )

    def narrowed(job: Job) -> DataFrame:
        frame = table(job, "B.wide70")
        total = sum((f.col(f"m{n:02d}") for n in range(40, 70)), f.lit(0.0))
        return frame.withColumn("total", total).drop(*(f"m{n:02d}" for n in range(30, 70)))

    def both(job: Job) -> DataFrame:
        kept = table(job, "A.parcels").where("kg > 3").select("sender", "kg").persist()
        heavy = kept.groupBy("sender").agg(f.max("kg").alias("top"))
        light = kept.where("kg < 9").selectExpr("upper(sender)", "kg")
        return kept.join(heavy, "sender").where("kg = top").select("sender", "top").union(light)

    def views(job: Job) -> None:
        table(job, "A.parcels").createOrReplaceTempView("one")
        job.spark.sql("CREATE OR REPLACE TEMP VIEW two AS SELECT sender, kg AS mass, day FROM one WHERE price > 4")
        job.spark.sql("CREATE OR REPLACE TEMP VIEW three AS SELECT sender, sum(mass) AS mass FROM two GROUP BY sender")
        job.sql(sql("INSERT INTO B.loads SELECT t.sender, t.mass, 'v' FROM three t JOIN two w ON w.sender = t.sender"))

    def loop(job: Job) -> None:
        for hub in ("h0", "h1"):
            table(job, "A.scans").where(f.col("hub") == hub).selectExpr(
                "hub", "CAST(n_events AS DOUBLE)", "prio"
            ).write.insertInto(sql("B.loads"))

    appended = (
        Step(
            "append mode",
            lambda j: (
                table(j, "A.parcels")
                .groupBy(f.col("recipient").alias("who"))
                .agg(f.expr("max(kg) AS load"), f.lit("m").alias("role"))
                .write.format(fmt)
                .mode("append")
                .saveAsTable(sql("B.loads"))
            ),
            "append b_loads",
            "who < parcels.recipient; load < parcels.kg; role <",
        ),
    )
    appended = () if fmt == "hudi" else appended  # it refuses the mode
    return (
        Step(
            "A.parcels saved",
            parcels,
            "create parcels",
            "parcel_id sender recipient kg price < csv.*; net < csv.price; day < csv.day",
        ),
        made(
            "A.scans",
            "SELECT s.parcel_id, s.at, s.hub.code AS hub, s.hub.geo.lat AS lat, s.events[0].kind AS first_kind,"
            " CAST(size(s.events) AS BIGINT) AS n_events, s.tags.prio AS prio FROM json.`{root}/landing/scans` s WHERE s.parcel_id IS NOT NULL",
            "parcel_id at < json.*; hub < json.hub.code; lat < json.hub.geo.lat; first_kind < json.events.kind; n_events < json.events; prio < json.tags.prio",
            "FILTER json.parcel_id",
        ),
        made(
            "B.parcels",
            "SELECT parcel_id, sender, kg FROM (SELECT *, row_number() OVER (PARTITION BY sender, recipient ORDER BY kg DESC) AS rn FROM A.parcels) WHERE rn = 1",
            "parcel_id sender kg < parcels.*",
        ),
        insert(
            "late facts",
            "INSERT INTO B.parcels SELECT p.parcel_id, p.sender, p.kg + 0.5 FROM A.parcels p LEFT ANTI JOIN B.parcels b ON b.parcel_id = p.parcel_id WHERE p.kg < 40",
            "B.parcels",
            "parcel_id sender kg < parcels.*",
            "JOIN b_parcels.parcel_id; FILTER parcels.kg",
        ),
        made(
            "B.by_hub",
            "SELECT * FROM (SELECT hub, first_kind, n_events FROM A.scans) PIVOT (sum(n_events) FOR first_kind IN ('in' AS ins, 'out' AS outs))",
            "hub < scans.hub; ins outs < scans.n_events",
        ),
        made(
            "B.long",
            "SELECT hub, k, v FROM B.by_hub LATERAL VIEW stack(2, 'ins', ins, 'outs', outs) x AS k, v WHERE v IS NOT NULL",
            "hub < b_by_hub.hub; k <; v < b_by_hub.ins b_by_hub.outs",
        ),
        made(
            "B.loads",
            "WITH heavy AS (SELECT sender, sum(kg) AS kg FROM A.parcels WHERE kg > 1 GROUP BY sender),"
            " light AS (SELECT recipient, min(kg) AS kg FROM A.parcels GROUP BY recipient)"
            " SELECT sender AS who, kg AS load, 's' AS role FROM heavy UNION SELECT recipient, kg, 'r' FROM light",
            "who < parcels.sender parcels.recipient; load < parcels.kg; role <",
            "FILTER parcels.kg",
        ),
        saved(
            "B.sessions",
            sessions,
            "hub < scans.hub; session <; opened < scans.at; ids < scans.parcel_id; n <",
            "GROUP_BY scans.hub",
        ),
        saved(
            "B.enriched",
            enriched,
            "parcel_id < parcels.parcel_id; hub < scans.hub; m < parcels.kg parcels.price",
            "JOIN scans.parcel_id",
        ),
        saved(
            "B.flat",
            flattened,
            "parcel_id < b_enriched.parcel_id; weight < b_enriched.m.kg; price < b_enriched.m.price",
            "GROUP_BY b_enriched.parcel_id",
        ),
        saved("B.scores", scored, "sender score < parcels.sender parcels.kg"),
        saved("B.measured", measured, "parcel_id < parcels.parcel_id; twice < parcels.kg", "FILTER parcels.price"),
        saved("B.tops", both, "sender < parcels.sender; top < parcels.kg", "FILTER parcels.kg"),
        made(
            "B.cube",
            "SELECT coalesce(sender, 'all') AS sender, day, grouping_id() AS g, round(avg(kg), 1) AS kg FROM A.parcels GROUP BY CUBE (sender, day) HAVING count(*) > 1",
            "sender day kg < parcels.*; g <",
        ),
        made(
            "B.nested",
            "SELECT sender, collect_list(named_struct('id', parcel_id, 'w', kg)) AS items, collect_list(named_struct('d', day, 'p', price)) AS by_day FROM A.parcels GROUP BY sender",
            "sender < parcels.sender; items < parcels.parcel_id parcels.kg; by_day < parcels.day parcels.price",
        ),
        made(
            "B.unnested",
            "SELECT sender, i.id AS id, filter(items, x -> x.w > 5) AS big, aggregate(items, 0D, (a, x) -> a + x.w) AS kg, by_day[0].p AS first FROM B.nested LATERAL VIEW OUTER explode(items) e AS i",
            "sender < b_nested.sender; id < b_nested.items.id; big < b_nested.items b_nested.items.w; kg < b_nested.items.w; first < b_nested.by_day.p",
        ),
        made(
            "B.ranked",
            "SELECT p.sender, p.kg, percent_rank() OVER w AS pr, first_value(p.recipient) OVER w AS nearest, p.kg - avg(p.kg) OVER (PARTITION BY p.day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS d"
            " FROM A.parcels p WINDOW w AS (PARTITION BY p.sender ORDER BY p.kg)".replace(
                "ROWS", "ORDER BY p.parcel_id ROWS"
            ),
            "sender kg < parcels.*; pr <; nearest < parcels.recipient; d < parcels.kg",
        ),
        made(
            "B.exists",
            "SELECT s.parcel_id, s.hub, (SELECT max(p.kg) FROM A.parcels p WHERE p.parcel_id = s.parcel_id) AS kg FROM A.scans s"
            " WHERE EXISTS (SELECT 1 FROM B.parcels b WHERE b.parcel_id = s.parcel_id AND b.kg > 1) AND s.hub NOT IN (SELECT hub FROM B.by_hub WHERE ins > 1000)",
            "parcel_id hub < scans.*; kg < parcels.kg",
            "JOIN b_parcels.parcel_id",
        ),
        made(
            "B.cases",
            "SELECT parcel_id, CASE sender WHEN 's1' THEN recipient WHEN 's2' THEN concat_ws('-', sender, day) ELSE NULL END AS label, if(kg > 5, price, net) AS fee,"
            " nvl2(day, 1, 0) AS dated, sha2(recipient, 256) AS masked, to_json(struct(kg AS w)) AS doc FROM A.parcels",
            "parcel_id < parcels.parcel_id; label < parcels.recipient parcels.sender parcels.day; fee < parcels.price parcels.net; dated <; masked < parcels.recipient; doc < parcels.kg",
        ),
        made(
            "B.parsed",
            "SELECT parcel_id, from_json(doc, 'w DOUBLE').w AS w, get_json_object(doc, '$.w') AS t, try_element_at(split(label, '-'), 2) AS tail, regexp_extract(label, '(s#[0-9]+)', 1) AS r FROM B.cases",
            "parcel_id < b_cases.parcel_id; w t < b_cases.doc; tail r < b_cases.label",
        ),
        saved(
            "B.wide70",
            wide,
            "pk < parcels.parcel_id; " + " ".join(f"m{n:02d}" for n in range(1, 70)) + " < parcels.kg parcels.net",
        ),
        saved(
            "B.narrow",
            narrowed,
            "pk < b_wide70.pk; "
            + " ".join(f"m{n:02d}" for n in range(1, 30))
            + " < b_wide70.*; total < "
            + " ".join(f"b_wide70.m{n}" for n in range(40, 70)),
        ),
        made(
            "B.wide_join",
            f"SELECT a.pk, {numbered(20, 'a.m{n} - b.total AS d{n}', 10)}, {numbered(45, 'max(a.m{n}) OVER (PARTITION BY a.pk) AS x{n}', 21)} FROM B.wide70 a JOIN B.narrow b ON a.pk = b.pk AND b.m01 > 0",
            "pk < b_wide70.pk; "
            + "; ".join(f"d{n} < b_wide70.m{n} b_narrow.total" for n in range(10, 21))
            + "; "
            + "; ".join(f"x{n} < b_wide70.m{n}" for n in range(21, 46)),
            "JOIN b_narrow.pk",
        ),
        insert(
            "by name",
            "INSERT INTO B.loads BY NAME SELECT 'n' AS role, sum(kg) AS load, sender AS who FROM B.parcels GROUP BY sender",
            "B.loads",
            "who < b_parcels.sender; load < b_parcels.kg; role <",
        ),
        insert(
            "column list",
            "INSERT INTO B.loads (load, who, role) SELECT kg, sender, upper(sender) FROM B.parcels WHERE kg BETWEEN 1 AND 30",
            "B.loads",
            "who role < b_parcels.sender; load < b_parcels.kg",
            "FILTER b_parcels.kg",
        ),
        insert("values", "INSERT INTO B.loads VALUES ('a', 1.0D, 'x'), ('b', 2.0D, 'y')", "B.loads", "who load role <"),
        insert(
            "from first",
            "FROM A.parcels p INSERT INTO B.loads SELECT p.sender, p.net, p.day WHERE p.net > 2",
            "B.loads",
            "who < parcels.sender; load < parcels.net; role < parcels.day",
            "FILTER parcels.net",
        ),
        insert(
            "except",
            "INSERT INTO B.loads SELECT who, load, role FROM B.loads WHERE role = 's' EXCEPT SELECT sender, kg, 's' FROM B.parcels",
            "B.loads",
            "who load < b_loads.*; role < b_loads.role",
            "FILTER b_loads.role",
        ),
        insert(
            "limit",
            "INSERT INTO B.loads SELECT sender, kg, day FROM A.parcels ORDER BY price DESC LIMIT 3",
            "B.loads",
            "who < parcels.sender; load < parcels.kg; role < parcels.day",
            "SORT parcels.price",
        ),
        Step(
            "views", views, "append b_loads", "who < parcels.sender; load < parcels.kg; role <", "FILTER parcels.price"
        ),
        Step(
            "loop",
            loop,
            "append b_loads",
            "who < scans.hub; load < scans.n_events; role < scans.prio",
            "FILTER scans.hub",
        ),
        *appended,
        insert(
            "empty",
            "INSERT INTO B.loads SELECT sender, kg, day FROM A.parcels WHERE kg < -5",
            "B.loads",
            "who < parcels.sender; load < parcels.kg; role < parcels.day",
            "FILTER parcels.kg",
        ),
        Step(
            "read names",
            sql(
                "SELECT a.kg AS old, b.kg AS new FROM A.parcels a FULL JOIN B.parcels b USING (parcel_id) WHERE a.kg <> b.kg"
            ),
            "",
            "old < parcels.kg; new < b_parcels.kg",
            "JOIN b_parcels.parcel_id",
        ),
        Step(
            "read count",
            sql("SELECT count(DISTINCT sender) AS n, count(*) FILTER (WHERE kg > 3) AS m FROM B.parcels"),
            "",
            "n < b_parcels.sender; m <",
        ),
    )


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, dict(zip("AB", layers(fmt, two), strict=True)))
    own = {
        "delta": workload_parcels_delta.steps,
        "iceberg": workload_parcels_iceberg.steps,
        "hudi": workload_parcels_rest.hudi,
        "paimon": workload_parcels_rest.paimon,
    }[fmt]
    return (*common(fmt, sql), *own(sql))


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    first, second = layers(fmt, two)
    root = f"file://{folder}"
    names = {"csv": f"{root}/landing/parcels", "json": f"{root}/landing/scans", "late": f"{root}/landing/late"}
    listed = steps(fmt, two)
    for name in sorted(named_datasets(listed)):
        place = f"{root}/lake/{name[2:]}" if name.startswith("p_") else ""
        names.setdefault(name, place or (f"{second}.{name[2:]}" if name.startswith("b_") else f"{first}.{name}"))
    changes = {"delta": workload_parcels_delta.CHANGES, "iceberg": workload_parcels_iceberg.CHANGES}
    return truth_of(names, listed, changes.get(fmt, workload_parcels_rest.CHANGES.get(fmt, "")))


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(_ROOT, land, layers, steps, truth, {"spark.sql.adaptive.enabled": "true"}).main()


if __name__ == "__main__":
    main()
