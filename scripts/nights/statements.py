"""What the shop's job does each night, and what is different in each night."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession


@dataclass
class Shop:
    """A night at work.

    Attributes:
        spark: The session.
        root: The shop's folder.
        day: The business date, `YYYY-MM-DD`: a literal that is another each night.
    """

    spark: SparkSession
    root: Path
    day: str

    def run(self, description: str, sql: str) -> None:
        """Runs a statement under a job description; `{root}` and `{day}` are filled in."""
        self.spark.sparkContext.setJobDescription(description)
        self.spark.sql(sql.format(root=self.root, day=self.day))

    def fail(self, description: str, sql: str) -> None:
        """Runs a statement that is meant to fail."""
        try:
            self.run(description, sql)
        except Exception as error:
            print(f"failed as planned: {description}: {str(error).splitlines()[0][:150]}", flush=True)
            return
        raise RuntimeError(f"{description} did not fail")

    def save(self, description: str, sql: str, path: str = "", table: str = "") -> None:
        """Overwrites a path or a table with a query's rows, as a DataFrame program does."""
        self.spark.sparkContext.setJobDescription(description)
        rows = self.spark.sql(sql.format(root=self.root, day=self.day))
        if path:
            rows.write.mode("overwrite").parquet(f"{self.root}/{path}")
        else:
            rows.write.mode("overwrite").format("parquet").saveAsTable(table)


@dataclass(frozen=True)
class Night:
    """A night: its day, what it plays, and settings that make its plans look different."""

    day: str
    steps: tuple[Callable[[Shop], None], ...]
    suffix: str = ""
    conf: dict[str, str] = field(default_factory=dict)

    @property
    def app_name(self) -> str:
        """The application's name, another one each night."""
        return f"nightly-shop {self.day}{self.suffix}"

    def play(self, shop: Shop) -> None:
        """Plays all steps."""
        for step in self.steps:
            step(shop)


_ROWS = "VALUES (1, 'ann', 10.0D, 1.0D), (2, 'bob', 20.0D, 0.5D), (3, 'ann', 30.0D, 0.0D) AS t (o, c, a, d)"


def create(shop: Shop) -> None:
    """The first night: databases and tables."""
    shop.run("setup", "CREATE DATABASE IF NOT EXISTS shop")
    shop.run("setup", "CREATE DATABASE IF NOT EXISTS lake.shop")
    shop.run(
        "create orders", "CREATE TABLE shop.orders (order_id BIGINT, customer STRING, amount DOUBLE) USING parquet"
    )
    shop.run("create notes", "CREATE TABLE shop.notes (order_id BIGINT, note STRING) STORED AS ORC")
    shop.run(
        "create customers",
        "CREATE TABLE lake.shop.customers (id BIGINT, name STRING, email STRING, points INT, "
        "addr STRUCT<city: STRING, zip: STRING>) USING iceberg",
    )


def land(shop: Shop) -> None:
    """The landing files of the first nights."""
    shop.save(
        "land orders",
        f"SELECT CAST(o AS BIGINT) AS order_id, c AS customer, a AS amount, CAST(o AS INT) AS items FROM {_ROWS}",
        path="landing/orders",
    )


def land_more(shop: Shop) -> None:
    """The landing files have a discount, and the items are counted in a BIGINT."""
    shop.save(
        "land orders",
        "SELECT CAST(o AS BIGINT) AS order_id, c AS customer, a AS amount, CAST(o AS BIGINT) AS items, d AS discount "
        f"FROM {_ROWS}",
        path="landing/orders",
    )


def land_few(shop: Shop) -> None:
    """The items are counted in an INT again."""
    shop.save(
        "land orders",
        "SELECT CAST(o AS BIGINT) AS order_id, c AS customer, a AS amount, CAST(o AS INT) AS items, d AS discount "
        f"FROM {_ROWS}",
        path="landing/orders",
    )


def stage(shop: Shop) -> None:
    """The orders of the first nights."""
    shop.run(
        "stage orders",
        "INSERT OVERWRITE TABLE shop.orders SELECT order_id, upper(customer), amount "
        "FROM parquet.`{root}/landing/orders` WHERE items > 0",
    )


def add_discount(shop: Shop) -> None:
    """V1 DDL: a column is added."""
    shop.run("alter orders", "ALTER TABLE shop.orders ADD COLUMNS (discount DOUBLE)")


def stage_more(shop: Shop) -> None:
    """The orders with their discount."""
    shop.run(
        "stage orders",
        "INSERT OVERWRITE TABLE shop.orders SELECT order_id, upper(customer), amount, discount "
        "FROM parquet.`{root}/landing/orders` WHERE items > 0",
    )


def note(shop: Shop) -> None:
    """A Hive table, appended to."""
    shop.run(
        "note orders",
        "INSERT INTO shop.notes SELECT order_id, concat('seen on ', '{day}', ' by ', customer) FROM shop.orders",
    )


