"""An archive of Spark's classes, parsed and linked, which Java maps at its start instead of reading 300 jars.

The first local Spark writes it when its Java ends; later ones use it (application class-data sharing: JEP 350, Java 13
and later). Java compares an archive with its own build and with the jars, and goes on without one that does
not fit. Nothing here is needed: where no archive can be made, Spark starts as it did before.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pyspark

from .tuning import JAVA_OPTIONS

_FOLDER = "java"
_ARCHIVE, _PART, _ATTEMPT = ".jsa", ".part", ".classpath"
_OLDEST_JAVA = 17
"""The oldest Java that archives are made with; the format exists since 13."""

_WRITTEN_AFTER = 10
"""Seconds after which Java does not write to an archive any more: it takes 2 to 6."""

_AGAIN_AFTER = 43_200
"""Seconds after which an archive that was not made is tried again: the next night, which may begin a little earlier."""

_UNUSED_AFTER = 30 * 86_400
"""Seconds after which an archive that was not used is removed."""

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

_CHECK = f"-Xmx1g {JAVA_OPTIONS} -Xshare:on -XX:+VerifySharedSpaces -XX:-CreateCoredumpOnCrash -XX:ErrorFile=/dev/null"
"""Options of a Java that compares the checksums of an archive."""


@dataclass(frozen=True, slots=True)
class ClassArchive:
    """How a Java that starts uses the archive of Spark's classes.

    Attributes:
        option: Its option; empty if there is neither an archive nor one to make.
        attempt: The file that takes the class path, if this Java writes the archive when it ends.
    """

    option: str = ""
    attempt: Path | None = None

    def keep_class_path(self, class_path: str) -> None:
        """Write down the class path of the Java that makes the archive: only a Java with the same one can check it."""
        if self.attempt:
            with suppress(OSError):
                self.attempt.write_text(class_path)


def class_archive(java: str, major: str, settings: Mapping[str, str], cache: Path) -> ClassArchive:
    """Find the archive of Spark's classes, or begin one.

    Args:
        major: Its major version; empty if unknown.
        cache: The program's cache; the archives are in a folder of it.
    """
    variables = [os.environ.get(name, "") for name in _VARIABLES]
    own = " ".join([*variables, *(settings.get(name, "") for name in _SETTINGS)])
    if not major.isdigit() or int(major) < _OLDEST_JAVA or any(option in own for option in _OWN_OPTIONS):
        return ClassArchive()
    try:
        folder, key = _private_folder(cache), _key(java, settings)
        attempt = folder / f"{key}{_ATTEMPT}"
        if found := _find(folder, key) or _adopt(attempt, java):
            os.utime(found)
            return ClassArchive(_option("SharedArchiveFile", found))
        _remove_unused(folder)
        if _begin(attempt):
            return ClassArchive(_option("ArchiveClassesAtExit", attempt.with_suffix(_PART)), attempt)
    except OSError:
        pass
    return ClassArchive()


def _option(name: str, file: Path) -> str:
    """Return an option as `SPARK_SUBMIT_OPTS` has it, whose words are quoted as in a shell."""
    return f'"-XX:{name}={file}"'


def _find(folder: Path, key: str) -> Path | None:
    """Return the archive; its name has its size: Java crashes with an incomplete one."""
    for file in folder.glob(f"{key}-*{_ARCHIVE}"):
        if file.stem == f"{key}-{file.stat().st_size}":
            return file
        file.unlink()
    return None


def _private_folder(cache: Path) -> Path:
    """Return the folder of the archives, which nobody else can write: Java runs what is in them.

    Raises:
        OSError: It cannot be made, or belongs to another user.
    """
    if '"' in str(cache):  # the options are split as a shell splits words
        raise OSError("the path cannot be an option")
    folder = cache.absolute() / _FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise PermissionError("the folder is not private")
    return folder


def _key(java: str, settings: Mapping[str, str]) -> str:
    """Return what an archive depends on: Java, Spark's jars, options and the class path."""
    home = Path(java).resolve().parent.parent
    spark = Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent)
    parts = [pyspark.__version__, str(home), str(spark), JAVA_OPTIONS, settings.get(_CLASS_PATH_SETTING, "")]
    parts += [os.environ.get(name, "") for name in _CLASS_PATH_VARIABLES]
    for folder, name in ((home / "lib", "modules"), (home / "lib" / "server", "classes.jsa"), (spark / "jars", "")):
        parts += _files(folder, name)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _files(folder: Path, name: str) -> Iterator[str]:
    """Yield the files of a folder with their sizes and times, or the file with a name.

    Args:
        name: The file's name; empty for all files.
    """
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda each: each.name):
            if not name or entry.name == name:
                status = entry.stat()
                yield f"{entry.name} {status.st_size} {status.st_mtime_ns}"


def _begin(attempt: Path) -> bool:
    """Return whether this process makes the archive; others, and later ones within half a day, do not."""
    with suppress(FileNotFoundError):
        if time.time() - attempt.stat().st_mtime < _AGAIN_AFTER:
            return False
        attempt.unlink()
    try:
        attempt.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _adopt(attempt: Path, java: str) -> Path | None:
    """Return the archive that an earlier Java has written, under its name, if all of its checksums are right.

    A Java that is killed leaves an archive without a header, which it writes last; a machine that fails, anything.

    Args:
        attempt: The file of the attempt, which contains its class path.
    """
    part = attempt.with_suffix(_PART)
    try:
        status = part.stat()
    except FileNotFoundError:
        return None
    if time.time() - status.st_mtime < _WRITTEN_AFTER:
        return None
    options = [*shlex.split(_CHECK), f"-XX:SharedArchiveFile={part}", "-cp", attempt.read_text()]
    if subprocess.run([java, *options, "-version"], capture_output=True, check=False).returncode:
        part.unlink()
        return None
    return part.replace(attempt.with_name(f"{attempt.stem}-{status.st_size}{_ARCHIVE}"))


def _remove_unused(folder: Path) -> None:
    """Remove the archives of versions of Java and Spark that are not used any more, and all but the last used ones."""
    used: dict[Path, float] = {}
    for file in folder.iterdir():
        with suppress(OSError):
            used[file] = file.stat().st_mtime
    archives = sorted((file for file in used if file.suffix in {_ARCHIVE, _PART}), key=used.__getitem__)
    unused = {file for file, time_used in used.items() if time.time() - time_used > _UNUSED_AFTER}
    for file in unused.union(archives[:-_KEPT]):
        with suppress(OSError):
            file.unlink()
