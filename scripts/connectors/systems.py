"""Run statements over MariaDB, Redis, MongoDB and XML files on Spark 3.5, and saves to systems without a server here.

    python scripts/connectors/systems.py WORK MARIADB_PORT REDIS_PORT

`scripts/connectors/make_logs.py` starts MariaDB and Redis and runs it. The connectors are Maven's. MongoDB's server is
mongo-java-server, in the driver's JVM. Snowflake, SQL Server and Kudu have no server: their saves fail, after the log
has their plans.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

import logged
from pyspark import InheritableThread

WORK, MARIADB, REDIS = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
MONGO = 27098
PACKAGES = (
    "com.redislabs:spark-redis_2.12:3.0.0",
    "org.mongodb.spark:mongo-spark-connector_2.12:10.5.0",
    "de.bwaldvogel:mongo-java-server-memory-backend:1.47.0",
    "com.databricks:spark-xml_2.12:0.18.0",
    "net.snowflake:spark-snowflake_2.12:3.0.0",
    "com.microsoft.azure:spark-mssql-connector_2.12:1.1.0",
    "org.apache.kudu:kudu-spark3_2.12:1.18.1",
    "org.mariadb.jdbc:mariadb-java-client:3.5.3",
)
URL = f"jdbc:mysql://127.0.0.1:{MARIADB}/crm?permitMysqlScheme"
LOGIN = {"url": URL, "user": "spark", "password": "spark", "driver": "org.mariadb.jdbc.Driver"}
SNOWFLAKE = {
    "sfURL": "acme.snowflakecomputing.com",
    "sfUser": "u",
    "sfPassword": "p",
    "sfDatabase": "SHOP",
    "sfSchema": "S",
}

spark = logged.start(
    "systems",
    WORK,
    {
        "spark.jars.packages": ",".join(PACKAGES),
        "spark.redis.host": "127.0.0.1",
        "spark.redis.port": REDIS,
        "spark.mongodb.read.connection.uri": f"mongodb://127.0.0.1:{MONGO}",
        "spark.mongodb.write.connection.uri": f"mongodb://127.0.0.1:{MONGO}",
        "spark.mongodb.write.database": "depot",
        "spark.mongodb.write.collection": "totals",
        "spark.mongodb.read.partitioner": (
            "com.mongodb.spark.sql.connector.read.partitioner.SinglePartitionPartitioner"
        ),
    },
)
save = partial(logged.save, WORK)
mongo = spark._jvm.de.bwaldvogel.mongo
server = mongo.MongoServer(mongo.backend.memory.MemoryBackend())
server.bind("127.0.0.1", MONGO)


def named(name: str):
    """Name the next statements."""
    spark.sparkContext.setJobDescription(name)


def fail(name: str, writer) -> None:
    """Save to a system that does not answer: in a thread, as drivers try again for minutes."""

    def run() -> None:
        named(name)
        try:
            writer.mode("append").save()
        except Exception as error:
            print(name, type(error).__name__)

    thread = InheritableThread(target=run, daemon=True)
    thread.start()
    thread.join(15)


people = spark.sql("SELECT * FROM VALUES (1L, 'a', 'Rome'), (2L, 'b', 'Oslo') AS people(id, name, city)")
named("setup")
people.write.format("org.apache.spark.sql.redis").option("table", "people").option("key.column", "id").mode(
    "overwrite"
).save()
people.write.format("mongodb").option("database", "depot").option("collection", "people").mode("append").save()
people.write.format("xml").option("rowTag", "person").mode("overwrite").save(f"{WORK}/people.xml")
people.write.saveAsTable("people")
files = spark.table("people")

mysql = spark.read.format("jdbc").options(**LOGIN)
save(
    "mariadb",
    mysql.option("dbtable", "`crm`.`tickets`").load().where("score > 1").selectExpr("id", "upper(title) AS t"),
)
query = (
    "select a.name, count(*) n, max(t.score) top from tickets t join crm.agents a on a.id = t.agent_id group by a.name"
)
save("mariadb query", spark.read.format("jdbc").options(**LOGIN, query=query).load())
named("mariadb save")
files.select("id", "name").write.format("jdbc").options(**LOGIN, dbtable="agents").mode("append").save()

redis = spark.read.format("org.apache.spark.sql.redis").option("table", "people").option("key.column", "id").load()
save("redis", redis.selectExpr("id", "upper(name) AS n"))
named("redis save")
files.groupBy("city").count().write.format("org.apache.spark.sql.redis").option("table", "cities").mode(
    "overwrite"
).save()

mongodb = spark.read.format("mongodb").option("database", "depot").option("collection", "people").load()
save("mongodb", mongodb.where("city = 'Rome'").selectExpr("id", "concat(name, city) AS nc"))
named("mongodb save")
files.selectExpr("id", "name AS label").write.format("mongodb").mode("append").save()
spark.conf.set("spark.mongodb.write.collection", "later")
named("mongodb save later")
files.selectExpr("id", "city AS place").write.format("mongodb").mode("append").save()

xml = spark.read.format("xml").option("rowTag", "person").load(f"{WORK}/people.xml")
save("xml", xml.selectExpr("id", "lower(city) AS c"))
named("xml save")
files.selectExpr("id", "name AS n").write.format("xml").option("rowTag", "row").mode("overwrite").save(
    f"{WORK}/copies.xml"
)

fail("snowflake save", files.select("id", "city").write.format("snowflake").options(**SNOWFLAKE, dbtable="CITIES"))
fail(
    "mssql save",
    files.select("id")
    .write.format("com.microsoft.sqlserver.jdbc.spark")
    .options(url="jdbc:sqlserver://127.0.0.1:1;databaseName=shop", dbtable="dbo.ids", user="u", password="p"),
)
fail(
    "kudu save",
    files.select("id", "name")
    .write.format("kudu")
    .options(**{"kudu.master": "k1.acme.com:7051", "kudu.table": "impala::shop.people"}),
)
server.shutdownNow()
spark.stop()
os._exit(0)  # without waiting for the saves that fail
