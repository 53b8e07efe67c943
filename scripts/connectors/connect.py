"""Run statements over PostgreSQL and a Python data source through Spark Connect (4.x), whose log has the requests.

    python scripts/connectors/connect.py WORK JAR [PORT]

as `postgres.py`, with the tables of `make_logs.py`; PySpark needs its extra `connect`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import logged
from pyspark.sql.datasource import DataSource, DataSourceReader

WORK, JAR = Path(sys.argv[1]), sys.argv[2]
PORT = sys.argv[3] if len(sys.argv) > 3 else "5432"
LOGIN = {
    "url": f"jdbc:postgresql://127.0.0.1:{PORT}/shop",
    "user": "spark",
    "password": "kept-secret",
    "driver": "org.postgresql.Driver",
}


class Ledger(DataSource):
    """A source of a company."""

    @classmethod
    def name(cls) -> str:
        """Return the name of its format."""
        return "ledger"

    def schema(self) -> str:
        """Return its columns."""
        return "id bigint, amount double"

    def reader(self, schema: object) -> DataSourceReader:
        """Return its reader."""
        return LedgerReader()


class LedgerReader(DataSourceReader):
    """Reads two rows."""

    def read(self, partition: object):
        """Yield the rows."""
        yield (1, 2.5)
        yield (2, 3.5)


spark = logged.start("connect", WORK, {"spark.jars": JAR}, connect=True)
orders = spark.read.format("jdbc").options(**LOGIN, dbtable="sales.orders").load()
orders.where("amount > 5").selectExpr("id", "amount * 2 AS twice").write.mode("overwrite").parquet(f"{WORK}/out/table")
totals = orders.groupBy("status").agg({"amount": "sum"}).toDF("status", "total")
totals.write.format("jdbc").options(**LOGIN, dbtable="sales.totals").mode("append").save()
spark.dataSource.register(Ledger)
ledger = spark.read.format("ledger").load()
ledger.selectExpr("id", "amount + 1 AS more").write.mode("overwrite").parquet(f"{WORK}/out/ledger")
spark.stop()
