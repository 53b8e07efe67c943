"""The theatre's statements that only Iceberg understands, with their truth; the mart may be in a second catalog."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import Job, Step
from lakehouse.workload_nights import NightSteps
from lakehouse.workload_theatre_delta import recursive, taxed

CHANGES = {
    1: "",
    2: "s_sales: column_added tip\nm_plan: column_added stage\nm_plan: column_renamed places",
    3: "m_seats: column_dropped price\nm_seats: column_added zone\nm_seats: column_added at\nm_seats: column_dropped seat",
}
_FIRST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at LIMIT 1"
_LAST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at DESC LIMIT 1"


class Own(NightSteps):
    """Iceberg's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""

        def seats(job: Job) -> None:
            rows = self.table(job, "S.good").select("sale_id", "seat", "price").where("seat LIKE 'r1%'")
            rows.writeTo(self.sql("M.seats")).using("iceberg").partitionedBy(f.bucket(4, "sale_id")).tableProperty(
                "write.distribution-mode", "hash"
            ).create()

        def parquet(job: Job) -> None:
            self.table(job, "L.notes").select("event_id", "note").write.mode("overwrite").parquet(
                f"{job.root}/lake/notes"
            )

        def added(job: Job) -> None:
            job.sql(
                self.names.call("M", "add_files", "table => '@.notes', source_table => '`parquet`.`{root}/lake/notes`'")
            )

        return (
            Step("seats", seats, "create m_seats", "sale_id seat price < s_good.*", "FILTER s_good.seat"),
            self.step("plan ddl", "CREATE TABLE M.plan (event_id INT, title STRING, seats BIGINT) USING iceberg"),
            self.step(
                "planned",
                "INSERT INTO M.plan SELECT e.event_id, e.title, count(g.seat) FROM L.events e JOIN S.good g USING (event_id) GROUP BY ALL",
                "append m_plan",
                "event_id title < l_events.*; seats < s_good.seat",
                "JOIN s_good.event_id; GROUP_BY l_events.title",
            ),
            self.step("ordered", "ALTER TABLE S.good WRITE ORDERED BY event_id, seat DESC"),
            Step("notes parquet", parquet, "overwrite p_notes", "event_id note < l_notes.*"),
            self.step("notes ddl", "CREATE TABLE M.notes (event_id INT, note STRING) USING iceberg"),
            Step("added", added, "append m_notes"),
            self.step(
                "bucketed",
                "CREATE TABLE M.buckets USING iceberg PARTITIONED BY (channel, bucket(4, sale_id), days(sold_at)) AS SELECT sale_id, channel, sold_at, ice.system.bucket(8, sale_id) AS b FROM S.good ORDER BY channel",
                "create m_buckets",
                "sale_id channel sold_at < s_good.*; b < s_good.sale_id",
            ),
            self.step("wap", "ALTER TABLE S.good SET TBLPROPERTIES ('write.wap.enabled' = 'true')"),
            self.step(
                "cross catalog",
                "CREATE TABLE M.good USING iceberg AS SELECT g.sale_id, g.seat, s.buyer FROM S.good g LEFT SEMI JOIN S.sales s0 ON s0.sale_id = g.sale_id JOIN S.sales s ON s.sale_id = g.sale_id",
                "create m_good",
                "sale_id seat < s_good.*; buyer < s_sales.buyer",
                "JOIN s_sales.sale_id",
            ),
            self.step(
                "same names",
                "SELECT a.seat, b.buyer FROM S.good a JOIN M.good b ON a.sale_id = b.sale_id AND a.seat = b.seat",
                "",
                "seat < s_good.seat; buyer < m_good.buyer",
                "JOIN m_good.sale_id; JOIN s_good.seat",
            ),
            self.step("view", f"CREATE VIEW M.v_net COMMENT 'dbt view' AS WITH s AS (SELECT * FROM {self.sql('S.sales')} WHERE price > 1) SELECT s.buyer, sum(s.price - s.fee) AS net, max(e.title) AS play FROM s JOIN {self.sql('L.events')} e ON e.event_id = s.event_id GROUP BY s.buyer",
                "create m_v_net",
                "buyer < s_sales.buyer; net < s_sales.price s_sales.fee; play < l_events.title",
                "FILTER s_sales.price; JOIN l_events.event_id",
            ),
            Step("manifests", self.names.call("S", "rewrite_manifests", "'@.good'"), "maintenance s_good"),
        )  # fmt: skip

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""

        def wap(job: Job) -> None:
            job.spark.sql(self.sql("ALTER TABLE S.good CREATE BRANCH audit_2"))
            job.spark.conf.set("spark.wap.branch", "audit_2")
            job.sql(
                self.sql(
                    "INSERT INTO S.good SELECT sale_id + 1000, event_id, concat(seat, 'x'), buyer, price, fee, sold_at, channel, 'wap' FROM S.good WHERE dt = '2026-11-01' AND fee > 1"
                )
            )

        def wap_test(job: Job) -> None:
            job.pins(
                self.sql("S.good"), self.names.asked(job, "SELECT snapshot_id FROM S.good.refs WHERE name = 'audit_2'")
            )
            job.sql(self.sql("SELECT count(seat) AS n, dt FROM S.good GROUP BY dt"))
            job.spark.conf.unset("spark.wap.branch")

        def evolved(job: Job) -> None:
            job.spark.sql(self.sql("ALTER TABLE S.sales ADD COLUMN tip DOUBLE"))
            job.spark.sql(
                self.sql(
                    "CREATE OR REPLACE TEMP VIEW tipped AS SELECT sale_id, event_id, buyer, price, fee, sold_at, channel, price * 0.05 AS tip FROM (SELECT *, row_number() OVER (PARTITION BY sale_id ORDER BY sold_at) AS rn FROM S.good) WHERE rn = 1"
                )
            )
            job.sql(
                self.sql(
                    "MERGE INTO S.sales t USING tipped s ON t.sale_id = s.sale_id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
                )
            )

        def api(job: Job) -> None:
            rows = (
                self.table(job, "S.good")
                .dropDuplicates(["sale_id"])
                .select("sale_id", f.lower("seat").alias("seat"), (f.col("price") * 2).alias("price"))
                .alias("src")
            )
            (
                rows.mergeInto(self.sql("M.seats"), f.expr(f"{self.sql('M.seats')}.sale_id = src.sale_id"))
                .whenMatched(f.expr("src.price > 3"))
                .update({"price": f.col("src.price")})
                .whenNotMatched()
                .insertAll()
                .merge()
            )

        def swapped(job: Job) -> None:
            catalog = self.sql("M.x").removesuffix(".x")
            job.spark.sql(self.sql("ALTER TABLE M.good RENAME TO ") + f"{catalog}.good_old")
            job.spark.sql(self.sql("ALTER TABLE M.good_new RENAME TO ") + f"{catalog}.good")

        def deltas(job: Job) -> None:
            start, end = (self.names.asked(job, query.format(table="S.sales")) for query in (_FIRST, _LAST))
            job.spark.sql(
                self.names.call(
                    "S",
                    "create_changelog_view",
                    f"table => '@.sales', options => map('start-snapshot-id', '{start}', 'end-snapshot-id', '{end}'), changelog_view => 'sales_log', compute_updates => true, identifier_columns => array('sale_id')",
                )
            ).collect()
            job.sql(
                self.sql(
                    "CREATE TABLE M.feed USING iceberg AS SELECT sale_id, price, _change_ordinal AS step FROM sales_log WHERE _change_type = 'UPDATE_AFTER'"
                )
            )

        def branches(job: Job) -> None:
            job.spark.sql(self.sql("ALTER TABLE M.rates CREATE BRANCH IF NOT EXISTS try RETAIN 3 DAYS"))
            rows = (
                self.table(job, "S.sales")
                .groupBy("channel")
                .agg(f.avg("fee").alias("rate"))
                .withColumn("since", f.current_date())
            )
            rows.writeTo(self.sql("M.rates.branch_try")).append()

        return (
            Step(
                "wap write",
                wap,
                "append s_good",
                "sale_id event_id seat buyer price fee sold_at channel < s_good.*; dt <",
                "FILTER s_good.dt; FILTER s_good.fee",
            ),
            Step("wap read", wap_test, "", "n < s_good.seat; dt < s_good.dt", "GROUP_BY s_good.dt"),
            Step("published", self.names.call("S", "fast_forward", "'@.good', 'main', 'audit_2'"), "maintenance s_good"),
            self.step("no wap", "ALTER TABLE S.good UNSET TBLPROPERTIES ('write.wap.enabled')"),
            Step(
                "evolved",
                evolved,
                "merge s_sales",
                "sale_id event_id buyer price fee sold_at channel < s_good.*; tip < s_good.price",
            ),
            Step("merge api", api, "merge m_seats", "sale_id seat price < s_good.*", only="4-1"),
            self.step("stage column", "ALTER TABLE M.plan ADD COLUMN stage STRING AFTER title", "alter m_plan"),
            self.step("places", "ALTER TABLE M.plan RENAME COLUMN seats TO places", "alter m_plan"),
            self.step(
                "staged",
                "MERGE INTO M.plan t USING (SELECT event_id, title, CAST(size(tags) AS BIGINT) AS places, venue.name AS stage FROM L.events) s ON s.event_id = t.event_id WHEN MATCHED AND t.places > 0 THEN UPDATE SET stage = s.stage WHEN NOT MATCHED THEN INSERT *",
                "merge m_plan",
                "event_id title < l_events.*; places < l_events.tags; stage < l_events.venue.name",
            ),
            self.step(
                "good new",
                "CREATE TABLE M.good_new USING iceberg AS SELECT sale_id, seat, initcap(buyer) AS buyer FROM S.good WHERE channel <> 'door'",
                "create m_good_new",
                "sale_id seat buyer < s_good.*",
                "FILTER s_good.channel",
            ),
            Step("swapped", swapped),
            self.step(
                "swapped read",
                "SELECT n.buyer, o.seat FROM M.good n JOIN M.good_old o ON o.sale_id = n.sale_id WHERE o.buyer > 'a'",
                "",
                "buyer < m_good.buyer; seat < m_good_old.seat",
                "JOIN m_good_old.sale_id; FILTER m_good_old.buyer",
            ),
            self.step(
                "tracked",
                "CREATE TABLE M.tracked USING iceberg TBLPROPERTIES ('write.update.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read') AS SELECT sale_id, price, channel FROM S.sales",
                "create m_tracked",
                "sale_id price channel < s_sales.*",
            ),
            self.step(
                "tracked update",
                "UPDATE M.tracked SET price = CASE channel WHEN 'web' THEN price - 1 WHEN 'app' THEN price - sale_id ELSE price END WHERE sale_id IN (SELECT sale_id FROM M.rated)",
                "update m_tracked",
                "price < m_tracked.price m_tracked.sale_id",
                "JOIN m_rated.sale_id",
            ),
            self.step(
                "tracked delete",
                "DELETE FROM M.tracked WHERE channel = 'door' AND price < (SELECT avg(price) FROM M.tracked)",
                "delete m_tracked",
                "",
                "FILTER m_tracked.channel",
            ),
            self.step(
                "features merge",
                "MERGE INTO M.features t USING (SELECT * FROM M.features WHERE f1 > 2) s ON t.sale_id = s.sale_id + 50 WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
                "merge m_features",
                "sale_id buyer price fee f{1..200} < m_features.*",
            ),
            Step("feed", deltas, "create m_feed", "sale_id price < s_sales.*; step < s_sales._change_ordinal", "FILTER s_sales._change_type"),
            Step("branch append", branches, "append m_rates", "channel < s_sales.channel; rate < s_sales.fee; since <"),
            self.step(
                "branch update",
                "UPDATE M.rates.branch_try SET rate = rate * 2 WHERE channel = 'web'",
                "update m_rates",
                "rate < m_rates.rate",
                "FILTER m_rates.channel",
            ),
            self.step("branch delete", "DELETE FROM M.rates.branch_try WHERE rate < 0", "delete m_rates", "", "FILTER m_rates.rate"),
            self.step(
                "branch compare",
                "SELECT b.channel, b.rate - m.rate AS moved FROM M.rates.branch_try b JOIN M.rates m ON m.channel = b.channel",
                "",
                "channel < m_rates.channel; moved < m_rates.rate",
                "JOIN m_rates.channel",
            ),
            self.step(
                "from view",
                "INSERT INTO M.plan (title, places) SELECT v.play, CAST(v.net AS BIGINT) FROM M.v_net v JOIN M.rates r ON r.rate < v.net WHERE v.buyer LIKE 'b%'",
                "append m_plan",
                "event_id stage <; title < l_events.title; places < s_sales.price s_sales.fee",
                "FILTER s_sales.price; JOIN m_rates.rate",
                only="4-1",
            ),
            Step("compacted", self.names.call("M", "rewrite_data_files", "table => '@.tracked', strategy => 'sort', sort_order => 'sale_id DESC'"), "maintenance m_tracked"),
            Step("positions", self.names.call("M", "rewrite_position_delete_files", "'@.tracked'")),
            Step("orphans", self.names.call("S", "remove_orphan_files", "table => '@.good', dry_run => true")),
        )  # fmt: skip

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""

        def reshaped(job: Job) -> None:
            rows = self.table(job, "S.good").selectExpr("sale_id", "substring(seat, 1, 2) AS zone", "sold_at AS at")
            rows.writeTo(self.sql("M.seats")).using("iceberg").partitionedBy(f.days("at")).createOrReplace()

        def note_stream(job: Job) -> None:
            rows = (
                job.spark.readStream.format("iceberg")
                .option("stream-from-timestamp", "0")
                .load(self.sql("L.notes"))
                .where("event_id > 2")
            )
            job.stream(rows.selectExpr("event_id", "upper(note) AS note"), "notes stream").option(
                "fanout-enabled", "true"
            ).toTable(self.sql("M.notes")).awaitTermination()

        def batches(job: Job) -> None:
            rows = job.spark.readStream.format("iceberg").load(self.sql("L.sales"))

            def apply(batch: DataFrame, number: int) -> None:
                batch.selectExpr("sale_id", "a1", "price * 3 AS price").createOrReplaceTempView("fresh")
                batch.sparkSession.sql(
                    self.sql(
                        "MERGE INTO M.tracked t USING (SELECT sale_id, max(price) AS price, max(a1) AS channel FROM fresh GROUP BY sale_id) s ON t.sale_id = s.sale_id WHEN MATCHED THEN UPDATE SET price = s.price WHEN NOT MATCHED THEN INSERT *"
                    )
                ).collect()

            job.stream(rows, "tracked stream").foreachBatch(apply).start().awaitTermination()

        def moves(job: Job) -> None:
            first = self.names.asked(job, _FIRST.format(table="S.sales"))
            job.pins(self.sql("S.sales"), first)
            old = (
                job.spark.read.option("snapshot-id", first)
                .table(self.sql("S.sales"))
                .selectExpr("sale_id", "price AS was")
            )
            self.table(job, "S.sales").join(old, "sale_id").selectExpr("sale_id", "price - was AS change").writeTo(
                self.sql("M.moves")
            ).using("iceberg").create()

        def tagged(job: Job) -> None:
            job.spark.sql(self.sql("ALTER TABLE M.totals CREATE OR REPLACE TAG night3"))
            job.sql(
                self.sql(
                    "INSERT OVERWRITE M.plan SELECT event_id, title, venue, buyers FROM M.totals VERSION AS OF 'night3' WHERE gross > 0"
                )
            )

        return (
            Step("reshaped", reshaped, "overwrite m_seats", "sale_id < s_good.sale_id; zone < s_good.seat; at < s_good.sold_at"),
            Step("notes stream", note_stream, "append m_notes", "event_id note < l_notes.*", "FILTER l_notes.event_id"),
            Step("tracked stream", batches, "merge m_tracked", "sale_id price < l_sales.*; channel < l_sales.a1"),
            Step("moves", moves, "create m_moves", "sale_id < s_sales.sale_id; change < s_sales.price", "JOIN s_sales.sale_id"),
            Step("tagged", tagged, "overwrite m_plan", "event_id title < m_totals.*; stage < m_totals.venue; places < m_totals.buyers", "FILTER m_totals.gross"),
            self.step(
                "late merge",
                "MERGE INTO M.plan p USING (SELECT e.event_id, e.title, v.n FROM L.events e JOIN (SELECT event_id, count(DISTINCT buyer) AS n FROM S.sales GROUP BY event_id) v USING (event_id)) d ON p.title = d.title"
                " WHEN MATCHED AND p.event_id IS NULL THEN UPDATE SET event_id = d.event_id, places = p.places + d.n WHEN NOT MATCHED BY SOURCE THEN DELETE",
                "merge m_plan",
                "event_id < l_events.event_id; places < m_plan.places s_sales.buyer",
            ),
            self.step(
                "files joined",
                "SELECT f.record_count, s.operation FROM S.good.entries e JOIN S.good.snapshots s ON s.snapshot_id = e.snapshot_id JOIN S.good.files f ON f.file_path = e.data_file.file_path",
            ),
            self.step(
                "with file",
                "CREATE TABLE M.traced USING iceberg AS SELECT sale_id, _file AS origin, _pos AS line FROM S.good WHERE _partition IS NOT NULL OR price > 0",
                "create m_traced",
                "sale_id < s_good.sale_id; origin < s_good._file; line < s_good._pos",
            ),
            self.step(
                "overwrite filter",
                "INSERT OVERWRITE M.daily SELECT event_id, count(*), sum(price), dt FROM S.good WHERE dt = '2026-11-02' GROUP BY event_id, dt",
                "overwrite m_daily",
                "event_id < s_good.event_id; tickets <; gross < s_good.price; day < s_good.dt",
                "FILTER s_good.dt; GROUP_BY s_good.event_id",
            ),
            Step(
                "backfill",
                lambda j: self.table(j, "S.good").where("dt = '2026-11-01'").groupBy("event_id", f.col("dt").alias("day")).agg(f.count("*").alias("tickets"), f.sum("fee").alias("gross")).select("event_id", "tickets", "gross", "day").writeTo(self.sql("M.daily")).overwrite(f.col("day") == "2026-11-01"),
                "overwrite m_daily",
                "event_id < s_good.event_id; tickets <; gross < s_good.fee; day < s_good.dt",
                "FILTER s_good.dt",
            ),
            Step("stats", self.names.call("S", "compute_table_stats", "'@.good'")),
            Step("ancestors", self.names.call("S", "ancestors_of", "'@.good'")),
            Step("expired", self.names.call("M", "expire_snapshots", "table => '@.totals', retain_last => 1"), "maintenance m_totals"),
            self.step(
                "sales out",
                "INSERT INTO M.good SELECT sale_id, substr(channel, 1, 1), buyer FROM S.sales s WHERE EXISTS (SELECT 1 FROM M.good_old o WHERE o.sale_id = s.sale_id) AND s.tip IS NOT NULL",
                "append m_good",
                "sale_id buyer < s_sales.*; seat < s_sales.channel",
                "JOIN m_good_old.sale_id; FILTER s_sales.tip",
            ),
            self.step("dropped", "DROP TABLE M.good_old PURGE"),
            *taxed(self.sql, "iceberg"),
            *recursive(self.sql, "iceberg"),
        )  # fmt: skip
