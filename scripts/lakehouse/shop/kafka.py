"""Kafka's topics, and a broker of one node beside the job."""

from __future__ import annotations

import atexit
import subprocess
import time
from pathlib import Path

import pyspark
from pyspark.sql import DataFrame

from lakehouse.runner import Frames, Job, Names

SERVERS = {"kafka.bootstrap.servers": "localhost:19092"}
_BROKER = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@localhost:19093
listeners=PLAINTEXT://localhost:19092,CONTROLLER://localhost:19093
advertised.listeners=PLAINTEXT://localhost:19092
controller.listener.names=CONTROLLER
log.dirs={root}/kafka
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
num.partitions=1
"""
_CLUSTER = "MkU3OEVBNTcwNTJENDM2Qk"


def prepare(job: Job) -> None:
    """Run a broker until the program ends, with the classes that Spark fetched."""
    jars = job.spark.sparkContext._jsc.sc().listJars()
    paths = [jars.apply(place).partition("/jars/")[2] for place in range(jars.size())]
    ivy = Path(job.spark.conf.get("spark.jars.ivy")) / "jars"
    scala = sorted((Path(pyspark.__file__).parent / "jars").glob("scala-library*.jar"))
    classes = ":".join([*(str(ivy / path) for path in paths), *map(str, scala)])
    settings = job.root / "broker.properties"
    settings.write_text(_BROKER.format(root=job.root))
    java = ["java", "-Xmx512m", "-cp", classes]
    subprocess.run([*java, "kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(settings)], check=True)
    output = (job.root / "broker.out").open("w")
    broker = subprocess.Popen([*java, "kafka.Kafka", str(settings)], stdout=output, stderr=output)
    atexit.register(broker.terminate)
    time.sleep(15)


def frames(names: Names) -> Frames:
    """Return the functions by the names of their statements."""

    def read(job: Job, topics: str, *columns: str) -> DataFrame:
        rows = job.spark.read.format("kafka").options(**SERVERS).option("subscribe", topics).load()
        return rows.selectExpr(*columns)

    def sent(job: Job) -> None:
        rows = names.table(job, "{ns}.orders")
        rows = rows.selectExpr("cast(id AS STRING) AS key", "to_json(struct(customer, amount)) AS value")
        rows.write.format("kafka").options(**SERVERS).option("topic", "clicks").save()

    def stream(job: Job, topics: str, kind: str, *columns: str, **options: str) -> None:
        source = job.spark.readStream.format("kafka").options(startingOffsets="earliest", **SERVERS)
        rows = source.option("subscribe", topics).load().selectExpr(*columns)
        job.stream(rows, job.step).format(kind).options(**options).start().awaitTermination()

    id_, word = "cast(key AS STRING) AS id", "cast(value AS STRING) AS word"
    amount = "get_json_object(cast(value AS STRING), '$.amount') AS amount"
    return {
        "save: clicks": sent,
        "table: clicked": lambda j: read(j, "clicks", id_, amount).write.saveAsTable("shop.clicked"),
        "stream: files": lambda j: stream(
            j, "clicks", "parquet", id_, "upper(cast(value AS STRING)) AS word", path=f"{j.root}/lake/clicks"
        ),
        "stream: sent": lambda j: stream(
            j, "clicks", "kafka", "key", "concat('x', cast(value AS STRING)) AS value", topic="words", **SERVERS
        ),
        "stream: named": lambda j: stream(j, "clicks", "kafka", "'other' AS topic", "value", **SERVERS),
        "stream: both": lambda j: stream(j, "clicks,words", "parquet", "topic", word, path=f"{j.root}/lake/both"),
        "table: both": lambda j: read(j, "clicks,words", "topic", word).write.saveAsTable("shop.both"),
    }