def sales(shop: Shop) -> None:
    """The mart of the first nights, made anew each night."""
    shop.save(
        "mart daily",
        "SELECT DATE'{day}' AS day, o.customer, sum(o.amount) AS revenue, count(n.note) AS notes "
        "FROM shop.orders o JOIN shop.notes n ON o.order_id = n.order_id GROUP BY o.customer",
        table="shop.daily",
    )


def sales_net(shop: Shop) -> None:
    """The mart with the discount taken off."""
    shop.save(
        "mart daily",
        "SELECT DATE'{day}' AS day, o.customer, sum(o.amount - o.discount) AS revenue, count(n.note) AS notes "
        "FROM shop.orders o JOIN shop.notes n ON o.order_id = n.order_id GROUP BY o.customer",
        table="shop.daily",
    )


def sales_renamed(shop: Shop) -> None:
    """The same value under another name."""
    shop.save(
        "mart daily",
        "SELECT DATE'{day}' AS day, o.customer, sum(o.amount - o.discount) AS turnover, count(n.note) AS notes "
        "FROM shop.orders o JOIN shop.notes n ON o.order_id = n.order_id GROUP BY o.customer",
        table="shop.daily",
    )


def rename_table(shop: Shop) -> None:
    """The mart has another name from now on."""
    shop.run("rename daily", "ALTER TABLE shop.daily RENAME TO shop.sales_by_day")


def sales_elsewhere(shop: Shop) -> None:
    """The mart under the table's new name."""
    shop.save(
        "mart daily",
        "SELECT DATE'{day}' AS day, o.customer, sum(o.amount - o.discount) AS turnover, count(n.note) AS notes "
        "FROM shop.orders o JOIN shop.notes n ON o.order_id = n.order_id GROUP BY o.customer",
        table="shop.sales_by_day",
    )


def sales_by_path(shop: Shop) -> None:
    """The orders are read by their path, not by the table's name."""
    shop.save(
        "mart daily",
        "SELECT DATE'{day}' AS day, o.customer, sum(o.amount - o.discount) AS turnover, count(n.note) AS notes "
        "FROM parquet.`{root}/warehouse/shop.db/orders` o JOIN shop.notes n ON o.order_id = n.order_id "
        "GROUP BY o.customer",
        table="shop.sales_by_day",
    )


def top(shop: Shop) -> None:
    """Who reads the mart."""
    shop.save("export top", "SELECT customer, revenue FROM shop.daily WHERE revenue > 5", path="exports/top")


def top_renamed(shop: Shop) -> None:
    """Who reads the mart, by the column's new name."""
    shop.save("export top", "SELECT customer, turnover FROM shop.daily WHERE turnover > 5", path="exports/top")


def top_elsewhere(shop: Shop) -> None:
    """Who reads the mart, by its new name."""
    shop.save("export top", "SELECT customer, turnover FROM shop.sales_by_day WHERE turnover > 5", path="exports/top")


def customers(shop: Shop) -> None:
    """An Iceberg table, as the first nights fill it."""
    shop.run(
        "load customers",
        "INSERT OVERWRITE lake.shop.customers SELECT order_id, customer, concat(customer, '@shop'), items, "
        "named_struct('city', upper(customer), 'zip', '1000') FROM parquet.`{root}/landing/orders`",
    )


def change_customers(shop: Shop) -> None:
    """V2 DDL: renamed, added in a place, widened, added within a struct."""
    shop.run("alter customers", "ALTER TABLE lake.shop.customers RENAME COLUMN name TO full_name")
    shop.run("alter customers", "ALTER TABLE lake.shop.customers ADD COLUMN tier STRING AFTER id")
    shop.run("alter customers", "ALTER TABLE lake.shop.customers ALTER COLUMN points TYPE BIGINT")
    shop.run("alter customers", "ALTER TABLE lake.shop.customers ADD COLUMN addr.country STRING")
    shop.run("alter customers", "ALTER TABLE lake.shop.customers SET TBLPROPERTIES ('team' = 'crm')")


def customers_changed(shop: Shop) -> None:
    """The Iceberg table with its new columns."""
    shop.run(
        "load customers",
        "INSERT OVERWRITE lake.shop.customers SELECT order_id, 'gold', customer, concat(customer, '@shop'), items, "
        "named_struct('city', upper(customer), 'zip', '1000', 'country', 'CH') FROM parquet.`{root}/landing/orders`",
    )


def shrink_customers(shop: Shop) -> None:
    """V2 DDL: dropped, moved."""
    shop.run("alter customers", "ALTER TABLE lake.shop.customers DROP COLUMN email")
    shop.run("alter customers", "ALTER TABLE lake.shop.customers ALTER COLUMN points AFTER id")


