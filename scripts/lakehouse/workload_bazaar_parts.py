"""What the bazaar's statements of the four formats share."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from lakehouse.workload import Job, Step
from lakehouse.workload_nights import NightSteps

ORDERS = "order_id BIGINT, customer_id INT, placed_at TIMESTAMP, status STRING, coupon STRING, shipping DOUBLE, touched TIMESTAMP"
_NEWEST = (
    "SELECT CAST(order_id AS BIGINT) AS order_id, customer_id, placed_at, status, coupon, shipping FROM"
    " (SELECT *, row_number() OVER (PARTITION BY order_id ORDER BY placed_at DESC) AS rn FROM R.orders WHERE dt = '{day}') WHERE rn = 1"
)


class Own(NightSteps):
    """The steps that one format has in its own words.

    Attributes:
        prefix: What stands before the columns that a MERGE assigns.
        more: Columns that a MERGE's source needs.
    """

    prefix = "t."
    more = ""

    def tables(self) -> tuple[Step, ...]:
        """Return the definitions of the first night."""
        return ()

    def merged(self, night: int) -> tuple[Step, ...]:
        """Return the steps from bronze's orders to silver's."""
        added = "; channel score <" if night == 3 else ""
        text = (
            f"MERGE INTO C.orders AS t USING ({_NEWEST.replace('{day}', f'2026-10-0{night}').replace(' FROM', self.more + ' FROM', 1)}) AS s ON t.order_id = s.order_id"
            " WHEN MATCHED AND s.status = 'cancelled' THEN DELETE"
            f" WHEN MATCHED THEN UPDATE SET {self.prefix}status = s.status, {self.prefix}shipping = s.shipping + t.shipping, {self.prefix}touched = current_timestamp()"
            " WHEN NOT MATCHED THEN INSERT (order_id, customer_id, placed_at, status, coupon, shipping, touched)"
            " VALUES (s.order_id, s.customer_id, s.placed_at, s.status, nullif(s.coupon, ''), s.shipping, NULL)"
        )
        return (
            self.step(
                "orders",
                text,
                "merge c_orders",
                "order_id customer_id placed_at status coupon < r_orders.*; shipping < r_orders.shipping c_orders.shipping; touched <"
                + added,
                "FILTER r_orders.dt",
            ),
        )

    def fixed(self) -> Step:
        """Return an UPDATE with a CASE."""
        return self.step(
            "fix",
            "UPDATE C.orders SET coupon = upper(coupon), shipping = CASE WHEN status = 'sent' THEN shipping * 0.9 ELSE shipping END WHERE coupon IS NOT NULL",
            "update c_orders",
            "coupon < c_orders.coupon; shipping < c_orders.shipping",
            "FILTER c_orders.coupon",
        )

    def purged(self, conditions: str = "FILTER c_orders.status") -> Step:
        """Return a DELETE."""
        return self.step(
            "purge",
            "DELETE FROM C.orders WHERE status = 'open' AND shipping > 11",
            "delete c_orders",
            "",
            conditions,
        )

    def channels(self) -> Step:
        """Return an UPDATE of columns that an ALTER added."""
        return self.step(
            "channels",
            "UPDATE C.orders AS o SET o.channel = concat('c-', o.coupon), o.score = o.shipping / 2 WHERE o.channel IS NULL",
            "update c_orders",
            "channel < c_orders.coupon; score < c_orders.shipping",
            "FILTER c_orders.channel",
        )

    def altered(self) -> tuple[Step, ...]:
        """Return the ALTERs of the third night."""
        return (
            self.step("rename column", "ALTER TABLE C.orders RENAME COLUMN score TO points", "alter c_orders"),
            self.step("drop column", "ALTER TABLE C.orders DROP COLUMN channel", "alter c_orders"),
        )

    def by_source(self) -> Step:
        """Return a MERGE that changes rows without a match."""
        return self.step(
            "by source",
            "MERGE INTO C.orders t USING M.bands s ON t.customer_id = s.customer_id AND s.tier = 'high' WHEN MATCHED AND t.points > 3 THEN UPDATE SET points = t.points + s.over"
            " WHEN NOT MATCHED BY SOURCE AND t.status = 'cancelled' THEN DELETE WHEN NOT MATCHED BY SOURCE THEN UPDATE SET points = NULL",
            "merge c_orders",
            "points < c_orders.points m_bands.over",
        )

    def trend(self) -> Step:
        """Return a query of a renamed table."""
        return self.step(
            "trend",
            "SELECT was, max(change) AS most FROM M.trend GROUP BY was",
            "",
            "was < m_trend.was; most < m_trend.change",
            "GROUP_BY m_trend.was",
        )

    def from_view(self, layer: str) -> Step:
        """Return an INSERT from the view of a layer."""
        return self.step(
            "from view",
            f"INSERT INTO M.top SELECT v.customer_id, v.n, v.shipping FROM {layer}.v_paid v WHERE v.n > 1",
            "append m_top",
            "customer_id shipping < c_orders.*; order_id <",
            "FILTER c_orders.status; GROUP_BY c_orders.customer_id",
        )

    def cities_read(self) -> Step:
        """Return a query of a table that the next step replaces."""
        return self.step(
            "cities read",
            "SELECT city, total, n FROM M.cities WHERE n > 0",
            "",
            "city total n < m_cities.*",
            "FILTER m_cities.n",
        )

    def cities_again(self, using: str) -> Step:
        """Return what replaces a table by one with other columns."""
        return self.step(
            "cities again",
            f"CREATE OR REPLACE TABLE M.cities USING {using} AS SELECT l.city, CAST(sum(l.total) AS DOUBLE) AS total, max(p.title) AS sku FROM C.lines l LEFT JOIN R.products p ON p.sku = l.sku GROUP BY l.city",
            "overwrite m_cities",
            "city < c_lines.city; total < c_lines.total; sku < r_products.title",
            "JOIN r_products.sku; GROUP_BY c_lines.city",
        )

    def sent(self, job: Job) -> DataFrame:
        """Return the orders of the archive."""
        return (
            self.table(job, "C.orders")
            .where("status <> 'open'")
            .selectExpr("order_id", "customer_id", "status", "shipping * 2 AS fee")
        )

    def by_city(self, job: Job) -> DataFrame:
        """Return totals of the cities."""
        return (
            self.table(job, "C.lines")
            .groupBy("city")
            .agg(f.sum("total").alias("total"), f.countDistinct("sku").alias("n"))
        )

    def dear(self, job: Job, night: int) -> DataFrame:
        """Return rows with a column that `rejected` lacks."""
        rows = self.table(job, "R.orders").where(f"dt = '2026-10-0{night}' AND shipping > 10")
        return rows.selectExpr(
            "CAST(order_id AS STRING) AS order_id",
            "'dear' AS reason",
            "placed_at AS at",
            "CAST(shipping AS INT) AS severity",
        )

    def live(self) -> Step:
        """Return a stream of clicks whose batches are merged."""
        merge = self.sql(
            "MERGE INTO M.live t USING batch s ON t.customer_id = s.customer_id WHEN MATCHED AND s.seen > t.seen THEN UPDATE SET *"
            " WHEN NOT MATCHED THEN INSERT *"
        )

        def apply(batch: DataFrame, number: int) -> None:
            rows = batch.groupBy("customer_id").agg(f.max("at").alias("seen"), f.last("page").alias("page"))
            rows.createOrReplaceTempView("batch")
            batch.sparkSession.sql(merge).collect()

        def run(job: Job) -> None:
            job.stream(clicks(job), "live stream").foreachBatch(apply).start().awaitTermination()

        columns = "customer_id < clicks.customer_id; seen < clicks.at; page < clicks.page"
        return Step("live stream", run, "merge m_live", columns)


def clicks(job: Job) -> DataFrame:
    """Return the stream of clicks of some pages."""
    schema = "click_id BIGINT, customer_id INT, page STRING, at TIMESTAMP"
    return job.spark.readStream.schema(schema).json(f"{job.root}/landing/clicks").where("page <> 'p3'")
