"""Start Spark, with an archive of Java's classes that makes the next start faster; report why it does not start."""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread
from typing import Any

import pyspark
from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway

from eventlog_lineage.errors import SparkStartError
from eventlog_lineage.safe_text import unusable_folder
from eventlog_lineage.store.remote.storage import cache_folder
from eventlog_lineage.store.versions.folder import sync_path

from .task_failures import INSTALL, not_run, remove_kept_logs, reported, start_error

JAVA_OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions -XX:+NeverActAsServerClassMachine -XX:MetaspaceSize=128m"
    " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
)
"""Options of a local Java, which hardly runs code of its own: the work is Python's.

* Without the second compiler, and with the collector that has no threads, unless its user chooses another one: both
  cost more CPU time than they save (3 s and 0.5 s in a harvest of 1 GB).
* Spark's classes fit into this much metaspace; otherwise Java finds out by some full collections.
* Spark's own classes are not verified again each night (1 s).
"""

ALLOCATOR = {"MALLOC_TRIM_THRESHOLD_": 8 << 20, "MALLOC_MMAP_THRESHOLD_": 1 << 20, "MALLOC_TOP_PAD_": 128 << 10}
"""Environment of Python's workers, in bytes, for the allocator of glibc; others ignore these names.

A worker that reads one 512 kB piece of a log after another keeps their memory. Otherwise it returns it to the system
each time, and gets new pages one by one (an eighth of its processor time).
"""

_FOLDER = "java"
_OLDEST_JAVA = 17
"""The oldest Java that archives are made with; the format exists since 13."""

_LONGEST = 30
"""Seconds that Java may take to write an archive: it takes 2 to 6."""

_KEPT = 4
"""Archives that are kept, of 70 to 160 MB each: a user has few Sparks, but each virtual environment has its own."""

_OWN_OPTIONS = ("Archive", "Xshare", "javaagent", "DumpLoadedClassList")
"""Parts of options that a user sets for class-data sharing, or that it does not work with."""

_VARIABLES = ("SPARK_SUBMIT_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
_CLASS_PATH_VARIABLES = (
    "SPARK_CLASSPATH",
    "SPARK_DIST_CLASSPATH",
    "HADOOP_CONF_DIR",
    "YARN_CONF_DIR",
    "SPARK_CONF_DIR",
)
_SETTINGS = ("spark.driver.extraJavaOptions", "spark.driver.defaultJavaOptions")
_CLASS_PATH_SETTING = "spark.driver.extraClassPath"


@dataclass(frozen=True, slots=True)
class ClassArchive:
    """The archive of Spark's classes.

    Attributes:
        draft: Where Java writes it when it ends; None if it is there.
    """

    file: Path
    draft: Path | None = None

    @property
    def option(self) -> str:
        """Java's option, as `SPARK_SUBMIT_OPTS` has it, whose words are quoted as in a shell."""
        return f'"-XX:ArchiveClassesAtExit={self.draft}"' if self.draft else f'"-XX:SharedArchiveFile={self.file}"'

    def keep(self, java: subprocess.Popen[bytes]) -> None:
        """Let Java end, and keep what it has written; one that is killed leaves an archive with which others crash."""
        if self.draft is None:
            return
        with suppress(OSError, subprocess.TimeoutExpired):
            if java.stdin:
                java.stdin.close()
            if java.wait(_LONGEST) == 0:
                sync_path(self.draft)
                self.draft.replace(self.file)
        self.draft.unlink(missing_ok=True)


def class_archive(java: str, major: str, settings: Mapping[str, str], cache: Path) -> ClassArchive | None:
    """Return the archive of Spark's classes that a Java uses or makes; None for neither."""
    own = " ".join(filter(None, [*map(os.environ.get, _VARIABLES), *map(settings.get, _SETTINGS)]))
    if not major.isdigit() or int(major) < _OLDEST_JAVA or any(option in own for option in _OWN_OPTIONS):
        return None
    try:
        folder = _private_folder(cache)
        file = folder / f"{_key(java, settings)}.jsa"
        if file.exists():
            os.utime(file)
            return ClassArchive(file)
        for unused in sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime)[: 1 - _KEPT]:
            unused.unlink()
    except OSError:
        return None
    return ClassArchive(file, file.with_suffix(f".{os.getpid()}"))


