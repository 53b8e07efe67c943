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


Step = Callable[[Shop], None]


def _run(description: str, *statements: str) -> Step:
    def step(shop: Shop) -> None:
        for statement in statements:
            shop.run(description, statement)

    return step


def _save(description: str, sql: str, path: str = "", table: str = "") -> Step:
    return lambda shop: shop.save(description, sql, path, table)


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


def _land(others: str) -> Step:
    return _save(
        "land orders",
        f"SELECT CAST(o AS BIGINT) AS order_id, c AS customer, a AS amount, {others} FROM "
        "VALUES (1, 'ann', 10.0D, 1.0D), (2, 'bob', 20.0D, 0.5D), (3, 'ann', 30.0D, 0.0D) AS t (o, c, a, d)",
        path="landing/orders",
    )


land = _land("CAST(o AS INT) AS items")
"""The landing files of the first nights."""
land_more = _land("CAST(o AS BIGINT) AS items, d AS discount")
"""The landing files have a discount, and the items are counted in a BIGINT."""
land_few = _land("CAST(o AS INT) AS items, d AS discount")
"""The items are counted in an INT again."""


def _stage(amounts: str) -> Step:
    return _run(
        "stage orders",
        f"INSERT OVERWRITE TABLE shop.orders SELECT order_id, upper(customer), {amounts} "
        "FROM parquet.`{root}/landing/orders` WHERE items > 0",
    )


stage = _stage("amount")
"""The orders of the first nights."""
add_discount = _run("alter orders", "ALTER TABLE shop.orders ADD COLUMNS (discount DOUBLE)")
"""V1 DDL: a column is added."""
stage_more = _stage("amount, discount")
"""The orders with their discount."""
note = _run(
    "note orders",
    "INSERT INTO shop.notes SELECT order_id, concat('seen on ', '{day}', ' by ', customer) FROM shop.orders",
)
"""A Hive table, appended to."""


def _mart(value: str, name: str, table: str = "shop.daily", orders: str = "shop.orders") -> Step:
    return _save(
        "mart daily",
        f"SELECT DATE'{{day}}' AS day, o.customer, sum({value}) AS {name}, count(n.note) AS notes "
        f"FROM {orders} o JOIN shop.notes n ON o.order_id = n.order_id GROUP BY o.customer",
        table=table,
    )


_NET = "o.amount - o.discount"
sales = _mart("o.amount", "revenue")
"""The mart of the first nights, made anew each night."""
sales_net = _mart(_NET, "revenue")
"""The mart with the discount taken off."""
sales_renamed = _mart(_NET, "turnover")
"""The same value under another name."""
rename_table = _run("rename daily", "ALTER TABLE shop.daily RENAME TO shop.sales_by_day")
"""The mart has another name from now on."""
sales_elsewhere = _mart(_NET, "turnover", "shop.sales_by_day")
"""The mart under the table's new name."""
sales_by_path = _mart(_NET, "turnover", "shop.sales_by_day", "parquet.`{root}/warehouse/shop.db/orders`")
"""The orders are read by their path, not by the table's name."""


def _top(value: str, table: str) -> Step:
    return _save("export top", f"SELECT customer, {value} FROM {table} WHERE {value} > 5", path="exports/top")


top = _top("revenue", "shop.daily")
"""Who reads the mart."""
top_renamed = _top("turnover", "shop.daily")
"""Who reads the mart, by the column's new name."""
top_elsewhere = _top("turnover", "shop.sales_by_day")
"""Who reads the mart, by its new name."""


def _customers(columns: str, country: str = "") -> Step:
    return _run(
        "load customers",
        f"INSERT OVERWRITE lake.shop.customers SELECT order_id, {columns}, "
        f"named_struct('city', upper(customer), 'zip', '1000'{country}) FROM parquet.`{{root}}/landing/orders`",
    )


def _alter_customers(*changes: str) -> Step:
    return _run("alter customers", *(f"ALTER TABLE lake.shop.customers {change}" for change in changes))


customers = _customers("customer, concat(customer, '@shop'), items")
"""An Iceberg table, as the first nights fill it."""
change_customers = _alter_customers(
    "RENAME COLUMN name TO full_name",
    "ADD COLUMN tier STRING AFTER id",
    "ALTER COLUMN points TYPE BIGINT",
    "ADD COLUMN addr.country STRING",
    "SET TBLPROPERTIES ('team' = 'crm')",
)
"""V2 DDL: renamed, added in a place, widened, added within a struct."""
customers_changed = _customers("'gold', customer, concat(customer, '@shop'), items", ", 'country', 'CH'")
"""The Iceberg table with its new columns."""
shrink_customers = _alter_customers("DROP COLUMN email", "ALTER COLUMN points AFTER id")
"""V2 DDL: dropped, moved."""
customers_shrunk = _customers("items, 'gold', customer", ", 'country', 'CH'")
"""The Iceberg table without the addresses."""


def _letters(name: str) -> Step:
    return _save("export letters", f"SELECT {name}, addr.city AS city FROM lake.shop.customers", path="exports/letters")


letters = _letters("name")
"""Who reads the Iceberg table: some of its columns only."""
letters_changed = _letters("full_name AS name")
"""Who reads the Iceberg table, by the column's new name."""


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


def _report(name: str, column: str) -> Step:
    return _save(f"report {name}", f"SELECT customer, {column} FROM shop.sales_by_day", path="exports/report")


report_short = _report("short", "turnover")
"""One of two statements that overwrite one path."""
report_long = _report("long", "notes")
"""The other one, with other columns."""
drop_spare = _run("drop spare", "DROP TABLE shop.spare")
"""A table goes."""
create_spare = _run("create spare", "CREATE TABLE shop.spare USING parquet AS SELECT order_id, amount FROM shop.orders")
"""A table comes, with its rows."""


def _scores(columns: str) -> Step:
    return _run(
        "make scores",
        "CREATE OR REPLACE TABLE lake.shop.scores USING iceberg AS "
        f"SELECT order_id, amount AS score{columns} FROM shop.orders",
    )


replace_scores = _scores(", upper(customer) AS who")
"""A table is replaced by one with another column."""
scores = _scores("")
"""A table is created, and replaced by itself each night."""

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
