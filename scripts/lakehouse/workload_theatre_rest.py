"""The theatre's statements that only Hudi and only Paimon understand, with their truth."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import HudiPaths, Job, Step
from lakehouse.workload_nights import NightSteps, hudi_tables_again

CHANGES = {
    "hudi": {2: "s_sales: column_added tip"},
    "paimon": {
        2: "s_sales: column_added tip\nm_plan: column_added stage\nm_plan: column_renamed places",
        3: "m_plan: column_dropped stage",
    },
}
_NIGHTS = {
    1: "L.sales L.events L.notes L.forget S.sales S.bad S.good M.hub M.sat M.channels M.daily M.snap M.totals M.rates M.features"
    " M.hashed M.wide M.funnel M.plan M.parts",
    2: "M.compared M.best_venues M.cohorts M.shares M.islands M.rated M.tracked",
}
"""The tables of each night."""
_LEDGER = HudiPaths("sale_id", "sold_at", {"hoodie.datasource.write.partitionpath.field": "channel"})
_MOR = HudiPaths("sale_id", "sold_at", {"hoodie.datasource.write.table.type": "MERGE_ON_READ"})


class Own(NightSteps):
    """What both have."""

    def planned(self) -> Step:
        """Return an INSERT of a join."""
        return self.step(
            "planned",
            "INSERT INTO M.plan SELECT e.event_id, e.title, count(g.seat) FROM L.events e JOIN S.good g USING (event_id) GROUP BY ALL",
            "append m_plan",
            "event_id title < l_events.*; seats < s_good.seat",
            "JOIN s_good.event_id; GROUP_BY l_events.title",
        )

    def tip(self) -> tuple[Step, ...]:
        """Return a column that an ALTER adds, and an UPDATE of it."""
        return (
            self.step("tip column", "ALTER TABLE S.sales ADD COLUMNS (tip DOUBLE)", "alter s_sales"),
            self.step(
                "tipped",
                "UPDATE S.sales SET tip = price * 0.05, channel = concat(channel, '!') WHERE price > 2 AND tip IS NULL",
                "update s_sales",
                "tip < s_sales.price; channel < s_sales.channel",
                "FILTER s_sales.price",
            ),
        )


class Hudi(Own):
    """Hudi's steps."""

    def registered(self, night: int) -> tuple[Step, ...]:
        """Return the definitions of the tables that earlier nights made, over their folders."""
        return hudi_tables_again(self.sql, _NIGHTS, night)

    def _ledger(self, job: Job, day: int) -> DataFrame:
        rows = self.table(job, "S.good").where(f"dt = '2026-11-0{day}'").dropDuplicates(["sale_id"])
        return rows.selectExpr("sale_id", "buyer", "price - fee AS net", "sold_at", "channel")

    _LEDGERED = "sale_id buyer sold_at channel < s_good.*; net < s_good.price s_good.fee"

    def _ledgers(self, night: int, name: str, operation: str, mode: str, kind: str) -> Step:
        return Step(
            name,
            lambda j: _LEDGER.save(self._ledger(j, night), j, "ledger", operation, mode),
            f"{kind} p_ledger",
            self._LEDGERED,
            "FILTER s_good.dt; GROUP_BY s_good.sale_id",
        )

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""

        def scans(job: Job) -> None:
            rows = job.spark.read.schema("scan_id BIGINT, sale_id BIGINT, gate STRING, at TIMESTAMP").json(
                f"{job.root}/landing/scans"
            )
            _MOR.save(rows.selectExpr("sale_id", "gate", "at AS sold_at"), job, "gates", "bulk_insert", "overwrite")

        return (
            self._ledgers(1, "ledger bulk", "bulk_insert", "overwrite", "overwrite"),
            Step("gates", scans, "overwrite p_gates", "sale_id gate < scans.*; sold_at < scans.at"),
            self.step("plan ddl", "CREATE TABLE M.plan (event_id INT, title STRING, seats BIGINT) USING hudi TBLPROPERTIES (type = 'mor', primaryKey = 'event_id', preCombineField = 'seats')"),
            self.planned(),
            self.step("parts ddl", "CREATE TABLE M.parts (sale_id BIGINT, price DOUBLE, day STRING, channel STRING) USING hudi PARTITIONED BY (day, channel)"),
            self.step(
                "parts",
                "INSERT INTO M.parts PARTITION (day, channel) SELECT sale_id, max(price), dt, channel FROM S.good GROUP BY sale_id, dt, channel",
                "append m_parts",
                "sale_id price channel < s_good.*; day < s_good.dt",
                "GROUP_BY s_good.sale_id",
            ),
            self.step(
                "static part",
                "INSERT OVERWRITE M.parts PARTITION (day = '2026-11-09', channel = 'web') SELECT sale_id, fee FROM S.good WHERE fee > 1",
                "overwrite m_parts",
                "sale_id < s_good.sale_id; price < s_good.fee; day channel <",
                "FILTER s_good.fee",
            ),
            self.step("part dropped", "ALTER TABLE M.parts DROP PARTITION (day = '2026-11-09', channel = 'web')"),
            self.step(
                "view",
                "CREATE OR REPLACE VIEW M.v_net AS WITH s AS (SELECT * FROM S.sales WHERE price > 1) SELECT s.buyer, sum(s.price - s.fee) AS net, max(e.title) AS play FROM s JOIN L.events e ON e.event_id = s.event_id GROUP BY s.buyer",
                "create m_v_net",
                "buyer < s_sales.buyer; net < s_sales.price s_sales.fee; play < l_events.title",
                "FILTER s_sales.price; JOIN l_events.event_id",
            ),
            self.step("commits", "CALL show_commits(table => 'stage.sales', limit => 3)"),
        )  # fmt: skip

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""

        def optimized(job: Job) -> None:
            rows = _MOR.load(job, "gates", **{"hoodie.datasource.query.type": "read_optimized"})
            rows.groupBy("gate").agg(f.count("sale_id").alias("n")).write.format("hudi").saveAsTable(
                self.sql("M.gate_counts")
            )

        def gates(job: Job) -> None:
            rows = (
                self.table(job, "S.good")
                .where("dt = '2026-11-02'")
                .selectExpr("sale_id", "concat('x', channel) AS gate", "sold_at")
            )
            _MOR.save(rows, job, "gates", "upsert")

        def removed(job: Job) -> None:
            rows = _MOR.load(job, "gates").where("gate = 'g1'").select("sale_id", "gate", "sold_at")
            _MOR.save(rows, job, "gates", "delete")

        def tracked(job: Job) -> None:
            rows = self.table(job, "S.sales").select("sale_id", "price", "channel")
            options = {
                "hoodie.datasource.write.recordkey.field": "sale_id",
                "hoodie.datasource.write.precombine.field": "price",
                "hoodie.table.name": "tracked",
            }
            rows.write.format("hudi").options(**options).mode("overwrite").saveAsTable(self.sql("M.tracked"))

        return (
            *self.tip(),
            self._ledgers(2, "ledger insert", "insert", "append", "append"),
            self._ledgers(1, "ledger partitions", "insert_overwrite", "append", "overwrite"),
            Step("gates upsert", gates, "append p_gates", "sale_id sold_at < s_good.*; gate < s_good.channel", "FILTER s_good.dt"),
            Step("gate counts", optimized, "create m_gate_counts", "gate < p_gates.gate; n < p_gates.sale_id", "GROUP_BY p_gates.gate"),
            Step("gates delete", removed, "-"),
            Step("tracked", tracked, "overwrite m_tracked", "sale_id price channel < s_sales.*"),
            self.step(
                "tracked update",
                "UPDATE M.tracked SET price = CASE channel WHEN 'web' THEN price - 1 WHEN 'app' THEN price - sale_id ELSE price END WHERE sale_id > 60",
                "update m_tracked",
                "price < m_tracked.price m_tracked.sale_id",
                "FILTER m_tracked.sale_id",
            ),
            self.step(
                "gates read",
                "SELECT g.gate, max(s.price) AS top FROM hudi_table_changes('stage.sales', 'latest_state', 'earliest') s JOIN M.tracked g0 ON g0.sale_id = s.sale_id CROSS JOIN (SELECT max(gate) AS gate FROM M.gate_counts) g GROUP BY g.gate",
                "",
                "gate < m_gate_counts.gate; top < s_sales.price",
                "JOIN m_tracked.sale_id",
            ),
            self.step(
                "from view",
                "INSERT INTO M.rates SELECT v.play, v.net, current_date() FROM M.v_net v WHERE v.buyer LIKE 'b%'",
                "append m_rates",
                "channel < l_events.title; rate < s_sales.price s_sales.fee; since <",
                "FILTER s_sales.price",
            ),
            self.step("savepoint", "CALL run_clean(table => 'stage.sales')", "maintenance s_sales"),
        )  # fmt: skip

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""

        def increment(job: Job) -> None:
            rows = _LEDGER.load(
                job,
                "ledger",
                **{"hoodie.datasource.query.type": "incremental", "hoodie.datasource.read.begin.instanttime": "000"},
            )
            rows.where("channel <> 'door'").groupBy("buyer").agg(
                f.sum("net").alias("net"), f.max("_hoodie_commit_time").alias("at")
            ).write.format("hudi").saveAsTable(self.sql("M.fresh"))

        def partition_gone(job: Job) -> None:
            rows = _LEDGER.load(job, "ledger").limit(1)
            _LEDGER.save(
                rows.select("sale_id", "buyer", "net", "sold_at", "channel"),
                job,
                "ledger",
                "delete_partition",
                **{"hoodie.datasource.write.partitions.to.delete": "channel=door"},
            )

        def stream(job: Job) -> None:
            rows = (
                job.spark.readStream.format("hudi")
                .load(f"{job.root}/lake/ledger")
                .select("sale_id", "buyer", f.col("net").alias("price"), "sold_at")
            )
            options = {
                "hoodie.table.name": "copy",
                "hoodie.datasource.write.recordkey.field": "sale_id",
                "hoodie.datasource.write.precombine.field": "sold_at",
            }
            job.stream(rows, "copy stream").format("hudi").options(**options).start(
                f"{job.root}/lake/copy"
            ).awaitTermination()

        return (
            self._ledgers(3, "ledger upsert", "upsert", "append", "append"),
            Step("fresh", increment, "create m_fresh", "buyer net < p_ledger.*; at < p_ledger._hoodie_commit_time", "FILTER p_ledger.channel; GROUP_BY p_ledger.buyer"),
            Step("partition gone", partition_gone, "-"),
            Step("copy stream", stream, "append p_copy", "sale_id buyer sold_at < p_ledger.*; price < p_ledger.net"),
            self.step(
                "plan merge",
                "MERGE INTO M.plan t USING L.events s ON t.event_id = s.event_id WHEN MATCHED AND s.status = 'off' THEN DELETE WHEN MATCHED THEN UPDATE SET title = s.title, seats = t.seats + 1 WHEN NOT MATCHED THEN INSERT (event_id, title, seats) VALUES (s.event_id, s.title, 0)",
                "merge m_plan",
                "event_id title < l_events.*; seats < m_plan.seats",
            ),
            self.step("compacted", "CALL run_compaction(op => 'schedule', table => 'mart.plan')"),
            self.step(
                "plan read",
                "SELECT p.title, p.seats, t.gross FROM M.plan p LEFT JOIN M.totals t ON t.event_id = p.event_id WHERE p.seats IS NOT NULL ORDER BY t.gross",
                "",
                "title seats < m_plan.*; gross < m_totals.gross",
                "JOIN m_totals.event_id; FILTER m_plan.seats; SORT m_totals.gross",
            ),
            self.step(
                "overwrite self",
                "INSERT OVERWRITE TABLE M.parts PARTITION (day = '2026-11-01', channel) SELECT sale_id, price + 1, channel FROM M.parts WHERE day = '2026-11-01'",
                "overwrite m_parts",
                "sale_id price channel < m_parts.*; day <",
                "FILTER m_parts.day",
            ),
            self.step("truncated", "TRUNCATE TABLE M.rates", "truncate m_rates"),
        )  # fmt: skip


