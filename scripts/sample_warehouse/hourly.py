"""The driver of the hourly job, which is killed in its last statement; `python hourly.py APP_NAME [--conf K=V]...`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sample_warehouse.landing import write_clicks, write_landing
from sample_warehouse.session import start
from sample_warehouse.statements import ROOT, Night, code, run_all, sql

LAST = "hour: page_speed"
"""The statement that is running when the driver is killed."""

_CLICKS = "visitor STRING, page STRING, product_id BIGINT, milliseconds INT"


def _clicks(night: Night) -> None:
    clicks = night.spark.read.schema(_CLICKS).json(f"{ROOT}/landing/clicks")
    clicks.where("product_id IS NOT NULL").coalesce(1).write.format("parquet").saveAsTable("web.clicks")


def _page_speed(night: Night) -> None:
    """One task for each of the many small files: long enough to be killed in the middle."""
    clicks = night.spark.read.schema(_CLICKS).json(f"{ROOT}/landing/clicks")
    clicks.selectExpr("page", "milliseconds / 1000 AS seconds").write.insertInto("web.page_speed")


STATEMENTS = [
    sql("ddl: database web", "CREATE DATABASE web"),
    sql("ddl: web.page_speed", "CREATE TABLE web.page_speed (page STRING, seconds DOUBLE) USING parquet"),
    sql(
        "hour: products",
        """CREATE TABLE web.products USING parquet AS
           SELECT product_id, title, lower(category) AS category FROM parquet.`{landing}/products`""",
    ),
    code("hour: clicks", _clicks),
    sql(
        "hour: hot_products",
        """CREATE TABLE web.hot_products USING parquet AS
           SELECT p.title, count(DISTINCT c.visitor) AS visitors, max(c.milliseconds) AS slowest
           FROM web.clicks c JOIN web.products p ON c.product_id = p.product_id
           GROUP BY p.title""",
    ),
    code(LAST, _page_speed),
]


def main() -> None:
    """Write the landing files and run the hour; nobody is expected to live to its end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("app_name")
    parser.add_argument("--conf", action="append", default=[])
    arguments = parser.parse_args()
    write_landing()
    write_clicks(files=200)
    hour = Night(start(arguments.app_name, arguments.conf), "")
    run_all(hour, STATEMENTS, thorough=True)
    hour.spark.stop()


if __name__ == "__main__":
    main()
