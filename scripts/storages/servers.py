"""Servers of S3, Azure, Google Cloud Storage and HDFS on this machine; none of them is part of CI but moto's.

s3: moto's server, from PyPI. abfss: azurite, from npm (`npx`, or `azurite-blob` on the path). gs: fake-gcs-server, from
the Go module proxy (`go install github.com/fsouza/fake-gcs-server@latest`, on the path). hdfs: Hadoop's own
MiniDFSCluster, from Maven Central, as in `scripts/try_yarn.py`.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pyspark import SparkConf
from pyspark.java_gateway import launch_gateway

_SCRIPTS = Path(__file__).resolve().parents[1]
_AZURITE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
"""Of azurite's only account, as its documentation has it."""


@contextmanager
def server(scheme: str, folder: Path) -> Iterator[str]:
    """Start a server, set the environment of its clients, and make a bucket; yields the URL for stores.

    Args:
        scheme: `s3`, `abfss`, `gs` or `hdfs`.
        folder: Where it may write.
    """
    with {"s3": _s3, "abfss": _abfss, "gs": _gs, "hdfs": _hdfs}[scheme](folder) as url:
        yield url


@contextmanager
def _s3(folder: Path) -> Iterator[str]:
    port = _free_port()
    os.environ.update(AWS_ACCESS_KEY_ID="testing", AWS_SECRET_ACCESS_KEY="testing", AWS_DEFAULT_REGION="us-east-1")
    os.environ["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
    with _running([sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)], port, folder):
        import s3fs  # noqa: PLC0415 - only for this server

        s3fs.S3FileSystem(skip_instance_cache=True).mkdir("lineage")
        yield "s3://lineage"


@contextmanager
def _abfss(folder: Path) -> Iterator[str]:
    port = _free_port()
    os.environ["AZURE_STORAGE_CONNECTION_STRING"] = (
        f"DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey={_AZURITE_KEY};"
        f"BlobEndpoint=http://127.0.0.1:{port}/devstoreaccount1;"
    )
    named = shutil.which("azurite-blob")
    start = [named] if named else ["npx", "--yes", "--package", "azurite", "azurite-blob"]
    words = ["--silent", "--inMemoryPersistence", "--skipApiVersionCheck", "--blobPort", str(port)]
    with _running([*start, *words], port, folder):
        import adlfs  # noqa: PLC0415 - only for this server

        adlfs.AzureBlobFileSystem(connection_string=os.environ["AZURE_STORAGE_CONNECTION_STRING"]).mkdir("lineage")
        yield "abfss://lineage@devstoreaccount1.dfs.core.windows.net"


@contextmanager
def _gs(folder: Path) -> Iterator[str]:
    port = _free_port()
    os.environ.update(STORAGE_EMULATOR_HOST=f"http://127.0.0.1:{port}", FSSPEC_GS_TOKEN="anon", FSSPEC_GCS_TOKEN="anon")
    os.environ["GCSFS_EXPERIMENTAL_ZB_HNS_SUPPORT"] = "false"  # it asks a server that is not there
    address = f"127.0.0.1:{port}"
    words = ["-scheme", "http", "-host", "127.0.0.1", "-port", str(port), "-backend", "memory"]
    with _running(
        ["fake-gcs-server", *words, "-public-host", address, "-external-url", f"http://{address}"], port, folder
    ):
        import gcsfs  # noqa: PLC0415 - only for this server

        gcsfs.GCSFileSystem(token="anon", project="lineage").mkdir("lineage")
        yield "gs://lineage"


@contextmanager
def _hdfs(folder: Path) -> Iterator[str]:
    sys.path.insert(0, str(_SCRIPTS))
    from try_yarn import minicluster  # noqa: PLC0415 - fetches jars

    conf = SparkConf(loadDefaults=False).set("spark.driver.extraClassPath", os.pathsep.join(minicluster()))
    with (folder / "hdfs.log").open("w") as log:
        gateway = launch_gateway(conf, popen_kwargs={"stdout": log, "stderr": log, "cwd": folder})
    try:
        jvm = gateway.jvm
        configured = jvm.org.apache.hadoop.conf.Configuration()
        configured.set("hdfs.minidfs.basedir", str(folder / "dfs"))
        builder = getattr(jvm.org.apache.hadoop.hdfs, "MiniDFSCluster$Builder")(configured)
        cluster = builder.numDataNodes(1).build()
        cluster.waitActive()
        yield f"hdfs://127.0.0.1:{cluster.getNameNodePort()}/lineage"
        cluster.shutdown()
    finally:
        gateway.proc.kill()
        gateway.proc.wait()


@contextmanager
def _running(command: list[str], port: int, folder: Path) -> Iterator[None]:
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        end = time.monotonic() + 120
        while not _answers(port):
            assert process.poll() is None, (folder / "server.log").read_text()
            assert time.monotonic() < end, f"{command[0]} does not answer"
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
