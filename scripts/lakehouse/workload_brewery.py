"""A brewery's tables: formats side by side in one application, columns that change their names, tables taken over.

Written before any of its statements was traced. In SQL `R.t` and `W.t` are tables of the format, `H.t` of Parquet and
`I.t` of an Iceberg catalog in the application of Delta; in the truth `r_t`, `w_t`, `h_t` and `i_t`. With two Iceberg
catalogs (`two` in the log's name) the second layer is `jdb.raw`, with the namespace of the first. The second night is an
application of its own. `python -m lakehouse.workload_brewery --truth FORMAT NIGHT [two]` writes the truth.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse import workload_brewery_delta, workload_brewery_iceberg, workload_brewery_rest
from lakehouse.workload import CatalogNames, Job, Step, numbered, truth_of
from lakehouse.workload_nights import add_datasets
from lakehouse.workload_run import CONF, FEW_TASKS, Workload, layered, variant

_LAYER = re.compile(r"\b([RWHI])\.(?=[\w`])")
_TANK = "tank STRUCT<no: INT, site: STRUCT<code: STRING, zone: STRING>>"
_BREWS = (
    f"brew_id BIGINT, {_TANK}, hops ARRAY<STRUCT<name: STRING, grams: DOUBLE>>, temps MAP<STRING, DOUBLE>,"
    " style STRING, volume DOUBLE, abv DOUBLE, started_at STRING"
)
_TASTES = "brew_id BIGINT, taster STRING, score DOUBLE, at STRING"
_COLUMNS = "brew_id tank hops temps style volume abv started_at"

_HOODIE = " ".join(
    f"_hoodie_{each}" for each in ("commit_time", "commit_seqno", "record_key", "partition_path", "file_name")
)
"""The columns that a frame of a Hudi table has besides its own."""


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of the layers, by their letters."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    second = "jdb.raw" if two else f"{first}.work"
    return {"R": f"{first}.raw", "W": second, "H": "spark_catalog.flat", "I": "ice.cellar"}


def land(root: Path, night: int) -> None:
    """Write the landing files of a night."""
    for name in ("brews", "tastes"):
        (root / "landing" / name).mkdir(parents=True, exist_ok=True)
    brews = [
        {
            "brew_id": n,
            "tank": {"no": n % 4, "site": {"code": f"s{n % 3}", "zone": f"z{n % 2}"}},
            "hops": [{"name": f"h{n % 3}", "grams": n * 2.5}, {"name": "saaz", "grams": 4.0}],
            "temps": {"mash": 60.0 + n, "boil": 99.0},
            "style": ("ale", "stout", "pils")[n % 3],
            "volume": n * 10.0,
            "abv": 3.0 + n % 5,
            "started_at": f"2026-10-0{1 + n % 3}T08:00:00",
        }
        for n in range(night * 10, night * 10 + 12)
    ]
    tastes = [
        {"brew_id": n % 12 + 10, "taster": f"t{n % 4}", "score": n % 7 / 2, "at": f"2026-10-0{n % 8 + 1}T1{n % 9}:00:00"}
        for n in range(night * 30, night * 30 + 25)
    ]  # fmt: skip
    for name, rows in (("brews", brews), ("tastes", tastes)):
        text = "".join(json.dumps(each) + "\n" for each in rows)
        (root / "landing" / name / f"n{night}.json").write_text(text)


def common(fmt: str, sql: Callable[[str], str], night: int) -> tuple[Step, ...]:
    """Return the steps that all formats run."""
    names = CatalogNames(sql)
    step, table = names.step, names.table
    keyed = {
        "hudi": " TBLPROPERTIES (primaryKey = 'brew_id', preCombineField = 'score')",
        "paimon": " TBLPROPERTIES ('primary-key' = 'brew_id', 'bucket' = '1')",
    }.get(fmt, "")

    def brews(job: Job) -> None:
        rows = job.spark.read.schema(_BREWS).json(f"{job.root}/landing/brews/n{night}.json")
        if night == 1:
            rows.write.format(fmt).saveAsTable(sql("R.brews"))
        else:
            rows.write.insertInto(sql("R.brews"))

    def tastes(job: Job) -> None:
        job.spark.read.schema(_TASTES).json(f"{job.root}/landing/tastes/n{night}.json").createOrReplaceTempView(
            "new_tastes"
        )
        job.sql(sql("INSERT INTO R.tastes SELECT brew_id, taster, score * 2, at FROM new_tastes WHERE score > 0"))

    def best(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.groupBy("brew_id").agg(
                f.max("score").alias("score"), f.max("taster").alias("taster")
            ).createOrReplaceTempView("scored")
            batch.sparkSession.sql(
                sql(
                    f"MERGE INTO W.best t USING scored s ON t.brew_id = s.brew_id WHEN MATCHED AND s.score > t.score THEN UPDATE SET {prefix}score = s.score, {prefix}taster = concat(t.taster, '/', s.taster) WHEN NOT MATCHED THEN INSERT (brew_id, score, taster) VALUES (s.brew_id, s.score, s.taster)"
                )
            )

        rows = job.spark.readStream.schema(_TASTES).json(f"{job.root}/landing/tastes")
        job.stream(rows, "best stream").foreachBatch(apply).start().awaitTermination()

    prefix = "" if fmt == "paimon" else "t."
    own = f"{_HOODIE} " if fmt == "hudi" else ""
    setup = (
        step("tastes ddl", f"CREATE TABLE R.tastes ({_TASTES}) USING {fmt}"),
        step("best ddl", f"CREATE TABLE W.best (brew_id BIGINT, score DOUBLE, taster STRING) USING {fmt}{keyed}"),
        step("daily ddl", f"CREATE TABLE W.daily (style STRING, volume DOUBLE, n BIGINT, day STRING) USING {fmt} PARTITIONED BY (day)"),
        step("fact ddl", f"CREATE TABLE W.fact (brew_id BIGINT, label STRING, water DOUBLE, best DOUBLE, src STRING) USING {fmt}"),
    )  # fmt: skip
    loads = (
        Step("brews in", brews, f"{'create' if night == 1 else 'append'} r_brews", f"{_COLUMNS} < json.*"),
        Step("tastes in", tastes, "append r_tastes", "brew_id taster at < tastes.*; score < tastes.score", "FILTER tastes.score"),
        Step("best stream", best, "merge w_best", "brew_id < tastes.brew_id; score < tastes.score; taster < w_best.taster tastes.taster"),
        step(
            "day",
            "INSERT OVERWRITE W.daily SELECT style, sum(volume), count(*), substr(started_at, 1, 10) AS day FROM R.brews WHERE started_at LIKE '2026-10-02%' GROUP BY style, substr(started_at, 1, 10)",
            "overwrite w_daily",
            "style volume < r_brews.*; n <; day < r_brews.started_at",
            "FILTER r_brews.started_at; GROUP_BY r_brews.style",
        ),
        step(
            "fact",
            "INSERT INTO W.fact BY NAME SELECT 'sql' AS src, b.brew_id, (SELECT max(score) FROM R.tastes) AS best, s.label, b.volume * (1 - s.target / 100) AS water FROM R.brews b JOIN H.styles s USING (style) WHERE b.abv > 3",
            "append w_fact",
            "brew_id < r_brews.brew_id; label < h_styles.label; water < r_brews.volume h_styles.target; best < r_tastes.score; src <",
            "JOIN r_brews.style; JOIN h_styles.style; FILTER r_brews.abv",
        ),
    )  # fmt: skip
    if night > 1:
        again = (step("styles again", "CREATE TABLE IF NOT EXISTS H.styles USING parquet LOCATION '{root}/warehouse/flat.db/styles'"),)  # fmt: skip
        return (*again, *loads)
    return (
        *setup,
        *loads[:2],
        Step("dynamic", lambda j: j.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "dynamic")),
        step(
            "styles",
            "CREATE TABLE H.styles USING parquet AS SELECT style, upper(style) AS label, avg(abv) AS target FROM R.brews GROUP BY style",
            "create h_styles",
            "style < r_brews.style; label < r_brews.style; target < r_brews.abv",
            "GROUP_BY r_brews.style",
        ),
        *loads[2:],
        step(
            "nested",
            f"CREATE TABLE W.nested USING {fmt} AS SELECT brew_id, named_struct('no', tank.no, 'code', tank.site.code) AS place, transform(hops, h -> named_struct('n', upper(h.name), 'g', h.grams * 2)) AS dry, map_filter(temps, (k, v) -> v > 70) AS warm FROM R.brews",
            "create w_nested",
            "brew_id < r_brews.brew_id; place < r_brews.tank.no r_brews.tank.site.code; dry < r_brews.hops.name r_brews.hops.grams; warm < r_brews.temps",
        ),
        Step(
            "export",
            lambda j: table(j, "W.fact").write.partitionBy("label").parquet(f"{j.root}/export/water"),
            "create x_water",
            f"{own}brew_id water best src label < w_fact.*",
        ),
        step(
            "import",
            "INSERT INTO W.fact SELECT brew_id + 1000, label, water / 2, best, 'file' FROM parquet.`{root}/export/water` WHERE label <> 'PILS'",
            "append w_fact",
            "brew_id label water best < x_water.*; src <",
            "FILTER x_water.label",
        ),
        step(
            "flat from both",
            "INSERT INTO H.styles SELECT d.style, concat(d.style, f.src), max(f.water) FROM W.daily d LEFT JOIN W.fact f ON upper(d.style) = f.label GROUP BY d.style, f.src",
            "append h_styles",
            "style < w_daily.style; label < w_daily.style w_fact.src; target < w_fact.water",
            "JOIN w_daily.style; JOIN w_fact.label; GROUP_BY w_fact.src",
        ),
        step(
            "wide",
            f"CREATE TABLE W.wide USING {fmt} AS SELECT brew_id, style, {numbered(30, 'volume * {n} AS k{n}')} FROM R.brews",
            "create w_wide",
            "brew_id style < r_brews.*; k{1..30} < r_brews.volume",
        ),
    )  # fmt: skip


def steps(fmt: str, two: bool, night: int) -> tuple[Step, ...]:
    """Return the steps of a format's night, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    own = {
        "delta": workload_brewery_delta.Delta,
        "iceberg": workload_brewery_iceberg.Iceberg,
        "hudi": workload_brewery_rest.Hudi,
        "paimon": workload_brewery_rest.Paimon,
    }[fmt](sql)
    return (*own.registered(night), *common(fmt, sql, night), *own.night(night))


