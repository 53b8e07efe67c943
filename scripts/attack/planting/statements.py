"""A Spark application that puts spellings of secrets into everything that a statement can hold.

    python statements.py LOGS SPELLINGS.json COUNTS.json PLACES [MEETINGS.txt]

Runs each spelling in so many places, in turn, and always in a projection. Writes the event log to LOGS, and to
COUNTS.json how many statements ran and failed in each place, as some spellings are no SQL. The job
description of each is `case:SPELLING/PLACE`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

NAMES = (
    "password passwd pwd pw pass sfPassword sfPass DB_PASS secret client_secret token access_token sas_token api_key"
    " apiKey accessKey account.key private_key credential creds authorization pin cookie es.net.http.auth.pass"
).split()
VALUES = ("x7Qzx7Qzx7Qz", "x7Qz x7Qzx7Qz", "x7Qz, x7Qzx7Qz", "x7Qz'x7Qz\"x7Qz", "x7Qz)x7Qz]x7Qz}x7Qz")
"""Options with a telling name, each with every kind of value."""


class Counts(NamedTuple):
    """By place, how many statements ran, and how many failed."""

    ran: Counter[str]
    failed: Counter[str]


Place = Callable[[SparkSession, str], object]


def literal(spark: SparkSession, text: str) -> object:
    """In a projection; the only statement whose lineage is compared."""
    return spark.sql(f"INSERT INTO target SELECT id, {quoted(text)} AS note, name FROM source")


def condition(spark: SparkSession, text: str) -> object:
    """In a condition, alone and in the middle of one."""
    return noop(spark, f"SELECT id FROM source WHERE name = {quoted(text)} OR name LIKE concat('a: ', {quoted(text)})")


def expression(spark: SparkSession, text: str) -> object:
    """In the derivation of a column."""
    return noop(spark, f"SELECT CASE WHEN id > 1 THEN concat(name, {quoted(text)}) ELSE name END AS n FROM source")


def structure(spark: SparkSession, text: str) -> object:
    """In arrays and structs."""
    value = quoted(text)
    return noop(spark, f"SELECT array({value}, name) AS a, named_struct('x', {value}, 'y', name) AS s FROM source")


def option_of_write(spark: SparkSession, text: str) -> object:
    """As an option of a write."""
    folder = f"{spark.conf.get('attack.folder')}/written"
    return spark.table("source").write.mode("overwrite").option("note", text).parquet(folder)


def option_of_read(spark: SparkSession, text: str) -> object:
    """As an option of a read."""
    frame = spark.read.option("note", text).schema("id INT").json(f"{spark.conf.get('attack.folder')}/read")
    return frame.write.format("noop").mode("overwrite").save()


def table(spark: SparkSession, text: str) -> object:
    """In comments, options and properties of a table."""
    value = quoted(text)
    spark.sql("DROP TABLE IF EXISTS described")
    return spark.sql(
        f"CREATE TABLE described (id INT COMMENT {value}, name STRING) USING parquet OPTIONS (note {value})"
        f" COMMENT {value} TBLPROPERTIES ('remark' = {value})"
    )


def partition(spark: SparkSession, text: str) -> object:
    """As the value of a partition."""
    return spark.sql(f"INSERT OVERWRITE parts PARTITION (note = {quoted(text)}) SELECT id FROM source")


def view(spark: SparkSession, text: str) -> object:
    """In a view's comment and query."""
    value = quoted(text)
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW noted COMMENT {value} AS SELECT id, {value} AS note FROM source")
    return noop(spark, "SELECT * FROM noted")


def default(spark: SparkSession, text: str) -> object:
    """As a column's default."""
    spark.sql("DROP TABLE IF EXISTS defaulted")
    return spark.sql(f"CREATE TABLE defaulted (id INT, note STRING DEFAULT {quoted(text)}) USING parquet")


def setting(spark: SparkSession, text: str) -> object:
    """As the value of a setting."""
    return spark.sql(f"SET attack.note={text}").collect()


def description(spark: SparkSession, text: str) -> object:
    """As a job's description and group."""
    spark.sparkContext.setJobDescription(text)
    spark.sparkContext.setJobGroup(text[:200], text)
    return noop(spark, "SELECT id FROM source")


def statement(spark: SparkSession, text: str) -> object:
    """The Thrift server and spark-sql describe a statement by its text."""
    spark.sparkContext.setJobDescription(f"SELECT id, {quoted(text)} AS note /* {text} */ FROM source -- {text}")
    return noop(spark, "SELECT id FROM source")


def failure(spark: SparkSession, text: str) -> object:
    """In an error message."""
    return noop(spark, f"SELECT raise_error({quoted(text)}) AS x FROM range(1)")


def jdbc(spark: SparkSession, text: str) -> object:
    """In the address and the options of a database."""
    writer = spark.table("source").write.format("jdbc").mode("overwrite").option("dbtable", "t").option("note", text)
    return writer.option("url", f"jdbc:derby:memory:d;create=true;remark={text}").save()


def path(spark: SparkSession, text: str) -> object:
    """In a path; one that would have to be written otherwise there is another spelling."""
    if any(char in text for char in "/:\n") or len(text) > 200:
        return literal(spark, text)
    return spark.table("source").write.mode("overwrite").parquet(f"{spark.conf.get('attack.folder')}/paths/{text}")


