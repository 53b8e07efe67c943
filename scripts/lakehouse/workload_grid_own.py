"""What the energy supplier does with one format only, night after night."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import HudiPaths, Job, Step

if TYPE_CHECKING:
    from lakehouse.workload_grid import Grid

CHANGES = {
    "delta": "s_history: column_added note\ns_live: column_added site\ng_zones: column_added peak",
    "iceberg": "s_history: column_added note\ns_history: column_renamed client\ns_history: column_renamed customer\ns_live: column_added site\ng_zones: type_changed n",
    "hudi": "s_history: column_added note",
    "paimon": "s_history: column_added note\ns_history: column_renamed client\ns_history: column_renamed customer",
}
_HALF_DAY = tuple(f"h{n:02d}" for n in range(24))
_PATH = HudiPaths("meter_id", "at")


def night(fmt: str, grid: Grid) -> tuple[Step, ...]:
    """Return a night's own steps."""
    own = {"delta": _delta, "iceberg": _iceberg, "hudi": _hudi, "paimon": _paimon}[fmt]
    return tuple(own(grid))


def _shared(grid: Grid) -> Iterator[Step]:
    """Yield what Delta and Iceberg have in common: wide MERGEs, overwrites of days, evolution."""
    step, night, fmt = grid.step, grid.night, grid.fmt
    slots = ", ".join(f"h{n:02d}" for n in range(48))
    if night == 1:
        yield step(
            "base ddl",
            f"CREATE TABLE G.base (meter_id STRING, {', '.join(f'h{n:02d} DOUBLE' for n in range(48))}, runs INT) USING {fmt}",
        )
        yield step(
            "days ddl",
            f"CREATE TABLE G.days (zone STRING, kwh DOUBLE, n BIGINT, day DATE) USING {fmt} PARTITIONED BY (day)",
        )
        yield step(
            "zones",
            f"CREATE TABLE G.zones USING {fmt} AS SELECT zone, CAST(count(*) AS INT) AS n FROM B.meters GROUP BY zone",
            "create g_zones",
            "zone < b_meters.zone; n <",
            "GROUP_BY b_meters.zone",
        )
    mean = ", ".join(f"t.h{n:02d} = (t.h{n:02d} * t.runs + s.h{n:02d}) / (t.runs + 1)" for n in range(48))
    yield step(
        "base merge",
        f"MERGE INTO G.base t USING S.profile s ON t.meter_id = s.meter_id WHEN MATCHED THEN UPDATE SET {mean}, t.runs = t.runs + 1 WHEN NOT MATCHED THEN INSERT (meter_id, {slots}, runs) VALUES (s.meter_id, {', '.join(f's.h{n:02d}' for n in range(48))}, 1)",
        "merge g_base",
        "meter_id < s_profile.meter_id; runs < g_base.runs; "
        + "; ".join(f"h{n:02d} < g_base.h{n:02d} g_base.runs s_profile.h{n:02d}" for n in range(48)),
    )
    yield step(
        "base update",
        "UPDATE G.base SET " + ", ".join(f"{each} = nvl({each}, 0)" for each in _HALF_DAY) + " WHERE runs > 0",
        "update g_base",
        "; ".join(f"{each} < g_base.{each}" for each in _HALF_DAY),
        "FILTER g_base.runs",
    )
    yield step(
        "days",
        "INSERT OVERWRITE G.days SELECT m.zone, sum(r.kwh), count(r.kwh), to_date(r.at) FROM S.readings r JOIN B.meters m ON m.meter_id = r.meter_id GROUP BY m.zone, to_date(r.at)",
        "overwrite g_days",
        "zone < b_meters.zone; kwh n < s_readings.kwh; day < s_readings.at",
        "JOIN b_meters.meter_id; GROUP_BY b_meters.zone",
    )
    yield step(
        "pivot query",
        "SELECT * FROM (SELECT meter_id, slot, kwh FROM S.readings) PIVOT (max(kwh) AS kwh FOR slot IN (1 AS one, 2 AS two)) WHERE one IS NOT NULL OR two > 0",
        "",
        "meter_id < s_readings.meter_id; one two < s_readings.kwh",
        "GROUP_BY s_readings.meter_id",
    )
    yield step(
        "long",
        f"CREATE OR REPLACE TABLE G.long USING {fmt} AS SELECT meter_id, int(substr(slot, 2)) AS slot, kwh FROM G.base UNPIVOT (kwh FOR slot IN (h00, h01, h02 AS `h99`)) WHERE kwh <> 0",
        "overwrite g_long",
        "meter_id < g_base.meter_id; slot <; kwh < g_base.h00 g_base.h01 g_base.h02",
    )
    if night == 2:
        yield step("note", "ALTER TABLE S.history ADD COLUMN note STRING", "alter s_history")
        yield step(
            "note set",
            "UPDATE S.history h SET note = concat_ws('/', h.zone, h.customer) WHERE h.open = false",
            "update s_history",
            "note < s_history.zone s_history.customer",
            "FILTER s_history.open",
        )
        yield step(
            "fan out",
            "FROM S.readings INSERT INTO S.live SELECT meter_id, at, kwh, 7 WHERE quality = 1 INSERT INTO G.long SELECT meter_id, slot, -kwh WHERE quality = 2",
        )


