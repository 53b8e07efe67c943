"""Starting Spark, and saying plainly why it does not start."""

from __future__ import annotations

import atexit
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.metadata import version
from pathlib import Path

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway

from eventlog_lineage.errors import SparkLostError, SparkStartError

from .scratch import scratch_folder

_JAVA_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_PACK = "eventlog_lineage_pack"
_DAEMON = "eventlog_lineage.harvest.spark.daemon"
"""It is found where we start Java ourselves, and so give it the path of Python's modules."""
_LOCAL = re.compile(r"local(?:\[(\d+|\*)\])?")
_SMALL_JAVA = (
    "-XX:+IgnoreUnrecognizedVMOptions -XX:+NeverActAsServerClassMachine -XX:MetaspaceSize=128m"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
"""A Java without the second compiler, and with the collector that has no threads, unless its user chooses another:
both would take more of the processors than they give back (3 s and 0.5 s in a harvest of 1 GB). Spark's classes fit
into that much, which otherwise is found out by collecting all garbage some times. That Spark's own classes are well
formed is not proved anew each night (1 s)."""
_KEPT_MEMORY = {"MALLOC_TRIM_THRESHOLD_": 8 << 20, "MALLOC_MMAP_THRESHOLD_": 1 << 20, "MALLOC_TOP_PAD_": 128 << 10}
"""Bytes, for the allocator of glibc; others do not know these names. A worker that reads 512 kB of a log after another
keeps their memory: otherwise it gives it back to the system each time, and is given new pages one by one (an eighth of
its processor time)."""
_INSTALL = "install Java 17, for instance `apt-get install openjdk-17-jre-headless`, and set JAVA_HOME"
_LOOK = "Java runs: look there for what Spark says, and into its executors' logs if it is their start that fails"
_MEMORY = "if the machine was short of memory, give less to spark.driver.memory or more to the machine"
_LAST_SECONDS = 5
"""How long a process whose sockets are closed may take to be gone."""

_LONGEST_FOLDER = 104 - len("/.12345678-1234-1234-1234-123456789012.sock") - 1
"""Characters of the name of a folder with sockets in it: a socket's whole name must be shorter than 104."""

_LOG = logging.getLogger(__name__)


@contextmanager
def spark_context(
    master: str | None, settings: Mapping[str, str], name: str, pack: str | None = None
) -> Iterator[SparkContext]:
    """A Spark context for one harvest; the one that runs already (`spark-submit`, a notebook) is used and left running.

    Args:
        master: `local[*]`, `spark://…`, `yarn` …; None takes what Spark is configured with, else `local[*]`.
        settings: Spark settings beside the job's own.
        name: The application's name.
        pack: What executors need, as `scripts/pack.py` packs it; None if they have it, but for this package itself.

    Raises:
        SparkStartError: Spark does not start.
        SparkLostError: Its process ends while it is needed.
    """
    running = SparkContext._active_spark_context
    if running is not None:
        if not _is_local(running.master):
            _ship_package(running, _scratch_of_process())
        yield running
        return
    conf = _conf(master, settings, name)
    if pack:
        _ship_pack(conf, pack)
    check_java(conf.get("spark.master", "") or "")
    with scratch_folder() as scratch:
        if _is_local(conf.get("spark.master", "")):
            conf.setIfMissing("spark.local.dir", str(scratch))
            _talk_without_tcp(conf, scratch)
        log = scratch / "spark.log"
        context = _start(conf, log)
        try:
            context.setLogLevel("ERROR")
            if not pack:
                _ship_package(context, scratch)
            yield context
        except (Py4JError, ConnectionError, SparkLostError) as error:
            lost = None if isinstance(error, Py4JJavaError) else _lost(context, log)
            if lost is None:
                raise
            raise lost from error
        finally:
            _stop(context)


def _start(conf: SparkConf, log: Path) -> SparkContext:
    """Starts Spark with its own log in a file: the terminal is for the harvest's."""
    root = str(Path(__file__).resolve().parents[3])
    paths = os.environ.get("PYTHONPATH", "")
    if root not in paths.split(os.pathsep):  # workers on this machine import the package from where it is here
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, paths)))
    try:
        with log.open("w") as output, _java_options(log.parent, conf.get("spark.master", "") or ""):
            gateway = launch_gateway(conf, popen_kwargs={"stdout": output, "stderr": output})
        context = SparkContext(conf=conf, gateway=gateway)
    except Exception as error:
        what = " ".join(str(error).split())[:300]
        advice = _LOOK if isinstance(error, Py4JJavaError) else _INSTALL
        raise SparkStartError(f"Spark does not start: {what}", f"its log is {_kept(log)}", advice) from error
    # PySpark's server of accumulators, which we have none of, prints a traceback if Spark goes: the harvest says it
    setattr(context._accumulatorServer, "handle_error", lambda *_: None)  # noqa: B010 - a method
    return context


@contextmanager
def _java_options(folder: Path, master: str) -> Iterator[None]:
    """Options of a Java that starts meanwhile, with those that the user has set.

    It unpacks its native libraries into the folder: a killed one leaves them behind. A local one hardly runs code of
    its own, as the work is Python's.
    """
    before = os.environ.get("SPARK_SUBMIT_OPTS")
    options = (f'"-Djava.io.tmpdir={folder}"', _SMALL_JAVA if _is_local(master) else None, before)
    os.environ["SPARK_SUBMIT_OPTS"] = " ".join(filter(None, options))
    try:
        yield
    finally:
        del os.environ["SPARK_SUBMIT_OPTS"]
        if before is not None:
            os.environ["SPARK_SUBMIT_OPTS"] = before


