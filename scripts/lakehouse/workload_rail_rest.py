"""The railway's statements that only Hudi and only Paimon understand, with their truth."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import HudiPaths, Job, Step
from lakehouse.workload_nights import NightSteps

CHANGES = {
    "hudi": "s_visits: column_added mood",
    "paimon": "s_visits: column_added mood\ns_visits: column_renamed total\ns_visits: column_dropped last",
}
_PATH = HudiPaths("ticket_id", "sold_at", {"hoodie.datasource.write.partitionpath.field": "channel"})
_KEYED = HudiPaths("train,station", "at", {"hoodie.datasource.write.table.type": "MERGE_ON_READ"})


class Hudi(NightSteps):
    """Hudi's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return all of them."""
        return (*self._tables(), *self._paths())

    def _tables(self) -> tuple[Step, ...]:
        """Return changes of tables by SQL."""
        step = self.step
        return (
            step("visits ddl", "CREATE TABLE S.visits (train STRING, station STRING, n BIGINT, last TIMESTAMP, day STRING) USING hudi TBLPROPERTIES (type = 'mor', primaryKey = 'train,station', preCombineField = 'last') PARTITIONED BY (day)"),
            step("visits", "INSERT INTO S.visits SELECT train, station, count(*), max(planned), day FROM B.stops GROUP BY train, station, day", "append s_visits", "train station day < b_stops.*; n <; last < b_stops.planned", "GROUP_BY b_stops.train"),
            step("visits merge", "MERGE INTO S.visits t USING (SELECT train AS tr, station AS st, platform + 1 AS k, actual, day AS d FROM B.stops WHERE actual IS NOT NULL) s ON t.train = s.tr AND t.station = s.st AND t.day = s.d WHEN MATCHED AND s.k > 1 THEN UPDATE SET t.n = t.n + s.k, t.last = s.actual WHEN NOT MATCHED THEN INSERT (train, station, n, last, day) VALUES (s.tr, s.st, s.k, s.actual, s.d)", "merge s_visits", "train station day < b_stops.*; n < s_visits.n b_stops.platform; last < b_stops.actual"),
            step("visits merge star", "MERGE INTO S.visits AS t USING (SELECT train, station, n * 2 AS n, last, day FROM S.visits WHERE day = '2026-11-01') AS s ON t.train = s.train AND t.station = s.station AND t.day = s.day WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *", "merge s_visits", "train station n last day < s_visits.*"),
            step("mood", "ALTER TABLE S.visits ADD COLUMNS (mood STRING COMMENT 'of the crew')", "alter s_visits"),
            step("mood update", "UPDATE S.visits SET mood = if(n > 2, station, 'calm'), n = n - 1 WHERE train IN ('t1', 't2')", "update s_visits", "mood < s_visits.station; n < s_visits.n", "FILTER s_visits.train"),
            step("visits delete", "DELETE FROM S.visits WHERE n < 1 AND last < timestamp'2026-11-01 03:00:00'", "delete s_visits", "", "FILTER s_visits.n; FILTER s_visits.last"),
            step("visits partition", "INSERT OVERWRITE S.visits PARTITION (day = '2026-11-02') SELECT train, code, 1, actual, concat('m', train) FROM S.trips WHERE delay_min > 0", "overwrite s_visits", "train < s_trips.train; station < s_trips.code; n day <; last < s_trips.actual; mood < s_trips.train", "FILTER s_trips.delay_min"),
            step("visits drop part", "ALTER TABLE S.visits DROP PARTITION (day = '2026-11-01')"),
            step("clustering", "CALL run_clustering(table => 'silver.tickets', order => 'train')"),
            step("clean call", "CALL run_clean(table => 'silver.visits', retain_commits => 1)"),
            step("visits report", "SELECT v.mood, t.channel, sum(v.n) AS n FROM S.visits v JOIN S.tickets t ON t.train = v.train GROUP BY v.mood, t.channel", "", "mood < s_visits.mood; channel < s_tickets.channel; n < s_visits.n", "JOIN s_visits.train; JOIN s_tickets.train"),
        )  # fmt: skip

    def _paths(self) -> tuple[Step, ...]:
        """Return writes and reads of paths."""
        sql = self.sql
        columns = ("ticket_id", "train", "price", "sold_at", "channel")

        def bulk(job: Job) -> None:
            _PATH.save(self.table(job, "B.tickets").select(*columns), job, "tickets", "bulk_insert", "overwrite")

        def upsert(job: Job) -> None:
            rows = _PATH.load(job, "tickets").select(*columns).withColumn("price", f.col("price") * 1.1)
            _PATH.save(rows.where("channel = 'web'"), job, "tickets", "upsert")

        def upsert_join(job: Job) -> None:
            rows = self.table(job, "S.tickets").join(self.table(job, "H.trains").select("train", "seats"), "train")
            rows = rows.where("seats > 201").select(
                "ticket_id", "train", (f.col("price") / f.col("seats")).alias("price"), "sold_at", "channel"
            )
            _PATH.save(rows, job, "tickets", "upsert")

        def deleted(job: Job) -> None:
            _PATH.save(self.table(job, "B.tickets").where("price < 0").select(*columns), job, "tickets", "delete")

        def part(job: Job) -> None:
            rows = self.table(job, "S.tickets").where("channel = 'app'").select(*columns)
            _PATH.save(rows, job, "tickets", "insert_overwrite")

        def stream(job: Job) -> None:
            def apply(batch: DataFrame, number: int) -> None:
                rows = batch.groupBy("train", "station").agg(f.max("planned").alias("at"), f.sum("platform").alias("n"))
                _KEYED.save(rows, job, "calls", "upsert")

            rows = job.spark.readStream.format("hudi").load(f"{job.root}/warehouse/bronze.db/stops")
            job.stream(rows, "calls stream").foreachBatch(apply).start().awaitTermination()

        def calls(job: Job) -> None:
            rows = _KEYED.load(job, "calls").join(_PATH.load(job, "tickets"), "train").groupBy("station")
            rows = rows.agg(f.sum("price").alias("worst"), f.max("channel").alias("operator"))
            rows.selectExpr("station AS train", "worst", "operator", "'calls'").write.insertInto(sql("G.alerts"))

        seen = "ticket_id train price sold_at channel < {}.*"
        return (
            Step("bulk", bulk, "overwrite p_tickets", seen.format("b_tickets")),
            Step("upsert", upsert, "append p_tickets", seen.format("p_tickets"), "FILTER p_tickets.channel"),
            Step("upsert join", upsert_join, "append p_tickets", "ticket_id train sold_at channel < s_tickets.*; price < s_tickets.price h_trains.seats", "JOIN s_tickets.train; FILTER h_trains.seats"),
            Step("deleted", deleted, "delete p_tickets", "", "FILTER b_tickets.price"),
            Step("part", part, "overwrite p_tickets", seen.format("s_tickets"), "FILTER s_tickets.channel"),
            Step("calls stream", stream, "append p_calls", "train station < b_stops.*; at < b_stops.planned; n < b_stops.platform", "GROUP_BY b_stops.train"),
            Step("calls", calls, "append g_alerts", "train < p_calls.station; worst < p_tickets.price; operator < p_tickets.channel; src <", "JOIN p_calls.train; JOIN p_tickets.train; GROUP_BY p_calls.station"),
        )  # fmt: skip


