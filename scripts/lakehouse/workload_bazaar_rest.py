"""The bazaar's statements that only Hudi and only Paimon understand, with their truth."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import HudiPaths, Job, Step
from lakehouse.workload_bazaar_parts import ORDERS, Own, clicks
from lakehouse.workload_nights import hudi_tables_again

CHANGES = {
    "hudi": {2: "c_orders: column_added channel"},
    "paimon": {
        2: "c_orders: column_added channel\nc_orders: column_added score",
        3: "c_orders: column_renamed points\nc_orders: column_dropped channel",
    },
}
_NIGHTS = {
    1: "R.orders R.items R.products R.customers C.orders C.stage C.lines C.rejected C.ledger M.daily M.customers M.top M.calendar"
    " M.features M.statuses M.tiers M.bands M.cities",
    2: "M.melted M.ships M.sessions M.recent",
}
"""The tables of each night."""


_PATHS = HudiPaths("order_id", "at")


class Hudi(Own):
    """Hudi's steps."""

    def tables(self) -> tuple[Step, ...]:
        """Return the definitions of the first night."""
        return (
            self.step(
                "orders ddl",
                f"CREATE TABLE C.orders ({ORDERS}) USING hudi TBLPROPERTIES (type = 'cow', primaryKey = 'order_id', preCombineField = 'placed_at')",
            ),
            self.step("stage ddl", f"CREATE TABLE C.stage ({ORDERS}) USING hudi"),
            self.step(
                "ledger ddl",
                "CREATE TABLE C.ledger (order_id BIGINT, fee DOUBLE, status STRING) USING hudi TBLPROPERTIES (type = 'mor', primaryKey = 'order_id', preCombineField = 'fee') PARTITIONED BY (status)",
            ),
        )

    def registered(self, night: int) -> tuple[Step, ...]:
        """Return the definitions of the tables that earlier nights made, over their folders."""
        return hudi_tables_again(self.sql, _NIGHTS, night)

    def merged(self, night: int) -> tuple[Step, ...]:
        """Return the steps from bronze's orders to silver's: over a staging table."""
        return (
            self.step(
                "stage",
                "INSERT OVERWRITE C.stage SELECT CAST(order_id AS BIGINT) AS order_id, customer_id, placed_at, lower(status) AS status, nullif(coupon, '') AS coupon, shipping, current_timestamp() AS touched"
                f" FROM R.orders WHERE dt = '2026-10-0{night}' AND order_id IS NOT NULL",
                "overwrite c_stage",
                "order_id customer_id placed_at status coupon shipping < r_orders.*; touched <",
                "FILTER r_orders.dt",
            ),
            self.step(
                "orders",
                "MERGE INTO C.orders t USING C.stage s ON t.order_id = s.order_id WHEN MATCHED AND s.status = 'cancelled' THEN DELETE"
                " WHEN MATCHED THEN UPDATE SET status = s.status, shipping = s.shipping, touched = s.touched, placed_at = s.placed_at WHEN NOT MATCHED THEN INSERT *",
                "merge c_orders",
                "order_id customer_id placed_at status coupon shipping touched < c_stage.*",
            ),
        )

    def _spent(self, night: int) -> Step:
        def run(job: Job) -> None:
            rows = (
                self.table(job, "R.orders")
                .where(f"dt = '2026-10-0{night}'")
                .selectExpr("order_id", "shipping * 1.2 AS gross", "placed_at AS at")
            )
            _PATHS.save(rows, job, "spent", "upsert", "overwrite" if night == 1 else "append")

        return Step(
            "spent",
            run,
            f"{'overwrite' if night == 1 else 'append'} p_spent",
            "order_id < r_orders.order_id; gross < r_orders.shipping; at < r_orders.placed_at",
            "FILTER r_orders.dt",
        )

    def _live(self) -> Step:
        def run(job: Job) -> None:
            def apply(batch: DataFrame, number: int) -> None:
                rows = batch.groupBy("customer_id").agg(f.max("at").alias("at"), f.count("page").alias("pages"))
                HudiPaths("customer_id", "at").save(rows, job, "live", "upsert")

            job.stream(clicks(job), "live stream").foreachBatch(apply).start().awaitTermination()

        return Step(
            "live stream", run, "append p_live", "customer_id < clicks.customer_id; at < clicks.at; pages < clicks.page"
        )

    def _ledger(self, night: int) -> tuple[Step, ...]:
        return (
            self.step(
                "ledger",
                f"INSERT INTO C.ledger SELECT order_id, shipping * 3 AS fee, status FROM C.orders WHERE order_id > {night}00",
                "append c_ledger",
                "order_id status < c_orders.*; fee < c_orders.shipping",
                "FILTER c_orders.order_id",
            ),
            self.step(
                "ledger update",
                "UPDATE C.ledger SET fee = fee + 1 WHERE status = 'paid' AND fee > 3",
                "update c_ledger",
                "fee < c_ledger.fee",
                "FILTER c_ledger.status; FILTER c_ledger.fee",
            ),
        )

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""
        return (
            *self._ledger(1),
            self._spent(1),
            self._live(),
            self.fixed(),
            self.purged(),
            self.step(
                "cities",
                "CREATE TABLE M.cities USING hudi PARTITIONED BY (city) AS SELECT sum(total) AS total, count(DISTINCT sku) AS n, city FROM C.lines GROUP BY city",
                "create m_cities",
                "total city < c_lines.*; n < c_lines.sku",
                "GROUP_BY c_lines.city",
            ),
        )

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""

        def increment(job: Job) -> None:
            reader = job.spark.read.format("hudi").option("hoodie.datasource.query.type", "incremental")
            rows = reader.option("hoodie.datasource.read.begin.instanttime", "000").load(f"{job.root}/lake/spent")
            rows.selectExpr("order_id", "gross / 2 AS half").write.format("hudi").saveAsTable(self.sql("M.halves"))

        return (
            *self._ledger(2),
            self._spent(2),
            self._live(),
            self.step("add column", "ALTER TABLE C.orders ADD COLUMNS (channel STRING)", "alter c_orders"),
            self.step(
                "channels",
                "UPDATE C.orders SET channel = concat('c-', coupon) WHERE channel IS NULL",
                "update c_orders",
                "channel < c_orders.coupon",
                "FILTER c_orders.channel",
            ),
            Step("halves", increment, "create m_halves", "order_id < p_spent.order_id; half < p_spent.gross"),
            self.step(
                "cities replaced",
                "INSERT OVERWRITE M.cities PARTITION (city) SELECT max(total) AS total, count(sku) AS n, city FROM C.lines WHERE qty > 1 GROUP BY city",
                "overwrite m_cities",
                "total city < c_lines.*; n < c_lines.sku",
                "FILTER c_lines.qty",
            ),
            self.step(
                "ledger compacted", "CALL run_compaction(op => 'run', table => 'silver.ledger')", "maintenance c_ledger"
            ),
            self.step(
                "ledger read",
                "SELECT l.fee, o.channel FROM C.ledger l JOIN C.orders o ON o.order_id = l.order_id WHERE l.status = 'paid'",
                "",
                "fee < c_ledger.fee; channel < c_orders.channel",
                "JOIN c_orders.order_id; FILTER c_ledger.status",
            ),
        )

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""

        def bulk(job: Job) -> None:
            rows = (
                self.table(job, "C.orders")
                .groupBy("status")
                .agg(f.max("order_id").alias("order_id"), f.max("placed_at").alias("at"))
            )
            _PATHS.save(rows, job, "newest", "bulk_insert", "overwrite")

        def replaced(job: Job) -> None:
            rows = (
                self.table(job, "C.orders")
                .where("status = 'paid'")
                .selectExpr("upper(status) AS status", "order_id", "touched AS at")
            )
            _PATHS.save(rows, job, "newest", "insert_overwrite_table", "append")

        return (
            *self._ledger(3),
            self._spent(3),
            self._live(),
            Step(
                "bulk",
                bulk,
                "overwrite p_newest",
                "status order_id < c_orders.*; at < c_orders.placed_at",
                "GROUP_BY c_orders.status",
            ),
            Step(
                "replaced",
                replaced,
                "overwrite p_newest",
                "status order_id < c_orders.*; at < c_orders.touched",
                "FILTER c_orders.status",
            ),
            Step(
                "newest read",
                lambda j: (
                    j.spark.read.format("hudi")
                    .load(f"{j.root}/lake/newest")
                    .where("order_id > 1")
                    .select("status")
                    .collect()
                ),
                "",
                "status < p_newest.status",
                "FILTER p_newest.order_id",
            ),
            self.step(
                "ledger delete",
                "DELETE FROM C.ledger WHERE fee > 30 OR status = 'open'",
                "delete c_ledger",
                "",
                "FILTER c_ledger.fee",
            ),
            self.step(
                "view",
                "CREATE VIEW M.v_paid AS SELECT customer_id, sum(shipping) AS shipping FROM C.orders WHERE status = 'paid' GROUP BY customer_id",
                "create m_v_paid",
                "customer_id shipping < c_orders.*",
                "FILTER c_orders.status",
            ),
            self.step(
                "from view",
                "INSERT INTO M.top SELECT customer_id, CAST(7 AS BIGINT) AS order_id, shipping FROM M.v_paid",
                "append m_top",
                "customer_id shipping < c_orders.*; order_id <",
                "FILTER c_orders.status",
            ),
            self.step(
                "clustered", "CALL run_clustering(table => 'silver.lines', order => 'sku')", "maintenance c_lines"
            ),
        )