def truth(fmt: str, two: bool, folder: Path, night: int) -> str:
    """Return the truth of a night's log as JSON."""
    root = f"file://{folder}"
    names = {"json": f"{root}/landing/brews", "tastes": f"{root}/landing/tastes"}
    listed = steps(fmt, two, night)
    add_datasets(names, listed, layers(fmt, two), root)
    changes = {"delta": workload_brewery_delta.CHANGES, "iceberg": workload_brewery_iceberg.CHANGES}
    changes.update(workload_brewery_rest.CHANGES)
    return truth_of(names, listed, changes[fmt].get(night, ""))


def main() -> None:
    """Run the steps of a night, or write its truth."""
    name = f"{sys.argv[2]}_n{sys.argv[3]}" if sys.argv[1] == "--truth" else sys.argv[1].removeprefix("medallion-")
    fmt, two = variant(name)
    night = int(name.partition("-")[0][-1])
    both = {
        **{key: value for key, value in CONF["iceberg"].items() if "extensions" not in key},
        "spark.sql.extensions": f"{CONF['delta']['spark.sql.extensions']},{CONF['iceberg']['spark.sql.extensions']}",
    }
    places = sorted(set(layers(fmt, two).values()) - (set() if fmt == "delta" else {"ice.cellar"}))
    session_places = [each for each in places if each.startswith("spark_catalog.")]
    Workload(
        Path(f"/tmp/lakehouse_brewery_{fmt}{'_two' if fmt == 'iceberg' else ''}"),
        partial(land, night=night),
        lambda *_: places if night == 1 else session_places,
        partial(steps, night=night),
        partial(truth, night=night),
        {**FEW_TASKS, **(both if fmt == "delta" else {})},
    ).main()


if __name__ == "__main__":
    main()