def _private_folder(cache: Path) -> Path:
    """Return the folder of the archives, which nobody else can write: Java runs what is in them."""
    if '"' in str(cache):  # the options are split as a shell splits words
        raise OSError("the path cannot be an option")
    folder = cache.absolute() / _FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError("the folder is not private")
    return folder


def _key(java: str, settings: Mapping[str, str]) -> str:
    """Return what an archive depends on: Java, Spark's jars, options and the class path.

    Raises:
        OSError: A folder of Java or Spark is not where it is expected.
    """
    home = Path(java).resolve().parent.parent
    spark = Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent)
    parts = [pyspark.__version__, str(home), str(spark), JAVA_OPTIONS, settings.get(_CLASS_PATH_SETTING, "")]
    parts += [os.environ.get(name, "") for name in _CLASS_PATH_VARIABLES]
    parts += [str(each.stat().st_mtime_ns) for each in (home / "lib", home / "lib" / "server", spark / "jars")]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


_PREFIX = "eventlog-lineage-scratch-"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Provide a folder for the duration of the block; folders of processes that have ended are removed.

    The kernel keeps a lock on it (`flock`) as long as its process lives, whatever its number and its container.

    Raises:
        FullFolderError: No folder can be made.
    """
    try:
        base = Path(tempfile.gettempdir())
        for left in base.glob(f"{_PREFIX}*"):
            if (lock := _lock(left)) is not None:
                shutil.rmtree(left, ignore_errors=True)
                os.close(lock)
        folder, lock = _locked_folder(base)
    except OSError as error:
        raise unusable_folder(error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked_folder(base: Path) -> tuple[Path, int]:
    """Return a new folder and its lock; another process may remove it before it is locked, so this is tried again."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        lock = _lock(folder)
        if lock is not None and folder.is_dir():
            return folder, lock
        if lock is not None:
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """Return the lock of a folder; None if another process has it, or if the folder is another user's or removed."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


_JAVA_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_PACK = "eventlog_lineage_pack"
_DAEMON = "eventlog_lineage.harvest.spark.daemon"
"""It is found where this process starts Java, and so sets the path of Python's modules."""
_LOCAL = re.compile(r"local(?:\[(\d+|\*)\])?")
_LONGEST_FOLDER = 104 - len("/.12345678-1234-1234-1234-123456789012.sock") - 1
"""Characters of the path of a folder with sockets in it: a socket's whole path must be shorter than 104."""

_LOG = logging.getLogger(__name__)


@contextmanager
def spark_context(
    master: str | None, settings: Mapping[str, str], name: str, pack: str | None = None, until: ExitStack | None = None
) -> Iterator[SparkContext]:
    """Provide a Spark context for one harvest.

    A context that runs already (`spark-submit`, a notebook) is used and left running.

    Args:
        master: `local[*]`, `spark://…`, `yarn` …; None for the one that Spark is configured with, else `local[*]`.
        settings: Spark settings in addition to the job's own.
        until: Spark stops while the caller goes on, and has stopped when this stack is closed; None: when the block
            ends. It takes a second, nearly all of it waiting.

    Raises:
        SparkStartError: Spark does not start.
        SparkLostError: Its process ends while it is needed.
        FullFolderError: A temporary folder is full.
    """
    running = SparkContext._active_spark_context
    if running is not None:
        if not _is_local(running.master):
            _ship_package(running, _scratch_of_process())
        with reported(running, None):
            yield running
        return
    conf = _conf(master, settings, name)
    if pack:
        _ship_pack(conf, pack)
    java = check_java()
    remove_kept_logs()
    scratch = _scratch_of_process()
    scratch.mkdir(mode=0o700, parents=True, exist_ok=True)  # whatever cleans temporary folders may have removed it
    if _is_local(conf.get("spark.master", "")):
        conf.setIfMissing("spark.local.dir", str(scratch))
        _connect_without_tcp(conf, scratch)
    log = scratch / "spark.log"
    context = _start(conf, log, _archive(conf, *java))
    try:
        with reported(context, scratch.parent, log), without_numpy_values(context._gateway):
            context.setLogLevel("ERROR")
            if not pack:
                _ship_package(context, scratch)
            yield context
    finally:
        stopping = Thread(target=_stop, args=(context,), name="stop Spark")
        stopping.start()
        if until is None:
            stopping.join()
        else:
            until.callback(stopping.join)