def customers_shrunk(shop: Shop) -> None:
    """The Iceberg table without the addresses."""
    shop.run(
        "load customers",
        "INSERT OVERWRITE lake.shop.customers SELECT order_id, items, 'gold', customer, "
        "named_struct('city', upper(customer), 'zip', '1000', 'country', 'CH') FROM parquet.`{root}/landing/orders`",
    )


def letters(shop: Shop) -> None:
    """Who reads the Iceberg table: some of its columns only."""
    shop.save("export letters", "SELECT name, addr.city AS city FROM lake.shop.customers", path="exports/letters")


def letters_changed(shop: Shop) -> None:
    """Who reads the Iceberg table, by the column's new name."""
    shop.save(
        "export letters", "SELECT full_name AS name, addr.city AS city FROM lake.shop.customers", path="exports/letters"
    )


def break_down(shop: Shop) -> None:
    """What fails: at run time, with other columns than the tables have, and by DDL."""
    shop.fail(
        "mart daily",
        "CREATE TABLE shop.daily_next USING parquet AS "
        "SELECT customer, CAST(raise_error('the night breaks') AS INT) AS broken FROM shop.orders",
    )
    shop.fail("alter customers", "ALTER TABLE lake.shop.customers ALTER COLUMN points TYPE STRING")
    shop.spark.sparkContext.setJobDescription("export top")
    rows = shop.spark.sql("SELECT customer, CAST(raise_error('it breaks') AS INT) AS broken FROM shop.orders")
    try:
        rows.write.mode("overwrite").parquet(f"{shop.root}/exports/top")
    except Exception as error:
        print(f"failed as planned: export top: {str(error).splitlines()[0][:150]}", flush=True)
        return
    raise RuntimeError("export top did not fail")


def report_short(shop: Shop) -> None:
    """One of two statements that overwrite one path."""
    shop.save("report short", "SELECT customer, turnover FROM shop.sales_by_day", path="exports/report")


def report_long(shop: Shop) -> None:
    """The other one, with other columns."""
    shop.save("report long", "SELECT customer, notes FROM shop.sales_by_day", path="exports/report")


def drop_spare(shop: Shop) -> None:
    """A table goes."""
    shop.run("drop spare", "DROP TABLE shop.spare")


def create_spare(shop: Shop) -> None:
    """A table comes, with its rows."""
    shop.run("create spare", "CREATE TABLE shop.spare USING parquet AS SELECT order_id, amount FROM shop.orders")


def replace_scores(shop: Shop) -> None:
    """A table is replaced by one with another column."""
    shop.run(
        "make scores",
        "CREATE OR REPLACE TABLE lake.shop.scores USING iceberg AS "
        "SELECT order_id, amount AS score, upper(customer) AS who FROM shop.orders",
    )


def scores(shop: Shop) -> None:
    """A table is created, and replaced by itself each night."""
    shop.run(
        "make scores",
        "CREATE OR REPLACE TABLE lake.shop.scores USING iceberg AS SELECT order_id, amount AS score FROM shop.orders",
    )


_SORT_MERGE = {"spark.sql.autoBroadcastJoinThreshold": "-1", "spark.sql.adaptive.enabled": "false"}

NIGHTS = {
    "01": Night("2026-11-01", (create, land, stage, note, sales, top, customers, letters, scores)),
    "02": Night("2026-11-02", (land, stage, note, sales, top, customers, letters, scores), conf=_SORT_MERGE),
    "03": Night(
        "2026-11-03", (land_more, add_discount, stage_more, note, sales, top, customers, letters, scores, create_spare)
    ),
    "04": Night("2026-11-04", (land_more, stage_more, note, sales, top, customers, letters, scores)),
    "05": Night(
        "2026-11-05",
        (land_more, stage_more, note, sales, top, change_customers, customers_changed, letters_changed, scores),
    ),
    "06": Night(
        "2026-11-06",
        (land_more, stage_more, note, sales, top, shrink_customers, customers_shrunk, letters_changed, replace_scores),
    ),
    "07": Night("2026-11-07", (land_more, stage_more, note, break_down)),
    "07b": Night(
        "2026-11-07",
        (land_more, stage_more, note, sales_net, top, customers_shrunk, letters_changed, replace_scores),
        suffix=" attempt 2",
    ),
    "08": Night(
        "2026-11-08",
        (land_few, stage_more, note, sales_renamed, top_renamed, customers_shrunk, letters_changed, replace_scores),
    ),
    "09": Night("2026-11-09", (land_few, stage_more, note, rename_table, sales_elsewhere, top_elsewhere)),
    "10": Night("2026-11-10", (land_few, stage_more, note, sales_by_path, top_elsewhere, report_short, report_long)),
    "11": Night(
        "2026-11-11",
        (land_few, stage_more, note, sales_by_path, top_elsewhere, report_short, report_long, drop_spare),
        conf=_SORT_MERGE,
    ),
    "12": Night("2026-11-12", (land_few, stage_more, note, sales_by_path, top_elsewhere, report_short, report_long)),
}
