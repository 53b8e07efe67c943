"""Topics with JSON and Avro payloads, truth by construction: `python -m lakehouse.medallion_kafka NAME ROOT PACKAGES`.

A broker of one node (KRaft) runs next to the job, from the packages' own jars.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path

from pyspark.sql import DataFrame

from lakehouse.constructed import Value, Workload, land, same, select
from lakehouse.kafka import SERVERS, broker, broker_classes
from lakehouse.medallion import Night
from lakehouse.session import session

TABLES = {
    "trips": "shop.trips",
    "read_json": "shop.read_json",
    "read_avro": "shop.read_avro",
    "nested": "shop.nested",
    "both": "shop.both",
    "meta": "shop.meta",
    "counted": "shop.counted",
    "enriched": "shop.enriched",
}
PATHS = {
    "landed": ("json", "landing/trips"),
    "flat": ("parquet", "out/flat"),
    "avro_flat": ("parquet", "out/avro_flat"),
    "windows": ("parquet", "out/windows"),
}
_PAYLOAD = "trip_id BIGINT, km DOUBLE, region STRING, who STRUCT<id: BIGINT, car: STRING>, tags ARRAY<STRING>"
_FIELDS = [("trip_id", "long"), ("km", "double"), ("region", "string")]
_RECORD = json.dumps(
    {
        "type": "record",
        "name": "trip",
        "fields": [{"name": name, "type": [kind, "null"]} for name, kind in _FIELDS],
    }
)


def main() -> None:
    """Run all statements next to a broker."""
    name, root, packages = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    land(root, 1)
    spark = session(name, root, packages, {})
    spark.sql("CREATE DATABASE shop")
    with broker(root, broker_classes(spark)):
        workload(str(root)).play(Night(spark, root, "spark_catalog", root / "snapshots.jsonl"))
    spark.stop()


def workload(root: str) -> Workload:
    """Return the statements and their truth.

    Args:
        root: The folder for all that the job writes.
    """
    work = Workload(TABLES, "spark_catalog.", PATHS, root)
    work.add_datasets(
        {each: f"kafka://unknown/{each}" for each in ("json_trips", "avro_trips", "named")}
        | {f"{each}_sink": f"kafka://{SERVERS}/{each}" for each in ("json_trips", "avro_trips", "named", "json_again")}
    )
    _writes(work)
    _reads(work)
    _streams(work)
    return work


def _writes(work: Workload) -> None:
    trips = [
        *same("trip_id vehicle km region ts tags", "landed"),
        Value("driver", "driver.id", "landed.driver.id"),
    ]
    work.ctas("trips ctas", "trips", "USING parquet", trips, "FROM {landed}")
    in_json = [
        Value("key", "CAST(trip_id AS STRING)", "trips.trip_id"),
        Value(
            "value",
            "to_json(struct(trip_id, km, region, struct(driver AS id, vehicle AS car) AS who, tags))",
            "trips.trip_id trips.km trips.region trips.driver trips.vehicle trips.tags",
        ),
    ]
    work.frame("send json", _send(work, in_json, {"topic": "json_trips"}), "append json_trips_sink", in_json)
    in_avro = [
        Value("key", "CAST(vehicle AS BINARY)", "trips.vehicle"),
        Value("value", "avro", "trips.trip_id trips.km trips.region"),
    ]
    work.frame("send avro", _send(work, in_avro, {"topic": "avro_trips"}), "append avro_trips_sink", in_avro)
    named = [Value("topic", "'named'"), Value("value", "to_json(struct(km))", "trips.km")]
    work.frame("send named", _send(work, named, {}), "append named_sink", named[1:])


def _send(work: Workload, values: list[Value], options: Mapping[str, str]) -> object:
    def send(night: Night) -> None:
        from pyspark.sql.avro.functions import to_avro  # noqa: PLC0415 - its jar is a package of the job
        from pyspark.sql.functions import struct  # noqa: PLC0415

        if any(each.expression == "avro" for each in values):
            frame = night.spark.table("shop.trips").selectExpr(
                "CAST(vehicle AS BINARY) AS key", "trip_id", "km", "region"
            )
            frame = frame.select("key", to_avro(struct("trip_id", "km", "region"), _RECORD).alias("value"))
        else:
            frame = night.spark.sql(work.filled(select(values, "FROM {trips}")))
        frame.write.format("kafka").option("kafka.bootstrap.servers", SERVERS).options(**options).save()

    return send


def _topic(night: Night, **options: str) -> DataFrame:
    reader = night.spark.read.format("kafka").option("kafka.bootstrap.servers", SERVERS)
    return reader.options(**options).load()


def _decoded(frame: DataFrame, *columns: str) -> DataFrame:
    """Return the fields of an Avro payload as `trip`, after other columns."""
    from pyspark.sql.avro.functions import from_avro  # noqa: PLC0415 - its jar is a package of the job

    return frame.select(*columns, from_avro("value", _RECORD).alias("trip"))


def _reads(work: Workload) -> None:
    fields = [
        Value("trip_id", "p.trip_id", "json_trips.value"),
        Value("far", "p.km > 20", "json_trips.value"),
        Value("car", "upper(p.who.car)", "json_trips.value"),
        Value("id", "CAST(key AS STRING)", "json_trips.key"),
    ]

    def read_json(night: Night) -> None:
        frame = _topic(night, subscribe="json_trips").selectExpr(
            "key", f"from_json(CAST(value AS STRING), '{_PAYLOAD}') AS p"
        )
        frame.selectExpr(*_expressions(fields)).write.saveAsTable("shop.read_json")

    work.frame("read json", read_json, "create read_json", fields)
    avro = [
        Value("trip_id", "trip.trip_id", "avro_trips.value"),
        Value("half", "trip.km / 2", "avro_trips.value"),
        Value("car", "CAST(key AS STRING)", "avro_trips.key"),
    ]

    def read_avro(night: Night) -> None:
        frame = _decoded(_topic(night, subscribe="avro_trips"), "key")
        frame.selectExpr(*_expressions(avro)).where("half > 1").write.saveAsTable("shop.read_avro")

    work.frame("read avro", read_avro, "create read_avro", avro, ["FILTER avro_trips.value"])
    nested = [Value("trip_id", "p.trip_id", "json_trips.value"), Value("tag", "lower(tag)", "json_trips.value")]

    def explode(night: Night) -> None:
        _topic(night, subscribe="json_trips").createOrReplaceTempView("incoming")
        night.spark.sql(
            f"CREATE TABLE shop.nested USING parquet AS {select(nested, '')} FROM (SELECT from_json(CAST(value AS STRING),"
            f" '{_PAYLOAD}') AS p FROM incoming) LATERAL VIEW explode(p.tags) x AS tag"
        )

    work.frame("explode json", explode, "create nested", nested)
    both = [
        Value("topic", "topic", "json_trips.topic avro_trips.topic"),
        Value("size", "length(value)", "json_trips.value avro_trips.value"),
    ]

    def pattern(night: Night) -> None:
        frame = _topic(night, subscribe="json_trips,avro_trips")
        frame.selectExpr(*_expressions(both)).write.saveAsTable("shop.both")

    work.frame("read two", pattern, "create both", both)
    meta = [
        Value("seq", "`offset`", "named.offset"),
        Value("at", "`timestamp`", "named.timestamp"),
        Value("km", "get_json_object(CAST(value AS STRING), '$.km')", "named.value"),
    ]

    def assigned(night: Night) -> None:
        frame = _topic(night, assign='{"named":[0]}')
        frame.selectExpr(*_expressions(meta)).write.saveAsTable("shop.meta")

    work.frame("read assigned", assigned, "create meta", meta)
    grouped = [
        Value("region", "p.region", "json_trips.value"),
        Value("n", "count(*)"),
        Value("km", "sum(p.km)", "json_trips.value"),
    ]

    def count(night: Night) -> None:
        _topic(night, subscribe="json_trips").createOrReplaceTempView("incoming")
        rest = f"FROM (SELECT from_json(CAST(value AS STRING), '{_PAYLOAD}') AS p FROM incoming) GROUP BY p.region"
        night.spark.sql(select(grouped, rest)).collect()

    work.frame("query json", count, "", grouped, ["GROUP_BY json_trips.value"])


def _streams(work: Workload) -> None:
    flat = [
        Value("trip_id", "p.trip_id", "json_trips.value"),
        Value("region", "lower(p.region)", "json_trips.value"),
        Value("part", "partition", "json_trips.partition"),
    ]
    avro = [Value("trip_id", "trip.trip_id", "avro_trips.value"), Value("km", "trip.km + 1", "avro_trips.value")]
    counted = [Value("region", "p.region", "json_trips.value"), Value("km", "sum(p.km)", "json_trips.value")]
    enriched = [
        Value("trip_id", "p.trip_id", "json_trips.value"),
        *same("vehicle", "trips", "t"),
    ]
    named = [Value("topic", "'named'"), Value("value", "to_json(p.who)", "json_trips.value")]
    again = [Value("value", "to_json(struct(p.km AS km))", "json_trips.value")]
    parsed = f"from_json(CAST(value AS STRING), '{_PAYLOAD}') AS p"

    def run(night: Night) -> None:
        night.spark.sparkContext.setJobDescription(None)
        spark, root = night.spark, night.root

        def topic(name: str) -> DataFrame:
            reader = spark.readStream.format("kafka").option("kafka.bootstrap.servers", SERVERS)
            return reader.option("subscribe", name).option("startingOffsets", "earliest").load()

        def start(frame: DataFrame, name: str, using: str, **options: str) -> None:
            writer = frame.writeStream.format(using).queryName(name).options(**options)
            writer = writer.option("checkpointLocation", f"{root}/ck/{name.replace(' ', '_')}")
            writer.trigger(availableNow=True).start().awaitTermination()

        rows = topic("json_trips").selectExpr("partition", parsed)
        start(rows.selectExpr(*_expressions(flat)), "stream json", "parquet", path=f"{root}/out/flat")
        decoded = _decoded(topic("avro_trips"))
        start(decoded.selectExpr(*_expressions(avro)), "stream avro", "parquet", path=f"{root}/out/avro_flat")
        sink = {"kafka.bootstrap.servers": SERVERS}
        start(rows.selectExpr(*_expressions(named)), "stream named", "kafka", **sink)
        start(rows.selectExpr(*_expressions(again)), "stream again", "kafka", topic="json_again", **sink)

        def save(batch: DataFrame, _: int) -> None:
            batch.write.mode("append").saveAsTable("shop.counted")

        writer = rows.groupBy("p.region").agg({"p.km": "sum"}).toDF("region", "km").writeStream
        writer = writer.queryName("stream counted").outputMode("complete")
        writer = writer.option("checkpointLocation", f"{root}/ck/counted").trigger(availableNow=True)
        writer.foreachBatch(save).start().awaitTermination()
        joined = rows.join(
            spark.table("shop.trips").alias("t"), rows["p.trip_id"] == spark.table("shop.trips")["trip_id"]
        )
        writer = joined.selectExpr(*_expressions(enriched)).writeStream.queryName("stream enriched")
        writer = writer.option("checkpointLocation", f"{root}/ck/enriched").trigger(availableNow=True)
        writer.toTable("shop.enriched").awaitTermination()

    work.run_step(run)
    work.expect("stream json", "append flat", flat)
    work.expect("stream avro", "append avro_flat", avro)
    work.expect("stream named", "append named", named[1:])
    work.expect("stream again", "append json_again_sink", again)
    work.expect("stream counted", "append counted", counted, ["GROUP_BY json_trips.value"])
    work.expect("stream enriched", "append enriched", enriched, ["JOIN trips.trip_id", "JOIN json_trips.value"])


def _expressions(values: list[Value]) -> list[str]:
    return [f"{each.expression} AS {each.column}" for each in values]


if __name__ == "__main__":
    main()