def _archive(conf: SparkConf, java: str, major: str) -> ClassArchive | None:
    """Return the archive of Spark's classes for a local Java that this process starts."""
    if not _is_local(conf.get("spark.master", "")) or "PYSPARK_GATEWAY_PORT" in os.environ or has_java():
        return None
    try:
        cache = cache_folder()
    except RuntimeError:  # there is no home folder
        return None
    return class_archive(java, major, dict(conf.getAll()), cache)


def _start(conf: SparkConf, log: Path, archive: ClassArchive | None) -> SparkContext:
    """Start Spark with its own log in a file: the terminal is for the harvest's log."""
    root = str(Path(__file__).resolve().parents[3])
    paths = os.environ.get("PYTHONPATH", "")
    if root not in paths.split(os.pathsep):  # workers on this machine import the package from here
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, paths)))
    try:
        if not has_java():
            master = conf.get("spark.master", "") or ""
            with log.open("w") as output, _java_options(log.parent, master, archive.option if archive else ""):
                gateway = launch_gateway(conf, popen_kwargs={"stdout": output, "stderr": output})
                SparkContext._ensure_initialized(gateway=gateway)
            if archive:
                atexit.register(archive.keep, gateway.proc)
        with without_numpy_values(SparkContext._gateway):
            context = SparkContext(conf=conf)
    except Exception as error:
        raise start_error(error, log) from error
    # PySpark's server of accumulators, which are not used, prints a traceback if Spark ends: the harvest reports that
    setattr(context._accumulatorServer, "handle_error", lambda *_: None)  # noqa: B010 - a method
    return context


@contextmanager
def without_numpy_values(gateway: Any) -> Iterator[None]:
    """Do not look for numpy's values in what is passed to Java within the block; a harvest passes none.

    To look for them, PySpark 4.x imports its own tests and with them pandas (`NumpyArrayConverter.can_convert`): 0.3 s
    before Spark's start, between Java's and that of the context.
    """
    client = gateway._gateway_client
    before = client.converters
    client.converters = [each for each in before or () if not type(each).__name__.startswith("Numpy")]
    try:
        yield
    finally:
        client.converters = before


def has_java() -> bool:
    """Return whether an earlier Spark of this process has left its Java, which every later one uses.

    `SparkContext` keeps the gateway when it stops (3.5 to 4.3). One whose process has ended is forgotten.
    """
    gateway = SparkContext._gateway
    process = getattr(gateway, "proc", None)
    if process is not None and process.poll() is not None:
        SparkContext._gateway = SparkContext._jvm = None
        return False
    return gateway is not None


@contextmanager
def _java_options(folder: Path, master: str, archive: str) -> Iterator[None]:
    """Set the options of a Java that starts within the block, in addition to those that the user has set."""
    before = os.environ.get("SPARK_SUBMIT_OPTS")
    options = (f'"-Djava.io.tmpdir={folder}"', JAVA_OPTIONS if _is_local(master) else None, archive, before)
    os.environ["SPARK_SUBMIT_OPTS"] = " ".join(filter(None, options))
    try:
        yield
    finally:
        del os.environ["SPARK_SUBMIT_OPTS"]
        if before is not None:
            os.environ["SPARK_SUBMIT_OPTS"] = before


def _connect_without_tcp(conf: SparkConf, scratch: Path) -> None:
    """Connect a local Spark of 4.1 and later with Python's workers through sockets in a private folder.

    Through TCP each task waits 40 ms for delayed acknowledgements (SPARK-51688). Older versions of Spark ignore these
    settings.
    """
    if len(str(scratch)) <= _LONGEST_FOLDER:
        conf.setIfMissing("spark.python.unix.domain.socket.enabled", "true")
        conf.setIfMissing("spark.python.unix.domain.socket.dir", str(scratch))


