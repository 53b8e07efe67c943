"""A clinic's visits on every format: dates, decimals, binaries, and idioms that the other workloads lack.

Written before any of its statements was traced. In SQL `A.t` and `B.t` are tables of the two layers; in the truth they
are `t` and `b_t`. With two catalogs (`two` in the log's name) the layers are `ice.care.ward` and `jdb.care.ward`, else
two databases of one catalog. `python -m lakehouse.workload_clinic --truth FORMAT [two]` writes the truth without Spark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as f
from pyspark.sql.window import Window

from lakehouse import workload_clinic_delta, workload_clinic_iceberg, workload_clinic_rest
from lakehouse.workload import CatalogNames, Job, Step, truth_of
from lakehouse.workload_run import Workload, layered, named_datasets

_ROOT = Path("/tmp/lakehouse_clinic")
_LAYER = re.compile(r"\b([AB])\.(?=[\w`])")
_PATIENT = (
    "patient_id INT, name STRING, born DATE, ward SMALLINT, insured BOOLEAN, weight DECIMAL(6,2),"
    " contact STRUCT<phone: STRING, home: STRUCT<city: STRING, zip: INT>>, allergies ARRAY<STRING>, vitals MAP<STRING, DOUBLE>"
)


def layers(fmt: str, two: bool) -> tuple[str, str]:
    """Return catalog and database of the two layers."""
    if fmt == "iceberg":
        return "ice.care.ward", "jdb.care.ward" if two else "ice.care.board"
    catalog = "pai" if fmt == "paimon" else "spark_catalog"
    return f"{catalog}.ward", f"{catalog}.board"


def land(root: Path) -> None:
    """Write the landing files."""
    for folder in ("patients", "visits", "labs", "late"):
        (root / "landing" / folder).mkdir(parents=True, exist_ok=True)
    patients = [
        {
            "patient_id": n,
            "name": f"name {n}",
            "born": f"19{60 + n % 30}-0{n % 9 + 1}-11",
            "ward": n % 4,
            "insured": n % 3 > 0,
            "weight": 50.25 + n,
            "contact": {"phone": f"+49{n}", "home": {"city": f"c{n % 5}", "zip": 1000 + n}},
            "allergies": [f"a{n % 3}", f"a{n % 4}"],
            "vitals": {"pulse": 60.0 + n, "temp": 36.5},
        }
        for n in range(1, 21)
    ]
    (root / "landing" / "patients" / "all.json").write_text("".join(json.dumps(row) + "\n" for row in patients))
    rows = [
        f"{n},{n % 20 + 1},2026-08-0{n % 3 + 1} 0{n % 9}:15:00,dr{n % 4},{n * 12.5},k{n % 5}|k{n % 7},2026-08-0{n % 3 + 1}"
        for n in range(1, 31)
    ]
    header = "visit_id,patient_id,seen,doctor,fee,codes,day"
    (root / "landing" / "visits" / "week.csv").write_text("\n".join([header, *rows]) + "\n")
    (root / "landing" / "late" / "week.csv").write_text("\n".join([header, *rows[4:12]]) + "\n")
    (root / "landing" / "labs" / "labs.txt").write_text("".join(f"{n % 20 + 1};hb;{n / 10}\n" for n in range(1, 41)))


def common(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:  # noqa: C901 - functions of single steps
    """Return the steps that all formats run.

    Args:
        fmt: The format.
        sql: Puts catalogs into a text.
    """
    table = CatalogNames(sql).table

    def short(name: str) -> str:
        return name[2:] if name.startswith("A.") else f"b_{name[2:]}"

    def made(name: str, query: str, columns: str, conditions: str = "", only: str = "") -> Step:
        text = sql(f"CREATE TABLE {name} USING {fmt} AS {query}")
        return Step(f"{name} made", text, f"create {short(name)}", columns, conditions, only)

    def saved(name: str, make: Callable[[Job], DataFrame], columns: str, conditions: str = "") -> Step:
        def run(job: Job) -> None:
            make(job).write.format(fmt).saveAsTable(sql(name))

        return Step(f"{name} saved", run, f"create {short(name)}", columns, conditions)

    def insert(name: str, text: str, target: str, *truth: str, only: str = "") -> Step:
        return Step(name, sql(text), f"append {short(target)}", *truth, only=only)

    def visits(job: Job) -> None:
        job.spark.sql(
            f"CREATE OR REPLACE TEMP VIEW landed USING csv OPTIONS (path '{job.root}/landing/visits', header 'true', inferSchema 'false')"
        )
        job.sql(
            sql(
                f"CREATE TABLE A.visits USING {fmt} AS SELECT CAST(visit_id AS BIGINT) AS visit_id, CAST(patient_id AS INT) AS patient_id,"
                " CAST(seen AS TIMESTAMP) AS seen, doctor, CAST(fee AS DECIMAL(10,2)) AS fee, split(codes, '[|]') AS codes,"
                " CAST(day AS DATE) AS day, encode(doctor, 'UTF-8') AS sig FROM landed WHERE fee IS NOT NULL"
            )
        )

    def labs(job: Job) -> DataFrame:
        lines = job.spark.read.text(f"{job.root}/landing/labs").select(f.split("value", ";").alias("p"))
        return lines.select(
            f.col("p")[0].cast("int").alias("patient_id"),
            f.element_at("p", 2).alias("test"),
            f.col("p").getItem(2).cast("float").alias("level"),
        )

    def rollup(job: Job) -> DataFrame:
        return (
            table(job, "A.visits")
            .join(table(job, "A.patients").hint("broadcast"), "patient_id")
            .rollup("ward", "doctor")
            .agg(f.sum("fee").alias("fees"), f.countDistinct("patient_id").alias("people"), f.mode("day").alias("busy"))
            .na.drop(subset=["ward"])
        )

    def melted(job: Job) -> DataFrame:
        wide = table(job, "A.patients").select(
            "patient_id", f.col("vitals")["pulse"].alias("pulse"), f.col("weight").cast("double").alias("kilos")
        )
        return wide.unpivot(["patient_id"], ["pulse", "kilos"], "what", "amount").replace("pulse", "beat", "what")

    def through_rdd(job: Job) -> DataFrame:
        rows = table(job, "A.visits").select("visit_id", "doctor").rdd.map(lambda r: Row(visit_id=r[0], who=r[1]))
        return job.spark.createDataFrame(rows, "visit_id long, who string")

    def cogrouped(job: Job) -> DataFrame:
        def merge(left, right):  # type: ignore[no-untyped-def]
            return left.merge(right, on="patient_id")[["patient_id", "level"]]

        first = table(job, "A.visits").select("patient_id").groupBy("patient_id")
        second = table(job, "A.labs").select("patient_id", "level").groupBy("patient_id")
        return first.cogroup(second).applyInPandas(merge, "patient_id int, level float")

    def formatted(job: Job) -> None:
        dear = table(job, "A.visits").where("fee > 100")
        job.spark.sql(
            sql("INSERT INTO B.bills SELECT d.visit_id, d.fee, {word} FROM {dear} d"), dear=dear, word="dear"
        ).collect()

    def parameters(job: Job) -> None:
        text = sql("INSERT INTO B.bills SELECT visit_id, fee * :factor, doctor FROM A.visits WHERE day = :day")
        arguments = {"factor": 2, "day": "2026-08-02"}
        job.spark.sql(text, args=arguments).collect()

    def observed(job: Job) -> None:
        counted = table(job, "A.visits").observe("stats", f.count("*").alias("n"), f.max("fee").alias("m"))
        counted.selectExpr("visit_id", "fee", "concat(doctor, '!') AS why").write.insertInto(sql("B.bills"))

    def global_view(job: Job) -> None:
        table(job, "A.visits").groupBy("doctor").agg(
            f.max("visit_id").alias("v"), f.sum("fee").alias("s")
        ).createOrReplaceGlobalTempView("best")
        job.sql(sql("INSERT INTO B.bills SELECT v, s, doctor FROM global_temp.best WHERE s > 10"))

    def split_union(job: Job) -> None:
        parts = [
            table(job, "A.visits").where(f.col("doctor") == who).select("visit_id", "fee", f.lit(who))
            for who in ("dr0", "dr1", "dr2")
        ]
        frame = parts[0].union(parts[1]).union(parts[2]).coalesce(1).sortWithinPartitions("fee")
        frame.write.insertInto(sql("B.bills"))

    def looked_up(job: Job) -> None:
        top = table(job, "A.visits").agg(f.max("fee")).collect()[0][0]  # a value that the driver carries over
        table(job, "A.visits").where(f.col("fee") >= f.lit(top)).selectExpr(
            "visit_id", "fee", "'top'"
        ).write.insertInto(sql("B.bills"))

    def windowed(job: Job) -> DataFrame:
        spec = Window.partitionBy("patient_id").orderBy("seen")
        return (
            table(job, "A.visits")
            .withColumn("before", f.lag("seen").over(spec))
            .withColumn("fresh", (f.col("before").isNull()).cast("int"))
            .withColumn("course", f.sum("fresh").over(spec))
            .withColumn("share", f.col("fee") / f.sum("fee").over(Window.partitionBy("patient_id")))
            .filter(f.col("course") < 9)
            .select("visit_id", "before", "course", "share")
        )

    def wide(job: Job) -> DataFrame:
        base = table(job, "A.visits").select("visit_id", "fee", "patient_id")
        return base.select(
            "visit_id",
            *((f.col("fee") + n * f.col("patient_id")).cast("double").alias(f"w{n:02d}") for n in range(1, 31)),
        )

    def arrays(job: Job) -> DataFrame:
        return (
            table(job, "A.patients")
            .select("patient_id", f.posexplode_outer("allergies").alias("nth", "allergy"), "contact.home.city")
            .groupBy("city")
            .agg(f.sort_array(f.collect_set("allergy")).alias("all"), f.min_by("patient_id", "nth").alias("first"))
        )

    w30 = [f"w{n:02d}" for n in range(1, 31)]
    return (
        Step(
            "A.patients saved",
            lambda j: (
                j.spark.read.schema(_PATIENT)
                .json(f"{j.root}/landing/patients")
                .write.format(fmt)
                .saveAsTable(sql("A.patients"))
            ),
            "create patients",
            "patient_id name born ward insured weight contact allergies vitals < json.*",
        ),
        Step(
            "A.visits made",
            visits,
            "create visits",
            "visit_id patient_id seen doctor fee codes day < csv.*; sig < csv.doctor",
            "FILTER csv.fee",
        ),
        saved("A.labs", labs, "patient_id test level < txt.value"),
        made(
            "B.patients",
            "SELECT p.patient_id, upper(p.name) AS name, floor(months_between(DATE'2026-08-01', p.born) / 12) AS age, p.contact.home.zip AS zip,"
            " p.vitals['temp'] AS temp, p.insured AND p.ward > 1 AS flag FROM A.patients p WHERE array_contains(p.allergies, 'a1')",
            "patient_id < patients.patient_id; name < patients.name; age < patients.born; zip < patients.contact.home.zip; temp < patients.vitals; flag < patients.insured patients.ward",
            "FILTER patients.allergies",
        ),
        made(
            "B.bills",
            "WITH v AS (SELECT visit_id, fee, doctor FROM A.visits), best AS (SELECT *, dense_rank() OVER (ORDER BY fee DESC) AS r FROM v),"
            " rest AS (SELECT * FROM best WHERE r > 3) SELECT visit_id, CAST(fee AS DECIMAL(14,2)) AS amount, doctor AS why FROM rest"
            " UNION ALL SELECT visit_id, CAST(0 AS DECIMAL(14,2)), 'free' FROM best WHERE r <= 3",
            "visit_id < visits.visit_id; amount < visits.fee; why < visits.doctor",
        ),
        saved(
            "B.rollup",
            rollup,
            "ward < patients.ward; doctor < visits.doctor; fees < visits.fee; people < visits.patient_id; busy < visits.day",
            "JOIN patients.patient_id",
        ),
        saved("B.melted", melted, "patient_id < patients.patient_id; what <; amount < patients.vitals patients.weight"),
        saved("B.rdd", through_rdd, "visit_id who < visits.visit_id visits.doctor"),
        saved("B.cogroup", cogrouped, "patient_id level < visits.patient_id labs.patient_id labs.level"),
        saved("B.courses", windowed, "visit_id < visits.visit_id; before course < visits.seen; share < visits.fee"),
        saved(
            "B.cities",
            arrays,
            "city < patients.contact.home.city; all < patients.allergies; first < patients.patient_id",
        ),
        made(
            "B.sets",
            "SELECT ward, doctor, sum(fee) AS fee, count_if(insured) AS n, corr(fee, weight) AS c, percentile(fee, 0.9) AS p90"
            " FROM A.visits JOIN A.patients USING (patient_id) GROUP BY GROUPING SETS ((ward), (ward, doctor), ())",
            "ward < patients.ward; doctor < visits.doctor; fee < visits.fee; n < patients.insured; c < visits.fee patients.weight; p90 < visits.fee",
            "JOIN patients.patient_id",
        ),
        made(
            "B.tuple",
            "SELECT patient_id, t.a, t.b FROM (SELECT patient_id, to_json(named_struct('a', name, 'b', contact)) AS doc FROM A.patients) LATERAL VIEW json_tuple(doc, 'a', 'b') t AS a, b",
            "patient_id < patients.patient_id; a b < patients.name patients.contact",
        ),
        made(
            "B.latest",
            "SELECT * FROM (SELECT v.*, row_number() OVER (PARTITION BY v.patient_id, v.day ORDER BY v.seen DESC, v.visit_id) AS rn FROM A.visits v"
            " LEFT SEMI JOIN A.patients p ON p.patient_id = v.patient_id AND p.insured) WHERE rn = 1",
            "visit_id patient_id seen doctor fee codes day sig < visits.*; rn <",
            "JOIN patients.patient_id",
        ),
        made(
            "B.mixed",
            "SELECT v.visit_id, greatest(v.fee, p.weight) AS top, try_divide(v.fee, l.level) AS per, ifnull(l.test, v.doctor) AS label,"
            " decode(v.doctor, 'dr1', 'one', 'dr2', 'two', 'many') AS word, date_trunc('week', v.seen) AS week, hash(v.sig) AS h, v.codes[0] || '/' || size(v.codes) AS code"
            " FROM A.visits v LEFT OUTER JOIN A.labs l ON l.patient_id = v.patient_id AND l.level > 0.5 CROSS JOIN (SELECT max(weight) AS weight FROM A.patients) p",
            "visit_id < visits.visit_id; top < visits.fee patients.weight; per < visits.fee labs.level; label < labs.test visits.doctor; word <; week < visits.seen; h < visits.sig; code < visits.codes",
            "JOIN labs.patient_id",
        ),
        saved(
            "B.wide30",
            wide,
            "visit_id < visits.visit_id; " + " ".join(w30) + " < visits.fee visits.patient_id",
        ),
        made(
            "B.wide25",
            f"SELECT visit_id, {', '.join(w30[:24])} FROM B.wide30",
            "visit_id " + " ".join(w30[:24]) + " < b_wide30.*",
        ),
        made(
            "B.wide26",
            f"SELECT {', '.join(f'sum({n}) AS {n}' for n in w30[:25])}, day FROM B.wide30 JOIN A.visits USING (visit_id) GROUP BY day",
            " ".join(w30[:25]) + " < b_wide30.*; day < visits.day",
            "JOIN visits.visit_id",
        ),
        insert(
            "whole table",
            "INSERT INTO B.wide25 TABLE B.wide25",
            "B.wide25",
            "visit_id " + " ".join(w30[:24]) + " < b_wide25.*",
        ),
        Step(
            "formatted",
            formatted,
            "append b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why <",
            "FILTER visits.fee",
        ),
        Step(
            "parameters",
            parameters,
            "append b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why < visits.doctor",
            "FILTER visits.day",
        ),
        Step(
            "observed",
            observed,
            "append b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why < visits.doctor",
        ),
        Step(
            "global view",
            global_view,
            "append b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why < visits.doctor",
        ),
        Step(
            "split union",
            split_union,
            "append b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why <",
            "FILTER visits.doctor",
        ),
        Step(
            "looked up",
            looked_up,
            "append b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why <",
            "FILTER visits.fee",
        ),
        insert(
            "lateral",
            "INSERT INTO B.bills SELECT p.patient_id, x.total, x.who FROM A.patients p, LATERAL (SELECT sum(v.fee) AS total, max(v.doctor) AS who FROM A.visits v WHERE v.patient_id = p.patient_id) x WHERE x.total > 1",
            "B.bills",
            "visit_id < patients.patient_id; amount < visits.fee; why < visits.doctor",
        ),
        insert(
            "not exists",
            "INSERT INTO B.bills SELECT v.visit_id, v.fee, 'new' FROM A.visits v WHERE NOT EXISTS (SELECT 1 FROM B.bills b WHERE b.visit_id = v.visit_id AND b.why = 'free')",
            "B.bills",
            "visit_id < visits.visit_id; amount < visits.fee; why <",
            "JOIN b_bills.visit_id",
        ),
        insert(
            "intersect",
            "INSERT INTO B.bills SELECT visit_id, amount, why FROM (SELECT visit_id, amount, why FROM B.bills INTERSECT SELECT visit_id, fee, doctor FROM A.visits) WHERE amount > 3",
            "B.bills",
            "visit_id amount why < b_bills.*",
        ),
        insert(
            "piped",
            "INSERT INTO B.bills FROM A.visits |> WHERE fee > 20 |> EXTEND fee * 2 AS twice |> SET doctor = lower(doctor) |> AGGREGATE sum(twice) AS s GROUP BY visit_id, doctor |> SELECT visit_id, s, doctor",
            "B.bills",
            "visit_id < visits.visit_id; amount < visits.fee; why < visits.doctor",
            "FILTER visits.fee",
            only="4-1",
        ),
        Step(
            "variables",
            lambda j: (
                j.spark.sql("DECLARE OR REPLACE VARIABLE floor_fee DECIMAL(10,2) DEFAULT 30"),
                j.spark.sql(
                    sql(
                        "EXECUTE IMMEDIATE 'INSERT INTO B.bills SELECT visit_id, fee + floor_fee, doctor FROM A.visits WHERE fee > floor_fee'"
                    )
                ).collect(),
            ),
            "append b_bills",
            "visit_id < visits.visit_id; amount < visits.fee; why < visits.doctor",
            "FILTER visits.fee",
            only="4-1",
        ),
        Step(
            "read except",
            sql(
                "SELECT * FROM (SELECT patient_id, CAST(level AS DOUBLE) AS level FROM A.labs WHERE test = 'hb') PIVOT (avg(level) AS m, count(level) AS n FOR patient_id IN (1, 2))"
            ),
            "",
            "1_m 1_n 2_m 2_n < labs.level",
        ),
        Step(
            "read nested",
            sql(
                "SELECT p.contact.home.city AS city, exists(p.allergies, a -> a = p.name) AS same, p.vitals FROM A.patients p WHERE p.contact.phone LIKE '+4%' ORDER BY p.born LIMIT 5"
            ),
            "",
            "city < patients.contact.home.city; same < patients.allergies patients.name; vitals < patients.vitals",
            "FILTER patients.contact.phone; SORT patients.born",
        ),
        Step(
            "read counts",
            sql(
                "SELECT (SELECT count(*) FROM A.visits) AS v, (SELECT max(day) FROM A.visits WHERE fee > 2) AS d, count(DISTINCT city) AS c FROM B.cities"
            ),
            "",
            "v <; d < visits.day; c < b_cities.city",
        ),
    )


def steps(fmt: str, two: bool) -> tuple[Step, ...]:
    """Return the steps of a format, in their order."""
    sql = layered(_LAYER, dict(zip("AB", layers(fmt, two), strict=True)))
    own = {
        "delta": workload_clinic_delta.steps,
        "iceberg": workload_clinic_iceberg.steps,
        "hudi": workload_clinic_rest.hudi,
        "paimon": workload_clinic_rest.paimon,
    }[fmt]
    return (*common(fmt, sql), *own(sql))


def truth(fmt: str, two: bool, folder: Path) -> str:
    """Return the truth of a format's log as JSON."""
    first, second = layers(fmt, two)
    root = f"file://{folder}"
    landing = {"csv": "visits", "json": "patients", "txt": "labs", "late": "late"}
    names = {name: f"{root}/landing/{place}" for name, place in landing.items()}
    listed = steps(fmt, two)
    odd = {"b_odd": "visit-log"}
    located = {"delta": ("p_days", "located"), "hudi": ("p_stays", "stays")}  # a path has the name of the table over it
    if fmt in located:
        name, over = located[fmt]
        names[name] = f"{second}.{over}"
    for name in sorted(named_datasets(listed)):
        place = f"{root}/lake/{name[2:]}" if name.startswith("p_") else ""
        table = odd.get(name, name.removeprefix("b_"))
        names.setdefault(name, place or (f"{second}.{table}" if name.startswith("b_") else f"{first}.{table}"))
    changes = {"delta": workload_clinic_delta.CHANGES, "iceberg": workload_clinic_iceberg.CHANGES}
    return truth_of(names, listed, changes.get(fmt, workload_clinic_rest.CHANGES.get(fmt, "")))


def main() -> None:
    """Run the steps, or write the truth."""
    Workload(_ROOT, land, layers, steps, truth).main()


if __name__ == "__main__":
    main()
