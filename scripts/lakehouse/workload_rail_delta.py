"""The railway's statements that only Delta understands, with their truth."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import Job, Step
from lakehouse.workload_nights import NightSteps

CHANGES = (
    "s_trips: column_renamed late\ns_trips: column_added season\ns_trips: column_dropped code\n"
    "s_stations: column_added valid_to\ns_gates: type_changed n @4-1\n"
    "g_profile: column_added best\ng_calendar: column_dropped n\ng_calendar: column_added trains"
)  # fmt: skip
_STAGED = (
    "SELECT c.station_id AS merge_key, c.* FROM todays c UNION ALL SELECT NULL AS merge_key, c.* FROM todays c"
    " JOIN S.history h ON h.station_id = c.station_id WHERE h.is_current AND h.hash <> c.hash"
)


def _api(job: Job, name: str) -> Any:
    from delta.tables import DeltaTable

    return DeltaTable.forName(job.spark, name.removeprefix("spark_catalog."))


class Delta(NightSteps):
    """Delta's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return all of them."""
        return (*self._history(), *self._columns(), *self._paths(), *self._reads(), *self._new())

    def _history(self) -> tuple[Step, ...]:
        """Return a history of stations, and its feed."""
        step, sql = self.step, self.sql

        def scd2(job: Job) -> None:
            job.spark.sql(
                sql("SELECT station_id, name, zone, md5(concat_ws('~', name, zone)) AS hash, seq FROM S.stations")
            ).createOrReplaceTempView("todays")
            staged = job.spark.sql(sql(_STAGED))
            (
                _api(job, sql("S.history"))
                .alias("t")
                .merge(staged.alias("u"), "t.station_id = u.merge_key AND t.is_current")
                .whenMatchedUpdate("t.hash <> u.hash", {"is_current": "false", "valid_to": "u.seq"})
                .whenNotMatchedInsert(
                    values={
                        "station_id": "u.station_id",
                        "name": "initcap(u.name)",
                        "hash": "u.hash",
                        "valid_from": "u.seq",
                        "is_current": "true",
                    }
                )
                .execute()
            )

        def feed(job: Job) -> None:
            rows = job.spark.readStream.option("readChangeFeed", "true").option("startingVersion", 0).table(
                sql("S.history")
            )  # fmt: skip
            rows = rows.where("_change_type IN ('insert', 'update_postimage')").select(
                "station_id", "name", f.col("_commit_version").alias("version"), f.col("_change_type").alias("op")
            )
            job.stream(rows, "feed stream").toTable(sql("G.feed")).awaitTermination()

        seen = "station_id name < s_stations.*; hash < s_stations.name s_stations.zone; valid_from valid_to < s_stations.seq; is_current <"
        return (
            step("history ddl", "CREATE TABLE S.history (station_id STRING, name STRING, hash STRING, valid_from BIGINT, valid_to BIGINT, is_current BOOLEAN) USING delta TBLPROPERTIES (delta.enableChangeDataFeed = true)"),
            Step("scd2", scd2, "merge s_history", seen),
            step("station rename", "UPDATE S.stations SET name = concat(name, ' (', zone, ')'), zone = zone + 1 WHERE station_id IN (SELECT station FROM S.trips WHERE delay_min > 3)", "update s_stations", "name < s_stations.name s_stations.zone; zone < s_stations.zone", "JOIN s_trips.station; FILTER s_trips.delay_min"),
            Step("scd2 again", scd2, "merge s_history", seen),
            Step("feed stream", feed, "append g_feed", "station_id name < s_history.*; version < s_history._commit_version; op < s_history._change_type", "FILTER s_history._change_type"),
        )  # fmt: skip

    def _columns(self) -> tuple[Step, ...]:
        """Return what changes columns."""
        step, sql = self.step, self.sql

        def merged(job: Job) -> None:
            rows = self.table(job, "G.profile").select("train", (f.col("worst") * 2).alias("worst")).withColumn(
                "best", f.lit(1.5)
            )  # fmt: skip
            rows.write.format("delta").mode("append").option("mergeSchema", "true").saveAsTable(sql("G.profile"))

        def recreated(job: Job) -> None:
            rows = self.table(job, "G.calendar").select("day", "revenue").withColumn("trains", f.array(f.lit("t1")))
            rows.write.format("delta").mode("overwrite").option("overwriteSchema", True).saveAsTable(sql("G.calendar"))

        return (
            step("mapping", "ALTER TABLE S.trips SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name', 'delta.minReaderVersion' = '2', 'delta.minWriterVersion' = '5')"),
            step("rename", "ALTER TABLE S.trips RENAME COLUMN delay_min TO late", "alter s_trips"),
            step("add season", "ALTER TABLE S.trips ADD COLUMNS (season STRING AFTER station)", "alter s_trips"),
            step("drop code", "ALTER TABLE S.trips DROP COLUMNS (code)", "alter s_trips"),
            step("season", "UPDATE S.trips SET season = CASE WHEN month(planned) IN (12, 1, 2) THEN 'winter' ELSE lower(station) END WHERE season IS NULL", "update s_trips", "season < s_trips.station", "FILTER s_trips.season"),
            step("late read", "SELECT season, sum(late) AS late FROM S.trips WHERE train LIKE 't%' GROUP BY season", "", "season < s_trips.season; late < s_trips.late", "FILTER s_trips.train; GROUP_BY s_trips.season"),
            step("widening", "ALTER TABLE S.gates SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"),
            step("widen", "ALTER TABLE S.gates ALTER COLUMN n TYPE BIGINT", "alter s_gates", only="4-1"),
            step("gates insert", "INSERT INTO S.gates SELECT at, 'INFO', gate, n + 4000000000 FROM S.gates WHERE level = 'WARN'", "append s_gates", "at gate n < s_gates.*; level <", "FILTER s_gates.level", only="4-1"),
            step("profile", "CREATE OR REPLACE TABLE G.profile USING delta CLUSTER BY (train) AS SELECT train, max(worst) AS worst FROM G.alerts GROUP BY train", "overwrite g_profile", "train worst < g_alerts.*", "GROUP_BY g_alerts.train"),
            Step("profile merge", merged, "append g_profile", "train worst < g_profile.*; best <"),
            Step("recreated", recreated, "overwrite g_calendar", "day revenue < g_calendar.*; trains <"),
            step("station column", "ALTER TABLE S.stations ADD COLUMN valid_to TIMESTAMP", "alter s_stations"),
            step("closed", "MERGE INTO S.stations t USING (SELECT station_id, max(valid_to) AS last FROM S.history WHERE NOT is_current GROUP BY station_id) s ON s.station_id = t.station_id WHEN MATCHED THEN UPDATE SET t.valid_to = timestamp_seconds(s.last) WHEN NOT MATCHED BY SOURCE AND t.zone > 1 THEN UPDATE SET t.valid_to = current_timestamp(), t.zone = -t.zone", "merge s_stations", "valid_to < s_history.valid_to; zone < s_stations.zone"),
        )  # fmt: skip

    def _paths(self) -> tuple[Step, ...]:
        """Return writes of paths, by days, with options of transactions."""
        step = self.step

        def lake(job: Job) -> str:
            return f"{job.root}/lake/sales"

        def sales(job: Job) -> None:
            rows = self.table(job, "S.tickets").groupBy("day", "train").agg(f.sum("price").alias("total"))
            rows.write.format("delta").partitionBy("day").save(lake(job))

        def sales_day(job: Job) -> None:
            rows = (
                self.table(job, "S.tickets")
                .where("day = '2026-11-02'")
                .selectExpr("day", "train", "price * 2 AS total")
            )
            rows.write.format("delta").mode("overwrite").option("replaceWhere", "day = '2026-11-02'").save(lake(job))

        def once(job: Job) -> None:
            for version in (1, 1, 2):
                rows = (
                    self.table(job, "S.tickets")
                    .where(f"price > {version * 1000}")
                    .selectExpr("day", "train", "price AS total")
                )
                rows.write.format("delta").mode("append").option("txnAppId", "rail").option("txnVersion", version).save(
                    lake(job)
                )

        def path_merge(job: Job) -> None:
            from delta.tables import DeltaTable

            new = self.table(job, "S.tickets").groupBy("day", "train").agg(f.max("price").alias("total")).alias("n")
            table = DeltaTable.forPath(job.spark, lake(job)).alias("o")
            merge = table.merge(new, "o.day = n.day AND o.train = n.train AND o.day >= '2026-11-01'")
            merge.whenMatchedUpdate(set={"total": "greatest(o.total, n.total)"}).whenNotMatchedInsertAll().execute()

        def two(job: Job) -> None:
            def apply(batch: DataFrame, number: int) -> None:
                kept = batch.where("total > 1").cache()
                kept.write.format("delta").mode("append").save(f"{job.root}/lake/copy")
                kept.unpersist()

            rows = job.spark.readStream.format("delta").option("ignoreChanges", "true").load(lake(job))
            job.stream(rows, "copy stream").foreachBatch(apply).start().awaitTermination()

        return (
            Step("sales", sales, "create p_sales", "day train < s_tickets.*; total < s_tickets.price", "GROUP_BY s_tickets.day"),
            Step("sales day", sales_day, "overwrite p_sales", "day train < s_tickets.*; total < s_tickets.price", "FILTER s_tickets.day"),
            Step("once", once, "append p_sales", "day train < s_tickets.*; total < s_tickets.price", "FILTER s_tickets.price"),
            Step("path merge", path_merge, "merge p_sales", "day train < s_tickets.*; total < p_sales.total s_tickets.price"),
            Step("copy stream", two, "append p_copy", "day train total < p_sales.*", "FILTER p_sales.total"),
            step("path update", "UPDATE delta.`{root}/lake/sales` SET total = total / 2 WHERE day = DATE'2026-11-02' AND train IN ('t1', 't2')", "update p_sales", "total < p_sales.total", "FILTER p_sales.train; FILTER p_sales.day"),
            step("path travel", "INSERT INTO G.profile (train, worst) SELECT o.train, n.total - o.total FROM delta.`{root}/lake/sales` VERSION AS OF 0 o JOIN delta.`{root}/lake/sales` n ON n.day = o.day AND n.train = o.train", "append g_profile", "train < p_sales.train; worst < p_sales.total; best <", "JOIN p_sales.day"),
            step("partition delete", "DELETE FROM B.stops WHERE day = '2026-11-01'", "delete b_stops", "", "FILTER b_stops.day"),
            step("maxima", "INSERT INTO G.alerts SELECT max(train), count(*), min(channel), 'max' FROM S.tickets", "append g_alerts", "train < s_tickets.train; worst <; operator < s_tickets.channel; src <"),
        )  # fmt: skip

    def _reads(self) -> tuple[Step, ...]:
        """Return maintenance and reads of the past."""
        step, sql = self.step, self.sql

        def past(job: Job) -> None:
            rows = job.spark.read.option("versionAsOf", job.pins("bronze.stops", 0)).table(sql("B.stops"))
            rows.groupBy("station").agg(f.countDistinct("train").alias("n")).where("n > 1").collect()

        def compacted(job: Job) -> None:
            _api(job, sql("B.tickets")).optimize().where("day = '2026-11-01'").executeZOrderBy("train")

        return (
            step("optimize", "OPTIMIZE S.tickets ZORDER BY (train, sold_at)", "maintenance s_tickets"),
            Step("optimize api", compacted, "maintenance b_tickets"),
            step("vacuum", "VACUUM S.tickets RETAIN 200 HOURS", "maintenance s_tickets"),
            step("purge", "REORG TABLE S.trips APPLY (PURGE)", "maintenance s_trips"),
            Step("past", past, "", "station < b_stops.station; n < b_stops.train"),
            step("restore", "RESTORE TABLE B.stops TO VERSION AS OF 1", "maintenance b_stops"),
            step("restored read", "SELECT day, count(DISTINCT sensor.id) AS n FROM B.stops GROUP BY day", "", "day < b_stops.day; n < b_stops.sensor.id", "GROUP_BY b_stops.day"),
            step("clone", "CREATE TABLE G.tickets SHALLOW CLONE S.tickets VERSION AS OF 0", "create g_tickets", f"{' '.join('ticket_id train class price sold_at channel day'.split())} < s_tickets.*"),
            step("clone delete", "DELETE FROM G.tickets AS t WHERE EXISTS (SELECT 1 FROM S.rejects r WHERE r.ticket_id = t.ticket_id) OR t.price > 70", "delete g_tickets", "", "FILTER g_tickets.price; JOIN s_rejects.ticket_id"),
            step("clone read", "SELECT t.channel, percentile(t.price, 0.5) AS p FROM G.tickets t ANTI JOIN S.diffs d ON d.ticket_id = t.ticket_id GROUP BY t.channel", "", "channel < g_tickets.channel; p < g_tickets.price", "JOIN s_diffs.ticket_id; GROUP_BY g_tickets.channel"),
        )  # fmt: skip

    def _new(self) -> tuple[Step, ...]:
        """Return what Spark 4.1 brought."""
        step = self.step
        return (
            step("recursive", "WITH RECURSIVE hops(station, depth, path) AS (SELECT DISTINCT station, 0, CAST(station AS STRING) FROM S.trips WHERE train = 't1' UNION ALL SELECT t.station, h.depth + 1, concat(h.path, '>', t.platform) FROM hops h JOIN B.stops t ON t.station > h.station WHERE h.depth < 2) SELECT station, max(depth) AS depth, max(path) AS path FROM hops GROUP BY station", "", "station < s_trips.station b_stops.station; depth <; path < s_trips.station b_stops.platform", "FILTER s_trips.train", only="4-1"),
            step("script", "BEGIN DECLARE least DOUBLE DEFAULT 2.0; IF (SELECT count(*) > 0 FROM S.trips) THEN INSERT INTO G.alerts SELECT train, late, season, 'script' FROM S.trips WHERE late > least; END IF; END", "append g_alerts", "train < s_trips.train; worst < s_trips.late; operator < s_trips.season; src <", "FILTER s_trips.late", only="4-1"),
            step("pipes", "INSERT INTO G.alerts FROM S.tickets |> WHERE channel = 'web' |> AGGREGATE sum(price) AS total GROUP BY train |> EXTEND total * 2 AS twice |> SET total = total + 1 |> SELECT train, twice, CAST(total AS STRING), 'pipe'", "append g_alerts", "train < s_tickets.train; worst operator < s_tickets.price; src <", "FILTER s_tickets.channel; GROUP_BY s_tickets.train", only="4-1"),
        )  # fmt: skip
