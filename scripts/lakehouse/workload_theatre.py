"""A theatre's ticket sales over three nights on every format: what dbt, ingestion frameworks and data vaults run.

Written before any of its statements was traced. In SQL `L.t`, `S.t` and `M.t` are tables of the layers raw, stage and
mart; in the truth they are `l_t`, `s_t` and `m_t`. With two Iceberg catalogs (`two` in the log's name) the mart is
`jdb.stage`, whose tables have names of `ice.stage`. A log's name ends its first part with the night, an application of
its own: `theatre_delta_n2-3-5`. `python -m lakehouse.workload_theatre --truth FORMAT NIGHT [two]` writes the truth.
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
from pyspark.sql.window import Window

from lakehouse import workload_theatre_delta, workload_theatre_iceberg, workload_theatre_rest
from lakehouse.workload import CatalogNames, HudiPaths, Job, Step, numbered, truth_of
from lakehouse.workload_nights import add_datasets, created, saved_as_table
from lakehouse.workload_run import LASTING, Workload, layered, variant

_LAYER = re.compile(r"\b([LSM])\.(?=[\w`])")
_EXTRA = ", ".join(f"a{n} STRING" for n in range(1, 19))
_SALES = (
    "sale_id BIGINT, event_id INT, seat STRING, buyer STRING, price DOUBLE, fee DOUBLE, sold_at TIMESTAMP,"
    f" channel STRING, {_EXTRA}"
)
_EVENTS = (
    "event_id INT, title STRING, status STRING, venue STRUCT<id: INT, name: STRING>, tags ARRAY<STRING>,"
    " updated_at TIMESTAMP"
)
_SCANS = "scan_id BIGINT, sale_id BIGINT, gate STRING, at TIMESTAMP"
_RAW = "sale_id event_id seat buyer price fee sold_at channel a{1..18}"


def layers(fmt: str, two: bool) -> dict[str, str]:
    """Return catalog and database of the layers, by their letters."""
    first = {"iceberg": "ice", "paimon": "pai"}.get(fmt, "spark_catalog")
    return {"L": f"{first}.raw", "S": f"{first}.stage", "M": "jdb.stage" if two else f"{first}.mart"}


def land(root: Path, night: int) -> None:
    """Write the landing files of a night."""
    day = f"dt=2026-11-0{night}"
    for folder in (f"sales/{day}", f"events/{day}", f"notes/{day}", f"forget/{day}", "scans"):
        (root / "landing" / folder).mkdir(parents=True, exist_ok=True)
    numbers = [
        *([(night - 1) * 50 + n for n in range(1, 6)] if night > 1 else []),
        *(night * 50 + n for n in range(30)),
    ]
    rows = [
        f"{n},{n % 6},r{n % 9}s{n},{f'B{n % 7}@X.org' if n % 11 else ''},{n % 40 - 1}.5,{n % 4}.25,"
        f"2026-11-0{night} 1{n % 9}:0{n % 6}:00,{('web', 'door', 'app')[n % 3]},{','.join(f'v{n % (k + 2)}' for k in range(18))}"
        for n in [*numbers, numbers[-1]]
    ]
    header = "sale_id,event_id,seat,buyer,price,fee,sold_at,channel," + ",".join(f"a{n}" for n in range(1, 19))
    (root / "landing" / "sales" / day / "box.csv").write_text("\n".join([header, *rows]) + "\n")
    events = [
        {
            "event_id": n,
            "title": f"Play {n}",
            "status": ("on", "off", "moved")[(n + night) % 3],
            "venue": {"id": n % 3, "name": f"Hall {n % 3}"},
            "tags": [f"t{n % 2}", "all"],
            "updated_at": f"2026-11-0{night}T08:00:00",
        }
        for n in range(6)
    ]
    (root / "landing" / "events" / day / "part.json").write_text("".join(json.dumps(each) + "\n" for each in events))
    (root / "landing" / "notes" / day / "notes.txt").write_text("".join(f"{n} late: note {n}\n" for n in range(6)))
    (root / "landing" / "forget" / day / "list.csv").write_text(f"b{night}@x.org;2026-11-01\nb9@x.org;2027-01-01\n")
    scans = [
        {
            "scan_id": night * 90 + n,
            "sale_id": night * 50 + n % 25,
            "gate": f"g{n % 3}",
            "at": f"2026-11-0{night}T19:{n}:00",
        }
        for n in range(10, 50)
    ]
    (root / "landing" / "scans" / f"n{night}.json").write_text("".join(json.dumps(each) + "\n" for each in scans))


def props(fmt: str, key: str, order: str = "", buckets: int = 1) -> str:
    """Return the properties of a table with a primary key, in the words of a format."""
    if fmt == "hudi":
        more = f", preCombineField = '{order}'" if order else ""
        return f" TBLPROPERTIES (primaryKey = '{key}'{more})"
    return f" TBLPROPERTIES ('primary-key' = '{key}', 'bucket' = '{buckets}')" if fmt == "paimon" else ""


def tables(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    """Return the definitions of the first night."""
    columns = {
        "S.sales": ("sale_id BIGINT, event_id INT, buyer STRING, price DOUBLE, fee DOUBLE, sold_at TIMESTAMP, channel STRING", "sale_id", "sold_at"),
        "S.bad": ("sale_key STRING, why STRING, doc STRING, src STRING", "", ""),
        "M.hub": ("hk STRING, buyer STRING, seen TIMESTAMP, src STRING", "", ""),
        "M.sat": ("hk STRING, hashdiff STRING, channel STRING, spent DOUBLE, loaded TIMESTAMP", "", ""),
        "M.channels": ("channel STRING, n BIGINT, gross DOUBLE, day STRING", "", ""),
        "M.latest": ("sale_id BIGINT, gate STRING, at TIMESTAMP", "sale_id", "at"),
    }  # fmt: skip
    made = [
        Step(f"{name[2:]} ddl", sql(f"CREATE TABLE {name} ({text}) USING {fmt}{props(fmt, key, order) if key else ''}"))
        for name, (text, key, order) in columns.items()
    ]
    daily = (
        "CREATE TABLE M.daily (event_id INT, tickets BIGINT, gross DOUBLE, day STRING) USING {} PARTITIONED BY (day)"
    )
    return (*made, Step("daily ddl", sql(daily.format(fmt))))


_SNAP = (
    "md5(coalesce(CAST(event_id AS STRING), '') || '|' || coalesce(CAST(updated_at AS STRING), '')) AS dbt_scd_id, updated_at AS dbt_updated_at,"
    " updated_at AS dbt_valid_from"
)


def nightly(fmt: str, sql: Callable[[str], str], night: int) -> tuple[Step, ...]:  # noqa: C901, PLR0915 - functions of steps
    """Return the steps that run each night.

    Args:
        fmt: The format.
        sql: Puts catalogs into a text.
        night: 1 to 3.
    """
    names = CatalogNames(sql)
    table = names.table
    first = night == 1
    day = f"2026-11-0{night}"
    made = "create" if first else "append"
    hudi = fmt == "hudi"
    kept: dict[str, DataFrame] = {}

    def sales_in(job: Job) -> None:
        frame = (
            job.spark.read.option("header", True)
            .schema(_SALES)
            .csv(f"{job.root}/landing/sales/dt={day}")
            .select("*", f.col("_metadata.file_name").alias("src"), f.input_file_name().alias("path"))
            .withColumn("loaded_at", f.current_timestamp())
            .withColumn("batch", f.lit(f"b-{night}"))
            .withColumn("dt", f.lit(day))
        )
        if first:
            frame.write.format(fmt).partitionBy("dt").saveAsTable(sql("L.sales"))
        elif night == 2 and not hudi:
            frame.writeTo(sql("L.sales")).append()
        elif night == 2:
            frame.write.insertInto(sql("L.sales"))
        else:
            frame.createOrReplaceTempView("sales__new")
            job.sql(sql("INSERT INTO L.sales SELECT * FROM sales__new"))

    def events_in(job: Job) -> None:
        frame = job.spark.read.schema(_EVENTS).json(f"{job.root}/landing/events/dt={day}")
        frame.dropDuplicates(["event_id"]).coalesce(1).write.format(fmt).mode("overwrite").saveAsTable(sql("L.events"))

    def notes_in(job: Job) -> None:
        frame = job.spark.read.text(f"{job.root}/landing/notes/dt={day}")
        frame = frame.where(f.length("value") > 3).select(
            f.regexp_extract("value", r"^(\d+)", 1).cast("int").alias("event_id"),
            f.trim(f.substring_index("value", ":", -1)).alias("note"),
            f.col("_metadata.file_modification_time").alias("written"),
        )
        if first:
            frame.write.format(fmt).saveAsTable(sql("L.notes"))
        else:
            frame.write.mode("append").insertInto(sql("L.notes"))

    def checked(job: Job) -> DataFrame:
        rows = table(job, "L.sales").where(f.col("dt") == day)
        return rows.withColumn("ok", (f.col("price") > 0) & f.col("buyer").isNotNull())

    def good(job: Job) -> None:
        kept["frame"] = checked(job).persist()
        rows = kept["frame"].where("ok").withColumn("buyer", f.lower("buyer"))
        rows = rows.select("sale_id", "event_id", "seat", "buyer", "price", "fee", "sold_at", "channel", "dt")
        rows = rows.repartition(2, "event_id").sortWithinPartitions("seat")
        if first:
            rows.write.format(fmt).saveAsTable(sql("S.good"))
        elif hudi:
            rows.write.mode("append").insertInto(sql("S.good"))
        else:
            rows.write.format(fmt).mode("append").saveAsTable(sql("S.good"))

    def bad(job: Job) -> None:
        rows = kept["frame"].where("NOT coalesce(ok, false)")
        rows = rows.select(
            f.col("sale_id").cast("string").alias("sale_key"),
            f.when(f.col("price") <= 0, "price").otherwise("buyer").alias("why"),
            f.to_json(f.struct("sale_id", "price", "buyer")).alias("doc"),
            "src",
        )
        rows.coalesce(1).write.mode("append").insertInto(sql("S.bad"))
        kept.pop("frame").unpersist()

    def merged(job: Job) -> None:
        newest = Window.partitionBy("sale_id").orderBy(f.col("sold_at").desc(), f.col("fee").desc())
        rows = table(job, "S.good").where(f.col("dt") == day).withColumn("rn", f.row_number().over(newest))
        rows = rows.where("rn = 1").select("sale_id", "event_id", "buyer", "price", "fee", "sold_at", "channel")
        rows.createOrReplaceTempView("sales__dbt_tmp")
        job.sql(
            sql(
                '/* {"app": "dbt", "node_id": "model.theatre.sales"} */ MERGE INTO S.sales AS DBT_INTERNAL_DEST USING sales__dbt_tmp AS DBT_INTERNAL_SOURCE'
                " ON DBT_INTERNAL_SOURCE.sale_id = DBT_INTERNAL_DEST.sale_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
            )
        )

    def daily(job: Job) -> None:
        job.spark.sql(
            sql(
                "CREATE OR REPLACE TEMPORARY VIEW daily__dbt_tmp AS SELECT g.event_id, count(*) AS tickets, sum(g.price + g.fee) AS gross, g.dt AS day"
                f" FROM S.good g WHERE g.dt >= '{day}' GROUP BY g.event_id, g.dt"
            )
        )
        job.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "DYNAMIC")
        job.sql(
            sql(
                "INSERT OVERWRITE TABLE M.daily PARTITION (day) SELECT event_id, tickets, gross, day FROM daily__dbt_tmp"
            )
        )
        job.spark.conf.set("spark.sql.sources.partitionOverwriteMode", "STATIC")

    def snapshot(job: Job) -> None:
        query = f"SELECT event_id, title, status, updated_at, {_SNAP}, CAST(nullif(updated_at, updated_at) AS TIMESTAMP) AS dbt_valid_to FROM L.events"
        if first:
            job.sql(sql(f"CREATE TABLE M.snap USING {fmt}{props(fmt, 'dbt_scd_id')} AS {query}"))
            return
        job.spark.sql(
            sql(
                f"CREATE OR REPLACE TEMPORARY VIEW snap__dbt_tmp AS WITH snapshot_query AS (SELECT event_id, title, status, updated_at FROM L.events), snapshotted_data AS (SELECT *, event_id AS dbt_unique_key FROM M.snap WHERE dbt_valid_to IS NULL),"
                f" insertions_source_data AS (SELECT *, event_id AS dbt_unique_key, {_SNAP}, CAST(NULL AS TIMESTAMP) AS dbt_valid_to FROM snapshot_query),"
                f" updates_source_data AS (SELECT *, event_id AS dbt_unique_key, {_SNAP}, updated_at AS dbt_valid_to FROM snapshot_query),"
                " insertions AS (SELECT 'insert' AS dbt_change_type, source_data.* FROM insertions_source_data AS source_data LEFT OUTER JOIN snapshotted_data ON snapshotted_data.dbt_unique_key = source_data.dbt_unique_key WHERE snapshotted_data.dbt_unique_key IS NULL OR snapshotted_data.dbt_valid_from < source_data.updated_at),"
                " updates AS (SELECT 'update' AS dbt_change_type, source_data.event_id, source_data.title, source_data.status, source_data.updated_at, source_data.dbt_unique_key, snapshotted_data.dbt_scd_id, source_data.dbt_updated_at, source_data.dbt_valid_from, source_data.dbt_valid_to"
                " FROM updates_source_data AS source_data JOIN snapshotted_data ON snapshotted_data.dbt_unique_key = source_data.dbt_unique_key WHERE snapshotted_data.dbt_valid_from < source_data.updated_at)"
                " SELECT event_id, title, status, updated_at, dbt_scd_id, dbt_updated_at, dbt_valid_from, dbt_valid_to, dbt_change_type FROM insertions UNION ALL SELECT event_id, title, status, updated_at, dbt_scd_id, dbt_updated_at, dbt_valid_from, dbt_valid_to, dbt_change_type FROM updates"
            )
        )
        all_columns = "event_id, title, status, updated_at, dbt_scd_id, dbt_updated_at, dbt_valid_from, dbt_valid_to"
        source = ", ".join(f"DBT_INTERNAL_SOURCE.{each}" for each in all_columns.split(", "))
        job.sql(
            sql(
                "MERGE INTO M.snap AS DBT_INTERNAL_DEST USING snap__dbt_tmp AS DBT_INTERNAL_SOURCE ON DBT_INTERNAL_SOURCE.dbt_scd_id = DBT_INTERNAL_DEST.dbt_scd_id"
                " WHEN MATCHED AND DBT_INTERNAL_DEST.dbt_valid_to IS NULL AND DBT_INTERNAL_SOURCE.dbt_change_type IN ('update', 'delete') THEN UPDATE SET dbt_valid_to = DBT_INTERNAL_SOURCE.dbt_valid_to"
                f" WHEN NOT MATCHED AND DBT_INTERNAL_SOURCE.dbt_change_type = 'insert' THEN INSERT ({all_columns}) VALUES ({source})"
            )
        )

    snapped = (
        "event_id title status updated_at < l_events.*; dbt_scd_id < l_events.event_id l_events.updated_at; dbt_updated_at dbt_valid_from < l_events.updated_at; dbt_valid_to < l_events.updated_at"
        if first
        else "event_id title status updated_at < l_events.*; dbt_scd_id < l_events.event_id l_events.updated_at m_snap.dbt_scd_id; dbt_updated_at dbt_valid_from dbt_valid_to < l_events.updated_at"
    )
    totals = (
        "SELECT e.event_id, e.title, e.venue.name AS venue, coalesce(sum(s.price), 0) AS gross, count(DISTINCT s.buyer) AS buyers, max(s.sold_at) AS last_sale, round(avg(s.fee), 2) AS fee"
        " FROM L.events e LEFT JOIN S.sales s ON s.event_id = e.event_id GROUP BY e.event_id, e.title, e.venue.name"
    )
    if fmt in {"delta", "iceberg"}:
        totals_kind, totals = (
            "overwrite",
            f"CREATE OR REPLACE TABLE M.totals USING {fmt} COMMENT 'one row per event' AS {totals}",
        )
    elif first:
        totals_kind, totals = "create", f"CREATE TABLE M.totals USING {fmt} AS {totals}"
    else:
        totals_kind, totals = "overwrite", f"INSERT OVERWRITE M.totals {totals}"

    def channels(job: Job) -> None:
        job.spark.sql(
            sql("CREATE OR REPLACE TEMPORARY VIEW sold AS SELECT channel, price, fee FROM S.sales WHERE price < 38")
        )
        job.spark.sql("CACHE TABLE sold")
        job.sql(
            sql(
                f"INSERT INTO M.channels SELECT channel, count(*), sum(price - fee), '{day}' FROM sold GROUP BY channel"
            )
        )

    def fees(job: Job) -> None:
        job.sql("SELECT channel, max(fee) AS top FROM sold GROUP BY channel HAVING max(fee) > 1")
        job.spark.sql("UNCACHE TABLE sold")

    def forget_in(job: Job) -> None:
        frame = job.spark.read.option("sep", ";").csv(f"{job.root}/landing/forget/dt={day}")
        frame = frame.toDF("buyer", "asked_on").withColumn("asked_on", f.to_date("asked_on"))
        frame.write.format(fmt).mode("overwrite").saveAsTable(sql("L.forget"))

    def apply(batch: DataFrame, number: int) -> None:
        newest = Window.partitionBy("sale_id").orderBy(f.desc("at"))
        rows = (
            batch.withColumn("rn", f.row_number().over(newest))
            .where("rn = 1")
            .select("sale_id", f.upper("gate").alias("gate"), "at")
        )
        if hudi:
            HudiPaths("sale_id", "at").save(rows, job_of["job"], "latest", "upsert")
            return
        rows.createOrReplaceTempView("scanned")
        batch.sparkSession.sql(
            sql(
                "MERGE INTO M.latest t USING scanned s ON t.sale_id = s.sale_id WHEN MATCHED AND s.at > t.at THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
            )
        ).collect()

    job_of: dict[str, Job] = {}

    def scans(job: Job) -> None:
        job_of["job"] = job
        rows = job.spark.readStream.schema(_SCANS).json(f"{job.root}/landing/scans").where("gate IS NOT NULL")
        job.stream(rows, "scans stream").foreachBatch(apply).start().awaitTermination()

    return (
        Step(
            "sales in",
            sales_in,
            f"{made} l_sales",
            f"{_RAW} < csv.*; src < csv._metadata.file_name; path loaded_at batch dt <",
        ),
        Step(
            "events in",
            events_in,
            "overwrite l_events",
            "event_id title status venue tags updated_at < json.*",
            "GROUP_BY json.event_id",
        ),
        Step(
            "notes in",
            notes_in,
            f"{made} l_notes",
            "event_id note < txt.value; written < txt._metadata.file_modification_time",
            "FILTER txt.value",
        ),
        Step(
            "good",
            good,
            f"{made} s_good",
            "sale_id event_id seat buyer price fee sold_at channel dt < l_sales.*",
            "FILTER l_sales.price; FILTER l_sales.buyer; FILTER l_sales.dt",
        ),
        Step(
            "bad",
            bad,
            "append s_bad",
            "sale_key < l_sales.sale_id; why <; doc < l_sales.sale_id l_sales.price l_sales.buyer; src < l_sales.src",
            "FILTER l_sales.price; FILTER l_sales.dt",
        ),
        Step(
            "merged",
            merged,
            "merge s_sales",
            "sale_id event_id buyer price fee sold_at channel < s_good.*",
            "FILTER s_good.dt",
        ),
        Step(
            "daily",
            daily,
            "overwrite m_daily",
            "event_id < s_good.event_id; tickets <; gross < s_good.price s_good.fee; day < s_good.dt",
            "FILTER s_good.dt; GROUP_BY s_good.event_id",
        ),
        Step(
            "snapshot",
            snapshot,
            f"{'create' if first else 'merge'} m_snap",
            snapped,
            "" if first else "FILTER m_snap.dbt_valid_to; JOIN m_snap.event_id",
        ),
        Step(
            "totals",
            sql(totals),
            f"{totals_kind} m_totals",
            "event_id title < l_events.*; venue < l_events.venue.name; gross < s_sales.price; buyers < s_sales.buyer; last_sale < s_sales.sold_at; fee < s_sales.fee",
            "JOIN s_sales.event_id; GROUP_BY l_events.title",
        ),
        Step(
            "hub",
            sql(
                "INSERT INTO M.hub SELECT DISTINCT md5(upper(trim(g.buyer))) AS hk, g.buyer, current_timestamp() AS seen, 'box office' AS src"
                f" FROM S.good g WHERE g.dt = '{day}' AND NOT EXISTS (SELECT 1 FROM M.hub h WHERE h.hk = md5(upper(trim(g.buyer))))"
            ),
            "append m_hub",
            "hk buyer < s_good.buyer; seen src <",
            "FILTER s_good.dt; JOIN m_hub.hk",
        ),
        Step(
            "sat",
            sql(
                "WITH stg AS (SELECT md5(upper(trim(buyer))) AS hk, max(channel) AS channel, sum(price) AS spent FROM S.good GROUP BY md5(upper(trim(buyer)))),"
                " hashed AS (SELECT hk, sha2(concat_ws('||', channel, CAST(spent AS STRING)), 256) AS hashdiff, channel, spent FROM stg),"
                " newest AS (SELECT hk, hashdiff FROM (SELECT hk, hashdiff, row_number() OVER (PARTITION BY hk ORDER BY loaded DESC) AS rn FROM M.sat) WHERE rn = 1)"
                " INSERT INTO M.sat SELECT h.hk, h.hashdiff, h.channel, h.spent, current_timestamp() FROM hashed h LEFT JOIN newest n ON n.hk = h.hk WHERE n.hk IS NULL OR n.hashdiff <> h.hashdiff"
            ),
            "append m_sat",
            "hk < s_good.buyer; hashdiff < s_good.channel s_good.price; channel < s_good.channel; spent < s_good.price; loaded <",
            "FILTER m_sat.hashdiff; JOIN m_sat.hk; GROUP_BY s_good.buyer",
        ),
        Step("forget in", forget_in, "overwrite l_forget", "buyer < forget._c0; asked_on < forget._c1"),
        Step(
            "gdpr",
            sql(
                "MERGE INTO S.sales t USING (SELECT DISTINCT buyer FROM L.forget WHERE asked_on <= DATE'2026-12-31') s ON t.buyer = s.buyer WHEN MATCHED THEN DELETE"
                if fmt == "delta"  # which has no subqueries in DELETE
                else "DELETE FROM S.sales WHERE buyer IN (SELECT buyer FROM L.forget WHERE asked_on <= DATE'2026-12-31')"
            ),
            "merge s_sales" if fmt == "delta" else "delete s_sales",
            "",
            "JOIN l_forget.buyer",
        ),
        Step(
            "channels",
            channels,
            "append m_channels",
            "channel < s_sales.channel; n <; gross < s_sales.price s_sales.fee; day <",
            "FILTER s_sales.price; GROUP_BY s_sales.channel",
        ),
        Step(
            "fees",
            fees,
            "",
            "channel < s_sales.channel; top < s_sales.fee",
            "FILTER s_sales.price; GROUP_BY s_sales.channel",
        ),
        Step(
            "test unique",
            sql(
                "SELECT count(*) AS failures, count(*) != 0 AS should_warn FROM (SELECT sale_id AS unique_field, count(*) AS n_records FROM S.sales WHERE sale_id IS NOT NULL GROUP BY sale_id HAVING count(*) > 1) dbt_internal_test"
            ),
            "",
            "failures should_warn <",
            "GROUP_BY s_sales.sale_id",
        ),
        Step(
            "test relationship",
            sql(
                "WITH child AS (SELECT event_id AS from_field FROM S.sales WHERE event_id IS NOT NULL), parent AS (SELECT event_id AS to_field FROM M.totals)"
                " SELECT from_field FROM child LEFT JOIN parent ON child.from_field = parent.to_field WHERE parent.to_field IS NULL"
            ),
            "",
            "from_field < s_sales.event_id",
            "JOIN m_totals.event_id; FILTER m_totals.event_id",
        ),
        Step(
            "scans stream",
            scans,
            "append p_latest" if hudi else "merge m_latest",
            "sale_id gate at < scans.*",
            "FILTER scans.gate",
        ),
    )


def special(fmt: str, sql: Callable[[str], str], night: int) -> tuple[Step, ...]:
    """Return the steps of one night that all formats run."""
    return {1: _first, 2: _second, 3: _third}[night](fmt, sql)


def _first(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    table, made, saved = CatalogNames(sql).table, created(fmt, sql), saved_as_table(fmt, sql)

    def features(job: Job) -> DataFrame:
        rows = table(job, "S.good").select("sale_id", "buyer", "price", "fee")
        return rows.withColumns({f"f{n}": f.col("price") * n if n % 2 else f.col("fee") + n for n in range(1, 201)})

    def hashed(job: Job) -> DataFrame:
        rows = table(job, "L.sales").drop("path", "loaded_at", "batch", "src", "dt")
        return rows.select(
            "sale_id",
            f.sha2(
                f.concat_ws("|", *(f.coalesce(f.col(each).cast("string"), f.lit("")) for each in rows.columns)), 256
            ).alias("row_hash"),
        )

    def exported(job: Job) -> None:
        rows = (
            table(job, "S.good").where("price > 5").select("sale_id", "buyer", f.year("sold_at").alias("year"), "price")
        )
        rows.repartition("year").write.partitionBy("year").mode("overwrite").parquet(f"{job.root}/export/good")

    def text(job: Job) -> None:
        rows = table(job, "M.totals").orderBy(f.desc("gross")).limit(3)
        rows.select("event_id", "title", "gross").coalesce(1).write.option("header", True).mode("overwrite").csv(
            f"{job.root}/export/best"
        )

    own = [f"_hoodie_{each}" for each in ("commit_time", "commit_seqno", "record_key", "partition_path", "file_name")]
    everything = " ".join(
        f"l_sales.{each}"
        for each in (
            "sale_id",
            "event_id",
            "seat",
            "buyer",
            "price",
            "fee",
            "sold_at",
            "channel",
            *(f"a{n}" for n in range(1, 19)),
            *(own if fmt == "hudi" else ()),
        )
    )
    return (
        Step(
            "seed",
            sql(f"CREATE TABLE M.rates USING {fmt} AS SELECT CAST(col1 AS STRING) AS channel, CAST(col2 AS DOUBLE) AS rate, CAST(col3 AS DATE) AS since FROM VALUES ('web', 0.1, '2026-01-01'), ('app', 0.2, '2026-01-01'), ('door', 0.0, '2026-01-01')"),
            "create m_rates",
            "channel rate since <",
        ),
        saved(
            "features",
            features,
            "sale_id buyer price fee < s_good.*; "
            + "; ".join(f"f{n} < s_good.{'price' if n % 2 else 'fee'}" for n in range(1, 201)),
        ),
        saved("hashed", hashed, f"sale_id < l_sales.sale_id; row_hash < {everything}"),
        made(
            "wide",
            "SELECT *, a1 || a2 AS joined, row_number() OVER (PARTITION BY event_id ORDER BY sold_at) AS nth FROM L.sales WHERE a18 <> 'v99'",
            f"{_RAW} src path loaded_at batch dt < l_sales.*; joined < l_sales.a1 l_sales.a2; nth <",
            "FILTER l_sales.a18",
        ),
        Step("exported", exported, "overwrite x_good", "sale_id buyer price < s_good.*; year < s_good.sold_at", "FILTER s_good.price"),
        Step("best", text, "overwrite x_best", "event_id title gross < m_totals.*", "SORT m_totals.gross"),
        made(
            "funnel",
            "SELECT channel, count_if(price > 10) AS dear, sum(CASE WHEN fee > 1 THEN price END) AS with_fee, first_value(buyer) AS sample, bool_or(a1 = 'v0') AS any_v0, mode(a2) AS usual FROM L.sales GROUP BY channel",
            "channel < l_sales.channel; dear < l_sales.price; with_fee < l_sales.price; sample < l_sales.buyer; any_v0 < l_sales.a1; usual < l_sales.a2",
            "GROUP_BY l_sales.channel",
        ),
        Step(
            "values test",
            sql("WITH all_values AS (SELECT channel AS value_field, count(*) AS n_records FROM S.good GROUP BY channel) SELECT * FROM all_values WHERE value_field NOT IN ('web', 'app', 'door')"),
            "",
            "value_field < s_good.channel; n_records <",
            "GROUP_BY s_good.channel; FILTER s_good.channel",
        ),
    )  # fmt: skip


def _second(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    table, made, saved = CatalogNames(sql).table, created(fmt, sql), saved_as_table(fmt, sql)

    def read_back(job: Job) -> DataFrame:
        old = job.spark.read.parquet(f"{job.root}/export/good")
        return (
            table(job, "S.sales")
            .alias("s")
            .join(old.alias("o"), f.expr("s.sale_id = o.sale_id"), "full_outer")
            .select(
                f.coalesce("s.sale_id", "o.sale_id").alias("sale_id"),
                (f.col("s.price") - f.col("o.price")).alias("moved"),
                "o.year",
            )
        )

    def best_back(job: Job) -> DataFrame:
        frame = job.spark.read.option("header", True).option("inferSchema", True).csv(f"{job.root}/export/best")
        return frame.join(f.broadcast(table(job, "L.events")), "event_id", "left").selectExpr(
            "gross", "venue.id AS venue_id", "array_join(tags, '/') AS tags"
        )

    def cohorts(job: Job) -> DataFrame:
        firsts = table(job, "S.good").groupBy("buyer").agg(f.min("dt").alias("cohort"))
        return (
            table(job, "S.good")
            .join(firsts, "buyer")
            .groupBy("cohort")
            .agg(
                f.countDistinct("buyer").alias("buyers"),
                f.sum("price").alias("gross"),
                f.expr("percentile(fee, 0.9)").alias("p90"),
            )
        )

    def twice(job: Job) -> DataFrame:
        rows = table(job, "S.good").select("buyer", "price").cache()
        top = rows.groupBy("buyer").agg(f.sum("price").alias("spent"))
        return rows.join(top, "buyer").withColumn("share", f.col("price") / f.col("spent")).select("buyer", "share")

    return (
        Step(
            "features grown",
            sql("INSERT OVERWRITE M.features SELECT sale_id, upper(buyer) AS buyer, price, fee, " + numbered(199, "f{n} + f200 AS f{n}") + ", coalesce(f200, 0D) AS f200 FROM M.features WHERE f150 > 0"),
            "overwrite m_features",
            "sale_id buyer price fee < m_features.*; " + "; ".join(f"f{n} < m_features.f{n} m_features.f200" for n in range(1, 200)) + "; f200 < m_features.f200",
            "FILTER m_features.f150",
        ),
        Step(
            "features top",
            lambda j: table(j, "M.features").where("f180 > 1").groupBy("buyer").agg(*(f.max(f"f{n}").alias(f"m{n}") for n in range(1, 61))).collect(),
            "",
            "buyer < m_features.buyer; " + "; ".join(f"m{n} < m_features.f{n}" for n in range(1, 61)),
            "FILTER m_features.f180; GROUP_BY m_features.buyer",
        ),
        saved("compared", read_back, "sale_id < s_sales.sale_id x_good.sale_id; moved < s_sales.price x_good.price; year < x_good.year", "JOIN x_good.sale_id"),
        saved("best_venues", best_back, "gross < x_best.gross; venue_id < l_events.venue.id; tags < l_events.tags", "JOIN l_events.event_id"),
        saved("cohorts", cohorts, "cohort < s_good.dt; buyers < s_good.buyer; gross < s_good.price; p90 < s_good.fee", "GROUP_BY s_good.dt; JOIN s_good.buyer"),
        saved("shares", twice, "buyer < s_good.buyer; share < s_good.price", "JOIN s_good.buyer"),
        made(
            "islands",
            "SELECT event_id, min(sold_at) AS begun, max(sold_at) AS ended, count(*) AS n FROM (SELECT event_id, sold_at, sum(new) OVER (PARTITION BY event_id ORDER BY sold_at) AS grp FROM (SELECT event_id, sold_at, CASE WHEN sold_at - lag(sold_at) OVER (PARTITION BY event_id ORDER BY sold_at) < INTERVAL '1' HOUR THEN 0 ELSE 1 END AS new FROM S.good)) GROUP BY event_id, grp",
            "event_id < s_good.event_id; begun ended < s_good.sold_at; n <",
            "GROUP_BY s_good.event_id",
        ),
        made(
            "rated",
            "SELECT s.sale_id, s.price * (1 - r.rate) AS net, r.since, n.note FROM S.sales s JOIN M.rates r USING (channel) LEFT JOIN (SELECT event_id, max_by(note, written) AS note FROM L.notes GROUP BY event_id) n ON n.event_id = s.event_id WHERE s.sold_at >= r.since",
            "sale_id < s_sales.sale_id; net < s_sales.price m_rates.rate; since < m_rates.since; note < l_notes.note",
            "JOIN m_rates.channel; JOIN l_notes.event_id",
        ),
    )  # fmt: skip


def _third(fmt: str, sql: Callable[[str], str]) -> tuple[Step, ...]:
    table, made, saved = CatalogNames(sql).table, created(fmt, sql), saved_as_table(fmt, sql)

    def scd2(job: Job) -> DataFrame:
        spec = Window.partitionBy("event_id").orderBy("dbt_valid_from")
        return (
            table(job, "M.snap")
            .withColumn("ended", f.lead("dbt_valid_from").over(spec))
            .withColumn("current", f.col("ended").isNull())
            .withColumnRenamed("dbt_valid_from", "begun")
            .select("event_id", "status", "begun", "ended", "current")
        )

    def looped(job: Job) -> DataFrame:
        found = None
        for channel in ("web", "app", "door"):
            rows = (
                table(job, "S.sales")
                .where(f.col("channel") == channel)
                .select(
                    "sale_id",
                    f.lit(channel).alias("kind"),
                    (f.col("price") if channel == "web" else f.col("fee")).alias("amount"),
                )
            )
            found = rows if found is None else found.unionByName(rows)
        assert found is not None
        return found

    def profile(job: Job) -> DataFrame:
        columns = ("sale_id", "price", "fee", "channel")
        return table(job, "S.sales").agg(
            *(f.count(f.when(f.col(each).isNull(), 1)).alias(f"{each}_nulls") for each in columns),
            *(f.max(each).alias(f"{each}_max") for each in columns),
        )

    def flagged(job: Job) -> DataFrame:
        limits = (
            table(job, "S.good").groupBy("channel").agg((f.avg("price") + 2 * f.stddev_samp("price")).alias("high"))
        )
        return (
            table(job, "S.good")
            .join(limits, ["channel"], "inner")
            .where("price > high")
            .selectExpr("sale_id", "price", "high", "struct(channel, seat) AS at")
        )

    return (
        saved("history", scd2, "event_id status < m_snap.*; begun < m_snap.dbt_valid_from; ended < m_snap.dbt_valid_from; current < m_snap.dbt_valid_from"),
        saved("looped", looped, "sale_id < s_sales.sale_id; kind <; amount < s_sales.price s_sales.fee", "FILTER s_sales.channel"),
        saved(
            "profile",
            profile,
            "; ".join(f"{each}_nulls <; {each}_max < s_sales.{each}" for each in ("sale_id", "price", "fee", "channel")),
        ),
        saved("flagged", flagged, "sale_id price < s_good.*; high < s_good.price; at < s_good.channel s_good.seat", "JOIN s_good.channel"),
        made(
            "stacked",
            "SELECT sale_id, stack(2, 'price', price, 'fee', fee) AS (what, amount) FROM S.sales WHERE channel IN (SELECT channel FROM M.rates WHERE rate > 0)",
            "sale_id < s_sales.sale_id; what <; amount < s_sales.price s_sales.fee",
            "JOIN m_rates.channel; FILTER m_rates.rate",
        ),
        made(
            "moving",
            "SELECT event_id, day, gross, avg(gross) OVER w AS mean3, gross - lag(gross, 1, 0D) OVER (PARTITION BY event_id ORDER BY day) AS change, ntile(4) OVER (ORDER BY gross) AS quarter FROM M.daily WINDOW w AS (PARTITION BY event_id ORDER BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)",
            "event_id day gross mean3 change < m_daily.*; quarter <".replace(" mean3 change <", " <").replace("; quarter", "; mean3 change < m_daily.gross; quarter"),
        ),
        Step(
            "latest join",
            sql("SELECT g.buyer, t.title, h.seen, count(*) AS n FROM S.good g JOIN M.totals t ON t.event_id = g.event_id JOIN M.hub h ON h.hk = md5(upper(trim(g.buyer))) GROUP BY 1, 2, 3 ORDER BY n DESC LIMIT 5"),
            "",
            "buyer < s_good.buyer; title < m_totals.title; seen < m_hub.seen; n <",
            "JOIN m_totals.event_id; JOIN m_hub.hk; GROUP_BY m_totals.title",
        ),
        Step(
            "bad again",
            sql("INSERT INTO S.bad SELECT * FROM (SELECT sale_key, concat('again ', why) AS why, doc, get_json_object(doc, '$.buyer') AS src FROM S.bad EXCEPT SELECT sale_key, why, doc, src FROM S.bad WHERE why = 'buyer') LIMIT 4"),
            "append s_bad",
            "sale_key why doc < s_bad.*; src < s_bad.doc",
        ),
    )  # fmt: skip


def steps(fmt: str, two: bool, night: int) -> tuple[Step, ...]:
    """Return the steps of a format's night, in their order."""
    sql = layered(_LAYER, layers(fmt, two))
    own = {
        "delta": workload_theatre_delta.Own,
        "iceberg": workload_theatre_iceberg.Own,
        "hudi": workload_theatre_rest.Hudi,
        "paimon": workload_theatre_rest.Paimon,
    }[fmt](sql)
    before = tables(fmt, sql) if night == 1 else own.registered(night)
    return (*before, *nightly(fmt, sql, night), *special(fmt, sql, night), *own.night(night))


