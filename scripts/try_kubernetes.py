"""Harvests on what Spark takes for Kubernetes, in executors of images that have not this package.

    python scripts/try_kubernetes.py [LOGS]

A cluster it is not: stand-ins of ours for the API server and the kubelet (`scripts/clusters/`) do what Spark's own
Kubernetes backend asks for, and run each executor's container on this machine, with a root, processes, mounts and an
address of its own (so Linux and root only, not part of CI). Harvests the logs (by default the sample logs of the tests,
two of them made long) locally; from `--master k8s://…` with a pack, in an image that has only Python and Spark; the
same with an executor killed in the middle, and with an executor's pod deleted; and by `spark-submit`, in an image that
has the packages that executors need, to which this package is sent. Compares the stores. Prints what it found; its exit
code is 0 if the stores are equal.
"""

from __future__ import annotations

import http.client
import os
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyspark

import eventlog_lineage
from clusters.api_objects import ApiObjects
from clusters.api_server import api_server
from clusters.kubelet import SPARK, Image, Kubelet
from clusters.nights import ROOT, bare_python, contents, harvest, packed

HOME = Path(pyspark.__file__).parent
PACKAGE = Path(eventlog_lineage.__file__).parent
SAMPLES = ROOT / "tests" / "sample_logs"
MADE_LONG = {"nightly-sales-3-3": "made-3-3.zstd", "nightly-sales-3-5.zstd": "made-3-5.zstd"}
GIGABYTES = 0.15
TOKEN = "of-the-service-account"
BARE, FITTED = "registry.invalid/python-and-spark:1", "registry.invalid/python-spark-and-packages:1"


@dataclass(frozen=True)
class Cluster:
    """The stand-ins that run.

    Attributes:
        address: The API server's.
        certificate: What it is trusted by.
        kubelet: What runs the pods.
    """

    address: str
    certificate: Path
    kubelet: Kubelet

    def kill_an_executor(self) -> str:
        """`kill -9` to an executor's first process; says which, nothing if none runs."""
        running = self.kubelet.running()
        return f"process {self.kubelet.kill(running[0])} of {running[0][2]} killed" if running else ""

    def delete_a_pod(self) -> str:
        """Deletes an executor's pod as `kubectl` does; says which, nothing if none runs."""
        running = self.kubelet.running()
        if not running:
            return ""
        context = ssl.create_default_context(cafile=str(self.certificate))
        connection = http.client.HTTPSConnection(self.address.removeprefix("https://"), context=context)
        _, namespace, name = running[0]
        path = f"/api/v1/namespaces/{namespace}/pods/{name}"
        connection.request("DELETE", path, headers={"Authorization": f"Bearer {TOKEN}"})
        assert connection.getresponse().status == 200
        connection.close()
        return f"pod {name} deleted"


def main() -> int:
    """Harvest in five ways and compare."""
    with tempfile.TemporaryDirectory(prefix="try-kubernetes-") as name:
        folder = Path(name)
        logs = sys.argv[1] if len(sys.argv) > 1 else str(made_logs(folder / "logs"))
        pack = packed(folder)
        harvest(logs, folder / "local", "--master", "local[1]")
        with cluster(folder, pack) as kubernetes:
            packing = [*words(kubernetes, BARE, logs), "--pack", str(pack)]
            harvest(logs, folder / "packed", *packing)
            harvest(logs, folder / "killed", *packing, strike=kubernetes.kill_an_executor)
            harvest(logs, folder / "deleted", *packing, strike=kubernetes.delete_a_pod)
            submit = [
                str(HOME / "bin" / "spark-submit"),
                *words(kubernetes, FITTED, logs),
                str(PACKAGE / "__main__.py"),
            ]
            harvest(logs, folder / "submitted", program=submit, variables=submitting())
            pods, left = len(kubernetes.kubelet.containers), kubernetes.kubelet.objects.listed("pods", None, "")
        wanted = contents(folder / "local")
        equal = {name: contents(folder / name) == wanted for name in ("packed", "killed", "deleted", "submitted")}
        rows = sum(len(table) for table in wanted.values())
    print(f"{pods} executors ran in pods, {len(left)} pods are left")
    print(f"{rows} rows of {len(wanted)} tables; what a local harvest gives: {equal}")
    return 0 if all(equal.values()) else 1


def made_logs(folder: Path) -> Path:
    """The sample logs, with enough in them that two executors are at work for some time."""
    folder.mkdir()
    for sample in SAMPLES.iterdir():
        if sample.name in MADE_LONG:
            call = [sys.executable, str(ROOT / "scripts" / "make_large_log.py"), str(folder / MADE_LONG[sample.name])]
            subprocess.run([*call, "--gigabytes", str(GIGABYTES), "--sample", str(sample)], check=True)
        elif sample.is_dir():
            shutil.copytree(sample, folder / sample.name)
        elif sample.suffix == ".inprogress":
            shutil.copy(sample, folder)
    return folder


@contextmanager
def cluster(folder: Path, pack: Path) -> Iterator[Cluster]:
    """The stand-ins, with two images."""
    objects = ApiObjects()
    (folder / "pods").mkdir()
    bare = bare_python(folder)
    fitted = shutil.copytree(bare, folder / "fitted", symlinks=True)
    with tarfile.open(pack) as archive:
        theirs = [member for member in archive if not member.name.startswith("eventlog_lineage")]
        archive.extractall(next(fitted.glob("lib/python*/site-packages")), theirs, filter="data")
    kubelet = Kubelet(objects, folder / "pods", {BARE: image(bare), FITTED: image(fitted)})
    with api_server(objects, folder, TOKEN) as (address, certificate):
        threading.Thread(target=kubelet.run, daemon=True).start()
        try:
            yield Cluster(address, certificate, kubelet)
        finally:
            kubelet.stop()


def image(python: Path) -> Image:
    """Java and a Python, and Spark's jars and Python files where Spark's own image has them."""
    java = Path(os.environ.get("JAVA_HOME") or Path(shutil.which("java") or "").resolve().parents[1]).resolve()
    ours = [Path("/usr"), Path("/etc"), Path(sys.base_prefix), java]
    binds = {str(place): place for place in ours} | {"/opt/python": python}
    binds |= {f"{SPARK}/{name}": HOME / name for name in ("jars", "python")}
    path = "/opt/python/bin:/usr/bin:/bin"
    return Image(binds, {"PATH": path, "JAVA_HOME": str(java), "SPARK_HOME": SPARK, "LANG": "C.UTF-8"})


def words(kubernetes: Cluster, name: str, logs: str) -> Iterator[str]:
    """What the harvest and `spark-submit` are told alike."""
    volume = "spark.kubernetes.executor.volumes.hostPath.logs"
    conf = {
        "spark.kubernetes.container.image": name,
        "spark.kubernetes.authenticate.caCertFile": str(kubernetes.certificate),
        "spark.kubernetes.authenticate.oauthToken": TOKEN,
        f"{volume}.mount.path": logs,
        f"{volume}.mount.readOnly": "true",
        f"{volume}.options.path": logs,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.executor.instances": "2",
        "spark.executor.memory": "512m",
    }
    yield from ("--master", f"k8s://{kubernetes.address}")
    for key, value in conf.items():
        yield from ("--conf", f"{key}={value}")


def submitting() -> dict[str, str]:
    """Variables for `spark-submit`: Python's name in the image, and the driver's."""
    return {"PYSPARK_PYTHON": "python3", "PYSPARK_DRIVER_PYTHON": sys.executable, "SPARK_HOME": str(HOME)}


if __name__ == "__main__":
    sys.exit(main())
