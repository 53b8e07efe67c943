"""Delta tables whose commits DynamoDB coordinates: `python -m lakehouse.workload_coordinated NAME ROOT PACKAGES`.

`--truth` prints the truth. The job starts moto's server, which serves DynamoDB on localhost; the Python that runs it is
`MOTO_PYTHON`, or the job's own. Delta 3.3.3 and 4.4.0 have the coordinator; the AWS SDK is not among their jars.
Commits between two backfills stay in `_delta_log/_staged_commits`.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

from lakehouse import workload_delta
from lakehouse.session import session
from lakehouse.workload import Job, Step, numbered, truth_of

_PORT = 28765
_URL = f"http://127.0.0.1:{_PORT}"
_CONF = {
    **workload_delta.CONF,
    "spark.databricks.delta.properties.defaults.coordinatedCommits.commitCoordinator-preview": "dynamodb",
    "spark.databricks.delta.properties.defaults.coordinatedCommits.commitCoordinatorConf-preview": json.dumps(
        {"dynamoDBTableName": "commits", "dynamoDBEndpoint": _URL}
    ),
}
_KEYS = {"AWS_ACCESS_KEY_ID": "moto", "AWS_SECRET_ACCESS_KEY": "moto", "AWS_REGION": "us-east-1"}
_ROOT = "file:///tmp/lakehouse_coordinated"
DATASETS = {
    **{
        name: f"spark_catalog.mill.{name}"
        for name in "grain lots flour daily wide wide2 copies parts kept streamed history twin".split()
    },
    "p_sacks": f"{_ROOT}/lake/sacks",
}
CHANGES = """
grain: column_added moist
grain: column_renamed damp
flour: column_dropped kg
flour: column_added tons
"""


def versions(root: Path) -> dict[str, str]:
    """Return the newest version of every table; commits that are not backfilled yet count."""
    found = workload_delta.versions(root)
    for folder in root.rglob("_staged_commits"):
        table = folder.parent.parent
        name = f"{table.parent.name[:-3]}.{table.name}" if table.parent.name.endswith(".db") else str(table)
        staged = [int(path.name.split(".")[0]) for path in folder.glob("*.json")]
        found[name] = str(max([int(found.get(name, "-1")), *staged]))
    return found


def _saved(job: Job) -> None:
    rows = job.spark.table("mill.grain").selectExpr("gid AS sid", "kg / 25 AS sacks", "kind")
    rows.write.format("delta").partitionBy("kind").save(f"{job.root}/lake/sacks")


def _api(job: Job) -> None:
    from delta.tables import DeltaTable

    source = job.spark.table("mill.lots").selectExpr("gid AS sid", "qty AS sacks", "'rye' AS kind")
    merge = DeltaTable.forPath(job.spark, f"{job.root}/lake/sacks").alias("t").merge(source.alias("s"), "t.sid = s.sid")
    merge.whenMatchedUpdate(set={"sacks": "t.sacks + s.sacks"}).whenNotMatchedInsertAll().execute()


def _stream(job: Job) -> None:
    rows = job.spark.readStream.table("mill.lots").selectExpr("lid", "qty * 2 AS qty")
    job.stream(rows, "stream lots").toTable("mill.streamed").awaitTermination()


STEPS = (
    Step(
        "grain ddl",
        "CREATE TABLE mill.grain (gid BIGINT, kind STRING, kg DOUBLE, day STRING) USING delta PARTITIONED BY (day)"
        " TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.columnMapping.mode' = 'name')",
    ),
    Step(
        "grain",
        "INSERT INTO mill.grain SELECT id, substr('abc', CAST(id % 3 AS INT) + 1, 1), id * 10.0, CAST(id % 2 AS STRING)"
        " FROM range(10)",
        "append grain",
        "gid kind kg day <",
    ),
    Step(
        "lots",
        "CREATE TABLE mill.lots USING delta AS SELECT gid * 100 AS lid, gid, CAST(kg AS INT) AS qty FROM mill.grain WHERE kg > 5",
        "create lots",
        "lid gid < grain.gid; qty < grain.kg",
        "FILTER grain.kg",
    ),
    Step(
        "insert join",
        "INSERT INTO mill.grain SELECT g.gid + 100, g.kind, l.qty * 1.5D, g.day FROM mill.grain g JOIN mill.lots l ON l.gid = g.gid",
        "append grain",
        "gid < grain.gid; kind < grain.kind; kg < lots.qty; day < grain.day",
        "JOIN lots.gid",
    ),
    Step(
        "update",
        "UPDATE mill.grain SET kg = kg + gid WHERE kind = 'a'",
        "update grain",
        "kg < grain.kg grain.gid",
        "FILTER grain.kind",
    ),
    Step(
        "merge",
        "MERGE INTO mill.grain t USING (SELECT gid, sum(qty) AS q FROM mill.lots GROUP BY gid) s ON t.gid = s.gid"
        " WHEN MATCHED AND s.q > 80 THEN DELETE WHEN MATCHED THEN UPDATE SET kg = s.q"
        " WHEN NOT MATCHED THEN INSERT (gid, kind, kg, day) VALUES (s.gid, 'new', s.q, '9')",
        "merge grain",
        "gid < lots.gid; kind < ; kg < lots.qty; day <",
    ),
    Step("delete", "DELETE FROM mill.grain WHERE kg > 300", "delete grain", "", "FILTER grain.kg"),
    Step("travel", "SELECT gid, kg FROM mill.grain VERSION AS OF 1", "", "gid kg < grain.*"),
    Step(
        "travel join",
        "CREATE TABLE mill.history USING delta AS SELECT n.gid, n.kg - o.kg AS grown FROM mill.grain n"
        " JOIN mill.grain VERSION AS OF 1 o ON o.gid = n.gid",
        "create history",
        "gid < grain.gid; grown < grain.kg",
    ),
    Step(
        "changes",
        "SELECT gid, kg, _change_type FROM table_changes('mill.grain', 1) WHERE kind = 'a'",
        "",
        "gid kg < grain.*; _change_type < grain._change_type",
    ),
    Step("optimize", "OPTIMIZE mill.grain", "maintenance grain"),
    Step("alter add", "ALTER TABLE mill.grain ADD COLUMNS (moist DOUBLE)", "alter grain"),
    Step("alter rename", "ALTER TABLE mill.grain RENAME COLUMN moist TO damp", "alter grain"),
    Step(
        "overwrite part",
        "INSERT OVERWRITE mill.grain PARTITION (day = '1') SELECT gid, kind, kg * 2, kg / 10 FROM mill.grain WHERE day = '0'",
        "overwrite grain",
        "gid kind < grain.*; kg damp < grain.kg; day <",
        "FILTER grain.day",
    ),
    Step(
        "flour",
        lambda j: (
            j.spark.table("mill.grain")
            .groupBy("kind")
            .agg({"kg": "sum"})
            .withColumnRenamed("sum(kg)", "kg")
            .write.format("delta")
            .saveAsTable("mill.flour")
        ),
        "create flour",
        "kind kg < grain.*",
        "GROUP_BY grain.kind",
    ),
    Step(
        "flour again",
        "CREATE OR REPLACE TABLE mill.flour USING delta AS SELECT kind, sum(kg) / 1000 AS tons FROM mill.grain GROUP BY kind",
        "overwrite flour",
        "kind < grain.kind; tons < grain.kg",
        "GROUP_BY grain.kind",
    ),
    Step(
        "wide",
        f"CREATE TABLE mill.wide USING delta AS SELECT gid AS k, {numbered(59, 'kg + {n} AS c{n}')} FROM mill.grain",
        "create wide",
        "k < grain.gid; c{1..59} < grain.kg",
    ),
    Step(
        "wide update",
        f"UPDATE mill.wide SET {numbered(59, 'c{n} = c{n} + k')} WHERE k > 2",
        "update wide",
        "; ".join(f"c{n} < wide.c{n} wide.k" for n in range(1, 60)),
    ),
    Step(
        "wide merge",
        "MERGE INTO mill.wide t USING mill.wide s ON t.k = s.k + 1 WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        "merge wide",
        "k c{1..59} < wide.*",
    ),
    Step("save path", _saved, "create p_sacks", "sid < grain.gid; sacks < grain.kg; kind < grain.kind"),
    Step("merge path", _api, "merge p_sacks", "sid < lots.gid; sacks < p_sacks.sacks lots.qty; kind <"),
    Step(
        "read path",
        lambda j: j.sql(f"SELECT sid, sacks FROM delta.`{j.root}/lake/sacks` WHERE kind = 'rye'"),
        "",
        "sid sacks < p_sacks.*",
        "FILTER p_sacks.kind",
    ),
    Step("stream lots", _stream, "append streamed", "lid qty < lots.*"),
    Step("clone", "CREATE TABLE mill.twin SHALLOW CLONE mill.lots", "create twin", "lid gid qty < lots.*"),
    Step("truncate", "DELETE FROM mill.twin", "delete twin"),
    Step("restore", "RESTORE TABLE mill.lots TO VERSION AS OF 0"),  # the current one: Delta does nothing
    Step(
        "many 1", "INSERT INTO mill.lots SELECT lid + 7, gid, qty FROM mill.lots", "append lots", "lid gid qty < lots.*"
    ),
    Step("many 2", "UPDATE mill.lots SET qty = 3 WHERE lid > 500", "update lots", "qty <"),
    Step("many read", "SELECT max(qty + lid) AS m FROM mill.lots", "", "m < lots.qty lots.lid"),
    Step("count", "SELECT count(*) AS n FROM mill.lots", "", "n <"),
    Step(
        "drop feature",
        "ALTER TABLE mill.lots UNSET TBLPROPERTIES ('delta.coordinatedCommits.commitCoordinator-preview')",
        "-",
    ),
)


_SERVER = """
import sys
from moto.dynamodb.models.dynamo_type import DynamoType, Item
from moto.server import main

