"""Makes tests/lineage/extended_text: extended plan texts with lists that Spark cut, and of statements that read views.

Real Sparks run the statements below with `spark.sql.debug.maxToStringFields` at 5, so that small tables are wide. The
texts of each run stand in one file, each after a line with the statement's name.

Usage: `python scripts/make_extended_fixtures.py 3.5=/path/python3.11 3.0=/path/python3.8@/java/home`.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from eventlog_lineage.events.reading import read_log
from eventlog_lineage.events.sources.discovery import find_logs
from spark_logs import options, run_job

FIXTURES = Path(__file__).resolve().parent.parent / "tests" / "lineage" / "extended_text"
WORK = Path("/tmp/extended_text")
SETTINGS = {
    "spark.sql.ui.explainMode": "extended",
    "spark.sql.debug.maxToStringFields": "5",
    "spark.sql.shuffle.partitions": "2",
}
JOB = """
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").getOrCreate()


def case(name, *statements):
    spark.sparkContext.setJobDescription(name)
    for statement in statements:
        spark.sql(statement).collect()


case(
    "made tables",
    "CREATE TABLE wide USING parquet AS "
    "SELECT id, id * 2 a, id * 3 b, id * 4 c, id * 5 d, id * 6 e, id * 7 f, id * 8 g FROM range(10)",
    "CREATE VIEW v AS SELECT id, g, a + b AS ab FROM wide WHERE a > 1",
    "CREATE VIEW w AS SELECT id, ab FROM v",
    "CREATE TEMPORARY VIEW tv AS SELECT id, g FROM v",
    "CREATE GLOBAL TEMPORARY VIEW gv AS SELECT id FROM wide",
)
case("wide: rollup", "SELECT f, g, sum(a) x, sum(b) y, sum(e) z FROM wide GROUP BY ROLLUP(f, g)")
case("wide: ordered", "SELECT id, g FROM wide ORDER BY f")
case("wide: projected", "SELECT a + g AS ag FROM (SELECT *, a + b AS ab FROM wide) WHERE ab > 3 AND f > 1")
case("wide: window", "SELECT id, a, row_number() OVER (PARTITION BY f ORDER BY g) n FROM wide")
case("wide: many sums", "SELECT sum(a) a, sum(b) b, sum(c) c, sum(d) d, sum(e) e, sum(f) f, sum(g) g FROM wide")
spark.table("wide").cache()
case("wide: cached", "SELECT a, g FROM wide")
spark.catalog.clearCache()
case("view: read", "SELECT id, ab FROM v WHERE g > 3")
case("view: nested", "SELECT * FROM w")
case("view: temporary", "SELECT x.id FROM tv x JOIN w y ON x.id = y.id")
case("view: global", "SELECT id FROM global_temp.gv")
case("view: subquery", "SELECT id FROM wide WHERE id IN (SELECT id FROM v)")
case("view: beside a literal", "SELECT id, '\\n+- View (`x`.`y`, [id#1L])' AS text FROM wide")
spark.stop()
"""


def main() -> None:
    """Runs every given Spark."""
    FIXTURES.mkdir(parents=True, exist_ok=True)
    for argument in sys.argv[1:]:
        version, _, python = argument.partition("=")
        shutil.rmtree(WORK, ignore_errors=True)
        written = run_job(["-c", JOB], python, WORK, options(SETTINGS))
        pieces = [
            f"##### {execution.description}\n{execution.plan.text.rstrip()}\n"
            for log in find_logs([str(written)])
            for execution in read_log(log).executions
            if execution.description.startswith(("wide: ", "view: "))
        ]
        (FIXTURES / f"{version}.plans").write_text("\n".join(pieces))
    shutil.rmtree(WORK, ignore_errors=True)


if __name__ == "__main__":
    main()