class Paimon(Own):
    """Paimon's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""

        def seats(job: Job) -> None:
            rows = self.table(job, "S.good").select("sale_id", "seat", "price").where("seat LIKE 'r1%'")
            rows.write.format("paimon").option("bucket", "2").option("bucket-key", "sale_id").saveAsTable(
                self.sql("M.seats")
            )

        return (
            Step("seats", seats, "create m_seats", "sale_id seat price < s_good.*", "FILTER s_good.seat"),
            self.step("plan ddl", "CREATE TABLE M.plan (event_id INT, title STRING, seats BIGINT) USING paimon TBLPROPERTIES ('primary-key' = 'event_id', 'bucket' = '2', 'merge-engine' = 'partial-update')"),
            self.planned(),
            self.step("parts ddl", "CREATE TABLE M.parts (sale_id BIGINT, price DOUBLE, day STRING, channel STRING) USING paimon PARTITIONED BY (day, channel) TBLPROPERTIES ('primary-key' = 'day,channel,sale_id', 'bucket' = '-1')"),
            self.step(
                "parts",
                "INSERT INTO M.parts SELECT sale_id, max(price), dt, channel FROM S.good GROUP BY sale_id, dt, channel",
                "append m_parts",
                "sale_id price channel < s_good.*; day < s_good.dt",
                "GROUP_BY s_good.sale_id",
            ),
            self.step("first ddl", "CREATE TABLE M.firsts (buyer STRING, sale_id BIGINT, at TIMESTAMP) USING paimon TBLPROPERTIES ('primary-key' = 'buyer', 'bucket' = '1', 'merge-engine' = 'first-row', 'changelog-producer' = 'lookup')"),
            self.step(
                "firsts",
                "INSERT INTO M.firsts SELECT buyer, sale_id, sold_at FROM S.sales WHERE buyer IS NOT NULL ORDER BY sold_at",
                "append m_firsts",
                "buyer sale_id < s_sales.*; at < s_sales.sold_at",
                "FILTER s_sales.buyer",
            ),
            self.step("tag", "CALL pai.sys.create_tag(table => 'stage.good', tag => 'n1')"),
        )  # fmt: skip

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""

        def backfill(job: Job) -> None:
            rows = (
                self.table(job, "S.good")
                .where("dt = '2026-11-01'")
                .groupBy("event_id", f.col("dt").alias("day"))
                .agg(f.count("*").alias("tickets"), f.sum("fee").alias("gross"))
            )
            rows.select("event_id", "tickets", "gross", "day").write.format("paimon").mode("overwrite").insertInto(
                self.sql("M.daily")
            )

        def increment(job: Job) -> None:
            rows = job.spark.read.format("paimon").option("incremental-between", "1,3").table(self.sql("S.sales"))
            rows.groupBy("event_id").agg(f.max("price").alias("top")).write.format("paimon").saveAsTable(
                self.sql("M.tops")
            )

        return (
            *self.tip(),
            Step("backfill", backfill, "overwrite m_daily", "event_id < s_good.event_id; tickets <; gross < s_good.fee; day < s_good.dt", "FILTER s_good.dt"),
            self.step("stage column", "ALTER TABLE M.plan ADD COLUMN stage STRING", "alter m_plan"),
            self.step("places", "ALTER TABLE M.plan RENAME COLUMN seats TO places", "alter m_plan"),
            self.step(
                "staged",
                "INSERT INTO M.plan SELECT event_id, CAST(NULL AS STRING), CAST(NULL AS BIGINT), venue.name FROM L.events WHERE status <> 'off'",
                "append m_plan",
                "event_id < l_events.event_id; title places <; stage < l_events.venue.name",
                "FILTER l_events.status",
            ),
            self.step(
                "good new",
                "CREATE TABLE M.good_new USING paimon AS SELECT sale_id, seat, initcap(buyer) AS buyer FROM S.good WHERE channel <> 'door'",
                "create m_good_new",
                "sale_id seat buyer < s_good.*",
                "FILTER s_good.channel",
            ),
            self.step("renamed", "ALTER TABLE M.good_new RENAME TO good_live"),
            self.step(
                "renamed insert",
                "INSERT INTO M.good_live SELECT sale_id, why, src FROM S.bad b JOIN S.good g ON CAST(g.sale_id AS STRING) = b.sale_key",
                "append m_good_live",
                "sale_id < s_good.sale_id; seat < s_bad.why; buyer < s_bad.src",
                "JOIN s_bad.sale_key",
            ),
            self.step(
                "tracked",
                "CREATE TABLE M.tracked USING paimon TBLPROPERTIES ('primary-key' = 'sale_id', 'bucket' = '1') AS SELECT sale_id, price, channel FROM S.sales",
                "create m_tracked",
                "sale_id price channel < s_sales.*",
            ),
            self.step(
                "tracked update",
                "UPDATE M.tracked SET price = CASE channel WHEN 'web' THEN price - 1 WHEN 'app' THEN price - sale_id ELSE price END WHERE sale_id > 60",
                "update m_tracked",
                "price < m_tracked.price m_tracked.sale_id",
                "FILTER m_tracked.sale_id",
            ),
            Step("tops", increment, "create m_tops", "event_id < s_sales.event_id; top < s_sales.price", "GROUP_BY s_sales.event_id"),
            self.step(
                "increment sql",
                "SELECT event_id, count(*) AS n FROM paimon_incremental_query('pai.stage.sales', '1', '3') GROUP BY event_id",
                "",
                "event_id < s_sales.event_id; n <",
                "GROUP_BY s_sales.event_id",
            ),
            self.step(
                "audit log",
                "SELECT rowkind, sale_id FROM pai.mart.`tracked$audit_log` WHERE price > 0",
            ),
            self.step(
                "as of tag",
                "CREATE TABLE M.grown USING paimon AS SELECT n.sale_id, n.price - o.price AS more FROM S.good n LEFT JOIN S.good VERSION AS OF 'n1' o ON o.sale_id = n.sale_id WHERE o.sale_id IS NULL",
                "create m_grown",
                "sale_id < s_good.sale_id; more < s_good.price",
                "JOIN s_good.sale_id",
            ),
            self.step("compact parts", "CALL pai.sys.compact(table => 'mart.parts', partitions => \"day='2026-11-01'\")", "maintenance m_parts"),
        )  # fmt: skip

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""

        def stream(job: Job) -> None:
            rows = (
                job.spark.readStream.format("paimon")
                .table(self.sql("S.sales"))
                .selectExpr("buyer", "sale_id", "sold_at AS at")
            )
            job.stream(rows, "firsts stream").format("paimon").start(
                f"{job.root}/pai/mart.db/firsts"
            ).awaitTermination()

        return (
            self.step("stage gone", "ALTER TABLE M.plan DROP COLUMN stage", "alter m_plan"),
            self.step(
                "late merge",
                "MERGE INTO M.tracked t USING S.sales s ON t.sale_id = s.sale_id WHEN MATCHED AND s.price > 30 THEN DELETE WHEN MATCHED THEN UPDATE SET price = s.price + t.price WHEN NOT MATCHED THEN INSERT (sale_id, price, channel) VALUES (s.sale_id, s.fee, lower(s.channel))",
                "merge m_tracked",
                "sale_id channel < s_sales.*; price < s_sales.price m_tracked.price s_sales.fee",
            ),
            self.step("part dropped", "ALTER TABLE M.parts DROP PARTITION (day = '2026-11-01', channel = 'web')"),
            self.step(
                "static part",
                "INSERT OVERWRITE M.parts PARTITION (day = '2026-11-02', channel = 'app') SELECT sale_id, fee FROM S.good WHERE fee > 1",
                "overwrite m_parts",
                "sale_id < s_good.sale_id; price < s_good.fee; day channel <",
                "FILTER s_good.fee",
            ),
            Step("firsts stream", stream, "append m_firsts", "buyer sale_id < s_sales.*; at < s_sales.sold_at"),
            self.step(
                "firsts read",
                "SELECT f.buyer, p.places FROM M.firsts f JOIN S.sales s ON s.sale_id = f.sale_id JOIN M.plan p ON p.event_id = s.event_id WHERE f.at > TIMESTAMP'2026-11-01 00:00:00'",
                "",
                "buyer < m_firsts.buyer; places < m_plan.places",
                "JOIN m_plan.event_id; FILTER m_firsts.at",
            ),
            self.step(
                "plan gone",
                "DELETE FROM M.tracked WHERE channel = 'app' AND price > 3",
                "delete m_tracked",
                "",
                "FILTER m_tracked.channel",
            ),
            self.step("branch", "CALL pai.sys.create_branch(table => 'mart.tracked', branch => 'try')"),
            self.step("expired", "CALL pai.sys.expire_snapshots(table => 'stage.sales', retain_max => 3)", "maintenance s_sales"),
            self.step("rolled back", "CALL pai.sys.rollback(table => 'mart.seats', version => '1')", "maintenance m_seats"),
        )  # fmt: skip