def truth(fmt: str, two: bool, folder: Path, night: int) -> str:
    """Return the truth of a night's log as JSON."""
    root = f"file://{folder}"
    landing = {"csv": "sales", "json": "events", "txt": "notes", "forget": "forget", "scans": "scans"}
    names = {name: f"{root}/landing/{place}" for name, place in landing.items()}
    listed = steps(fmt, two, night)
    add_datasets(names, listed, layers(fmt, two), root)
    changes = {"delta": workload_theatre_delta.CHANGES, "iceberg": workload_theatre_iceberg.CHANGES}
    changes.update(workload_theatre_rest.CHANGES)
    return truth_of(names, listed, changes[fmt].get(night, ""))


def main() -> None:
    """Run the steps of a night, or write its truth."""
    name = f"{sys.argv[2]}_n{sys.argv[3]}" if sys.argv[1] == "--truth" else sys.argv[1].removeprefix("medallion-")
    fmt, _ = variant(name)
    night = int(name.partition("-")[0][-1])
    Workload(
        Path(f"/tmp/lakehouse_theatre_{fmt}{'_two' if fmt == 'iceberg' else ''}"),
        partial(land, night=night),
        lambda fmt, two: sorted(set(layers(fmt, two).values())) if night == 1 or fmt == "hudi" else (),
        partial(steps, night=night),
        partial(truth, night=night),
        LASTING if fmt == "delta" else {},
    ).main()


if __name__ == "__main__":
    main()
