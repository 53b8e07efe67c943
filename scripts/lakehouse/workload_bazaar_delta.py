"""The bazaar's statements that only Delta understands, with their truth."""

from __future__ import annotations

from pyspark.sql import functions as f

from lakehouse.workload import Job, Step
from lakehouse.workload_bazaar_parts import ORDERS
from lakehouse.workload_bazaar_parts import Own as Parts

CHANGES = {
    2: "c_orders: column_added channel\nc_orders: column_added score\nc_rejected: column_added severity\nm_cities: column_added sku\nm_cities: column_dropped n",
    3: "c_orders: column_renamed points\nc_orders: column_dropped channel\nc_orders: type_changed customer_id @4-1",
}


class Own(Parts):
    """Delta's steps."""

    def tables(self) -> tuple[Step, ...]:
        """Return the definitions of the first night."""
        return (
            self.step(
                "orders ddl",
                f"CREATE TABLE C.orders ({ORDERS}) USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name',"
                " 'delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true', 'delta.enableTypeWidening' = 'true')",
            ),
            self.step(
                "stamped ddl",
                "CREATE TABLE C.stamped (order_id BIGINT, placed_at TIMESTAMP, note STRING DEFAULT 'none', day STRING) USING delta"
                " PARTITIONED BY (day) TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')",
            ),
            self.step("live ddl", "CREATE TABLE M.live (customer_id INT, seen TIMESTAMP, page STRING) USING delta"),
        )

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""

        def archive(job: Job) -> None:
            rows = self.sent(job)
            rows.write.format("delta").partitionBy("status").save(f"{job.root}/lake/archive")

        def cities(job: Job) -> None:
            rows = self.by_city(job)
            rows.writeTo(self.sql("M.cities")).using("delta").partitionedBy(f.col("city")).tableProperty(
                "owner", "mart"
            ).createOrReplace()

        def api_delete(job: Job) -> None:
            from delta.tables import DeltaTable

            DeltaTable.forName(job.spark, "silver.rejected").delete(
                (f.col("reason") == "nobody") & f.col("at").isNotNull()
            )

        return (
            self.step(
                "stamped insert",
                "INSERT INTO C.stamped (order_id, placed_at, day) SELECT order_id, placed_at, date_format(placed_at, 'dd') FROM C.orders",
                "append c_stamped",
                "order_id placed_at < c_orders.*; note <; day < c_orders.placed_at",
            ),
            self.fixed(),
            self.purged("FILTER c_orders.status; FILTER c_orders.shipping"),
            Step(
                "archive",
                archive,
                "create p_archive",
                "order_id customer_id status < c_orders.*; fee < c_orders.shipping",
                "FILTER c_orders.status",
            ),
            Step(
                "cities",
                cities,
                "overwrite m_cities",
                "city < c_lines.city; total < c_lines.total; n < c_lines.sku",
                "GROUP_BY c_lines.city",
            ),
            Step("api delete", api_delete, "delete c_rejected", "", "FILTER c_rejected.reason"),
            self.live(),
            self.step(
                "path read",
                "SELECT status, sum(fee) AS fee FROM delta.`{root}/lake/archive` WHERE customer_id > 2 GROUP BY status",
                "",
                "status fee < p_archive.*",
                "FILTER p_archive.customer_id",
            ),
        )

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""

        def severe(job: Job) -> None:
            self.dear(job, 2).write.format("delta").mode("append").option("mergeSchema", True).saveAsTable(
                self.sql("C.rejected")
            )

        def dynamic(job: Job) -> None:
            rows = (
                self.table(job, "C.orders")
                .where("order_id >= 200")
                .selectExpr(
                    "order_id", "placed_at", "concat(status, '?') AS note", "date_format(placed_at, 'dd') AS day"
                )
            )
            rows.write.format("delta").mode("overwrite").option("partitionOverwriteMode", "dynamic").insertInto(
                self.sql("C.stamped")
            )

        def replaced(job: Job) -> None:
            rows = (
                self.table(job, "R.orders")
                .where("dt = '2026-10-02'")
                .withColumn("status", f.lower("status"))
                .withColumn("shipping", f.col("shipping") + 1)
            )
            rows.write.format("delta").mode("overwrite").option("replaceWhere", "dt = '2026-10-02'").saveAsTable(
                self.sql("R.orders")
            )

        def api_update(job: Job) -> None:
            from delta.tables import DeltaTable

            archive = DeltaTable.forPath(job.spark, f"{job.root}/lake/archive")
            archive.update(
                "fee > 3 AND status = 'paid'", {"fee": "fee + customer_id", "customer_id": f.lit(None).cast("int")}
            )

        def api_merge(job: Job) -> None:
            from delta.tables import DeltaTable

            source = (
                self.table(job, "C.orders")
                .groupBy("customer_id", "status")
                .agg(f.max("order_id").alias("order_id"), f.sum("shipping").alias("fee"))
            )
            (
                DeltaTable.forPath(job.spark, f"{job.root}/lake/archive")
                .alias("a")
                .merge(source.alias("o"), "a.order_id = o.order_id")
                .whenMatchedUpdate("o.fee > 2", {"fee": f.expr("a.fee + o.fee")})
                .whenMatchedDelete("o.status = 'open'")
                .whenNotMatchedInsertAll()
                .execute()
            )

        return (
            self.step(
                "add columns",
                "ALTER TABLE C.orders ADD COLUMNS (channel STRING AFTER status, score DOUBLE)",
                "alter c_orders",
            ),
            self.channels(),
            Step(
                "severe",
                severe,
                "append c_rejected",
                "order_id < r_orders.order_id; reason <; at < r_orders.placed_at; severity < r_orders.shipping",
                "FILTER r_orders.dt; FILTER r_orders.shipping",
            ),
            Step(
                "dynamic",
                dynamic,
                "overwrite c_stamped",
                "order_id placed_at < c_orders.*; note < c_orders.status; day < c_orders.placed_at",
                "FILTER c_orders.order_id",
            ),
            Step(
                "replaced",
                replaced,
                "overwrite r_orders",
                "order_id customer_id placed_at status coupon shipping _file _loaded dt < r_orders.*",
                "FILTER r_orders.dt",
            ),
            self.step(
                "trends",
                "CREATE TABLE M.trends USING delta AS SELECT n.order_id, n.shipping - o.shipping AS change, o.status AS was FROM C.orders n JOIN C.orders VERSION AS OF 1 o ON o.order_id = n.order_id",
                "create m_trends",
                "order_id < c_orders.order_id; change < c_orders.shipping; was < c_orders.status",
                "JOIN c_orders.order_id",
            ),
            self.step(
                "changes",
                "CREATE TABLE M.changes USING delta AS SELECT order_id, _change_type AS op, _commit_version AS v FROM table_changes('silver.orders', 1) WHERE _change_type <> 'update_preimage'",
                "create m_changes",
                "order_id < c_orders.order_id; op < c_orders._change_type; v < c_orders._commit_version",
                "FILTER c_orders._change_type",
            ),
            self.step(
                "clone",
                "CREATE TABLE M.orders SHALLOW CLONE C.orders",
                "create m_orders",
                "order_id customer_id placed_at status channel coupon shipping touched score < c_orders.*",
            ),
            self.step(
                "clone update",
                "UPDATE M.orders SET status = 'kept' WHERE score IS NULL",
                "update m_orders",
                "status <",
                "FILTER m_orders.score",
            ),
            Step(
                "api update",
                api_update,
                "update p_archive",
                "fee < p_archive.fee p_archive.customer_id; customer_id <",
                "FILTER p_archive.fee",
            ),
            Step(
                "api merge",
                api_merge,
                "merge p_archive",
                "order_id customer_id status < c_orders.*; fee < c_orders.shipping p_archive.fee",
            ),
            self.cities_read(),
            self.cities_again("delta PARTITIONED BY (city)"),
            self.step(
                "view",
                "CREATE OR REPLACE VIEW M.v_paid AS SELECT customer_id, sum(shipping) AS shipping, count(*) AS n FROM C.orders WHERE status = 'paid' GROUP BY customer_id",
                "create m_v_paid",
                "customer_id shipping < c_orders.*; n <",
                "FILTER c_orders.status",
            ),
            self.from_view("M"),
            self.live(),
            self.step("optimize", "OPTIMIZE R.orders WHERE dt = '2026-10-01'", "maintenance r_orders"),
        )

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""

        def pages(job: Job) -> None:
            rows = job.spark.readStream.table(self.sql("C.clicks")).selectExpr(
                "click_id", "concat(page, customer_id) AS page", "at"
            )
            job.stream(rows, "pages stream").format("delta").option("mergeSchema", True).toTable(
                self.sql("M.pages")
            ).awaitTermination()

        def overwritten(job: Job) -> None:
            rows = (
                self.table(job, "M.live")
                .withColumn("seen", f.date_trunc("hour", "seen"))
                .filter(f.col("page").isNotNull())
            )
            rows.write.format("delta").mode("overwrite").saveAsTable(self.sql("M.live"))

        def as_of(job: Job) -> None:
            place = f"{job.root}/lake/archive"
            job.pins(place, 0)
            rows = job.spark.read.format("delta").option("versionAsOf", 0).load(place).select("order_id", "fee")
            rows.write.format("delta").mode("append").save(f"{job.root}/lake/fees")

        return (
            *self.altered(),
            self.step(
                "widen", "ALTER TABLE C.orders ALTER COLUMN customer_id TYPE BIGINT", "alter c_orders", only="4-1"
            ),
            self.step("comment", "ALTER TABLE C.orders ALTER COLUMN points COMMENT 'of a customer'"),
            self.by_source(),
            self.step(
                "by name",
                "INSERT INTO C.stamped BY NAME SELECT placed_at, order_id, status AS note, '03' AS day FROM C.orders WHERE points IS NULL",
                "append c_stamped",
                "placed_at order_id < c_orders.*; note < c_orders.status; day <",
                "FILTER c_orders.points",
            ),
            self.step(
                "replace insert",
                "INSERT INTO R.orders REPLACE WHERE dt = '2026-10-01' SELECT * FROM R.orders WHERE dt = '2026-10-01' AND shipping > 0",
                "overwrite r_orders",
                "order_id customer_id placed_at status coupon shipping _file _loaded dt < r_orders.*",
                "FILTER r_orders.dt; FILTER r_orders.shipping",
            ),
            self.step(
                "static partition",
                "INSERT OVERWRITE C.stamped PARTITION (day = '02') SELECT order_id, placed_at, note FROM C.stamped WHERE day = '01'",
                "overwrite c_stamped",
                "order_id placed_at note < c_stamped.*; day <",
                "FILTER c_stamped.day",
            ),
            self.step("rename", "ALTER TABLE M.trends RENAME TO gold.trend"),
            self.trend(),
            Step(
                "pages stream",
                pages,
                "append m_pages",
                "click_id at < c_clicks.*; page < c_clicks.page c_clicks.customer_id",
            ),
            Step(
                "overwritten", overwritten, "overwrite m_live", "customer_id seen page < m_live.*", "FILTER m_live.page"
            ),
            Step("as of", as_of, "append p_fees", "order_id fee < p_archive.*"),
            self.step(
                "path insert",
                "INSERT INTO delta.`{root}/lake/fees` SELECT order_id, shipping FROM C.orders WHERE status IN (SELECT status FROM delta.`{root}/lake/archive`)",
                "append p_fees",
                "order_id < c_orders.order_id; fee < c_orders.shipping",
                "JOIN p_archive.status",
            ),
            self.step("restore", "RESTORE TABLE C.rejected TO VERSION AS OF 1", "maintenance c_rejected"),
            self.step(
                "after restore",
                "SELECT reason, count(*) AS n FROM C.rejected GROUP BY reason",
                "",
                "reason < c_rejected.reason; n <",
                "GROUP_BY c_rejected.reason",
            ),
            self.step("history", "DESCRIBE HISTORY C.orders"),
            self.step("vacuum", "VACUUM M.daily RETAIN 200 HOURS", "maintenance m_daily"),
            self.live(),
        )
