"""Kafka: `python -m lakehouse.kafka NAME ROOT PACKAGES`; a broker of one node beside the job."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
from pyspark.sql import DataFrame, SparkSession

from lakehouse import common
from lakehouse.session import Shop, session

SERVERS = "localhost:19092"
"""Where the broker listens."""
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


def main() -> None:
    """Runs all statements."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    spark = session(name, root, packages, {})
    with broker(root, broker_classes(spark)):
        spark.sql("CREATE DATABASE shop")
        shop = Shop(spark, "spark_catalog.shop", lambda _: None, root / "snapshots.jsonl")
        batch(shop)
        streams(shop, root)
        topics(shop)
    spark.stop()


def broker_classes(spark: SparkSession) -> str:
    """Return the class path of the broker: the packages of the session, and Spark's Scala library."""
    jars = spark.sparkContext._jsc.sc().listJars()  # where Spark put the broker's classes
    paths = [jars.apply(place).partition("/jars/")[2] for place in range(jars.size())]
    ivy = Path(spark.conf.get("spark.jars.ivy")) / "jars"
    scala = sorted((Path(pyspark.__file__).parent / "jars").glob("scala-library*.jar"))
    return ":".join([*(str(ivy / path) for path in paths), *map(str, scala)])


@contextmanager
def broker(root: Path, classes: str) -> Iterator[None]:
    """Runs a broker until the end of the block."""
    settings = root / "broker.properties"
    settings.write_text(_BROKER.format(root=root))
    java = ["java", "-Xmx512m", "-cp", classes]
    subprocess.run([*java, "kafka.tools.StorageTool", "format", "-t", _CLUSTER, "-c", str(settings)], check=True)
    with (root / "broker.out").open("w") as output:
        running = subprocess.Popen([*java, "kafka.Kafka", str(settings)], stdout=output, stderr=output)
        try:
            time.sleep(15)
            yield
        finally:
            running.terminate()
            running.wait()


def batch(shop: Shop) -> None:
    """Rows into a topic and out of it, without a stream."""
    rows = dict(common.first_tables("USING parquet"))
    shop.run(
        [
            ("create: orders", f"CREATE TABLE {{ns}}.orders ({common.ORDERS}) USING parquet PARTITIONED BY (day)"),
            ("insert: orders, values", rows["insert: orders, values"]),
        ]
    )
    frame = shop.table("orders").selectExpr("cast(id AS STRING) AS key", "to_json(struct(customer, amount)) AS value")
    options = {"kafka.bootstrap.servers": SERVERS}
    shop.step("save: clicks", lambda: frame.write.format("kafka").options(**options).option("topic", "clicks").save())
    values = _read(shop, "clicks").selectExpr(
        "cast(key AS STRING) AS id", "get_json_object(cast(value AS STRING), '$.amount') AS amount"
    )
    shop.step("table: clicked", lambda: values.write.saveAsTable("shop.clicked"))


def topics(shop: Shop) -> None:
    """Two topics at once, without a stream."""
    rows = _read(shop, "clicks,words").selectExpr("topic", "cast(value AS STRING) AS word")
    shop.step("table: both", lambda: rows.write.saveAsTable("shop.both"))


def _read(shop: Shop, names: str) -> DataFrame:
    reader = shop.spark.read.format("kafka").option("kafka.bootstrap.servers", SERVERS)
    return reader.option("subscribe", names).load()


def streams(shop: Shop, root: Path) -> None:
    """A topic into files, a topic into a topic, two topics at once."""
    spark, options = shop.spark, {"kafka.bootstrap.servers": SERVERS, "startingOffsets": "earliest"}

    def topic(names: str) -> object:
        return spark.readStream.format("kafka").options(**options).option("subscribe", names).load()

    def run(name: str, frame: object, kind: str, **more: str) -> None:
        writer = frame.writeStream.format(kind).options(**more).queryName(name)  # type: ignore[attr-defined]
        writer = writer.option("checkpointLocation", str(root / "checkpoints" / name.replace(" ", "_")))
        writer.trigger(availableNow=True).start().awaitTermination()

    spark.sparkContext.setJobDescription(None)
    read = topic("clicks").selectExpr("cast(key AS STRING) AS id", "upper(cast(value AS STRING)) AS word")  # type: ignore[attr-defined]
    run("stream: files", read, "parquet", path=str(root / "lake" / "clicks"))
    sent = topic("clicks").selectExpr("key", "concat('x', cast(value AS STRING)) AS value")  # type: ignore[attr-defined]
    with shop.extended():  # formatted text has neither the topic nor the servers of a sink
        run("stream: sent", sent, "kafka", topic="words", **{"kafka.bootstrap.servers": SERVERS})
    named = topic("clicks").selectExpr("'other' AS topic", "value")  # type: ignore[attr-defined]
    run("stream: named", named, "kafka", **{"kafka.bootstrap.servers": SERVERS})
    both = topic("clicks,words").selectExpr("topic", "cast(value AS STRING) AS word")  # type: ignore[attr-defined]
    run("stream: both", both, "parquet", path=str(root / "lake" / "both"))


if __name__ == "__main__":
    main()