class Paimon(Own):
    """Paimon's steps."""

    prefix = ""
    more = ", placed_at AS touched"  # 0.9 resolves the columns of an INSERT clause in the source

    def tables(self) -> tuple[Step, ...]:
        """Return the definitions of the first night."""
        return (
            self.step(
                "orders ddl",
                f"CREATE TABLE C.orders ({ORDERS}) USING paimon TBLPROPERTIES ('primary-key' = 'order_id', 'bucket' = '2', 'changelog-producer' = 'lookup')",
            ),
            self.step(
                "clicks ddl",
                "CREATE TABLE C.clicks (click_id BIGINT, customer_id INT, page STRING, at TIMESTAMP) USING paimon TBLPROPERTIES ('primary-key' = 'click_id', 'bucket' = '1')",
            ),
            self.step(
                "pages ddl",
                "CREATE TABLE M.pages (click_id BIGINT, page STRING, at TIMESTAMP) USING paimon TBLPROPERTIES ('primary-key' = 'click_id', 'bucket' = '1')",
            ),
            self.step(
                "live ddl",
                "CREATE TABLE M.live (customer_id INT, seen TIMESTAMP, page STRING) USING paimon TBLPROPERTIES ('primary-key' = 'customer_id', 'bucket' = '1')",
            ),
            self.step(
                "stock ddl",
                "CREATE TABLE C.stock (sku STRING, sold BIGINT, revenue DOUBLE) USING paimon TBLPROPERTIES ('primary-key' = 'sku', 'bucket' = '1', 'merge-engine' = 'aggregation', 'fields.sold.aggregate-function' = 'sum', 'fields.revenue.aggregate-function' = 'max')",
            ),
            self.step(
                "archive ddl",
                "CREATE TABLE M.archive (order_id BIGINT, customer_id INT, fee DOUBLE, status STRING) USING paimon PARTITIONED BY (status)",
            ),
        )

    def _nightly(self) -> tuple[Step, ...]:
        def archive(job: Job) -> None:
            rows = (
                self.table(job, "C.orders")
                .where("status <> 'open'")
                .selectExpr("order_id", "customer_id", "shipping * 2 AS fee", "status")
            )
            rows.write.mode("append").insertInto(self.sql("M.archive"))

        return (
            self.step(
                "stock",
                "INSERT INTO C.stock SELECT sku, count(*), sum(total) FROM C.lines GROUP BY sku",
                "append c_stock",
                "sku < c_lines.sku; sold <; revenue < c_lines.total",
                "GROUP_BY c_lines.sku",
            ),
            Step(
                "archive",
                archive,
                "append m_archive",
                "order_id customer_id status < c_orders.*; fee < c_orders.shipping",
                "FILTER c_orders.status",
            ),
            self.live(),
        )

    def first(self) -> tuple[Step, ...]:
        """Return those of the first night."""
        return (
            *self._nightly(),
            self.fixed(),
            self.purged(),
            self.step("tag", "CALL pai.sys.create_tag(table => 'silver.orders', tag => 'n1')"),
        )

    def second(self) -> tuple[Step, ...]:
        """Return those of the second night."""

        def partitions(job: Job) -> None:
            rows = (
                self.table(job, "C.orders")
                .where("status = 'paid'")
                .selectExpr("order_id", "customer_id", "shipping AS fee", "status")
            )
            rows.write.format("paimon").mode("overwrite").insertInto(self.sql("M.archive"))

        def increment(job: Job) -> DataFrame:
            reader = job.spark.read.format("paimon").option("incremental-between", "1,2")
            return reader.table(self.sql("C.lines")).groupBy("sku").agg(f.sum("total").alias("total"))

        return (
            *self._nightly(),
            self.step(
                "add columns",
                "ALTER TABLE C.orders ADD COLUMNS (channel STRING AFTER status, score DOUBLE)",
                "alter c_orders",
            ),
            self.step(
                "channels",
                "UPDATE C.orders SET channel = concat('c-', coupon), score = shipping / 2 WHERE channel IS NULL",
                "update c_orders",
                "channel < c_orders.coupon; score < c_orders.shipping",
                "FILTER c_orders.channel",
            ),
            self.step(
                "trends",
                "CREATE TABLE M.trends USING paimon AS SELECT n.order_id, n.shipping - o.shipping AS change, o.status AS was FROM C.orders n JOIN C.orders VERSION AS OF 'n1' o ON o.order_id = n.order_id",
                "create m_trends",
                "order_id < c_orders.order_id; change < c_orders.shipping; was < c_orders.status",
                "JOIN c_orders.order_id",
            ),
            Step(
                "partitions",
                partitions,
                "overwrite m_archive",
                "order_id customer_id status < c_orders.*; fee < c_orders.shipping",
                "FILTER c_orders.status",
            ),
            self.step(
                "static partition",
                "INSERT OVERWRITE M.archive PARTITION (status = 'lost') SELECT order_id, customer_id, shipping FROM C.orders WHERE shipping > 4",
                "overwrite m_archive",
                "order_id customer_id < c_orders.*; fee < c_orders.shipping; status <",
                "FILTER c_orders.shipping",
            ),
            Step(
                "sold",
                lambda j: increment(j).write.format("paimon").saveAsTable(self.sql("M.sold")),
                "create m_sold",
                "sku total < c_lines.*",
                "GROUP_BY c_lines.sku",
            ),
            self.step(
                "stock read",
                "SELECT s.sku, s.revenue / s.sold AS mean FROM C.stock s WHERE s.sold > 1",
                "",
                "sku < c_stock.sku; mean < c_stock.revenue c_stock.sold",
                "FILTER c_stock.sold",
            ),
            self.step("compact", "CALL pai.sys.compact(table => 'gold.live')", "maintenance m_live"),
            self.step("snapshots", "SELECT snapshot_id, commit_kind FROM pai.silver.`orders$snapshots`"),
        )

    def third(self) -> tuple[Step, ...]:
        """Return those of the third night."""

        def pages(job: Job) -> None:
            rows = (
                job.spark.readStream.format("paimon")
                .table(self.sql("C.clicks"))
                .selectExpr("click_id", "concat(page, customer_id) AS page", "at")
            )
            writer = job.stream(rows, "pages stream").format("paimon")
            writer.start(f"{job.root}/pai/gold.db/pages").awaitTermination()

        def appended(job: Job) -> None:
            rows = (
                self.table(job, "C.orders")
                .where("points > 2")
                .selectExpr("order_id", "points AS change", "status AS was")
            )
            rows.write.format("paimon").mode("append").saveAsTable(self.sql("M.trends"))

        return (
            *self._nightly(),
            *self.altered(),
            self.step(
                "by status",
                "MERGE INTO C.orders t USING M.bands s ON t.order_id = s.n + 100 WHEN MATCHED AND s.tier = 'high' THEN UPDATE SET points = t.points + s.over WHEN MATCHED AND t.status = 'cancelled' THEN DELETE",
                "merge c_orders",
                "points < c_orders.points m_bands.over",
            ),
            self.step(
                "gone",
                "DELETE FROM C.orders WHERE order_id IN (SELECT CAST(order_id AS BIGINT) FROM C.rejected WHERE reason = 'nobody')",
                "delete c_orders",
                "",
                "JOIN c_rejected.order_id",
            ),
            self.step(
                "by name",
                "INSERT INTO M.live BY NAME SELECT 'p9' AS page, customer_id, max(placed_at) AS seen FROM C.orders GROUP BY customer_id",
                "append m_live",
                "customer_id < c_orders.customer_id; seen < c_orders.placed_at; page <",
                "GROUP_BY c_orders.customer_id",
            ),
            Step(
                "pages stream",
                pages,
                "append m_pages",
                "click_id at < c_clicks.*; page < c_clicks.page c_clicks.customer_id",
            ),
            Step(
                "appended",
                appended,
                "append m_trends",
                "order_id < c_orders.order_id; change < c_orders.points; was < c_orders.status",
                "FILTER c_orders.points",
            ),
            self.step(
                "overwrite select",
                "INSERT OVERWRITE M.trends SELECT order_id, change + 1, upper(was) FROM M.trends WHERE was IS NOT NULL",
                "overwrite m_trends",
                "order_id change was < m_trends.*",
                "FILTER m_trends.was",
            ),
            self.step(
                "as of",
                "SELECT status, shipping FROM C.orders VERSION AS OF 1 WHERE customer_id = 3",
                "",
                "status shipping < c_orders.*",
                "FILTER c_orders.customer_id",
            ),
            self.step("rollback", "CALL pai.sys.rollback(table => 'gold.top', version => '1')", "maintenance m_top"),
            self.step(
                "after rollback",
                "SELECT shipping FROM M.top WHERE customer_id > 1",
                "",
                "shipping < m_top.shipping",
                "FILTER m_top.customer_id",
            ),
            self.step("truncate", "TRUNCATE TABLE M.melted", "truncate m_melted"),
        )