class Paimon(NightSteps):
    """Paimon's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return all of them."""
        return (*self._tables(), *self._frames())

    def _tables(self) -> tuple[Step, ...]:
        """Return changes of tables by SQL."""
        step = self.step
        return (
            step("visits ddl", "CREATE TABLE S.visits (train STRING, station STRING, n BIGINT, last TIMESTAMP, day STRING) USING paimon PARTITIONED BY (day) TBLPROPERTIES ('primary-key' = 'train,station,day', 'bucket' = '2', 'changelog-producer' = 'input')"),
            step("visits", "INSERT INTO S.visits SELECT train, station, count(*), max(planned), day FROM B.stops GROUP BY train, station, day", "append s_visits", "train station day < b_stops.*; n <; last < b_stops.planned", "GROUP_BY b_stops.train"),
            step("visits merge", "MERGE INTO S.visits t USING (SELECT train AS tr, station AS st, max(platform + 1) AS k, max(actual) AS actual, day AS d FROM B.stops WHERE actual IS NOT NULL GROUP BY train, station, day) s ON t.train = s.tr AND t.station = s.st AND t.day = s.d WHEN MATCHED AND s.k > 1 THEN UPDATE SET n = t.n + s.k, last = s.actual WHEN NOT MATCHED THEN INSERT (train, station, n, last, day) VALUES (s.tr, s.st, s.k, s.actual, s.d)", "merge s_visits", "train station day < b_stops.*; n < s_visits.n b_stops.platform; last < b_stops.actual"),
            step("visits merge star", "MERGE INTO S.visits t USING (SELECT train, station, n * 2 AS n, last, day FROM S.visits WHERE day = '2026-11-01') s ON t.train = s.train AND t.station = s.station AND t.day = s.day WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *", "merge s_visits", "train station n last day < s_visits.*"),
            step("mood", "ALTER TABLE S.visits ADD COLUMNS (mood STRING COMMENT 'of the crew')", "alter s_visits"),
            step("total", "ALTER TABLE S.visits RENAME COLUMN n TO total", "alter s_visits"),
            step("mood update", "UPDATE S.visits SET mood = if(total > 2, station, 'calm'), total = total - 1 WHERE train IN ('t1', 't2')", "update s_visits", "mood < s_visits.station; total < s_visits.total", "FILTER s_visits.train"),
            step("no last", "ALTER TABLE S.visits DROP COLUMN last", "alter s_visits"),
            step("visits delete", "DELETE FROM S.visits WHERE total < 1 AND station IN (SELECT station_id FROM S.stations WHERE zone = 1)", "delete s_visits", "", "FILTER s_visits.total; JOIN s_stations.station_id"),
            step("visits partition", "INSERT OVERWRITE S.visits PARTITION (day = '2026-11-02') SELECT train, code, 1, concat('m', train) FROM S.trips WHERE delay_min > 0 AND code IS NOT NULL", "overwrite s_visits", "train < s_trips.train; station < s_trips.code; total day <; mood < s_trips.train", "FILTER s_trips.delay_min"),
            step("visits tag", "CALL pai.sys.create_tag(table => 'silver.visits', tag => 'closing', snapshot => 2)"),
            step("tagged", "INSERT INTO G.alerts SELECT n.train, n.total - o.n, o.station, 'tag' FROM S.visits n JOIN S.visits VERSION AS OF 'closing' o ON o.train = n.train AND o.station = n.station AND o.day = n.day", "append g_alerts", "train < s_visits.train; worst < s_visits.total s_visits.n; operator < s_visits.station; src <", "JOIN s_visits.train; JOIN s_visits.station"),
            step("compact", "CALL pai.sys.compact(table => 'silver.tickets', order_strategy => 'order', order_by => 'train')"),
            step("expire", "CALL pai.sys.expire_snapshots(table => 'silver.visits', retain_max => 5)"),
            step("audit log", "SELECT rowkind, train, mood FROM S.`visits$audit_log` WHERE station = 's1'", "", "rowkind < s_visits.rowkind; train mood < s_visits.*", "FILTER s_visits.station"),
            step("options", "ALTER TABLE S.tickets SET TBLPROPERTIES ('file.format' = 'parquet')"),
            step("tickets delete", "DELETE FROM S.tickets WHERE channel = 'desk' AND price > (SELECT avg(price) FROM B.tickets)", "delete s_tickets", "", "FILTER s_tickets.channel; FILTER s_tickets.price"),
            step("tickets update", "UPDATE S.tickets SET price = price * CASE WHEN class = 1 THEN 2 ELSE class END WHERE train = 't3'", "update s_tickets", "price < s_tickets.price s_tickets.class", "FILTER s_tickets.train"),
        )  # fmt: skip

    def _frames(self) -> tuple[Step, ...]:
        """Return streams, frames and increments."""
        sql = self.sql

        def copied(job: Job) -> None:
            rows = (
                self.table(job, "S.tickets")
                .where("class = 1")
                .selectExpr("train", "price AS worst", "channel AS operator", "'frame' AS src")
            )
            rows.write.format("paimon").mode("append").saveAsTable(sql("G.alerts"))

        def stream(job: Job) -> None:
            rows = (
                job.spark.readStream.table(sql("S.visits"))
                .where("total > 0")
                .selectExpr("train", "CAST(total AS DOUBLE) AS worst", "mood AS operator", "day AS src")
            )
            job.stream(rows, "visits stream").toTable(sql("G.alerts")).awaitTermination()

        def snapshot(job: Job) -> None:
            rows = job.spark.read.option("scan.snapshot-id", 1).table(sql("S.visits"))
            rows.groupBy("day").agg(f.sum("n").alias("n")).collect()

        return (
            Step("copied", copied, "append g_alerts", "train < s_tickets.train; worst < s_tickets.price; operator < s_tickets.channel; src <", "FILTER s_tickets.class"),
            Step("visits stream", stream, "append g_alerts", "train < s_visits.train; worst < s_visits.total; operator < s_visits.mood; src < s_visits.day", "FILTER s_visits.total"),
            Step("snapshot", snapshot, "", "day n < s_visits.*", "GROUP_BY s_visits.day"),
        )  # fmt: skip
