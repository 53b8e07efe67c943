"""Run statements over one system on Spark 3.5 (Excel: 3.3), through its connector of Maven.

    python scripts/connectors/others.py WORK SYSTEM PORT

`scripts/connectors/make_logs.py` starts the servers of Kafka, Kudu and Neo4j and runs it. HBase, Snowflake, Event Hubs
and Pulsar have no server here: their statements fail after the log has their plans. Doris' frontend and
Elasticsearch's node are stand-ins, which know the columns of their tables.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import logged
from pyspark import InheritableThread

WORK, SYSTEM, PORT = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
SERVER = f"127.0.0.1:{PORT}"
PACKAGES = {
    "doris": "org.apache.doris:spark-doris-connector-spark-3.5:25.1.0",
    "elasticsearch": "org.elasticsearch:elasticsearch-spark-30_2.12:8.13.2",
    "eventhubs": "com.microsoft.azure:azure-eventhubs-spark_2.12:2.3.22",
    "excel": "com.crealytics:spark-excel_2.12:3.3.1_0.18.7",
    "hbase": "org.apache.hbase.connectors.spark:hbase-spark:1.0.1",
    "kafka": "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.7",
    "kudu": "org.apache.kudu:kudu-spark3_2.12:1.18.1",
    "mongodb": "org.mongodb.spark:mongo-spark-connector_2.12:10.5.0,"
    "de.bwaldvogel:mongo-java-server-memory-backend:1.47.0",
    "neo4j": "org.neo4j:neo4j-connector-apache-spark_2.12:5.0.3_for_spark_3",
    "pulsar": "io.streamnative.connectors:pulsar-spark-connector_2.12:3.1.1.4",
    "snowflake": "net.snowflake:spark-snowflake_2.12:3.0.0",
}
EXCLUDED = (
    "commons-io:commons-io,org.apache.commons:commons-lang3,org.slf4j:slf4j-api,"
    "org.neo4j:neo4j-connector-apache-spark_2.12_common,org.neo4j:neo4j-connector-apache-spark_2.12_test-support"
)
"""Spark has them; the jar of Neo4j's connector has its own."""
SECONDS = 25
"""The time of a statement: without a server, drivers try again for minutes."""

settings = {"spark.jars.packages": PACKAGES[SYSTEM], "spark.jars.excludes": EXCLUDED}
if SYSTEM == "mongodb":
    settings["spark.sql.ui.explainMode"] = "extended"
spark = logged.start(SYSTEM, WORK, settings)


def attempt(name: str, action) -> None:
    """Run a statement, which may fail or not end."""

    def run() -> None:
        spark.sparkContext.setJobDescription(name)
        try:
            action()
        except Exception as error:
            print(name, type(error).__name__, str(error)[:300])

    thread = InheritableThread(target=run, daemon=True)
    thread.start()
    thread.join(SECONDS)
    spark.sparkContext.cancelAllJobs()


def save(name: str, frame) -> None:
    """Write the rows that a function returns to a folder."""
    attempt(name, lambda: frame().write.mode("overwrite").parquet(f"{WORK}/out/{name.replace(' ', '_')}"))


def write(name: str, frame, form: str, **options: str) -> None:
    """Write the rows that a function returns through a connector."""
    attempt(name, lambda: frame().write.format(form).options(**options).mode("append").save())


def read(form: str, **options: str):
    """Return a function that reads through a connector."""
    return lambda **own: spark.read.format(form).options(**options, **own).load()


people = "SELECT * FROM VALUES (1L, 'a', 'Rome'), (2L, 'b', 'Oslo') AS people(id, name, city)"
spark.sql(people).write.saveAsTable("people")
files = partial(spark.table, "people")


def columns(*expressions: str):
    """Return a function that returns columns of the table of files."""
    return lambda: files().selectExpr(*expressions)


def kudu() -> None:
    """Read and write tables of a real server."""
    options = {"kudu.master": SERVER}
    load = read("kudu", **options, **{"kudu.table": "impala::shop.people"})
    kudu_table("people", ("id", "INT64"), ("name", "STRING"), ("city", "STRING"))
    kudu_table("totals", ("city", "STRING"), ("n", "INT64"))
    write("kudu save", files, "kudu", **options, **{"kudu.table": "impala::shop.people"})
    save("kudu read", lambda: load().where("city = 'Rome'").selectExpr("id", "upper(name) AS n"))
    totals = {"kudu.table": "impala::shop.totals"}
    write(
        "kudu copy",
        lambda: load().where("id > 1").groupBy("city").count().toDF("city", "n"),
        "kudu",
        **options,
        **totals,
    )


def kudu_table(name: str, *columns: tuple[str, str]) -> None:
    """Create a table whose first column is its key."""
    jvm, listed, keys = spark._jvm, spark._jvm.java.util.ArrayList(), spark._jvm.java.util.ArrayList()
    keys.add(columns[0][0])
    client = jvm.org.apache.kudu.client
    for at, (column, kind) in enumerate(columns):
        built = jvm.org.apache.kudu.ColumnSchema.ColumnSchemaBuilder(column, getattr(jvm.org.apache.kudu.Type, kind))
        listed.add(built.key(at == 0).build())
    made = client.CreateTableOptions().setRangePartitionColumns(keys).setNumReplicas(1)
    schema = jvm.org.apache.kudu.Schema(listed)
    client.KuduClient.KuduClientBuilder(SERVER).build().createTable(f"impala::shop.{name}", schema, made)


