"""Makes tests/lineage/engines: the plans of some queries by Spark itself and by Comet, a native engine.

Each query runs twice on a real Spark 3.5, without and with Comet's plugin; its plan texts are taken as the event
log has them (`explain("formatted")`'s text), as `<query>.spark.plan` and `<query>.comet.plan`, and Comet's in
extended text. Those of RAPIDS and Photon beside them, which need a GPU or Databricks, are written by hand in those
engines' form.

Usage: `python scripts/make_engine_plans.py PYTHON COMET_JAR`, a Python with PySpark 3.5 and
`comet-spark-spark3.5_2.12` from Maven Central.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "tests" / "lineage" / "engines"
WORK = Path("/tmp/engine_plans")
QUERIES = {
    "filter": "SELECT order_id, amount * 2 AS twice, upper(status) AS status FROM orders WHERE amount > 5",
    "aggregate": "SELECT customer_id, sum(amount) AS total, count(*) AS orders FROM orders GROUP BY customer_id",
    "average": "SELECT status, avg(amount) AS mean, max(order_id) AS latest FROM orders GROUP BY status",
    "distinct": "SELECT status, count(DISTINCT customer_id) AS customers FROM orders GROUP BY status",
    "total": "SELECT sum(amount) AS total FROM orders",
    "join": "SELECT o.order_id, c.name FROM orders o JOIN customers c ON o.customer_id = c.customer_id",
    "left_join": "SELECT o.order_id, c.name FROM orders o LEFT JOIN customers c ON o.customer_id = c.customer_id"
    " AND c.customer_id > o.order_id",
    "semi_join": "SELECT name FROM customers WHERE customer_id IN (SELECT customer_id FROM orders WHERE amount > 5)",
    "merge_join": "SELECT /*+ MERGE(c) */ o.amount, c.name FROM orders o JOIN customers c USING (customer_id)",
    "union": "SELECT order_id AS id, status AS name FROM orders UNION ALL SELECT customer_id, name FROM customers",
    "top": "SELECT order_id, amount FROM orders ORDER BY amount DESC LIMIT 3",
    "sort": "SELECT order_id, status FROM orders ORDER BY amount",
    "window": "SELECT order_id, sum(amount) OVER (PARTITION BY customer_id ORDER BY order_id) AS running FROM orders",
    "rollup": "SELECT status, customer_id, sum(amount) AS total FROM orders GROUP BY ROLLUP (status, customer_id)",
    "report": "SELECT c.name, sum(o.amount) AS total FROM orders o JOIN customers c ON o.customer_id = c.customer_id"
    " WHERE o.status = 'paid' GROUP BY c.name ORDER BY total DESC LIMIT 5",
    "renamed": "SELECT sum(amount) AS total, customer_id AS customer FROM orders GROUP BY customer_id",
}
_PROGRAM = """
import json, sys
from pyspark.sql import SparkSession
work, jar, queries, target = sys.argv[1:5]
builder = SparkSession.builder.master("local[2]").config("spark.sql.adaptive.enabled", "false")
builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.ui.enabled", "false")
builder = builder.config("spark.sql.warehouse.dir", work + "/warehouse")
if jar:
    for key, value in {
        "spark.jars": jar, "spark.driver.extraClassPath": jar, "spark.plugins": "org.apache.spark.CometPlugin",
        "spark.shuffle.manager": "org.apache.spark.sql.comet.execution.shuffle.CometShuffleManager",
        "spark.comet.enabled": "true", "spark.comet.exec.enabled": "true", "spark.comet.exec.shuffle.enabled": "true",
        "spark.comet.exec.shuffle.mode": "auto", "spark.comet.explainFallback.enabled": "false",
        "spark.comet.exec.sortMergeJoinWithJoinFilter.enabled": "true", "spark.comet.exec.window.enabled": "true",
        "spark.memory.offHeap.enabled": "true", "spark.memory.offHeap.size": "1g",
    }.items():
        builder = builder.config(key, value)
spark = builder.getOrCreate()
for name, schema, rows in (
    ("orders", "order_id BIGINT, customer_id BIGINT, amount DECIMAL(10,2), status STRING", "(1, 1, 5.5, 'paid')"),
    ("customers", "customer_id BIGINT, name STRING", "(1, 'Ana')"),
):
    spark.sql(f"CREATE TABLE {name} ({schema}) USING parquet")
    spark.sql(f"INSERT INTO {name} VALUES {rows}")
for name, query in json.loads(queries).items():
    plan = spark.sql(query)._jdf.queryExecution()
    texts = {"comet": "formatted", "comet_extended": "extended"} if jar else {"spark": "formatted"}
    for end, text in texts.items():
        mode = spark._jvm.org.apache.spark.sql.execution.ExplainMode.fromString(text)
        with open(f"{target}/{name}.{end}.plan", "w") as file:
            file.write(plan.explainString(mode))
"""


def main(python: str, jar: str) -> None:
    """Runs Spark twice and writes the plans."""
    import json  # noqa: PLC0415

    for with_jar in ("", jar):
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)
        arguments = [python, "-c", _PROGRAM, str(WORK), with_jar, json.dumps(QUERIES), str(TARGET)]
        subprocess.run(arguments, check=True, cwd=WORK, env={**os.environ, "PYSPARK_PYTHON": python})
    shutil.rmtree(WORK, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
