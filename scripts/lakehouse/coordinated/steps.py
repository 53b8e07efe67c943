"""Frames and streams of the workload, and DynamoDB's stand-in, which coordinates Delta's commits."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from lakehouse.runner import Frames, Job, Names

_PORT = 28765
_KEYS = {"AWS_ACCESS_KEY_ID": "moto", "AWS_SECRET_ACCESS_KEY": "moto", "AWS_REGION": "us-east-1"}


def _saved(job: Job) -> None:
    rows = job.spark.table("mill.grain").selectExpr("gid AS sid", "kg / 25 AS sacks", "kind")
    rows.write.format("delta").partitionBy("kind").save(f"{job.root}/lake/sacks")


def _api(job: Job) -> None:
    source = job.spark.table("mill.lots").selectExpr("gid AS sid", "qty AS sacks", "'rye' AS kind")
    merge = job.delta(f"{job.root}/lake/sacks").alias("t").merge(source.alias("s"), "t.sid = s.sid")
    merge.whenMatchedUpdate(set={"sacks": "t.sacks + s.sacks"}).whenNotMatchedInsertAll().execute()


def _stream(job: Job) -> None:
    rows = job.spark.readStream.table("mill.lots").selectExpr("lid", "qty * 2 AS qty")
    job.stream(rows, "stream lots").toTable("mill.streamed").awaitTermination()


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""
    del names
    return {
        "flour": lambda j: (
            j.spark.table("mill.grain")
            .groupBy("kind")
            .agg({"kg": "sum"})
            .withColumnRenamed("sum(kg)", "kg")
            .write.format("delta")
            .saveAsTable("mill.flour")
        ),
        "save path": _saved,
        "merge path": _api,
        "read path": lambda j: j.sql(f"SELECT sid, sacks FROM delta.`{j.root}/lake/sacks` WHERE kind = 'rye'"),
        "stream lots": _stream,
    }


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


@contextmanager
def around() -> Iterator[None]:
    """Have the server while the session runs."""
    os.environ.update(_KEYS)
    server = _server()
    try:
        yield
    finally:
        server.terminate()
