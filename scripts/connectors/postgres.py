"""Run statements over PostgreSQL on one Spark: the logs below tests/connector_logs, whose truth is next to them.

    python scripts/connectors/postgres.py WORK JAR [PORT]

with that Spark's Python, a running server with the database `shop` and the user `spark` (password `spark`), and the
JDBC driver's jar (`org.postgresql:postgresql`). `scripts/connectors/make_logs.py` starts the server and runs it.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import logged

WORK, JAR = Path(sys.argv[1]), sys.argv[2]
PORT = sys.argv[3] if len(sys.argv) > 3 else "5432"
URL = f"jdbc:postgresql://127.0.0.1:{PORT}/shop"
CATALOG = "spark.sql.catalog.pg"
OPTIONS = {"url": URL, "user": "spark", "password": "spark", "driver": "org.postgresql.Driver"}

settings = {
    "spark.jars": JAR,
    CATALOG: "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog",
    f"{CATALOG}.pushDownAggregate": "true",
    f"{CATALOG}.pushDownLimit": "true",
}
spark = logged.start("postgres", WORK, {**settings, **{f"{CATALOG}.{key}": value for key, value in OPTIONS.items()}})
save = partial(logged.save, WORK)


def load(**options: str):
    """Read through `format("jdbc")`."""
    return spark.read.format("jdbc").options(**OPTIONS, **options).load()


save("table", load(dbtable="sales.orders").where("amount > 5").selectExpr("id", "amount * 2 AS twice"))
save("quoted", load(dbtable='sales."Order Notes"').selectExpr("`Order Id` AS id"))
query = "SELECT o.id, c.name FROM sales.orders o JOIN sales.customers c ON c.id = o.customer_id WHERE o.status = 'open'"
save("query", load(query=query))
save("subquery", load(dbtable="(SELECT customer_id, sum(amount) AS total FROM sales.orders GROUP BY 1) AS t"))
save(
    "catalog",
    spark.sql("SELECT status, sum(amount - discount) AS net FROM pg.sales.orders WHERE id > 1 GROUP BY status"),
)
save("top", spark.sql("SELECT id FROM pg.sales.orders ORDER BY amount DESC LIMIT 2"))
spark.sparkContext.setJobDescription("append")
totals = load(dbtable="sales.orders").groupBy("status").agg({"amount": "sum"}).toDF("status", "total")
totals.write.format("jdbc").options(**OPTIONS, dbtable="sales.totals").mode("append").save()
spark.sparkContext.setJobDescription("insert")
spark.sql("INSERT INTO pg.sales.totals SELECT status, amount FROM pg.sales.orders")
spark.stop()
