"""The railway's statements that only Iceberg understands, with their truth."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import Job, Step
from lakehouse.workload_nights import NightSteps

CHANGES = (
    "s_trips: column_renamed late\ns_trips: column_added season\ns_trips: column_dropped code\n"
    "s_gates: type_changed n\ng_calendar: column_dropped n\ng_calendar: column_added trains\nb_tickets: column_added refund"
)  # fmt: skip
_FIRST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at LIMIT 1"


class Iceberg(NightSteps):
    """Iceberg's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return all of them."""
        return (*self._columns(), *self._writes(), *self._branches(), *self._maintenance(), *self._new())

    def _columns(self) -> tuple[Step, ...]:
        """Return what changes columns and partitions."""
        step, sql = self.step, self.sql

        def merged(job: Job) -> None:
            rows = self.table(job, "S.tickets").where("price < 5").withColumn("refund", f.col("price") * 0.5)
            rows.writeTo(sql("B.tickets")).option("mergeSchema", "true").append()

        return (
            step("rename", "ALTER TABLE S.trips RENAME COLUMN delay_min TO late", "alter s_trips"),
            step("add season", "ALTER TABLE S.trips ADD COLUMNS (season STRING COMMENT 'of the year')", "alter s_trips"),
            step("drop code", "ALTER TABLE S.trips DROP COLUMN code", "alter s_trips"),
            step("season", "UPDATE S.trips SET season = CASE WHEN month(planned) IN (12, 1, 2) THEN 'winter' ELSE lower(station) END WHERE season IS NULL", "update s_trips", "season < s_trips.station", "FILTER s_trips.season"),
            step("late read", "SELECT season, sum(late) AS late FROM S.trips WHERE train LIKE 't%' GROUP BY season", "", "season < s_trips.season; late < s_trips.late", "FILTER s_trips.train; GROUP_BY s_trips.season"),
            step("widen", "ALTER TABLE S.gates ALTER COLUMN n TYPE BIGINT", "alter s_gates"),
            step("gates insert", "INSERT INTO S.gates SELECT at, 'INFO', gate, n + 4000000000 FROM S.gates WHERE level = 'WARN'", "append s_gates", "at gate n < s_gates.*; level <", "FILTER s_gates.level"),
            step("part field", "ALTER TABLE S.tickets ADD PARTITION FIELD days(sold_at)"),
            step("ordered", "ALTER TABLE S.tickets WRITE DISTRIBUTED BY PARTITION LOCALLY ORDERED BY train"),
            step("more tickets", "INSERT INTO S.tickets SELECT ticket_id + 1000, train, class, price + 1, sold_at, 'desk', day FROM S.tickets WHERE channel <> 'desk'", "append s_tickets", "ticket_id train class price sold_at day < s_tickets.*; channel <", "FILTER s_tickets.channel"),
            step("accept any", "ALTER TABLE B.tickets SET TBLPROPERTIES ('write.spark.accept-any-schema' = 'true')"),
            Step("refunds", merged, "append b_tickets", "ticket_id train class price sold_at channel day < s_tickets.*; refund < s_tickets.price", "FILTER s_tickets.price"),
        )  # fmt: skip

    def _writes(self) -> tuple[Step, ...]:
        """Return histories, writes of frames and changes that are merged when they are read."""
        step, sql = self.step, self.sql

        def monthly(job: Job) -> None:
            rows = self.table(job, "S.tickets").groupBy("train", f.trunc("day", "month").alias("month")).agg(
                f.sum("price").alias("total"), f.min("sold_at").alias("since")
            )  # fmt: skip
            writer = rows.writeTo(sql("G.monthly")).using("iceberg").tableProperty("format-version", "2")
            writer.partitionedBy(f.days("since"), f.bucket(4, "train")).createOrReplace()

        def partitions(job: Job) -> None:
            rows = self.table(job, "G.monthly").selectExpr(
                "upper(train) AS train", "month", "total + 1 AS total", "since"
            )
            rows.where("total > 10").writeTo(sql("G.monthly")).overwritePartitions()

        def recreated(job: Job) -> None:
            rows = self.table(job, "G.calendar").select("day", "revenue").withColumn("trains", f.array(f.lit("t1")))
            rows.localCheckpoint().writeTo(sql("G.calendar")).using("iceberg").replace()

        def upserts(job: Job) -> None:
            def apply(batch: DataFrame, number: int) -> None:
                batch.createOrReplaceTempView("fresh")
                batch.sparkSession.sql(
                    sql(
                        "MERGE INTO G.stations t USING (SELECT train, max(total) AS total FROM fresh GROUP BY train) s ON t.station_id = s.train WHEN NOT MATCHED THEN INSERT (station_id, zone) VALUES (s.train, CAST(s.total AS INT)) WHEN MATCHED AND s.total > 5 THEN UPDATE SET zone = t.zone + CAST(s.total AS INT)"
                    )
                )

            rows = (
                job.spark.readStream.format("iceberg")
                .option("streaming-skip-overwrite-snapshots", "true")
                .load(sql("G.monthly"))
            )
            job.stream(rows, "upsert stream").foreachBatch(apply).start().awaitTermination()

        staged = (
            "SELECT c.station_id AS merge_key, c.* FROM S.stations c UNION ALL SELECT NULL, c.* FROM S.stations c"
            " JOIN G.history h ON h.station_id = c.station_id WHERE h.is_current AND h.hash <> md5(concat_ws('~', c.name, c.zone))"
        )
        scd2 = (
            f"MERGE INTO G.history t USING ({staged}) u ON t.station_id = u.merge_key AND t.is_current WHEN MATCHED AND t.hash <> md5(concat_ws('~', u.name, u.zone)) THEN UPDATE SET t.is_current = false, t.valid_to = u.seq"
            " WHEN NOT MATCHED THEN INSERT (station_id, name, hash, valid_from, is_current) VALUES (u.station_id, initcap(u.name), md5(concat_ws('~', u.name, u.zone)), u.seq, true)"
        )
        seen = "station_id name < s_stations.*; hash < s_stations.name s_stations.zone; valid_from valid_to < s_stations.seq; is_current <"
        return (
            Step("monthly", monthly, "overwrite g_monthly", "train < s_tickets.train; month < s_tickets.day; total < s_tickets.price; since < s_tickets.sold_at", "GROUP_BY s_tickets.train"),
            step("stations ddl 2", "CREATE TABLE G.stations (station_id STRING, name STRING, zone INT) USING iceberg TBLPROPERTIES ('write.merge.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read')"),
            step("same names", "INSERT INTO G.stations SELECT station_id, name, zone FROM S.stations WHERE zone >= 0", "append g_stations", "station_id name zone < s_stations.*", "FILTER s_stations.zone"),
            Step("upsert stream", upserts, "merge g_stations", "station_id < g_monthly.train; zone < g_monthly.total g_stations.zone; name <"),
            Step("partitions", partitions, "overwrite g_monthly", "train month total since < g_monthly.*", "FILTER g_monthly.total"),
            Step("recreated", recreated, "overwrite g_calendar", "day revenue < g_calendar.*; trains <"),
            step("history ddl", "CREATE TABLE G.history (station_id STRING, name STRING, hash STRING, valid_from BIGINT, valid_to BIGINT, is_current BOOLEAN) USING iceberg PARTITIONED BY (is_current)"),
            step("scd2", scd2, "merge g_history", seen),
            step("station rename", "UPDATE S.stations SET name = concat(name, ' (', zone, ')'), zone = zone + 1 WHERE station_id IN (SELECT station FROM S.trips WHERE late > 3)", "update s_stations", "name < s_stations.name s_stations.zone; zone < s_stations.zone", "JOIN s_trips.station; FILTER s_trips.late"),
            step("scd2 again", scd2, "merge g_history", seen),
            step("mor update", "UPDATE G.stations SET name = coalesce(name, station_id) WHERE zone NOT BETWEEN 1 AND 2", "update g_stations", "name < g_stations.name g_stations.station_id", "FILTER g_stations.zone"),
            step("mor delete", "DELETE FROM G.stations t WHERE NOT EXISTS (SELECT * FROM G.history h WHERE h.station_id = t.station_id)", "delete g_stations", "", "JOIN g_history.station_id"),
            step("partition delete", "DELETE FROM B.stops WHERE day = '2026-11-01'", "delete b_stops", "", "FILTER b_stops.day"),
            step("both", "SELECT s.name, g.name AS gold, s.zone - g.zone AS diff FROM S.stations s FULL JOIN G.stations g ON g.station_id = s.station_id WHERE coalesce(s.zone, g.zone) > 0", "", "name < s_stations.name; gold < g_stations.name; diff < s_stations.zone g_stations.zone", "JOIN s_stations.station_id; JOIN g_stations.station_id; FILTER g_stations.zone"),
        )  # fmt: skip

    def _branches(self) -> tuple[Step, ...]:
        """Return branches, tags, views of the catalog, and reads of the past."""
        step, sql = self.step, self.sql

        def past(job: Job) -> None:
            at = self.names.asked(job, _FIRST.format(table="B.stops"))
            rows = job.spark.read.option("snapshot-id", job.pins(sql("B.stops"), at)).table(sql("B.stops"))
            rows.groupBy("station").agg(f.countDistinct("train").alias("n")).where("n > 1").collect()

        def at_time(job: Job) -> None:
            at = self.names.asked(job, "SELECT max(committed_at) FROM S.tickets.snapshots")
            job.sql(
                sql(
                    f"SELECT t.train, t.price FROM S.tickets FOR SYSTEM_TIME AS OF TIMESTAMP '{at}' t WHERE t.class = 1"
                )
            )

        def back(job: Job) -> None:
            at = self.names.asked(job, _FIRST.format(table="B.stops"))
            job.sql(self.names.call("B", "rollback_to_snapshot", f"'@.stops', {at}"))

        def audit(job: Job) -> None:
            job.spark.conf.set("spark.wap.branch", "audit")
            job.sql(
                sql(
                    "INSERT INTO S.rejects SELECT ticket_id, to_json(named_struct('p', price)), channel FROM S.tickets WHERE price > 60"
                )
            )
            job.spark.conf.unset("spark.wap.branch")

        return (
            step("tag", "ALTER TABLE S.tickets CREATE TAG closing RETAIN 10 DAYS"),
            step("tagged", "INSERT INTO G.alerts SELECT n.train, n.price - o.price, o.channel, 'tag' FROM S.tickets n JOIN S.tickets VERSION AS OF 'closing' o ON o.ticket_id = n.ticket_id", "append g_alerts", "train < s_tickets.train; worst < s_tickets.price; operator < s_tickets.channel; src <", "JOIN s_tickets.ticket_id"),
            step("wap", "ALTER TABLE S.rejects SET TBLPROPERTIES ('write.wap.enabled' = 'true')"),
            step("audit branch", "ALTER TABLE S.rejects CREATE BRANCH audit"),
            Step("audit", audit, "append s_rejects", "ticket_id < s_tickets.ticket_id; payload < s_tickets.price; reason < s_tickets.channel", "FILTER s_tickets.price"),
            step("main read", "SELECT reason, count(ticket_id) AS n FROM S.rejects WHERE payload IS NOT NULL GROUP BY reason", "", "reason < s_rejects.reason; n < s_rejects.ticket_id", "FILTER s_rejects.payload"),
            step("audit read", "SELECT reason, count(ticket_id) AS n FROM S.rejects.branch_audit WHERE payload IS NOT NULL GROUP BY reason", "", "reason < s_rejects.reason; n < s_rejects.ticket_id", "FILTER s_rejects.payload"),
            Step("past", past, "", "station < b_stops.station; n < b_stops.train"),
            Step("at time", at_time, "", "train price < s_tickets.*", "FILTER s_tickets.class"),
            Step("back", back, "maintenance b_stops"),
            step("restored read", "SELECT day, count(DISTINCT sensor.id) AS n FROM B.stops GROUP BY day", "", "day < b_stops.day; n < b_stops.sensor.id", "GROUP_BY b_stops.day"),
            step("gold view", "CREATE OR REPLACE VIEW G.sums AS SELECT m.train, sum(m.total) AS total, max(s.late) AS late FROM G.monthly m JOIN ice.silver.trips s ON lower(m.train) = s.train GROUP BY m.train", "create g_sums", "train < g_monthly.train; total < g_monthly.total; late < s_trips.late", "JOIN g_monthly.train; JOIN s_trips.train"),
            step("from gold view", "CREATE OR REPLACE TABLE G.top USING iceberg AS SELECT train, total / late AS ratio FROM G.sums WHERE late > 0", "overwrite g_top", "train < g_monthly.train; ratio < g_monthly.total s_trips.late", "JOIN s_trips.train"),
        )  # fmt: skip

    def _maintenance(self) -> tuple[Step, ...]:
        """Return maintenance."""
        step, call = self.step, self.names.call
        return (
            step("rewrite", call("S", "rewrite_data_files", "table => '@.tickets', strategy => 'sort', sort_order => 'train ASC, price DESC', options => map('rewrite-all', 'true')"), "maintenance s_tickets"),
            step("rewrite where", call("G", "rewrite_data_files", "table => '@.stations', where => 'zone = 1'"), "maintenance g_stations"),
            step("positions", call("G", "rewrite_position_delete_files", "'@.stations'"), "maintenance g_stations"),
            step("manifests", call("S", "rewrite_manifests", "'@.trips'"), "maintenance s_trips"),
            step("expire", call("S", "expire_snapshots", "table => '@.stations', retain_last => 1, older_than => timestamp'2036-01-01 00:00:00'"), "maintenance s_stations"),
            step("orphans", call("S", "remove_orphan_files", "table => '@.tickets', dry_run => true"), "maintenance s_tickets"),
            step("partitions table", "SELECT partition, record_count, file_count FROM S.tickets.partitions WHERE record_count > 1"),
            step("maxima", "INSERT INTO G.alerts SELECT max(train), count(*), min(channel), 'max' FROM S.tickets", "append g_alerts", "train < s_tickets.train; worst <; operator < s_tickets.channel; src <"),
            step("maxima where", "INSERT INTO G.alerts SELECT max(train), count(1), min(reason), 'max2' FROM S.tickets JOIN S.rejects USING (ticket_id) WHERE price > 3", "append g_alerts", "train < s_tickets.train; worst <; operator < s_rejects.reason; src <", "FILTER s_tickets.price; JOIN s_rejects.ticket_id"),
        )  # fmt: skip

    def _new(self) -> tuple[Step, ...]:
        """Return what Spark 4.1 brought."""
        step = self.step
        return (
            step("recursive", "WITH RECURSIVE hops(station, depth, path) AS (SELECT DISTINCT station, 0, CAST(station AS STRING) FROM S.trips WHERE train = 't1' UNION ALL SELECT t.station, h.depth + 1, concat(h.path, '>', t.platform) FROM hops h JOIN B.stops t ON t.station > h.station WHERE h.depth < 2) SELECT station, max(depth) AS depth, max(path) AS path FROM hops GROUP BY station", "", "station < s_trips.station b_stops.station; depth <; path < s_trips.station b_stops.platform", "FILTER s_trips.train", only="4-1"),
            step("script", "BEGIN DECLARE least DOUBLE DEFAULT 2.0; IF (SELECT count(*) > 0 FROM S.trips) THEN INSERT INTO G.alerts SELECT train, late, season, 'script' FROM S.trips WHERE late > least; END IF; END", "append g_alerts", "train < s_trips.train; worst < s_trips.late; operator < s_trips.season; src <", "FILTER s_trips.late", only="4-1"),
            step("pipes", "INSERT INTO G.alerts FROM S.tickets |> WHERE channel = 'web' |> AGGREGATE sum(price) AS total GROUP BY train |> EXTEND total * 2 AS twice |> SET total = total + 1 |> SELECT train, twice, CAST(total AS STRING), 'pipe'", "append g_alerts", "train < s_tickets.train; worst operator < s_tickets.price; src <", "FILTER s_tickets.channel; GROUP_BY s_tickets.train", only="4-1"),
        )  # fmt: skip
