"""The bazaar's statements that only Iceberg understands, with their truth; silver is in the second catalog."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import Job, Step
from lakehouse.workload_bazaar_parts import ORDERS
from lakehouse.workload_bazaar_parts import Own as Parts

CHANGES = {
    2: "c_orders: column_added channel\nc_orders: column_added score\nc_orders: type_changed score\nm_cities: column_added sku\nm_cities: column_dropped n",
    3: "c_orders: column_renamed points\nc_orders: column_dropped channel\nc_rejected: column_added severity",
}
_FIRST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at LIMIT 1"
_LAST = "SELECT snapshot_id FROM {table}.snapshots ORDER BY committed_at DESC LIMIT 1"


class Own(Parts):
    """Iceberg's steps."""

    def tables(self) -> tuple[Step, ...]:
        """Return the definitions of the first night."""
        return (
            self.step(
                "orders ddl",
                f"CREATE TABLE C.orders ({ORDERS}) USING iceberg PARTITIONED BY (days(placed_at)) TBLPROPERTIES ('format-version' = '2')",
            ),
            self.step("live ddl", "CREATE TABLE M.live (customer_id INT, seen TIMESTAMP, page STRING) USING iceberg"),
        )

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""

        def archive(job: Job) -> None:
            rows = self.sent(job)
            rows.writeTo(self.sql("M.archive")).using("iceberg").partitionedBy(
                f.col("status"), f.bucket(2, "customer_id")
            ).create()

        def cities(job: Job) -> None:
            rows = self.by_city(job)
            rows.writeTo(self.sql("M.cities")).using("iceberg").tableProperty(
                "write.format.default", "orc"
            ).createOrReplace()

        return (
            self.fixed(),
            self.purged(),
            Step(
                "archive",
                archive,
                "create m_archive",
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
            self.step("tag", "ALTER TABLE C.orders CREATE TAG n1"),
            self.step(
                "mirror",
                "CREATE TABLE J.daily USING iceberg PARTITIONED BY (day) AS SELECT d.day, d.city, d.paid, t.shipping AS best FROM M.daily d LEFT JOIN M.top t ON t.order_id = d.orders",
                "create j_daily",
                "day city paid < m_daily.*; best < m_top.shipping",
                "JOIN m_top.order_id",
            ),
            self.step(
                "view",
                f"CREATE VIEW C.v_paid AS SELECT customer_id, sum(shipping) AS shipping, count(*) AS n FROM {self.sql('C.orders')} WHERE status = 'paid' GROUP BY customer_id",
                "create c_v_paid",
                "customer_id shipping < c_orders.*; n <",
                "FILTER c_orders.status",
            ),
            self.from_view("C"),
            self.step(
                "update looked up",
                "UPDATE M.bands SET n = (SELECT max(order_id) FROM C.orders WHERE status = 'sent'), over = over + 1 WHERE tier IN (SELECT tier FROM M.tiers WHERE low > 2)",
                "update m_bands",
                "n < c_orders.order_id; over < m_bands.over",
            ),
            self.live(),
        )

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""

        def trends(job: Job) -> None:
            job.pins(
                "jdb.silver.orders", self.names.asked(job, "SELECT snapshot_id FROM C.orders.refs WHERE name = 'n1'")
            )
            job.pins("jdb.silver.orders", self.names.asked(job, _LAST.format(table="C.orders")))
            job.sql(
                self.sql(
                    "CREATE TABLE M.trends USING iceberg AS SELECT n.order_id, n.shipping - o.shipping AS change, o.status AS was FROM C.orders n JOIN C.orders VERSION AS OF 'n1' o ON o.order_id = n.order_id"
                )
            )

        def branch_read(job: Job) -> DataFrame:
            job.pins(
                "jdb.silver.rejected",
                self.names.asked(job, "SELECT snapshot_id FROM C.rejected.refs WHERE name = 'audit'"),
            )
            return job.spark.read.option("branch", "audit").table(self.sql("C.rejected")).where("reason LIKE 'bad%'")

        def audited(job: Job) -> None:
            branch_read(job).selectExpr("order_id", "length(reason) AS size").writeTo(self.sql("M.audited")).using(
                "iceberg"
            ).create()

        def increment(job: Job) -> None:
            start, end = (self.names.asked(job, query.format(table="C.lines")) for query in (_FIRST, _LAST))
            rows = (
                job.spark.read.option("start-snapshot-id", start)
                .option("end-snapshot-id", end)
                .table(self.sql("C.lines"))
            )
            rows.groupBy("sku").agg(f.sum("total").alias("total")).writeTo(self.sql("M.sold")).using("iceberg").create()

        def changelog(job: Job) -> None:
            job.spark.sql(
                self.names.call(
                    "C",
                    "create_changelog_view",
                    "table => '@.orders', changelog_view => 'order_log', identifier_columns => array('order_id')",
                )
            ).collect()
            job.sql(
                self.sql(
                    "CREATE TABLE M.changes USING iceberg AS SELECT order_id, status, _change_type AS op FROM order_log WHERE _change_type <> 'UPDATE_BEFORE'"
                )
            )

        def partitions(job: Job) -> None:
            rows = (
                self.table(job, "C.orders")
                .where("order_id > 200 AND status = 'paid'")
                .selectExpr("order_id", "customer_id", "status", "shipping AS fee")
            )
            rows.writeTo(self.sql("M.archive")).overwritePartitions()

        return (
            self.step(
                "add columns",
                "ALTER TABLE C.orders ADD COLUMNS (channel STRING AFTER status, score FLOAT)",
                "alter c_orders",
            ),
            self.step("widen", "ALTER TABLE C.orders ALTER COLUMN score TYPE DOUBLE", "alter c_orders"),
            self.step(
                "on read",
                "ALTER TABLE C.orders SET TBLPROPERTIES ('write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read', 'write.delete.mode' = 'merge-on-read')",
            ),
            self.channels(),
            Step(
                "trends",
                trends,
                "create m_trends",
                "order_id < c_orders.order_id; change < c_orders.shipping; was < c_orders.status",
                "JOIN c_orders.order_id",
            ),
            self.step("branch", "ALTER TABLE C.rejected CREATE BRANCH audit"),
            self.step(
                "branch insert",
                "INSERT INTO C.rejected.branch_audit SELECT CAST(order_id AS STRING), concat('late ', status), placed_at FROM R.orders WHERE shipping > 9",
                "append c_rejected",
                "order_id < r_orders.order_id; reason < r_orders.status; at < r_orders.placed_at",
                "FILTER r_orders.shipping",
            ),
            Step(
                "branch frame",
                lambda j: branch_read(j).select("order_id").collect(),
                "",
                "order_id < c_rejected.order_id",
                "FILTER c_rejected.reason",
            ),
            Step(
                "audited",
                audited,
                "create m_audited",
                "order_id < c_rejected.order_id; size < c_rejected.reason",
                "FILTER c_rejected.reason",
            ),
            self.step(
                "main read",
                "SELECT reason FROM C.rejected WHERE at IS NULL",
                "",
                "reason < c_rejected.reason",
                "FILTER c_rejected.at",
            ),
            Step(
                "forward",
                self.names.call("C", "fast_forward", "'@.rejected', 'main', 'audit'"),
                "maintenance c_rejected",
            ),
            Step("increment", increment, "create m_sold", "sku total < c_lines.*", "GROUP_BY c_lines.sku"),
            Step(
                "changes",
                changelog,
                "create m_changes",
                "order_id status < c_orders.*; op < c_orders._change_type",
                "FILTER c_orders._change_type",
            ),
            self.cities_read(),
            self.cities_again("iceberg PARTITIONED BY (truncate(1, city))"),
            Step(
                "partitions",
                partitions,
                "overwrite m_archive",
                "order_id customer_id status < c_orders.*; fee < c_orders.shipping",
                "FILTER c_orders.order_id",
            ),
            self.step(
                "mirrored",
                "INSERT INTO J.daily SELECT m.day, m.city, m.paid + j.paid, m.net FROM M.daily m JOIN J.daily j ON j.day = m.day AND j.city = m.city",
                "append j_daily",
                "day city < m_daily.*; paid < m_daily.paid j_daily.paid; best < m_daily.net",
                "JOIN j_daily.day",
            ),
            self.step(
                "gone",
                "DELETE FROM C.orders o WHERE EXISTS (SELECT 1 FROM C.rejected r WHERE r.order_id = CAST(o.order_id AS STRING) AND r.reason = 'nobody') AND o.shipping > 3",
                "delete c_orders",
            ),
            Step(
                "compact",
                self.names.call(
                    "C", "rewrite_data_files", "table => '@.orders', options => map('rewrite-all', 'true')"
                ),
                "maintenance c_orders",
            ),
            self.live(),
        )

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""

        def severe(job: Job) -> None:
            self.dear(job, 3).writeTo(self.sql("C.rejected")).option("mergeSchema", "true").append()

        def overwritten(job: Job) -> None:
            rows = (
                self.table(job, "C.orders")
                .where("status = 'sent'")
                .selectExpr("order_id", "customer_id", "status", "shipping + points AS fee")
            )
            rows.writeTo(self.sql("M.archive")).overwrite(f.col("status") == "sent")

        def rolled_back(job: Job) -> None:
            first = self.names.asked(job, _FIRST.format(table="M.top"))
            job.spark.sql(self.names.call("M", "rollback_to_snapshot", f"'@.top', {first}")).collect()

        def as_of(job: Job) -> None:
            job.pins("jdb.silver.lines", self.names.asked(job, _FIRST.format(table="C.lines")))
            when = self.names.asked(
                job, "SELECT unix_millis(committed_at) FROM C.lines.snapshots ORDER BY committed_at LIMIT 1"
            )
            rows = (
                job.spark.read.option("as-of-timestamp", when)
                .table(self.sql("C.lines"))
                .selectExpr("sku", "total * 2 AS total")
            )
            rows.write.mode("append").insertInto(self.sql("M.sold"))

        def pages(job: Job) -> None:
            rows = (
                job.spark.readStream.format("iceberg")
                .load(self.sql("C.clicks"))
                .selectExpr("click_id", "concat(page, customer_id) AS page", "at")
            )
            job.stream(rows, "pages stream").format("iceberg").toTable(self.sql("M.pages")).awaitTermination()

        return (
            *self.altered(),
            self.by_source(),
            self.step(
                "accept schemas", "ALTER TABLE C.rejected SET TBLPROPERTIES ('write.spark.accept-any-schema' = 'true')"
            ),
            Step(
                "severe",
                severe,
                "append c_rejected",
                "order_id < r_orders.order_id; reason <; at < r_orders.placed_at; severity < r_orders.shipping",
                "FILTER r_orders.dt; FILTER r_orders.shipping",
            ),
            Step(
                "overwritten",
                overwritten,
                "overwrite m_archive",
                "order_id customer_id status < c_orders.*; fee < c_orders.shipping c_orders.points",
                "FILTER c_orders.status",
            ),
            Step("rolled back", rolled_back, "maintenance m_top"),
            self.step(
                "after rollback",
                "SELECT customer_id, shipping FROM M.top WHERE order_id > 0",
                "",
                "customer_id shipping < m_top.*",
                "FILTER m_top.order_id",
            ),
            Step("as of", as_of, "append m_sold", "sku total < c_lines.*"),
            self.step("rename", "ALTER TABLE M.trends RENAME TO ice.gold.trend"),
            self.trend(),
            self.step("partition field", "ALTER TABLE J.daily ADD PARTITION FIELD truncate(1, city)"),
            self.step(
                "dynamic insert",
                "INSERT OVERWRITE J.daily SELECT day, city, net, paid FROM M.daily WHERE orders > 1",
                "overwrite j_daily",
                "day city < m_daily.*; paid < m_daily.net; best < m_daily.paid",
                "FILTER m_daily.orders",
            ),
            Step(
                "pages stream",
                pages,
                "append m_pages",
                "click_id at < c_clicks.*; page < c_clicks.page c_clicks.customer_id",
            ),
            self.step(
                "view again",
                f"CREATE OR REPLACE VIEW C.v_paid (who, paid) AS SELECT o.customer_id, o.shipping FROM {self.sql('C.orders')} o JOIN {self.sql('R.customers')} c ON c.customer_id = o.customer_id WHERE c.country = 'NL'",
                "create c_v_paid",
                "who < c_orders.customer_id; paid < c_orders.shipping",
                "JOIN r_customers.customer_id",
            ),
            self.step(
                "view read",
                "SELECT who, sum(paid) AS paid FROM C.v_paid GROUP BY who",
                "",
                "who < c_orders.customer_id; paid < c_orders.shipping",
                "GROUP_BY c_orders.customer_id",
            ),
            self.step(
                "self merge",
                "MERGE INTO M.sold t USING (SELECT sku, sum(total) AS total FROM M.sold GROUP BY sku HAVING count(*) > 1) s ON t.sku = s.sku WHEN MATCHED THEN UPDATE SET t.total = s.total",
                "merge m_sold",
                "total < m_sold.total",
            ),
            self.step("files", "SELECT file_path, record_count FROM C.orders.files"),
            Step(
                "expire",
                self.names.call(
                    "C", "expire_snapshots", "table => '@.lines', older_than => TIMESTAMP '2020-01-01 00:00:00'"
                ),
                "maintenance c_lines",
            ),
            self.live(),
        )
