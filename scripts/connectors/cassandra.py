"""Run statements over Cassandra on Spark 3.5: its data source, its catalog, and a direct join.

    python scripts/connectors/cassandra.py WORK CASSANDRA_PORT

`scripts/connectors/make_logs.py` starts Cassandra and runs it. The connector is Maven's.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import logged

WORK, PORT = Path(sys.argv[1]), sys.argv[2]
CATALOG = "spark.sql.catalog.cass"

spark = logged.start(
    "cassandra",
    WORK,
    {
        "spark.jars.packages": "com.datastax.spark:spark-cassandra-connector_2.12:3.5.1",
        "spark.sql.extensions": "com.datastax.spark.connector.CassandraSparkExtensions",
        "spark.cassandra.connection.host": "127.0.0.1",
        "spark.cassandra.connection.port": PORT,
        "spark.cassandra.output.batch.grouping.key": "none",
        CATALOG: "com.datastax.spark.connector.datasource.CassandraCatalog",
    },
)
save = partial(logged.save, WORK)


def sql(name: str, *statements: str) -> None:
    """Run statements under a name."""
    spark.sparkContext.setJobDescription(name)
    for statement in statements:
        spark.sql(statement)


def load(table: str, **options: str):
    """Read a table of the keyspace through `format("cassandra")`."""
    reader = spark.read.format("org.apache.spark.sql.cassandra")
    return reader.options(keyspace="depot", table=table, **options).load()


sql(
    "setup",
    "CREATE DATABASE cass.depot WITH DBPROPERTIES (class = 'SimpleStrategy', replication_factor = '1')",
    "CREATE TABLE cass.depot.parcels (id BIGINT, town STRING, weight DOUBLE, state STRING) "
    "USING cassandra PARTITIONED BY (id)",
    "CREATE TABLE cass.depot.towns (town STRING, region STRING) USING cassandra PARTITIONED BY (town)",
    "CREATE TABLE cass.depot.loads (town STRING, total DOUBLE) USING cassandra PARTITIONED BY (town)",
    "INSERT INTO cass.depot.parcels "
    "SELECT * FROM VALUES (1L, 'Rome', 2.5D, 'sent'), (2L, 'Oslo', 3.5D, 'kept') AS t(id, town, weight, state)",
    "INSERT INTO cass.depot.towns SELECT * FROM VALUES ('Rome', 'south'), ('Oslo', 'north') AS t(town, region)",
    "CREATE TABLE wanted USING parquet AS SELECT 1L AS parcel",
)
parcels, wanted = load("parcels"), spark.table("wanted")
save("read", parcels.where("weight > 2").selectExpr("id", "upper(town) AS place"))
save("pushed", parcels.where("id = 1").select("id", "town"))
save(
    "catalog", spark.sql("SELECT town, sum(weight) AS total FROM cass.depot.parcels WHERE state = 'sent' GROUP BY town")
)
save("join", spark.sql("SELECT p.id, t.region FROM cass.depot.parcels p JOIN cass.depot.towns t ON p.town = t.town"))
direct = load("parcels", directJoinSetting="on")
save("direct join", wanted.join(direct, wanted.parcel == direct.id).select("parcel", "weight", "state"))
loads = parcels.groupBy("town").sum("weight").toDF("town", "total")
spark.sparkContext.setJobDescription("save")
loads.write.format("org.apache.spark.sql.cassandra").options(keyspace="depot", table="loads").mode("append").save()
sql("insert", "INSERT INTO cass.depot.loads SELECT town, weight AS total FROM cass.depot.parcels WHERE id IN (1, 2)")
sql(
    "create",
    "CREATE TABLE cass.depot.heavy USING cassandra PARTITIONED BY (id) "
    "AS SELECT id, weight * 2 AS weight FROM cass.depot.parcels",
)
spark.stop()