def _stop(context: SparkContext) -> None:
    """Stop Spark; if it cannot be reached any more, its results were taken, or their loss was reported."""
    try:
        context.stop()
    except (Py4JError, OSError) as error:
        _LOG.info("cannot stop Spark", extra={"facts": {"error": str(error)}})


@cache
def _scratch_of_process() -> Path:
    """Return a scratch folder that lasts until the process ends.

    Java stays when its Spark stops, and a later Spark of the process writes where the first one did: Java keeps the
    folder of `spark.local.dir` and all settings of its start (`Utils.getOrCreateLocalRootDirs`, Spark 3.5 to 4.3).
    """
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(scratch_folder())


def _conf(master: str | None, settings: Mapping[str, str], name: str) -> SparkConf:
    if "PYSPARK_GATEWAY_PORT" in os.environ:  # `spark-submit` has started the JVM, which alone has its settings
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
    for variable, size in ALLOCATOR.items():
        conf.setIfMissing(f"spark.executorEnv.{variable}", str(size))
    for key, value in settings.items():
        conf.set(key, value)
    os.environ["PYSPARK_PYTHON"] = executors_python(conf)
    return conf


def executors_python(conf: SparkConf) -> str:
    """Return the Python that executors run: the configured one, in Spark's order of precedence; else this one.

    On Kubernetes it is the `python3` on the image's path: at the path of this machine's Python the image may have none.
    """
    configured = conf.get("spark.pyspark.python", None) or os.environ.get("PYSPARK_PYTHON")
    master = conf.get("spark.master", None) or ""
    return configured or ("python3" if master.startswith("k8s:") else sys.executable)


def _is_local(master: str | None) -> bool:
    return (master or "").startswith("local")


def _with_retries(master: str) -> str:
    """Allow a local task four attempts, as on clusters: by default it has one, and its worker may be killed."""
    match = _LOCAL.fullmatch(master)
    return f"local[{match[1] or 1},4]" if match else master


def check_java() -> tuple[str, str]:
    """Return the path and the major version of the Java that this PySpark runs on.

    Raises:
        SparkStartError: There is none, or it is too old.
    """
    java, major = find_java()
    needed = 17 if int(pyspark.__version__.split(".")[0]) >= 4 else 8
    if major and int(major) < needed:
        raise SparkStartError(f"PySpark {pyspark.__version__} needs Java {needed}, this is Java {major}", java, INSTALL)
    return java, major


def find_java() -> tuple[str, str]:
    """Return the path of Java and its major version, which is empty if it prints none.

    Raises:
        SparkStartError: There is none.
    """
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if not java or not Path(java).exists():
        raise SparkStartError("there is no Java", f"JAVA_HOME={home}" if home else "PATH", INSTALL)
    try:
        printed = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    except OSError as error:
        raise not_run(java, error.strerror or str(error), "JAVA_HOME") from error
    match = _JAVA_VERSION.search(printed)
    return java, match[1] if match else ""


def _ship_pack(conf: SparkConf, pack: str) -> None:
    """Have Spark unpack an archive where executors run, and their Python import from it."""
    if not Path(pack).is_file() and ":/" not in pack:
        raise SparkStartError("the pack does not exist", pack, "make it with `eventlog-lineage pack`")
    archives = [*filter(None, [conf.get("spark.archives", None)]), f"{pack}#{_PACK}"]
    paths = [*filter(None, [conf.get("spark.executorEnv.PYTHONPATH", None)]), _PACK]
    conf.set("spark.archives", ",".join(archives))
    conf.set("spark.executorEnv.PYTHONPATH", os.pathsep.join(paths))


def _ship_package(context: SparkContext, scratch: Path) -> None:
    """Send this package to the executors of a cluster; local ones import it from where the driver does."""
    if _is_local(context.master):
        return
    root = Path(__file__).resolve().parents[2]
    archive = scratch / "eventlog_lineage.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for source in sorted(root.rglob("*")):
            if source.is_file() and "__pycache__" not in source.parts:
                target.write(source, source.relative_to(root.parent))
    context.addPyFile(str(archive))