def _talk_without_tcp(conf: SparkConf, scratch: Path) -> None:
    """Has a local Spark of 4.1 and later talk with Python's workers through sockets in a folder of ours alone.

    Through TCP each task waits 40 ms for acknowledgements that are held back (SPARK-51688). Older Sparks do not know
    these settings.
    """
    if len(str(scratch)) <= _LONGEST_FOLDER:
        conf.setIfMissing("spark.python.unix.domain.socket.enabled", "true")
        conf.setIfMissing("spark.python.unix.domain.socket.dir", str(scratch))


def _lost(context: SparkContext, log: Path) -> SparkLostError | None:
    """What to say if Spark's process has ended; None if it has not."""
    try:
        code = getattr(context._gateway, "proc").wait(_LAST_SECONDS)  # noqa: B009 - py4j declares no such attribute
    except (AttributeError, subprocess.TimeoutExpired):
        return None
    how = f"killed by signal {-code}" if code < 0 else f"exit code {code}"
    return SparkLostError(f"Spark's process has ended: {how}", f"its log is {_kept(log)}", _MEMORY)


def _stop(context: SparkContext) -> None:
    """Stops Spark; if it cannot be reached any more, its results are here, or their absence has been said."""
    try:
        context.stop()
    except (Py4JError, OSError) as error:
        _LOG.info("Spark does not stop by itself", extra={"facts": {"error": str(error)}})


def _scratch_of_process() -> Path:
    """A scratch folder for a Spark that goes on after this harvest, until the process ends."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(scratch_folder())


def _kept(log: Path) -> str:
    """A copy of Spark's log that stays."""
    handle, kept = tempfile.mkstemp(prefix="eventlog-lineage-spark-", suffix=".log")
    with os.fdopen(handle, "wb") as copy:
        copy.write(log.read_bytes() if log.exists() else b"")
    return kept


def _conf(master: str | None, settings: Mapping[str, str], name: str) -> SparkConf:
    if "PYSPARK_GATEWAY_PORT" in os.environ:  # `spark-submit` has started the JVM: only there its settings are known
        SparkContext._ensure_initialized()
    conf = SparkConf().setAppName(name)
    if master:
        conf.setMaster(master)
    elif not conf.get("spark.master", None):
        conf.setMaster("local[*]")
    conf.setMaster(_with_retries(conf.get("spark.master") or ""))
    conf.setIfMissing("spark.ui.enabled", "false")
    conf.setIfMissing("spark.ui.showConsoleProgress", "false")
    conf.setIfMissing("spark.eventLog.enabled", "false")
    if _is_local(conf.get("spark.master")) and "PYSPARK_GATEWAY_PORT" not in os.environ:
        conf.setIfMissing("spark.python.daemon.module", _DAEMON)
    for variable, size in _KEPT_MEMORY.items():
        conf.setIfMissing(f"spark.executorEnv.{variable}", str(size))
    for key, value in settings.items():
        conf.set(key, value)
    os.environ["PYSPARK_PYTHON"] = executors_python(conf)
    return conf


def executors_python(conf: SparkConf) -> str:
    """The Python that executors run: what Spark is told, in Spark's order of precedence; else this one.

    In images of Kubernetes it is the `python3` on their path: where this machine has its Python, they may have none.

    Args:
        conf: Settings with `spark.master`, if one is set.
    """
    told = conf.get("spark.pyspark.python", None) or os.environ.get("PYSPARK_PYTHON")
    master = conf.get("spark.master", None) or ""
    return told or ("python3" if master.startswith("k8s:") else sys.executable)


def _is_local(master: str | None) -> bool:
    return (master or "").startswith("local")


def _with_retries(master: str) -> str:
    """A local Spark gives a task one try only, where clusters give it four: a worker can be killed there, too."""
    match = _LOCAL.fullmatch(master)
    return f"local[{match[1] or 1},4]" if match else master


def check_java(master: str) -> None:
    """Checks that a Java is there that this PySpark runs on.

    Args:
        master: Spark's master; any needs a Java for the driver.

    Raises:
        SparkStartError: There is none, or it is too old.
    """
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if not java or not Path(java).exists():
        raise SparkStartError("there is no Java", f"JAVA_HOME={home}" if home else "PATH", _INSTALL)
    printed = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    match = _JAVA_VERSION.search(printed)
    needed = 17 if int(version("pyspark").split(".")[0]) >= 4 else 8
    if match and int(match[1]) < needed:
        raise SparkStartError(
            f"PySpark {version('pyspark')} needs Java {needed}, this is Java {match[1]}", java, _INSTALL
        )


def _ship_pack(conf: SparkConf, pack: str) -> None:
    """Has Spark unpack an archive where executors run, and their Python look into it."""
    if not Path(pack).is_file() and ":/" not in pack:
        raise SparkStartError("there is no such pack", pack, "make it with scripts/pack.py")
    archives = [*filter(None, [conf.get("spark.archives", None)]), f"{pack}#{_PACK}"]
    paths = [*filter(None, [conf.get("spark.executorEnv.PYTHONPATH", None)]), _PACK]
    conf.set("spark.archives", ",".join(archives))
    conf.set("spark.executorEnv.PYTHONPATH", os.pathsep.join(paths))


def _ship_package(context: SparkContext, scratch: Path) -> None:
    """Sends this package to the executors of a cluster; local ones import it from where the driver does."""
    if _is_local(context.master):
        return
    root = Path(__file__).resolve().parents[2]
    archive = scratch / "eventlog_lineage.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for source in sorted(root.rglob("*")):
            if source.is_file() and "__pycache__" not in source.parts:
                target.write(source, source.relative_to(root.parent))
    context.addPyFile(str(archive))
