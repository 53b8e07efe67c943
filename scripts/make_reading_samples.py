"""Make the small real logs under tests/events/logs: every codec, layout and way of ending that Spark has.

    python scripts/make_reading_samples.py --sparks /opt/sv [--client PYTHON] [--only NAME]

`--sparks` is a folder of virtual environments, one per Spark version (`<version>/bin/python` with that
PySpark). One Spark runs at a time, with `local[2]`. `--client` is a Python with the package pyspark-client, without
which the Connect sample is left out.

What is trimmed, and why: a plain log would be 100 kB of class path and Hadoop settings, so in the plain ones the
lines that nobody reads (tasks, stage starts, block managers) are dropped, the maps of EnvironmentUpdate but
`Spark Properties` are emptied, so are stack traces and the RDDs of stages, and long properties are cut. Compressed
logs are as Spark wrote them, byte for byte.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

LOGS = Path(__file__).resolve().parent.parent / "tests" / "events" / "logs"

JOB = """
import json, os, signal, subprocess, sys
from pyspark.sql import SparkSession
settings, ending, description, table = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
builder = SparkSession.builder.master("local[2]").appName("reading samples")
for key, value in settings.items():
    builder = builder.config(key, value)
spark = builder.getOrCreate()
spark.sparkContext.setLogLevel("OFF")
if ending == "jobless":
    spark.sql("CREATE TEMPORARY VIEW v AS VALUES (1, 'a'), (2, 'b')")
    spark.sql("SELECT * FROM v").collect()
else:
    spark.range(7).selectExpr("id", "id % 2 AS k").write.mode("overwrite").parquet(table)
if description:
    spark.sparkContext.setJobDescription("x" * description)
    spark.sql("SELECT count(*) FROM range(3)").collect()
    spark.sparkContext.setJobDescription(None)
if ending in ("stopped", "killed"):
    spark.read.parquet(table).groupBy("k").count().write.mode("overwrite").parquet(table + "_counts")
    try:
        spark.range(3).selectExpr("assert_true(id > 5)").collect()
    except Exception:
        pass
    try:
        spark.sql("SELECT * FROM there_is_no_such_table")
    except Exception:
        pass
if ending == "killed":
    os.kill(spark.sparkContext._gateway.proc.pid, signal.SIGKILL)
    os._exit(0)
spark.stop()
"""

OPENS = " ".join(
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in (
        "java.lang",
        "java.lang.invoke",
        "java.net",
        "java.nio",
        "java.util",
        "sun.nio.ch",
        "sun.util.calendar",
    )
)
LONGEST_PROPERTY = 100
CONNECT_EVENT = "org.apache.spark.sql.connect.service.SparkListenerConnectOperation"
DROPPED = (
    "SparkListenerTask",
    "SparkListenerStageSubmitted",
    "SparkListenerBlockManager",
    "SparkListenerExecutor",
    f"{CONNECT_EVENT}Anal",
    f"{CONNECT_EVENT}Ready",
)


@dataclass(frozen=True)
class Sample:
    """One log: its name under tests/events/logs, the Spark that writes it, and how.

    Attributes:
        ending: `stopped`, `killed` (SIGKILL to the JVM), `short` (stopped after one write) or `jobless` (statements
            that need no job: all that Spark 2.4 and 3.0 can do on Java 17).
        description: Length of the job descriptions, to fill rolling files (their least size is 10 MiB).
        compacted: Let that Spark's History Server compact the log.
    """

    name: str
    version: str
    settings: dict[str, str] = field(default_factory=dict)
    ending: str = "stopped"
    description: int = 0
    compacted: bool = False


def _codec(name: str) -> dict[str, str]:
    rolling = {"spark.eventLog.rolling.enabled": "false"}
    if name == "none":
        return {"spark.eventLog.compress": "false", **rolling}
    key = "spark.eventLog.compression.codec"
    return {"spark.eventLog.compress": "true", key: name, "spark.io.compression.codec": name, **rolling}


ROLLING = {"spark.eventLog.rolling.enabled": "true", "spark.eventLog.rolling.maxFileSize": "10m"}
STATEMENTS = (
    "CREATE TABLE t AS SELECT id, id % 3 AS k, 'größe' AS s FROM range(10)",
    "CREATE VIEW v AS SELECT k, count(*) AS n FROM t GROUP BY k",
    "SELECT n FROM v WHERE k = 1",
)
CONNECT_JOB = """
import json, sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.remote("sc://127.0.0.1:15777").getOrCreate()
for statement in json.loads(sys.argv[1]):
    spark.sql(statement).collect()
