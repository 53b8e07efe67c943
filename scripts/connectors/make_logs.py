"""Make tests/connector_logs: real logs of statements over real servers.

    python scripts/connectors/make_logs.py JAR postgres-3.5=PYTHON postgres-4.1=PYTHON systems-3.5=PYTHON …

The programs are next to this one (`connect-4.0` and `cassandra-3.5`, too); PYTHON has that PySpark, JAR is PostgreSQL's
driver. The servers are Debian's (`apt-get install postgresql mariadb-server redis-server maven`), below /tmp, on ports
of their own, and stopped at the end; Cassandra is Maven's, on Java 17. As root, PostgreSQL is run by `postgres`.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import zstandard

HERE = Path(__file__).resolve().parent
LOGS = HERE.parent.parent / "tests" / "connector_logs"
WORK = Path("/tmp/connector_logs")
PORT, MARIADB, REDIS, CASSANDRA = "5544", "3388", "6388", "9944"
BIN = max(Path("/usr/lib/postgresql").glob("*/bin"))
TABLES = """
CREATE SCHEMA sales;
CREATE TABLE sales.orders (id bigint, customer_id bigint, amount numeric(12,2), discount numeric(12,2), status text);
CREATE TABLE sales.customers (id bigint, name text, city text);
CREATE TABLE sales."Order Notes" ("Order Id" bigint, "Note" text);
CREATE TABLE sales.totals (status text, total numeric(22,2));
INSERT INTO sales.orders VALUES (1, 1, 10, 1, 'open'), (2, 1, 20, 2, 'paid'), (3, 2, 30, 3, 'open');
INSERT INTO sales.customers VALUES (1, 'a', 'Rome'), (2, 'b', 'Oslo');
"""
CRM = """
CREATE DATABASE crm;
CREATE USER spark@localhost IDENTIFIED BY 'spark';
GRANT ALL ON crm.* TO spark@localhost;
CREATE TABLE crm.tickets (id bigint, agent_id bigint, score int, title varchar(100));
CREATE TABLE crm.agents (id bigint, name varchar(50));
INSERT INTO crm.tickets VALUES (1, 1, 5, 's');
INSERT INTO crm.agents VALUES (1, 'g');
"""

CASSANDRA_POM = """<project><modelVersion>4.0.0</modelVersion><groupId>logs</groupId><artifactId>cassandra</artifactId>
<version>1</version><dependencies><dependency><groupId>org.apache.cassandra</groupId><artifactId>cassandra-all</artifactId>
<version>4.1.8</version></dependency></dependencies></project>"""
CASSANDRA_SETTINGS = f"""
cluster_name: logs
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
endpoint_snitch: SimpleSnitch
commitlog_sync: periodic
commitlog_sync_period: 10000ms
listen_address: 127.0.0.1
storage_port: 7044
rpc_address: 127.0.0.1
native_transport_port: {CASSANDRA}
seed_provider:
- class_name: org.apache.cassandra.locator.SimpleSeedProvider
  parameters: [{{seeds: "127.0.0.1:7044"}}]
