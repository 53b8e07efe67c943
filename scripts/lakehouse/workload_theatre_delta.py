"""The theatre's statements that only Delta understands, with their truth."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import Job, Step
from lakehouse.workload_nights import NightSteps

CHANGES = {
    2: "s_sales: column_added tip\nm_plan: column_added stage\np_ledger: column_added kind",
    3: "m_seats: column_dropped price\nm_seats: column_added zone\nm_seats: column_added at\nm_seats: column_dropped seat",
}


class Own(NightSteps):
    """Delta's steps."""

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""

        def ledger(job: Job) -> None:
            rows = self.table(job, "S.good").selectExpr("sale_id", "buyer", "price - fee AS net", "dt")
            rows.write.format("delta").partitionBy("dt").mode("overwrite").save(f"{job.root}/lake/ledger")

        def api_table(job: Job) -> None:
            from delta.tables import DeltaTable

            maker = DeltaTable.createIfNotExists(job.spark).tableName(self.sql("M.plan").removeprefix("spark_catalog."))
            maker.addColumn("event_id", "INT").addColumn("title", "STRING").addColumn("seats", "BIGINT").execute()

        def planned(job: Job) -> None:
            rows = self.table(job, "L.events").join(self.table(job, "S.good"), "event_id")
            rows.groupBy("event_id", "title").agg(f.count("seat").alias("seats")).write.insertInto(self.sql("M.plan"))

        def notes(job: Job) -> None:
            self.table(job, "L.notes").select("event_id", "note").write.mode("overwrite").parquet(
                f"{job.root}/lake/notes"
            )

        def saved_path(job: Job) -> None:
            rows = self.table(job, "S.good").select("sale_id", "seat", "price").where("seat LIKE 'r1%'")
            rows.write.format("delta").option("path", f"{job.root}/lake/seats").saveAsTable(self.sql("M.seats"))

        return (
            Step("ledger", ledger, "overwrite p_ledger", "sale_id buyer dt < s_good.*; net < s_good.price s_good.fee"),
            self.step("like", "CREATE TABLE mart.good_like LIKE stage.good USING delta"),
            self.step(
                "like insert",
                "INSERT INTO M.good_like SELECT * FROM S.good WHERE fee > 0",
                "append m_good_like",
                "sale_id event_id seat buyer price fee sold_at channel dt < s_good.*",
                "FILTER s_good.fee",
            ),
            Step("plan ddl", api_table),
            Step(
                "planned",
                planned,
                "append m_plan",
                "event_id title < l_events.*; seats < s_good.seat",
                "JOIN s_good.event_id; GROUP_BY l_events.title",
            ),
            Step("notes parquet", notes, "overwrite p_notes", "event_id note < l_notes.*"),
            self.step("converted", "CONVERT TO DELTA parquet.`{root}/lake/notes`"),
            Step(
                "converted read",
                lambda j: j.spark.read.format("delta").load(f"{j.root}/lake/notes").where("event_id < 3").select("note").collect(),
                "",
                "note < p_notes.note",
                "FILTER p_notes.event_id",
            ),
            Step("seats", saved_path, "create m_seats", "sale_id seat price < s_good.*", "FILTER s_good.seat"),
            self.step(
                "seats by path",
                "INSERT INTO delta.`{root}/lake/seats` SELECT sale_id, upper(seat), price FROM S.good WHERE seat LIKE 'r2%'",
                "append m_seats",
                "sale_id seat price < s_good.*",
                "FILTER s_good.seat",
            ),
            self.step(
                "generated ddl",
                "CREATE TABLE M.offers (offer_id BIGINT GENERATED ALWAYS AS IDENTITY, event_id INT, low DOUBLE, sold_on DATE GENERATED ALWAYS AS (CAST(sold_at AS DATE)), sold_at TIMESTAMP, note STRING DEFAULT 'none')"
                " USING delta TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')",
                only="4-1",
            ),
            self.step(
                "offers",
                "INSERT INTO M.offers (event_id, low, sold_at) SELECT event_id, min(price), max(sold_at) FROM S.good GROUP BY event_id",
                "append m_offers",
                "offer_id <; event_id < s_good.event_id; low < s_good.price; sold_on sold_at < s_good.sold_at; note <",
                "GROUP_BY s_good.event_id",
                only="4-1",
            ),
            self.step("view", "CREATE OR REPLACE VIEW M.v_net COMMENT 'dbt view' AS WITH s AS (SELECT * FROM S.sales WHERE price > 1) SELECT s.buyer, sum(s.price - s.fee) AS net, max(e.title) AS play FROM s JOIN L.events e ON e.event_id = s.event_id GROUP BY s.buyer",
                "create m_v_net",
                "buyer < s_sales.buyer; net < s_sales.price s_sales.fee; play < l_events.title",
                "FILTER s_sales.price; JOIN l_events.event_id",
            ),
            self.step("zorder", "OPTIMIZE S.good ZORDER BY (event_id, buyer)", "maintenance s_good"),
        )  # fmt: skip

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""

        def backfill(job: Job) -> None:
            rows = (
                self.table(job, "S.good")
                .where("dt = '2026-11-01'")
                .selectExpr("sale_id", "buyer", "price * 0.9 AS net", "dt")
            )
            rows.write.format("delta").mode("overwrite").option("replaceWhere", "dt = '2026-11-01'").save(
                f"{job.root}/lake/ledger"
            )

        def kinds(job: Job) -> None:
            rows = (
                self.table(job, "S.good")
                .where("dt = '2026-11-02'")
                .selectExpr("sale_id", "buyer", "fee AS net", "channel AS kind", "dt")
            )
            rows.write.format("delta").mode("append").option("mergeSchema", "true").partitionBy("dt").save(
                f"{job.root}/lake/ledger"
            )

        def api_merge(job: Job) -> None:
            from delta.tables import DeltaTable

            source = (
                self.table(job, "S.good")
                .dropDuplicates(["sale_id"])
                .withColumn("kind", f.concat(f.lit("k-"), "channel"))
            )
            (
                DeltaTable.forPath(job.spark, f"{job.root}/lake/ledger")
                .alias("t")
                .merge(source.alias("s"), "t.sale_id = s.sale_id AND t.dt = s.dt")
                .whenMatchedUpdate(
                    condition="t.net < s.price", set={"net": "s.price", "kind": "coalesce(t.kind, s.kind)"}
                )
                .whenNotMatchedInsert(
                    values={
                        "sale_id": "s.sale_id",
                        "buyer": "s.buyer",
                        "net": f.col("s.price") - f.col("s.fee"),
                        "kind": "s.kind",
                        "dt": "s.dt",
                    }
                )
                .whenNotMatchedBySourceUpdate(condition="t.kind IS NULL", set={"kind": "'gone'"})
                .execute()
            )

        def evolved(job: Job) -> None:
            job.spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "true")
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
            job.spark.conf.set("spark.databricks.delta.schema.autoMerge.enabled", "false")

        def swapped(job: Job) -> None:
            job.spark.sql(self.sql("ALTER TABLE M.good_like RENAME TO mart.good_old"))
            job.spark.sql(self.sql("ALTER TABLE M.good_new RENAME TO mart.good_like"))

        def changed(job: Job) -> None:
            reader = job.spark.read.format("delta").option("readChangeFeed", "true").option("startingVersion", 1)
            rows = reader.table(self.sql("M.tracked").removeprefix("spark_catalog.")).where(
                "_change_type IN ('insert', 'update_postimage')"
            )
            rows.select("sale_id", "price", "_commit_version").write.format("delta").saveAsTable(self.sql("M.feed"))

        return (
            Step("backfill", backfill, "overwrite p_ledger", "sale_id buyer dt < s_good.*; net < s_good.price", "FILTER s_good.dt"),
            Step("kinds", kinds, "append p_ledger", "sale_id buyer dt < s_good.*; net < s_good.fee; kind < s_good.channel", "FILTER s_good.dt"),
            Step(
                "api merge",
                api_merge,
                "merge p_ledger",
                "sale_id buyer dt < s_good.*; net < s_good.price s_good.fee; kind < p_ledger.kind s_good.channel",
            ),
            Step(
                "evolved",
                evolved,
                "merge s_sales",
                "sale_id event_id buyer price fee sold_at channel < s_good.*; tip < s_good.price",
            ),
            self.step(
                "schema evolution",
                "MERGE WITH SCHEMA EVOLUTION INTO M.plan t USING (SELECT event_id, title, CAST(size(tags) AS BIGINT) AS seats, venue.name AS stage FROM L.events) s ON s.event_id = t.event_id WHEN MATCHED AND t.seats > 0 THEN UPDATE SET stage = s.stage WHEN NOT MATCHED THEN INSERT *",
                "merge m_plan",
                "event_id title < l_events.*; seats < l_events.tags; stage < l_events.venue.name",
            ),
            self.step(
                "good new",
                "CREATE TABLE M.good_new USING delta AS SELECT sale_id, seat, initcap(buyer) AS buyer FROM S.good WHERE channel <> 'door'",
                "create m_good_new",
                "sale_id seat buyer < s_good.*",
                "FILTER s_good.channel",
            ),
            Step("swapped", swapped),
            self.step(
                "swapped read",
                "SELECT n.buyer, o.price FROM M.good_like n JOIN M.good_old o ON o.sale_id = n.sale_id WHERE o.fee > 1",
                "",
                "buyer < m_good_like.buyer; price < m_good_old.price",
                "JOIN m_good_old.sale_id; FILTER m_good_old.fee",
            ),
            self.step(
                "tracked",
                "CREATE TABLE M.tracked USING delta TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true') AS SELECT sale_id, price, channel FROM S.sales",
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
            Step("feed", changed, "create m_feed", "sale_id price _commit_version < m_tracked.*", "FILTER m_tracked._change_type"),
            self.step("clone", "CREATE OR REPLACE TABLE M.sales_copy SHALLOW CLONE S.sales", "overwrite m_sales_copy", "sale_id event_id buyer price fee sold_at channel tip < s_sales.*"),
            self.step("clone delete", "DELETE FROM M.sales_copy WHERE tip > 1 OR buyer IS NULL", "delete m_sales_copy", "", "FILTER m_sales_copy.tip"),
            *(
                self.step(
                    "from view",
                    "INSERT OVERWRITE M.plan (title, seats) SELECT v.play, CAST(v.net AS BIGINT) FROM M.v_net v JOIN M.rates r ON r.rate < v.net WHERE v.buyer LIKE 'b%'",
                    "overwrite m_plan",
                    f"event_id <; title < l_events.title; seats < s_sales.price s_sales.fee{evolved}",
                    "FILTER s_sales.price; JOIN m_rates.rate",
                    only=spark,
                )
                for spark, evolved in (("4-1", "; stage <"), ("3-5", ""))  # 3.3.3 has no MERGE WITH SCHEMA EVOLUTION
            ),
            self.step("vacuum", "VACUUM S.good", "maintenance s_good"),
            self.step("optimize where", "OPTIMIZE M.daily WHERE day = '2026-11-01'", "maintenance m_daily"),
        )  # fmt: skip

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""

        def reshaped(job: Job) -> None:
            rows = self.table(job, "S.good").selectExpr("sale_id", "substring(seat, 1, 2) AS zone", "sold_at AS at")
            rows.write.format("delta").mode("overwrite").option("overwriteSchema", "true").option(
                "path", f"{job.root}/lake/seats"
            ).saveAsTable(self.sql("M.seats"))

        def feed_stream(job: Job) -> None:
            rows = (
                job.spark.readStream.format("delta")
                .option("readChangeFeed", "true")
                .option("startingVersion", 0)
                .table(self.sql("M.tracked"))
            )

            def apply(batch: DataFrame, number: int) -> None:
                rows = (
                    batch.where("_change_type <> 'delete'")
                    .groupBy("channel")
                    .agg(f.sum("price").alias("gross"), f.max("_commit_version").alias("version"))
                )
                rows.write.format("delta").mode("append").option("txnAppId", "feed").option("txnVersion", number).save(
                    f"{job.root}/lake/feed"
                )

            job.stream(rows, "feed stream").foreachBatch(apply).start().awaitTermination()

        def two_sinks(job: Job) -> None:
            rows = job.spark.readStream.format("delta").table(self.sql("L.notes"))

            def apply(batch: DataFrame, number: int) -> None:
                batch.persist()
                batch.where("event_id > 2").select("event_id", "note").write.format("delta").mode("append").save(
                    f"{job.root}/lake/notes"
                )
                batch.groupBy("event_id").agg(f.collect_set("note").alias("all")).write.format("delta").mode(
                    "overwrite"
                ).saveAsTable(self.sql("M.note_sets"))
                batch.unpersist()

            job.stream(rows, "notes stream").foreachBatch(apply).start().awaitTermination()

        def time_travel(job: Job) -> None:
            old = (
                job.spark.read.format("delta")
                .option("versionAsOf", 1)
                .load(f"{job.root}/lake/ledger")
                .selectExpr("sale_id", "net AS was")
            )
            job.pins(f"{job.root}/lake/ledger", 1)
            new = job.spark.read.format("delta").load(f"{job.root}/lake/ledger")
            new.join(old, "sale_id").selectExpr("sale_id", "net - was AS change").write.format("delta").saveAsTable(
                self.sql("M.moves")
            )

        def builder(job: Job) -> None:
            self.table(job, "S.sales").where("tip IS NOT NULL").selectExpr(
                "sale_id", "tip", "date(sold_at) AS day"
            ).writeTo(self.sql("M.tips")).using("delta").partitionedBy(f.col("day")).createOrReplace()

        return (
            Step("reshaped", reshaped, "overwrite m_seats", "sale_id < s_good.sale_id; zone < s_good.seat; at < s_good.sold_at"),
            Step("feed stream", feed_stream, "append p_feed", "channel < m_tracked.channel; gross < m_tracked.price; version < m_tracked._commit_version"),
            Step("notes stream", two_sinks, "-"),
            Step("moves", time_travel, "create m_moves", "sale_id < p_ledger.sale_id; change < p_ledger.net", "JOIN p_ledger.sale_id"),
            Step("tips", builder, "overwrite m_tips", "sale_id tip < s_sales.*; day < s_sales.sold_at", "FILTER s_sales.tip"),
            self.step(
                "late dimension",
                "MERGE INTO M.plan p USING (SELECT e.event_id, e.title, v.n FROM L.events e JOIN (SELECT event_id, count(DISTINCT buyer) AS n FROM S.sales GROUP BY event_id) v USING (event_id)) d ON p.title = d.title"
                " WHEN MATCHED AND p.event_id IS NULL THEN UPDATE SET event_id = d.event_id, seats = p.seats + d.n WHEN NOT MATCHED BY SOURCE THEN DELETE",
                "merge m_plan",
                "event_id < l_events.event_id; seats < m_plan.seats s_sales.buyer",
            ),
            self.step(
                "replace where sql",
                "INSERT INTO M.daily REPLACE WHERE day = '2026-11-02' SELECT event_id, count(*), sum(price), '2026-11-02' FROM S.good WHERE dt = '2026-11-02' GROUP BY event_id",
                "overwrite m_daily",
                "event_id < s_good.event_id; tickets <; gross < s_good.price; day <",
                "FILTER s_good.dt; GROUP_BY s_good.event_id",
            ),
            self.step("constraint", "ALTER TABLE M.tips ADD CONSTRAINT positive CHECK (tip > -1000)"),
            self.step(
                "constrained",
                "INSERT INTO M.tips SELECT sale_id, fee, DATE'2026-11-03' FROM S.good WHERE fee > 0",
                "append m_tips",
                "sale_id < s_good.sale_id; tip < s_good.fee; day <",
                "FILTER s_good.fee",
            ),
            self.step("restore", "RESTORE TABLE M.tracked TO VERSION AS OF 0", "maintenance m_tracked"),
            self.step("detail", "DESCRIBE DETAIL M.tracked"),
            self.step(
                "after restore",
                "SELECT channel, sum(price) AS gross FROM M.tracked GROUP BY ROLLUP (channel)",
                "",
                "channel < m_tracked.channel; gross < m_tracked.price",
                "GROUP_BY m_tracked.channel",
            ),
            *taxed(self.sql, "delta"),
            *recursive(self.sql, "delta"),
        )  # fmt: skip


def taxed(sql: Callable[[str], str], fmt: str) -> tuple[Step, ...]:
    """Return an INSERT that calls a function of SQL (Spark 4)."""

    def run(job: Job) -> None:
        job.spark.sql(
            "CREATE TEMPORARY FUNCTION tax(amount DOUBLE, share DOUBLE DEFAULT 0.2) RETURNS DOUBLE RETURN amount * share"
        )
        job.sql(
            sql("INSERT INTO M.rates SELECT channel, tax(max(price)), current_date() FROM S.sales GROUP BY channel")
        )

    return (Step("sql function", run, "append m_rates", "channel < s_sales.channel; rate < s_sales.price; since <", "GROUP_BY s_sales.channel", only="4-1"),)  # fmt: skip


def recursive(sql: Callable[[str], str], fmt: str) -> tuple[Step, ...]:
    """Return a recursive query and statements by EXECUTE IMMEDIATE and in a script (Spark 4)."""
    return (
        Step(
            "recursive",
            sql(
                f"CREATE TABLE M.chain USING {fmt} AS WITH RECURSIVE c(event_id, lvl, path) AS (SELECT event_id, 1, title FROM L.events WHERE event_id = 0 UNION ALL SELECT e.event_id, c.lvl + 1, concat(c.path, '>', e.title) FROM c JOIN L.events e ON e.event_id = c.event_id + 1) SELECT event_id, lvl, path FROM c"
            ),
            "create m_chain",
            "event_id < l_events.event_id; lvl <; path < l_events.title",
            only="4-1",
        ),
        Step(
            "immediate",
            sql(
                "EXECUTE IMMEDIATE 'INSERT INTO M.rates SELECT channel, min(fee), DATE\\'2026-01-01\\' FROM S.good WHERE price > ? GROUP BY channel' USING 3"
            ),
            "append m_rates",
            "channel < s_good.channel; rate < s_good.fee; since <",
            "FILTER s_good.price; GROUP_BY s_good.channel",
            only="4-1",
        ),
        Step(
            "piped",
            sql(
                f"CREATE TABLE M.piped USING {fmt} AS FROM S.good |> WHERE fee > 0 |> EXTEND price + fee AS total |> AGGREGATE sum(total) AS total, max(seat) AS seat GROUP BY channel |> SET seat = lower(seat) |> DROP channel"
            ),
            "create m_piped",
            "total < s_good.price s_good.fee; seat < s_good.seat",
            "FILTER s_good.fee; GROUP_BY s_good.channel",
            only="4-1",
        ),
    )