def hbase() -> None:
    """Read and write tables without a server."""
    form, shared = "org.apache.hadoop.hbase.spark", {"hbase.spark.use.hbasecontext": "false"}

    def table(name: str, mapping: str) -> dict[str, str]:
        return {**shared, "hbase.table": name, "hbase.columns.mapping": mapping}

    load = read(form, **table("shop:orders", "id STRING :key, city STRING f:city, amount DOUBLE f:amount"))
    save("hbase read", lambda: load().where("amount > 5").selectExpr("id", "upper(city) AS c"))
    saved = table("shop:people", "id STRING :key, city STRING f:city")
    write("hbase save", columns("cast(id AS string) AS id", "city"), form, **saved)
    totals = table("shop:totals", "city STRING :key, total DOUBLE f:t")
    write("hbase copy", lambda: load().groupBy("city").sum("amount").toDF("city", "total"), form, **totals)


def snowflake() -> None:
    """Copy a table and a query; a read alone is planned only with an account."""
    account = {
        "sfURL": "acme.snowflakecomputing.com",
        "sfUser": "u",
        "sfPassword": "p",
        "sfDatabase": "SHOP",
        "sfSchema": "S",
    }

    def load(**options: str):
        return spark.read.format("snowflake").schema("ID BIGINT, CITY STRING").options(**account, **options).load()

    copied = {**account, "dbtable": "COPIES"}
    write("snowflake copy", lambda: load(dbtable="ORDERS").where("ID > 5").select("CITY"), "snowflake", **copied)
    query = "select id, city from orders where amount > 5"
    write("snowflake copy of a query", lambda: load(query=query).select("CITY"), "snowflake", **copied)


def kafka() -> None:
    """Read and write topics of a real server."""
    server = {"kafka.bootstrap.servers": SERVER}
    load = read("kafka", **server)
    write("kafka save", columns("cast(id AS string) AS key", "name AS value"), "kafka", **server, topic="orders")
    write("kafka save by row", columns("name AS value", "lower(city) AS topic"), "kafka", **server)
    text = ("cast(key AS string) AS k", "upper(cast(value AS string)) AS v")
    save("kafka read", lambda: load(subscribe="orders").where("partition = 0").selectExpr(*text))
    save("kafka read of two", lambda: load(subscribe="orders,rome").select("value", "topic"))
    save("kafka read of a partition", lambda: load(assign='{"orders":[0]}').groupBy("topic").count())
    write("kafka copy", lambda: load(subscribe="orders").select("key", "value"), "kafka", **server, topic="copies")


def mongodb() -> None:
    """Read with filters, which only the analyzed plan of extended text has; the server is in the driver's JVM."""
    mongo = spark._jvm.de.bwaldvogel.mongo
    server = mongo.MongoServer(mongo.backend.memory.MemoryBackend())
    server.bind("127.0.0.1", int(PORT))
    partitioner = "com.mongodb.spark.sql.connector.read.partitioner.SinglePartitionPartitioner"
    options = {"connection.uri": f"mongodb://{SERVER}", "database": "depot", "partitioner": partitioner}
    load = read("mongodb", **options, collection="people")
    write("mongodb save", files, "mongodb", **options, collection="people")
    orders = ("id AS person", "name AS item")
    write("mongodb save of orders", columns(*orders), "mongodb", **options, collection="orders")
    save("mongodb filter", lambda: load().where("city = 'Rome'").selectExpr("id", "concat(name, city) AS nc"))
    save("mongodb two filters", lambda: load().where("city = 'Rome' AND upper(name) = 'A'").select("id"))
    save("mongodb count", lambda: load().where("city = 'Rome'").groupBy().count())
    items = read("mongodb", **options, collection="orders")
    save(
        "mongodb join",
        lambda: (
            load()
            .where("city = 'Rome'")
            .join(items().where("item > 'A'").selectExpr("person AS id"), "id")
            .select("id", "name")
        ),
    )
    save("mongodb all", lambda: load().select("id", "name"))
    server.shutdownNow()


def neo4j() -> None:
    """Read and write nodes and relationships of a real server."""
    form = "org.neo4j.spark.DataSource"
    server = {"url": f"bolt://{SERVER}", "authentication.type": "none", "database": "neo4j"}
    write("neo4j save", files, form, **server, labels=":Person")
    people = read(form, **server, labels=":Person")
    save("neo4j read", lambda: people().where("city = 'Rome'").selectExpr("id", "upper(name) AS n"))
    save("neo4j aggregate", lambda: people().groupBy("city").agg({"id": "max"}).toDF("city", "most"))
    query = "MATCH (p:Person) RETURN p.id AS id, p.city AS city"
    save("neo4j query", lambda: read(form, **server, query=query)().select("city"))