"""
OPENED = (
    "java.lang java.io java.nio java.util java.util.concurrent java.util.concurrent.atomic sun.nio.ch jdk.internal.ref"
)
"""Packages of `java.base` that Cassandra 4.1 uses by reflection; Java 17 opens none."""


def run(*command: str) -> None:
    """Run a program of the server, as its own user."""
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run([*prefix, *command], check=True, cwd="/tmp", stdout=subprocess.DEVNULL)


def without_machine(log: bytes, folders: Mapping[str, str]) -> bytes:
    """Return a log without the names of this machine's folders and the settings of its Java.

    Args:
        log: The log, compressed.
        folders: Folder to the one that replaces it.
    """
    text = zstandard.ZstdDecompressor().stream_reader(log, read_across_frames=True).read().decode()
    for folder, other in folders.items():
        text = text.replace(folder, other)
    events = [json.loads(line) for line in text.splitlines()]
    for event in events:
        for part in (
            "Classpath Entries",
            "System Properties",
            "Hadoop Properties",
            "JVM Information",
            "Metrics Properties",
        ):
            if part in event:
                event[part] = {}
    lines = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)
    return zstandard.ZstdCompressor(19).compress(lines.encode())


def make_folder(stack: ExitStack) -> None:
    """Make an empty folder for the servers, which is removed at the end."""
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(mode=0o777)
    WORK.chmod(0o777)
    stack.callback(shutil.rmtree, WORK, ignore_errors=True)


def postgres(stack: ExitStack) -> None:
    """Start PostgreSQL with its tables."""
    data = WORK / "postgres"
    run(str(BIN / "initdb"), "-D", str(data), "-A", "trust", "-U", "spark")
    options = f"-p {PORT} -c listen_addresses=127.0.0.1 -c unix_socket_directories={WORK}"
    control = (str(BIN / "pg_ctl"), "-D", str(data))
    run(*control, "-w", "-l", str(WORK / "postgres.log"), "-o", options, "start")
    stack.callback(run, *control, "-m", "immediate", "stop")
    address = ("-h", "127.0.0.1", "-p", PORT, "-U", "spark")
    run(str(BIN / "createdb"), *address, "shop")
    run(str(BIN / "psql"), *address, "-q", "-d", "shop", "-c", TABLES)


def mariadb(stack: ExitStack) -> None:
    """Start MariaDB with its tables."""
    data, socket = f"--datadir={WORK / 'mariadb'}", f"--socket={WORK / 'mariadb.sock'}"
    options = ("--no-defaults", f"--user={pwd.getpwuid(os.geteuid()).pw_name}", data)
    subprocess.run(["mariadb-install-db", *options], check=True, stdout=subprocess.DEVNULL)
    bound = (f"--port={MARIADB}", "--bind-address=127.0.0.1", socket)
    server = subprocess.Popen(["mariadbd", *options, *bound], stderr=subprocess.DEVNULL)
    stack.callback(server.wait)
    stack.callback(server.terminate)
    client = ["mariadb", "--no-defaults", "-u", "root", socket, "--wait", "--connect-timeout=60"]
    while not (WORK / "mariadb.sock").exists():
        time.sleep(0.2)
    subprocess.run(client, input=CRM, text=True, check=True)


def redis(stack: ExitStack) -> None:
    """Start Redis."""
    options = ["--port", REDIS, "--save", "", "--dir", str(WORK)]
    server = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
    stack.callback(server.wait)
    stack.callback(server.terminate)


def cassandra(stack: ExitStack) -> None:
    """Start Cassandra, without tables."""
    home, settings = WORK / "cassandra", WORK / "cassandra.yaml"
    (WORK / "pom.xml").write_text(CASSANDRA_POM)
    copy = ["mvn", "-q", "-B", "-f", str(WORK / "pom.xml"), "dependency:copy-dependencies"]
    subprocess.run([*copy, f"-DoutputDirectory={home}/jars"], check=True)
    settings.write_text(CASSANDRA_SETTINGS)
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED.split()]
    agent = max(home.glob("jars/jamm-*.jar"))
    options = [f"-Dcassandra.config=file://{settings}", f"-Dcassandra.storagedir={home}", "-Dcassandra-foreground=yes"]
    daemon = ["-cp", f"{home}/jars/*", "org.apache.cassandra.service.CassandraDaemon"]
    output = (WORK / "cassandra.log").open("w")
    server = subprocess.Popen(["java", "-Xmx512m", f"-javaagent:{agent}", *opened, *options, *daemon], stdout=output)
    stack.callback(server.wait)
    stack.callback(server.terminate)
    while server.poll() is None and "Starting listening for CQL" not in (WORK / "cassandra.log").read_text():
        time.sleep(1)


SERVERS = {"postgres": (postgres,), "connect": (postgres,), "systems": (mariadb, redis), "cassandra": (cassandra,)}
"""The servers of each program."""


def main() -> None:
    """Start the servers, run each program on its Spark, keep its log."""
    jar, runs = str(Path(sys.argv[1]).resolve()), [each.split("=", 1) for each in sys.argv[2:]]
    LOGS.mkdir(exist_ok=True)
    with ExitStack() as stack:
        make_folder(stack)
        programs = {name.partition("-")[0] for name, _ in runs}
        for start in dict.fromkeys(start for program in sorted(programs) for start in SERVERS[program]):
            start(stack)
        for name, python in runs:
            program = name.partition("-")[0]
            work = WORK / name
            (work / "logs").mkdir(parents=True)
            arguments = {"systems": (MARIADB, REDIS), "cassandra": (CASSANDRA,)}.get(program, (jar, PORT))
            command = [python, str(HERE / f"{program}.py"), str(work), *arguments]
            subprocess.run(command, check=True, env={**os.environ, "PYSPARK_PYTHON": python})
            (log,) = (work / "logs").iterdir()
            folders = {str(Path(jar).parent): "/jars", str(Path(python).parent.parent): "/spark"}
            folders |= {str(Path.home() / ".ivy2"): "/ivy"}
            (LOGS / f"{name}.zstd").write_bytes(without_machine(log.read_bytes(), folders))


if __name__ == "__main__":
    main()