spark.table("t").groupBy("k").count().write.saveAsTable("u")
spark.stop()
"""
THRIFT, CONNECT, SHELL = "thrift-3.5.9", "connect-4.1.4", "spark-sql-4.1.4"
DBT = '{"app": "dbt", "dbt_version": "1.9.1", "target_name": "prod", "node_id": "model.shop.totals"}'
SHELL_STATEMENTS = (
    f"/* {DBT} */ CREATE TABLE totals AS SELECT id % 3 AS k, sum(id) AS total FROM range(100) GROUP BY 1",
    "SELECT k, total FROM totals WHERE k > 0 ORDER BY total",
)
"""What the `spark-sql` shell runs in an action of Oozie: the first statement as dbt writes it."""

CODECS = ("none", "zstd", "lz4", "snappy", "lzf")
SAMPLES = (
    *(Sample(f"{codec}-3.5.9", "3.5.9", _codec(codec)) for codec in ("none", "zstd")),
    *(Sample(f"{codec}-3.5.9", "3.5.9", _codec(codec), "short") for codec in ("lz4", "snappy", "lzf")),
    *(Sample(f"killed-{codec}-3.5.9", "3.5.9", _codec(codec), "killed") for codec in CODECS),
    Sample("rolling-3.5.9", "3.5.9", {**_codec("zstd"), **ROLLING}, description=6_000_000),
    Sample("compacted-3.5.9", "3.5.9", {**_codec("zstd"), **ROLLING}, description=6_000_000, compacted=True),
    Sample("killed-rolling-4.1.4", "4.1.4", {}, "killed"),
    Sample("none-2.4.8", "2.4.8", _codec("none"), "jobless"),
    Sample("lz4-2.4.8", "2.4.8", _codec("lz4"), "jobless"),
    Sample("none-3.0.3", "3.0.3", _codec("none"), "jobless"),
    Sample("none-3.3.4", "3.3.4", _codec("none")),
    Sample("none-4.0.5", "4.0.5", _codec("none")),
    Sample("none-4.3.0", "4.3.0", _codec("none")),
)


def _environment(python: Path) -> dict[str, str]:
    """A small environment, because Spark logs system properties; and Java 17 needs opening for Spark 2.4 to 3.2."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "JAVA_HOME", "LANG")}
    submit = f'--driver-java-options "{OPENS}" pyspark-shell'
    return {
        **kept,
        "PYSPARK_PYTHON": str(python),
        "PYSPARK_SUBMIT_ARGS": submit,
        "HOME": "/tmp",
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


def _settings(logs: Path, scratch: Path) -> dict[str, str]:
    return {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": logs.as_uri(),
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": (scratch / "warehouse").as_uri(),
    }


def _run(sample: Sample, sparks: Path, logs: Path, scratch: Path) -> None:
    python = sparks / sample.version / "bin" / "python"
    own = {"spark.sql.shuffle.partitions": "1", "spark.my.password": "hunter2", **sample.settings}
    settings = {**_settings(logs, scratch), **own}
    command = [str(python), "-c", JOB, json.dumps(settings), sample.ending, str(sample.description), str(scratch / "t")]
    subprocess.run(command, env=_environment(python), cwd=scratch, check=True, timeout=300)


def _compact(sample: Sample, sparks: Path, logs: Path) -> None:
    """Start the History Server on the log until it has compacted it.

    Its own codec settings decide how the compact file is written, whatever its name says
    (`CompactedEventLogFileWriter`); without them this one would be plain text called `.zstd.compact`.
    """
    python = sparks / sample.version / "bin" / "python"
    home = _home(python)
    options = {
        "spark.history.fs.logDirectory": logs.as_uri(),
        "spark.history.fs.eventLog.rolling.maxFilesToRetain": "1",
        "spark.history.fs.eventLog.rolling.compaction.score.threshold": "0",
        "spark.history.ui.port": "0",
        "spark.history.fs.update.interval": "2s",
        "spark.eventLog.compress": "true",
        "spark.eventLog.compression.codec": "zstd",
    }
    command = ["java", *(f"-D{key}={value}" for key, value in options.items()), *OPENS.split(), "-cp", f"{home}/jars/*"]
    server = subprocess.Popen([*command, "org.apache.spark.deploy.history.HistoryServer"], env=_environment(python))
    try:
        for _ in range(60):
            if any(logs.rglob("*.compact")):
                time.sleep(3)
                return
            time.sleep(1)
        raise SystemExit("the History Server compacted nothing")
    finally:
        server.kill()
        server.wait()


def _home(python: Path) -> str:
    """Where that Python's Spark lies."""
    find = "import pyspark, os; print(os.path.dirname(pyspark.__file__))"
    return subprocess.run([str(python), "-c", find], check=True, capture_output=True, text=True).stdout.strip()


def _submit(home: str, settings: dict[str, str], main: str) -> list[str]:
    """The command that starts a class of Spark's, with a plain log."""
    given = {"spark.master": "local[2]", **_codec("none"), **settings}
    java = ["java", *OPENS.split(), "-cp", f"{home}/jars/*", "org.apache.spark.deploy.SparkSubmit"]
    words = [word for key, value in given.items() for word in ("--conf", f"{key}={value}")]
    return [*java, *words, "--class", f"org.apache.spark.sql.{main}"]


def _serve(sparks: Path, name: str, client: Path | None, logs: Path, scratch: Path) -> None:
    """Let a Thrift or a Connect server run some statements."""
    python = sparks / name.rpartition("-")[2] / "bin" / "python"
    home = _home(python)
    if name == THRIFT:
        main, ready = "hive.thriftserver.HiveThriftServer2", "listening on"
        port = ["--hiveconf", "hive.server2.thrift.port=10777", "--hiveconf", "hive.server2.thrift.bind.host=127.0.0.1"]
        beeline = ["java", "-cp", f"{home}/jars/*", "org.apache.hive.beeline.BeeLine", "-n", "me"]
        ask = [*beeline, "-u", "jdbc:hive2://127.0.0.1:10777", *(word for each in STATEMENTS for word in ("-e", each))]
    else:
        main, ready, port = "connect.service.SparkConnectServer", "server started", []
        ask = [str(client), "-c", CONNECT_JOB, json.dumps(STATEMENTS)]
    settings = {**_settings(logs, scratch), "spark.connect.grpc.binding.port": "15777"}
    command = [*_submit(home, settings, main), "spark-internal", *port]
    output = scratch / "server.log"
    with output.open("w") as out:
        environment = {**_environment(python), "SPARK_HOME": home}
        server = subprocess.Popen(command, env=environment, cwd=scratch, stdout=out, stderr=out)
    try:
        for _ in range(60):
            if ready in output.read_text("utf-8", "replace"):
                break
            time.sleep(1)
        subprocess.run(ask, cwd=scratch, check=True, timeout=120)
    finally:
        server.terminate()
        server.wait(30)


def make_shell(sparks: Path) -> None:
    """Let the `spark-sql` shell run statements, with the property that Oozie sets, and keep its log."""
    python = sparks / SHELL.rpartition("-")[2] / "bin" / "python"
    home = _home(python)
    with _kept_logs(SHELL) as (scratch, logs):
        own = {
            "spark.sql.shuffle.partitions": "2",
            "spark.oozie.action.id": "0000202-170613162811875-oozie-oozi-W@load",
        }
        shell = _submit(home, {**_settings(logs, scratch), **own}, "hive.thriftserver.SparkSQLCLIDriver")
        command = [*shell, "--name", "nightly", "spark-internal", "-e", "; ".join(SHELL_STATEMENTS)]
        environment = {**_environment(python), "SPARK_HOME": home}
        subprocess.run(command, env=environment, cwd=scratch, check=True, timeout=300)


def _trimmed(line: str) -> str | None:
    """A plain log's line without what nobody reads; a line that breaks off is left as it is."""
    if line.startswith(tuple(f'{{"Event":"{name}' for name in DROPPED)):
        return None
    if not line.endswith("\n"):
        return line
    event = json.loads(line)
    if event["Event"] == "SparkListenerEnvironmentUpdate":
        event.update({key: {} for key in event if key not in ("Event", "Spark Properties")})
    for stage in (*event.get("Stage Infos", ()), *([event["Stage Info"]] if "Stage Info" in event else ())):
        stage["Details"], stage["RDD Info"] = "", []
    if "details" in event:
        event["details"] = ""
    for key in ("Properties", "Spark Properties"):
        if key in event:
            event[key] = {name: value[:LONGEST_PROPERTY] for name, value in event[key].items()}
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n"


def _keep(log: Path, target: Path) -> None:
    """Copy what Spark wrote to `target`, plain text trimmed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if log.is_dir():
        shutil.copytree(log, target, ignore=shutil.ignore_patterns(".*.crc"))
    elif log.read_bytes()[:9] == b'{"Event":':
        lines = log.read_text("utf-8").splitlines(keepends=True)
        target.write_text("".join(kept for line in lines if (kept := _trimmed(line)) is not None), "utf-8")
    else:
        shutil.copy(log, target)


def make(sample: Sample, sparks: Path) -> None:
    """Run the job and keep its log as `tests/events/logs/<name>/<what Spark called it>`."""
    with _kept_logs(sample.name) as (scratch, logs):
        _run(sample, sparks, logs, scratch)
        if sample.compacted:
            _compact(sample, sparks, logs)


def make_served(name: str, sparks: Path, client: Path | None) -> None:
    """Let a server run the statements and keep its log."""
    with _kept_logs(name) as (scratch, logs):
        _serve(sparks, name, client, logs, scratch)


@contextmanager
def _kept_logs(name: str) -> Iterator[tuple[Path, Path]]:
    """Make a folder to work in, and one in it for logs; keep the logs."""
    with tempfile.TemporaryDirectory() as folder:
        scratch, logs = Path(folder), Path(folder) / "logs"
        logs.mkdir()
        yield scratch, logs
        _keep_all(logs, name)


def _keep_all(logs: Path, name: str) -> None:
    target = LOGS / name
    shutil.rmtree(target, ignore_errors=True)
    for log in sorted(logs.iterdir()):
        if not log.name.startswith("."):
            _keep(log, target / log.name)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{name}: {size} bytes", flush=True)


def main() -> None:
    """Make the samples named on the command line, all by default."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sparks", type=Path, required=True)
    parser.add_argument("--client", type=Path)
    parser.add_argument("--only", action="append", default=[])
    arguments = parser.parse_args()
    for sample in SAMPLES:
        if not arguments.only or sample.name in arguments.only:
            make(sample, arguments.sparks)
    for name in (THRIFT, *([CONNECT] if arguments.client else [])):
        if not arguments.only or name in arguments.only:
            make_served(name, arguments.sparks, arguments.client)
    if not arguments.only or SHELL in arguments.only:
        make_shell(arguments.sparks)


if __name__ == "__main__":
    main()