whole = Item.update_with_attribute_updates

def update(self, updates):
    for name, action in updates.items():
        if "BOOL" in action.get("Value", {}):
            self.attrs[name] = DynamoType(action["Value"])
    whole(self, {name: each for name, each in updates.items() if "BOOL" not in each.get("Value", {})})

Item.update_with_attribute_updates = update
main(sys.argv[1:])
"""
"""Moto's server; moto 5.2 makes a string of a Boolean in `AttributeUpdates`, which the coordinator sends."""


def _server() -> subprocess.Popen[bytes]:
    """Start DynamoDB's stand-in and wait until it answers."""
    python = os.environ.get("MOTO_PYTHON", sys.executable)
    path = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    server = subprocess.Popen(
        [python, "-c", _SERVER, "-H", "127.0.0.1", "-p", str(_PORT)],
        env=path,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(100):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", _PORT)) == 0:
                return server
        time.sleep(0.2)
    server.kill()
    raise RuntimeError("moto's server does not answer")


def main() -> None:
    """Run all steps, or print their truth."""
    if sys.argv[1] == "--truth":
        print(truth_of(DATASETS, STEPS, CHANGES), end="")
        return
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    os.environ.update(_KEYS)
    server = _server()
    try:
        spark = session(name, root, packages, _CONF)
        spark.sql("CREATE DATABASE mill")
        Job(spark, root, lambda: versions(root), name).run(STEPS)
        spark.stop()
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