PLACES: Mapping[str, Place] = {
    each.__name__: each
    for each in (
        *(literal, condition, expression, structure, option_of_write, option_of_read, table, partition, view, default),
        *(setting, description, statement, failure, jdbc, path),
    )
}


def noop(spark: SparkSession, query: str) -> object:
    """Run a query whose rows nobody needs."""
    return spark.sql(query).write.format("noop").mode("overwrite").save()


def quoted(text: str) -> str:
    """A text as a literal of Spark's SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def main() -> None:
    """Run all statements."""
    logs, spellings, counted, places, *given = sys.argv[1:]
    meetings = Path(given[0] if given else Path(__file__).with_name("meetings.txt"))
    texts: dict[str, str] = json.loads(Path(spellings).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        spark = session(logs, folder, " ".join(text for text in list(texts.values())[::16] if "\n" not in text))
        counts = Counts(Counter(), Counter())
        for number, (name, text) in enumerate(texts.items()):
            for place in (
                0,
                *(1 + (number * int(places) + turn) % (len(PLACES) - 1) for turn in range(int(places) - 1)),
            ):
                label = list(PLACES)[place]
                mode = "extended" if (number + place) % 2 else "formatted"
                one(spark, f"{name}/{label}", mode, partial(PLACES[label], spark, text), counts)
        for number, line in enumerate(meetings.read_text(encoding="utf-8").splitlines()[1:]):
            mode = "extended" if number % 2 else "formatted"
            one(
                spark,
                f"meeting-{number}/meeting",
                mode,
                partial(meeting, spark, line.replace("«S»", "x7Qzx7Qzx7Qz")),
                counts,
            )
        for name in NAMES if texts else ():
            for value in VALUES:
                one(spark, f"{name}/named", "formatted", partial(named, spark, name, value), counts)
        spark.stop()
    Path(counted).write_text(json.dumps(counts._asdict()), encoding="utf-8")


def named(spark: SparkSession, name: str, value: str) -> None:
    """A value behind a telling name: in options, in properties, in conditions, as a column."""
    option = spark.table("source").write.mode("overwrite").option(name, value)
    option.parquet(f"{spark.conf.get('attack.folder')}/named")
    column, text = f"`{name}`", quoted(value)
    noop(spark, f"SELECT id, {text} AS {column} FROM source")
    noop(spark, f"SELECT id FROM secrets WHERE {column} = {text} OR {column} LIKE concat({text}, '%')")
    noop(spark, f"SELECT map('user', name, '{name}', {text}) AS m FROM source")
    spark.sql(f"SET attack.{name}={value}").collect()
    spark.sql("DROP TABLE IF EXISTS described")
    spark.sql(
        f"CREATE TABLE described (id INT) USING parquet OPTIONS ('{name}' {text}) TBLPROPERTIES ('{name}' = {text})"
    )


def meeting(spark: SparkSession, statement: str) -> None:
    """A literal that meets a sensitive name, as a description, in a plan and in a written table."""
    spark.sparkContext.setJobDescription(statement)
    if statement.startswith("SELECT"):
        noop(spark, statement)
    else:
        spark.sql(statement)


def one(spark: SparkSession, label: str, mode: str, run: Callable[[], object], counts: Counts) -> None:
    """Run one statement, labelled; what Spark refuses is counted."""
    context = spark.sparkContext
    context.setJobGroup("", "")
    context.setJobDescription(f"case:{label}")
    spark.conf.set("spark.sql.ui.explainMode", mode)
    place = label.rpartition("/")[2]
    try:
        run()
        counts.ran[place] += 1
    except (PySparkException, Py4JError):
        counts.failed[place] += 1


def session(logs: str, folder: str, name: str) -> SparkSession:
    """A small Spark that writes event logs."""
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": logs,
        "spark.eventLog.compress": "true",
        "spark.eventLog.rolling.enabled": "false",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.sql.shuffle.partitions": "1",
        "spark.default.parallelism": "1",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.sql.parquet.compression.codec": "uncompressed",
        "spark.sql.maxMetadataStringLength": "1000",
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder} -XX:+UseSerialGC",
        "attack.folder": folder,
    }
    builder = SparkSession.builder.master("local[2]").appName(f"nightly {name}")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    Path(folder, "read").mkdir()
    spark.sql("CREATE TABLE source USING parquet AS SELECT 1 AS id, 'a' AS name")
    columns = "name STRING, status STRING, password STRING, access_token STRING, m MAP<STRING, STRING>"
    structs = "s STRUCT<name: STRING, client_secret: STRING>, arr ARRAY<STRING>, j STRING"
    spark.sql(f"CREATE TABLE u (id INT, {columns}, {structs}) USING parquet")
    spark.sql("CREATE TABLE u2 (id INT, password STRING) USING parquet")
    spark.sql("CREATE TABLE target (id INT, note STRING, name STRING) USING parquet")
    columns = ", ".join(f"`{name}` STRING" for name in NAMES)
    spark.sql(f"CREATE TABLE secrets (id INT, {columns}) USING parquet")
    spark.sql("CREATE TABLE parts (id INT, note STRING) USING parquet PARTITIONED BY (note)")
    return spark


if __name__ == "__main__":
    main()