def _delta(grid: Grid) -> Iterator[Step]:
    step, done, night, sql = grid.step, grid.done, grid.night, grid.sql
    yield from _shared(grid)

    def api(job: Job, name: str):  # type: ignore[no-untyped-def]
        from delta.tables import DeltaTable

        return DeltaTable.forName(job.spark, sql(name).removeprefix("spark_catalog."))

    def evolved(job: Job) -> None:
        rows = (
            grid.table(job, "B.readings")
            .where("kwh > 11")
            .select("meter_id", "at", "kwh", f.lit(0).alias("batch"), f.col("device.fw").alias("site"))
        )
        rows.write.format("delta").mode("append").option("mergeSchema", True).saveAsTable(sql("S.live"))

    def zones(job: Job) -> None:
        rows = (
            grid.table(job, "G.days")
            .groupBy("zone")
            .agg(f.max("kwh").alias("peak"), f.count("*").cast("int").alias("n"))
        )
        rows.write.format("delta").mode("overwrite").option("overwriteSchema", "true").saveAsTable(sql("G.zones"))

    def replaced(job: Job) -> None:
        rows = (
            grid.table(job, "S.readings")
            .where(f"to_date(at) = '2026-10-0{night}'")
            .groupBy("meter_id")
            .agg(f.sum("kwh").alias("kwh"))
            .withColumn("day", f.lit(f"2026-10-0{night}").cast("date"))
        )
        rows.write.format("delta").mode("overwrite").partitionBy("day").option(
            "replaceWhere", f"day = '2026-10-0{night}'"
        ).save(f"{job.root}/lake/days")

    def upserted(job: Job) -> None:
        rows = grid.table(job, "G.long").groupBy("meter_id").agg(f.sum("kwh").alias("h00")).alias("n")
        merge = api(job, "G.base").alias("o").merge(rows, "o.meter_id = n.meter_id")
        merge.whenMatchedUpdate("n.h00 > o.h00", {"h00": "n.h00", "runs": f.expr("o.runs + 1")}).whenNotMatchedInsert(
            values={"meter_id": "n.meter_id", "h00": "n.h00"}
        ).execute()

    def live(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            last = batch.groupBy("meter_id").agg(f.max("at").alias("at"), f.max_by("kwh", "at").alias("kwh"))
            api(job, "S.last").alias("t").merge(
                last.alias("s"), "s.meter_id = t.meter_id"
            ).whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()

        rows = job.spark.readStream.option("ignoreChanges", True).table(sql("S.live"))
        job.stream(rows, "last stream", "update").foreachBatch(apply).start().awaitTermination()

    yield done(
        "day",
        replaced,
        "overwrite p_days",
        "meter_id kwh < s_readings.*; day <",
        "FILTER s_readings.at; GROUP_BY s_readings.meter_id",
    )
    yield done(
        "base api",
        upserted,
        "merge g_base",
        "meter_id < g_long.meter_id; h00 < g_long.kwh; runs < g_base.runs; "
        + " ".join(f"h{n:02d}" for n in range(1, 48))
        + " <",
    )
    if night == 1:
        yield step(
            "last ddl",
            "CREATE TABLE S.last (meter_id STRING, at TIMESTAMP, kwh DOUBLE) USING delta TBLPROPERTIES (delta.enableChangeDataFeed = true, 'delta.enableDeletionVectors' = 'true')",
        )
    yield (
        Step("last stream", live, "merge s_last", "meter_id at < s_live.*; kwh < s_live.kwh")
        if night == 1
        else Step("last stream", live)
    )
    if night == 2:
        yield done(
            "live site",
            evolved,
            "append s_live",
            "meter_id at kwh < b_readings.*; batch <; site < b_readings.device.fw",
            "FILTER b_readings.kwh",
        )
        yield done(
            "zones again",
            zones,
            "overwrite g_zones",
            "zone < g_days.zone; peak < g_days.kwh; n <",
            "GROUP_BY g_days.zone",
        )
        yield step(
            "last delete",
            "DELETE FROM S.last WHERE meter_id = 'm3' OR kwh IS NULL",
            "delete s_last",
            "",
            "FILTER s_last.meter_id; FILTER s_last.kwh",
        )
        yield step(
            "path insert",
            "INSERT INTO delta.`{root}/lake/days` (day, meter_id, kwh) SELECT DATE'2026-09-30', meter_id, kwh FROM S.last",
            "append p_days",
            "meter_id kwh < s_last.*; day <",
        )
    if night == 3:
        yield step(
            "feed",
            "INSERT INTO G.invoices SELECT meter_id, _change_type, kwh, CAST(_commit_version AS DOUBLE), _commit_timestamp FROM table_changes('core.last', 1) WHERE _change_type <> 'update_preimage'",
            "append g_invoices",
            "customer < s_last.meter_id; kind < s_last._change_type; kwh < s_last.kwh; total < s_last._commit_version; `first at` < s_last._commit_timestamp",
            "FILTER s_last._change_type",
        )
        yield step("optimize", "OPTIMIZE G.days WHERE day > '2026-10-01' ZORDER BY (zone)", "maintenance g_days")
        yield step(
            "clone",
            "CREATE TABLE G.frozen SHALLOW CLONE G.base",
            "create g_frozen",
            "meter_id " + " ".join(f"h{n:02d}" for n in range(48)) + " runs < g_base.*",
        )
        yield step(
            "past",
            "SELECT o.meter_id, n.h01 - o.h01 AS grown FROM G.base VERSION AS OF 1 o JOIN G.frozen n USING (meter_id)",
            "",
            "meter_id < g_base.meter_id; grown < g_base.h01 g_frozen.h01",
            "JOIN g_base.meter_id",
        )
        yield step("truncate", "TRUNCATE TABLE G.invoices", "truncate g_invoices")
        yield step("restore", "RESTORE TABLE G.invoices TO VERSION AS OF 1", "maintenance g_invoices")
        yield step(
            "after",
            "INSERT INTO S.live BY NAME SELECT customer AS site, kwh, `first at` AS at FROM G.invoices",
            "append s_live",
            "site < g_invoices.customer; kwh < g_invoices.kwh; at < g_invoices.`first at`; meter_id batch <",
        )


def _iceberg(grid: Grid) -> Iterator[Step]:
    step, done, night, sql = grid.step, grid.done, grid.night, grid.sql
    call = grid.names.call
    yield from _shared(grid)

    def partitions(job: Job) -> None:
        rows = grid.table(job, "S.readings").join(grid.table(job, "B.meters").select("meter_id", "zone"), "meter_id")
        rows = rows.groupBy("zone", f.to_date("at").alias("day")).agg(
            f.sum("kwh").alias("kwh"), f.count("*").alias("n")
        )
        rows.select("zone", "kwh", "n", "day").writeTo(sql("G.days")).overwritePartitions()

    def replaced(job: Job) -> None:
        rows = (
            grid.table(job, "G.days")
            .where(f.col("kwh") > 2)
            .select(f.lower("zone").alias("zone"), "kwh", (f.col("n") + 1).alias("n"), "day")
        )
        rows.writeTo(sql("G.days")).overwrite(f.col("day") == f.lit(f"2026-10-0{night}").cast("date"))

    def merged(job: Job) -> None:
        rows = grid.table(job, "S.live").withColumn("site", f.upper("meter_id"))
        rows.where("batch = 0").writeTo(sql("S.live")).option("mergeSchema", "true").append()

    def last(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            batch.createOrReplaceGlobalTempView("arrived")
            batch.sparkSession.sql(sql("MERGE INTO S.last AS t USING (SELECT meter_id, max(at) AS at, max_by(kwh, at) AS kwh FROM global_temp.arrived GROUP BY ALL) AS s ON s.meter_id = t.meter_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"))  # fmt: skip

        rows = job.spark.readStream.option("streaming-skip-overwrite-snapshots", "true").table(sql("S.live"))
        job.stream(rows, "last stream").foreachBatch(apply).start().awaitTermination()

    yield done(
        "day",
        partitions,
        "overwrite g_days",
        "zone < b_meters.zone; kwh < s_readings.kwh; n <; day < s_readings.at",
        "JOIN b_meters.meter_id; GROUP_BY b_meters.zone",
    )
    yield done("day replaced", replaced, "overwrite g_days", "zone kwh n day < g_days.*", "FILTER g_days.kwh")
    if night == 1:
        mor = "TBLPROPERTIES ('format-version' = '2', 'write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read')"
        yield step("last ddl", f"CREATE TABLE S.last (meter_id STRING, at TIMESTAMP, kwh DOUBLE) USING iceberg {mor}")
        yield step(
            "slots",
            f"CREATE TABLE G.slots USING iceberg {mor} AS SELECT * FROM G.base WHERE runs = 1",
            "create g_slots",
            "meter_id " + " ".join(f"h{n:02d}" for n in range(48)) + " runs < g_base.*",
            "FILTER g_base.runs",
        )
    yield (
        Step("last stream", last, "merge s_last", "meter_id at kwh < s_live.*")
        if night == 1
        else Step("last stream", last)
    )
    yield step(
        "slots merge",
        "MERGE INTO G.slots t USING (SELECT * FROM S.profile WHERE h01 > 0) s ON t.meter_id = s.meter_id WHEN MATCHED THEN UPDATE SET "
        + ", ".join(f"h{n:02d} = s.h{n:02d}" for n in range(48))
        + ", runs = runs + 1 WHEN NOT MATCHED THEN INSERT (meter_id, h00, h47) VALUES (s.meter_id, s.h00, s.h47)",
        "merge g_slots",
        "meter_id < s_profile.meter_id; runs < g_slots.runs; "
        + " ".join(f"h{n:02d}" for n in range(48))
        + " < s_profile.*",
    )
    yield step(
        "slots update",
        "UPDATE G.slots SET " + ", ".join(f"{each} = {each} + 1" for each in _HALF_DAY) + " WHERE meter_id <> 'm1'",
        "update g_slots",
        " ".join(_HALF_DAY) + " < g_slots.*",
        "FILTER g_slots.meter_id",
    )
    if night == 2:
        yield step("client", "ALTER TABLE S.history RENAME COLUMN customer TO client", "alter s_history")
        yield step("wider", "ALTER TABLE G.zones ALTER COLUMN n TYPE BIGINT", "alter g_zones")
        yield step("client back", "ALTER TABLE S.history RENAME COLUMN client TO customer", "alter s_history")
        yield step("accept", "ALTER TABLE S.live SET TBLPROPERTIES ('write.spark.accept-any-schema' = 'true')")
        yield done(
            "live site",
            merged,
            "append s_live",
            "meter_id at kwh batch < s_live.*; site < s_live.meter_id",
            "FILTER s_live.batch",
        )
        yield step("tag", "ALTER TABLE G.days CREATE TAG night2 RETAIN 30 DAYS")
        yield step("field", "ALTER TABLE S.readings ADD PARTITION FIELD bucket(4, meter_id)")
        yield step(
            "last delete",
            "DELETE FROM S.last WHERE meter_id = 'm3' OR kwh IS NULL",
            "delete s_last",
            "",
            "FILTER s_last.meter_id; FILTER s_last.kwh",
        )
    if night == 3:
        yield step(
            "tagged",
            "INSERT INTO G.zones SELECT n.zone, n.n - o.n FROM G.days n JOIN G.days VERSION AS OF 'night2' o ON o.zone = n.zone AND o.day = n.day",
            "append g_zones",
            "zone < g_days.zone; n < g_days.n",
            "JOIN g_days.zone",
        )
        yield step(
            "compact",
            call(
                "G",
                "rewrite_data_files",
                "table => '@.days', strategy => 'sort', sort_order => 'zone', options => map('rewrite-all', 'true')",
            ),
            "maintenance g_days",
        )
        yield step("orphans", call("G", "remove_orphan_files", "table => '@.days'"), "maintenance g_days")
        yield step("expire", call("S", "expire_snapshots", "table => '@.last', retain_last => 1"), "maintenance s_last")
        yield step(
            "biggest",
            "INSERT INTO G.zones SELECT max(meter_id), min(slot) FROM S.readings",
            "append g_zones",
            "zone < s_readings.meter_id; n < s_readings.slot",
        )
        yield step("truncate", "TRUNCATE TABLE G.invoices", "truncate g_invoices")
        yield step(
            "both",
            "SELECT a.meter_id, b.note, a.site FROM S.live a LEFT JOIN S.history b ON b.meter_id = a.meter_id AND b.open WHERE a.meter_id IN (SELECT meter_id FROM S.last)",
            "",
            "meter_id site < s_live.*; note < s_history.note",
            "JOIN s_last.meter_id; JOIN s_history.meter_id",
        )


def _hudi(grid: Grid) -> Iterator[Step]:
    step, done, night = grid.step, grid.done, grid.night

    def upserted(job: Job) -> None:
        rows = grid.table(job, "S.readings").groupBy("meter_id").agg(f.max("at").alias("at"), f.sum("kwh").alias("kwh"))
        _PATH.save(rows, job, "totals", "upsert", "overwrite" if night == 1 else "append")

    def live(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            rows = batch.groupBy("meter_id").agg(f.max("at").alias("at"), f.avg("kwh").alias("kwh"))
            _PATH.save(rows, job, "means", "upsert")

        rows = job.spark.readStream.format("hudi").load(f"{job.root}/warehouse/core.db/live")
        job.stream(rows, "last stream").foreachBatch(apply).start().awaitTermination()

    def reread(job: Job) -> None:
        rows = _PATH.load(job, "totals").join(
            _PATH.load(job, "means").select("meter_id", f.col("kwh").alias("mean")), "meter_id"
        )
        rows.select("meter_id", "kwh", "mean").where("mean > 1").write.format("hudi").mode("overwrite").saveAsTable(
            grid.sql("G.means")
        )

    yield done(
        "totals",
        upserted,
        f"{'overwrite' if night == 1 else 'append'} p_totals",
        "meter_id at kwh < s_readings.*",
        "GROUP_BY s_readings.meter_id",
    )
    if night == 1:
        yield Step("last stream", live, "append p_means", "meter_id at kwh < s_live.*", "GROUP_BY s_live.meter_id")
        yield step(
            "days ddl",
            "CREATE TABLE G.days (zone STRING, kwh DOUBLE, n BIGINT, day STRING) USING hudi PARTITIONED BY (day)",
        )
    else:
        yield Step("last stream", live)
    yield step(
        "days",
        f"INSERT OVERWRITE G.days PARTITION (day = '2026-10-0{night}') SELECT m.zone, sum(r.kwh), count(r.kwh) FROM S.readings r JOIN B.meters m ON m.meter_id = r.meter_id WHERE r.quality < 3 GROUP BY m.zone",
        "overwrite g_days",
        "zone < b_meters.zone; kwh n < s_readings.kwh; day <",
        "JOIN b_meters.meter_id; FILTER s_readings.quality",
    )
    yield done(
        "means",
        reread,
        "overwrite g_means",
        "meter_id kwh < p_totals.*; mean < p_means.kwh",
        "JOIN p_means.meter_id; FILTER p_means.kwh",
    )
    yield step(
        "fix",
        "UPDATE S.readings SET kwh = kwh / 1000, quality = 0 WHERE quality = 3 AND meter_id LIKE 'm%'",
        "update s_readings",
        "kwh < s_readings.kwh; quality <",
        "FILTER s_readings.quality",
    )
    yield step(
        "drop", "DELETE FROM S.readings WHERE slot BETWEEN 40 AND 41", "delete s_readings", "", "FILTER s_readings.slot"
    )
    if night == 2:
        yield step("note", "ALTER TABLE S.history ADD COLUMNS (note STRING)", "alter s_history")
        yield step(
            "note set",
            "UPDATE S.history SET note = concat_ws('/', zone, customer) WHERE open = false",
            "update s_history",
            "note < s_history.zone s_history.customer",
            "FILTER s_history.open",
        )
        yield step("compact", "CALL run_clustering(table => 'mart.days', order => 'zone')")


def _paimon(grid: Grid) -> Iterator[Step]:
    step, done, night, sql = grid.step, grid.done, grid.night, grid.sql

    def partitions(job: Job) -> None:
        rows = grid.table(job, "S.readings").join(grid.table(job, "B.meters").select("meter_id", "zone"), "meter_id")
        rows = rows.groupBy("zone", f.date_format("at", "yyyy-MM-dd").alias("day")).agg(
            f.sum("kwh").alias("kwh"), f.count("*").alias("n")
        )
        rows.select("zone", "kwh", "n", "day").write.format("paimon").mode("append").saveAsTable(sql("G.days"))

    def last(job: Job) -> None:
        def apply(batch: DataFrame, number: int) -> None:
            rows = batch.groupBy("meter_id").agg(f.max("at").alias("at"), f.max_by("kwh", "at").alias("kwh"))
            rows.write.format("paimon").mode("append").saveAsTable(sql("S.last"))

        rows = job.spark.readStream.table(sql("S.live"))
        job.stream(rows, "last stream").foreachBatch(apply).start().awaitTermination()

    if night == 1:
        yield step(
            "days ddl",
            "CREATE TABLE G.days (zone STRING, kwh DOUBLE, n BIGINT, day STRING) USING paimon PARTITIONED BY (day) TBLPROPERTIES ('primary-key' = 'day,zone', 'bucket' = '1')",
        )
        yield step(
            "last ddl",
            "CREATE TABLE S.last (meter_id STRING, at TIMESTAMP, kwh DOUBLE) USING paimon TBLPROPERTIES ('primary-key' = 'meter_id', 'bucket' = '1', 'merge-engine' = 'partial-update')",
        )
        yield step(
            "zones ddl",
            "CREATE TABLE G.zones (zone STRING, kwh DOUBLE, n BIGINT) USING paimon TBLPROPERTIES ('primary-key' = 'zone', 'bucket' = '1', 'merge-engine' = 'aggregation', 'fields.kwh.aggregate-function' = 'sum', 'fields.n.aggregate-function' = 'max')",
        )
        yield Step("last stream", last, "append s_last", "meter_id at kwh < s_live.*", "GROUP_BY s_live.meter_id")
    else:
        yield Step("last stream", last)
    yield done(
        "day",
        partitions,
        "append g_days",
        "zone < b_meters.zone; kwh < s_readings.kwh; n <; day < s_readings.at",
        "JOIN b_meters.meter_id; GROUP_BY b_meters.zone",
    )
    yield step(
        "zones",
        f"INSERT INTO G.zones SELECT zone, kwh, n FROM G.days WHERE day = '2026-10-0{night}' AND kwh > 0",
        "append g_zones",
        "zone kwh n < g_days.*",
        "FILTER g_days.day",
    )
    yield step(
        "zones partition",
        f"INSERT OVERWRITE G.days PARTITION (day = '2026-10-0{night}') SELECT upper(zone), kwh + 1, n FROM G.zones",
        "overwrite g_days",
        "zone kwh n < g_zones.*; day <",
    )
    yield step(
        "fix",
        "UPDATE S.readings SET kwh = kwh / 1000, quality = 0 WHERE quality = 3 AND slot > 2",
        "update s_readings",
        "kwh < s_readings.kwh; quality <",
        "FILTER s_readings.quality",
    )
    yield step(
        "drop", "DELETE FROM S.readings WHERE slot BETWEEN 40 AND 41", "delete s_readings", "", "FILTER s_readings.slot"
    )
    yield step(
        "audit",
        "SELECT meter_id, snapshot_id FROM S.readings, (SELECT max(snapshot_id) AS snapshot_id FROM S.`readings$snapshots`) WHERE quality = 1",
    )
    if night == 2:
        yield step("note", "ALTER TABLE S.history ADD COLUMN note STRING", "alter s_history")
        yield step(
            "note set",
            "UPDATE S.history SET note = concat_ws('/', zone, customer) WHERE open = false",
            "update s_history",
            "note < s_history.zone s_history.customer",
            "FILTER s_history.open",
        )
        yield step("client", "ALTER TABLE S.history RENAME COLUMN customer TO client", "alter s_history")
        yield step("client back", "ALTER TABLE S.history RENAME COLUMN client TO customer", "alter s_history")
        yield step("tag", "CALL pai.sys.create_tag(table => 'mart.days', tag => 'night2')")
    if night == 3:
        yield step(
            "tagged",
            "INSERT INTO G.invoices SELECT n.zone, n.day, n.kwh, o.kwh, NULL FROM G.days n JOIN G.days VERSION AS OF 'night2' o ON o.zone = n.zone AND o.day = n.day",
            "append g_invoices",
            "customer < g_days.zone; kind < g_days.day; kwh total < g_days.kwh; `first at` <",
            "JOIN g_days.zone",
        )
        yield step("compact", "CALL pai.sys.compact(table => 'core.live')")
        yield step("rollback", "CALL pai.sys.rollback(table => 'mart.days', version => 'night2')")
        yield step(
            "after",
            "SELECT zone, sum(kwh) AS kwh FROM G.days GROUP BY zone",
            "",
            "zone kwh < g_days.*",
            "GROUP_BY g_days.zone",
        )
