"""Harvests on a real YARN, with two node managers on this machine and a Python there that has only what we pack.

    python scripts/try_yarn.py [LOGS]

Takes Hadoop's own MiniYARNCluster, of the Hadoop that this PySpark has, from Maven Central (56 MB, once); harvests the
logs (the sample logs of the tests by default) locally and on YARN, on YARN once more with an executor killed in the
middle, and compares the three stores. Prints what it found; its exit code is 0 if the stores are equal. Not part of CI.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyspark
from pyspark import SparkConf
from pyspark.java_gateway import launch_gateway

from clusters.nights import ROOT, bare_python, contents, harvest, packed

JARS = Path(pyspark.__file__).parent / "jars"
MAVEN = "https://repo1.maven.org/maven2"
MINICLUSTER = "org/apache/hadoop/hadoop-client-minicluster"
BESIDE = {
    "org/junit/jupiter/junit-jupiter-api": "5.8.2",
    "org/opentest4j/opentest4j": "1.2.0",
    "org/junit/platform/junit-platform-commons": "1.8.2",
    "org/bouncycastle/bcprov-jdk18on": "1.82",
    "org/bouncycastle/bcpkix-jdk18on": "1.82",
    "org/bouncycastle/bcutil-jdk18on": "1.82",
}
"""What it needs and has not in it."""
EXECUTOR = b"org.apache.spark.executor.YarnCoarseGrainedExecutorBackend"
SETTINGS = {
    "yarn.resourcemanager.hostname": "127.0.0.1",
    "yarn.nodemanager.resource.memory-mb": "2048",
    "yarn.nodemanager.resource.cpu-vcores": "2",
    "yarn.scheduler.minimum-allocation-mb": "256",
    "yarn.nodemanager.vmem-check-enabled": "false",
    "yarn.nodemanager.pmem-check-enabled": "false",
    "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99.9",
    "yarn.scheduler.capacity.root.queues": "default",
    "yarn.scheduler.capacity.root.default.capacity": "100",
    "yarn.scheduler.capacity.maximum-am-resource-percent": "1",
}


def main() -> int:
    """Harvest in three ways and compare."""
    logs = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "tests" / "sample_logs")
    with tempfile.TemporaryDirectory(prefix="try-yarn-") as name:
        folder = Path(name)
        pack = packed(folder)
        harvest(logs, folder / "local", "--master", "local[1]")
        with yarn(folder) as configuration:
            python = str(bare_python(folder) / "bin" / "python")
            variables = {"HADOOP_CONF_DIR": str(configuration), "YARN_CONF_DIR": str(configuration)}
            variables |= {"PYSPARK_PYTHON": python, "PYSPARK_DRIVER_PYTHON": sys.executable}
            words = ["--master", "yarn", "--pack", str(pack), *settings()]
            harvest(logs, folder / "yarn", *words, variables=variables)
            harvest(logs, folder / "lost", *words, variables=variables, strike=lambda: kill_an_executor(folder))
        wanted = contents(folder / "local")
        equal = [contents(folder / store) == wanted for store in ("yarn", "lost")]
        rows = sum(len(table) for table in wanted.values())
    print(f"{rows} rows of {len(wanted)} tables: YARN gives what a local harvest gives: {equal[0]}", end="; ")
    print(f"with an executor killed: {equal[1]}")
    return 0 if all(equal) else 1


def settings() -> Iterator[str]:
    """Spark's jars are where they are on every node of this cluster: they need not be sent."""
    conf = {
        "spark.yarn.jars": f"local:{JARS}/*",
        "spark.driver.host": "127.0.0.1",
        "spark.executor.instances": "2",
        "spark.executor.memory": "512m",
        "spark.yarn.am.memory": "512m",
    }
    for key, value in conf.items():
        yield from ("--conf", f"{key}={value}")


@contextmanager
def yarn(folder: Path) -> Iterator[Path]:
    """A resource manager and two node managers in a JVM of their own; gives the folder with their configuration."""
    os.chdir(folder)  # where they put their directories
    jars = os.pathsep.join(minicluster())
    conf = SparkConf(loadDefaults=False).set("spark.driver.extraClassPath", jars)
    log = (folder / "yarn.log").open("w")
    gateway = launch_gateway(conf, popen_kwargs={"stdout": log, "stderr": log})
    try:
        jvm = gateway.jvm
        configured = jvm.org.apache.hadoop.yarn.conf.YarnConfiguration()
        for key, value in SETTINGS.items():
            configured.set(key, value)
        cluster = jvm.org.apache.hadoop.yarn.server.MiniYARNCluster("mini", 2, 1, 1)
        cluster.init(configured)
        cluster.start()
        assert cluster.waitForNodeManagersToConnect(60_000)
        configuration = folder / "conf"
        configuration.mkdir()
        target = jvm.java.io.FileOutputStream(str(configuration / "yarn-site.xml"))
        cluster.getConfig().writeXml(target)
        target.close()
        print(f"YARN {jvm.org.apache.hadoop.util.VersionInfo.getVersion()} with two node managers runs")
        yield configuration
        cluster.stop()
    finally:
        gateway.proc.kill()
        gateway.proc.wait()


def minicluster() -> Iterator[str]:
    """Hadoop's MiniYARNCluster with all that it needs beside the client's jars."""
    client = next(JARS.glob("hadoop-client-api-*.jar"))
    folder = Path.home() / ".cache" / "eventlog-lineage"
    folder.mkdir(parents=True, exist_ok=True)
    for path, version in {MINICLUSTER: client.stem.removeprefix("hadoop-client-api-"), **BESIDE}.items():
        jar = folder / f"{path.rpartition('/')[2]}-{version}.jar"
        if not jar.exists():
            part = jar.with_suffix(".part")
            urllib.request.urlretrieve(f"{MAVEN}/{path}/{version}/{jar.name}", part)
            part.rename(jar)
        yield str(jar)


def kill_an_executor(folder: Path) -> str:
    """Kills the process of an executor that works somewhere in a folder; says which, nothing if there is none."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if EXECUTOR in words and words[0].endswith(b"java") and (process / "cwd").resolve().is_relative_to(folder):
                os.kill(int(process.name), signal.SIGKILL)
                return f"executor {process.name} killed"
    return ""


if __name__ == "__main__":
    sys.exit(main())