def eventhubs() -> None:
    """Read and write a hub without a server."""
    secret = "SharedAccessKeyName=k;SharedAccessKey=c2VjcmV0"
    text = f"Endpoint=sb://acme.servicebus.windows.net/;{secret};EntityPath=orders"
    encrypted = {"eventhubs.connectionString": spark._jvm.org.apache.spark.eventhubs.EventHubsUtils.encrypt(text)}
    load = read("eventhubs", **encrypted)
    write("eventhubs save", columns("name AS body"), "eventhubs", **encrypted)
    write("eventhubs copy", lambda: load().where("partition = '0'").select("body"), "eventhubs", **encrypted)


def pulsar() -> None:
    """Write a topic without a server."""
    server = {"service.url": "pulsar://p1.acme.com:6650", "admin.url": "http://p1.acme.com:8080"}
    write("pulsar save", columns("name AS value"), "pulsar", **server, topic="persistent://shop/crm/names")


class StandIn(BaseHTTPRequestHandler):
    """A server as far as a plan needs it, which answers in JSON."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def answer(self, found: object) -> None:
        """Send an answer."""
        body = json.dumps(found).encode()
        self.send_response(200)
        for name, value in (
            ("Content-Length", str(len(body))),
            ("Content-Type", "application/json"),
            ("X-elastic-product", "Elasticsearch"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def serve(answers: type[StandIn]) -> None:
    """Start a stand-in."""
    server = ThreadingHTTPServer(("127.0.0.1", int(PORT)), answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()


class Frontend(StandIn):
    """Doris' frontend: the columns of a table, and a plan whose backend does not answer."""

    def do_GET(self) -> None:
        """Return a table's columns."""
        columns = [{"name": name, "type": kind} for name, kind in (("id", "BIGINT"), ("city", "VARCHAR"))]
        self._answer({"keysType": "DUP_KEYS", "status": 200, "properties": columns})

    def do_POST(self) -> None:
        """Return a query's plan."""
        routed = {"routings": ["127.0.0.1:1"], "version": 1, "versionHash": 0, "schemaHash": 0}
        self._answer({"status": 200, "opaqued_query_plan": "plan", "partitions": {"1": routed}})

    def _answer(self, data: dict[str, object]) -> None:
        self.answer({"msg": "success", "code": 0, "data": data, "count": 0})


class Node(StandIn):
    """Elasticsearch's node: the fields of an index."""

    def do_HEAD(self) -> None:
        """Say that an index is there."""
        self.send_response(200)
        self.end_headers()

    def do_GET(self) -> None:
        """Return the fields of an index, or the node's version and health."""
        if "/_mapping" in self.path:
            kinds = {"id": "long", "city": "keyword", "amount": "double"}
            fields = {name: {"type": kind} for name, kind in kinds.items()}
            self.answer({"orders": {"mappings": {"properties": fields}}})
        else:
            version = {"number": "8.13.2", "build_flavor": "default"}
            names = {"cluster_name": "c", "cluster_uuid": "u", "tagline": "You Know, for Search"}
            self.answer({**names, "version": version, "status": "green"})


def elasticsearch() -> None:
    """Read and write indexes of a node that has no documents."""
    serve(Node)
    node = {"es.nodes": "127.0.0.1", "es.port": PORT, "es.nodes.wan.only": "true", "es.index.auto.create": "true"}
    load = read("org.elasticsearch.spark.sql", **node)
    orders = partial(load, **{"es.resource": "orders"})
    save("elasticsearch read", lambda: orders().where("amount > 5").selectExpr("id", "upper(city) AS c"))
    write("elasticsearch save", files, "org.elasticsearch.spark.sql", **node, **{"es.resource": "people"})
    totals = {"es.resource": "totals"}
    write("elasticsearch copy", lambda: orders().groupBy("city").count(), "es", **node, **totals)


def excel() -> None:
    """Read and write workbooks, through both interfaces of the data source."""
    for form, name in (("com.crealytics.spark.excel", "excel"), ("excel", "excel v2")):
        path = f"{WORK}/{name.replace(' ', '_')}.xlsx"
        write(f"{name} save", files, form, path=path, header="true")
        load = read(form, path=path, header="true", inferSchema="true")
        save(f"{name} read", lambda load=load: load().where("city = 'Rome'").selectExpr("id", "upper(name) AS n"))


def doris() -> None:
    """Read and write a table whose backends do not answer."""
    serve(Frontend)
    login = {"doris.fenodes": SERVER, "doris.user": "root", "doris.password": "", "user": "root", "password": ""}
    load = read("doris", **login, **{"doris.table.identifier": "shop.orders"})
    save("doris read", lambda: load().where("id > 5").selectExpr("upper(city) AS c"))
    write("doris save", columns("id", "city"), "doris", **login, **{"doris.table.identifier": "shop.people"})


globals()[SYSTEM]()
spark.stop()
os._exit(0)  # without waiting for statements that do not end
