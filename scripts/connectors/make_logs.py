"""Make tests/connector_logs: real logs of statements over real servers.

    python scripts/connectors/make_logs.py JAR postgres-3.5=PYTHON postgres-4.1=PYTHON systems-3.5=PYTHON …

The programs are next to this one (`connect-4.0` and `cassandra-3.5`, too), `others.py` is that of `kudu-3.5`,
`kafka-3.5`, `neo4j-3.5` and each system without a server here; PYTHON has that PySpark, JAR is PostgreSQL's driver. The
servers are Debian's (`apt-get install postgresql mariadb-server redis-server maven`), below /tmp, with own ports,
and stopped at the end; those of Cassandra, Kafka, Kudu and Neo4j are Maven's, on Java 17. As root, PostgreSQL is run by
`postgres`.
"""

from __future__ import annotations

import json
import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import zstandard

HERE = Path(__file__).resolve().parent
LOGS = HERE.parent.parent / "tests" / "connector_logs"
WORK = Path("/tmp/connector_logs")
PORT, MARIADB, REDIS, CASSANDRA = "5544", "3388", "6388", "9944"
OTHERS = {"doris": "7957", "elasticsearch": "7961", "mongodb": "7959", "kafka": "7955", "kudu": "7951", "neo4j": "7963"}
"""System to the port of its server, for `others.py`."""
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

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>logs</groupId><artifactId>server</artifactId>
<version>1</version><dependencies><dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>{}
</dependency></dependencies></project>"""
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
KAFKA_SETTINGS = f"""
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:7956
listeners=PLAINTEXT://127.0.0.1:{OTHERS["kafka"]},CONTROLLER://127.0.0.1:7956
advertised.listeners=PLAINTEXT://127.0.0.1:{OTHERS["kafka"]}
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
log.dirs={WORK}/kafka/topics
offsets.topic.replication.factor=1
"""
NEO4J_SETTINGS = f"""
server.bolt.listen_address=127.0.0.1:{OTHERS["neo4j"]}
server.http.enabled=false
dbms.security.auth_enabled=false
dbms.usage_report.enabled=false
"""
KUDU_OPTIONS = (
    "--unlock_experimental_flags --unlock_unsafe_flags --webserver_enabled=false --use_hybrid_clock=false "
    "--time_source=system_unsync --block_manager=file --never_fsync"
).split()
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
    fetch_jars(home, "org.apache.cassandra", "cassandra-all", "4.1.8")
    settings.write_text(CASSANDRA_SETTINGS)
    agent = max(home.glob("jars/jamm-*.jar"))
    options = [f"-Dcassandra.config=file://{settings}", f"-Dcassandra.storagedir={home}", "-Dcassandra-foreground=yes"]
    daemon = [f"-javaagent:{agent}", *options, "org.apache.cassandra.service.CassandraDaemon"]
    start_java(stack, home, daemon, CASSANDRA)


def fetch_jars(home: Path, *artifact: str) -> None:
    """Copy an artifact of Maven, `group, name, version[, classifier]`, and what it depends on to a folder."""
    classifier = f"<classifier>{artifact[3]}</classifier>" if len(artifact) > 3 else ""
    home.mkdir()
    (home / "pom.xml").write_text(POM.format(*artifact[:3], classifier))
    copy = ["mvn", "-q", "-B", "-f", str(home / "pom.xml"), "dependency:copy-dependencies"]
    subprocess.run([*copy, f"-DoutputDirectory={home}/jars"], check=True)


def start_java(stack: ExitStack, home: Path, arguments: Sequence[str], port: str) -> None:
    """Start a server of jars, and wait for its port."""
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED.split()]
    command = ["java", "-Xmx700m", "-cp", f"{home}/jars/*", *opened, *arguments]
    server = subprocess.Popen(command, stdout=(home / "output.log").open("w"), stderr=subprocess.STDOUT)
    stack.callback(server.wait)
    stack.callback(server.terminate)
    while server.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", int(port)), 1):
            return
        time.sleep(1)


def kafka(stack: ExitStack) -> None:
    """Start Kafka, which is its own controller."""
    home, settings = WORK / "kafka", WORK / "kafka" / "server.properties"
    fetch_jars(home, "org.apache.kafka", "kafka_2.13", "3.9.1")
    settings.write_text(KAFKA_SETTINGS)
    storage = ["kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", str(settings)]
    subprocess.run(["java", "-cp", f"{home}/jars/*", *storage], check=True, stdout=subprocess.DEVNULL)
    start_java(stack, home, ["kafka.Kafka", str(settings)], OTHERS["kafka"])


def kudu(stack: ExitStack) -> None:
    """Start Kudu's master and a tablet server."""
    home = WORK / "kudu"
    fetch_jars(home, "org.apache.kudu", "kudu-binary", "1.17.1", "linux-x86_64")
    with zipfile.ZipFile(next(home.glob("jars/*.jar"))) as archive:
        archive.extractall(home)
    programs = next(home.glob("kudu-binary-*/bin"))
    libraries = programs.parent / "lib"
    for own in (*libraries.glob("lib*krb5*"), *libraries.glob("libk5crypto*"), libraries / "libsasl2.so.3"):
        own.unlink()  # Debian's fit each other, and its SASL finds its plugins
    (libraries / "libsasl2.so.3").symlink_to("/usr/lib/x86_64-linux-gnu/libsasl2.so.2")
    master = OTHERS["kudu"]
    servers = {"master": (master, []), "tserver": ("7952", [f"--tserver_master_addrs=127.0.0.1:{master}"])}
    for name, (port, options) in servers.items():
        program = programs / f"kudu-{name}"
        program.chmod(0o755)
        own = [f"--fs_wal_dir={home}/{name}", f"--rpc_bind_addresses=127.0.0.1:{port}", *options]
        server = subprocess.Popen([program, *own, *KUDU_OPTIONS], stderr=subprocess.DEVNULL)
        stack.callback(server.wait)
        stack.callback(server.terminate)
    time.sleep(15)


def neo4j(stack: ExitStack) -> None:
    """Start Neo4j, without nodes."""
    home = WORK / "neo4j"
    fetch_jars(home, "org.neo4j.test", "neo4j-harness", "5.26.0")
    (home / "neo4j.conf").write_text(NEO4J_SETTINGS)
    folders = [f"--home-dir={home}", f"--config-dir={home}"]
    start_java(stack, home, ["org.neo4j.server.CommunityEntryPoint", *folders], OTHERS["neo4j"])


SERVERS = {
    "postgres": (postgres,),
    "connect": (postgres,),
    "systems": (mariadb, redis),
    "cassandra": (cassandra,),
    "kafka": (kafka,),
    "kudu": (kudu,),
    "neo4j": (neo4j,),
}
"""The servers of each program, and of the systems of `others.py`."""


def main() -> None:
    """Start the servers, run each program on its Spark, keep its log."""
    jar, runs = str(Path(sys.argv[1]).resolve()), [each.split("=", 1) for each in sys.argv[2:]]
    LOGS.mkdir(exist_ok=True)
    with ExitStack() as stack:
        make_folder(stack)
        programs = {name.partition("-")[0] for name, _ in runs}
        for start in dict.fromkeys(start for program in sorted(programs) for start in SERVERS.get(program, ())):
            start(stack)
        for name, python in runs:
            program = name.partition("-")[0]
            work = WORK / name
            (work / "logs").mkdir(parents=True)
            known = {
                "systems": (MARIADB, REDIS),
                "cassandra": (CASSANDRA,),
                "postgres": (jar, PORT),
                "connect": (jar, PORT),
            }
            script = f"{program}.py" if program in known else "others.py"
            command = [python, str(HERE / script), str(work), *known.get(program, (program, OTHERS.get(program, "")))]
            subprocess.run(command, check=True, env={**os.environ, "PYSPARK_PYTHON": python})
            (log,) = (work / "logs").iterdir()
            folders = {str(Path(jar).parent): "/jars", str(Path(python).parent.parent): "/spark"}
            folders |= {str(Path.home() / ".ivy2"): "/ivy"}
            (LOGS / f"{name}.zstd").write_bytes(without_machine(log.read_bytes(), folders))


if __name__ == "__main__":
    main()
