"""Checkpoints: the state of a log that is still written, so that the next harvest does not read finished parts again.

A checkpoint is the state of a log's assembly at the end of its last finished part: what a harvest would hold there if
it read the parts again. It names the parts that it covers. The log is read from its beginning if these parts have
changed, if another version of the program made the checkpoint, or if it cannot be loaded for any reason.

The version number is not enough: between two releases, installations from the repository have the same one.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import zstandard

from eventlog_lineage import __version__
from eventlog_lineage.events.assembly import Assembly
from eventlog_lineage.events.listener_events import PartEnd
from eventlog_lineage.events.records import Event
from eventlog_lineage.events.sources.layouts import EventLog, LogPart, without_known_parts
from eventlog_lineage.lineage.statement import Statement
from eventlog_lineage.model import Gap

if TYPE_CHECKING:
    from importlib.abc import Traversable

_PACKAGE = __name__.partition(".")[0]


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return 32 hexadecimal digits that are equal for equal source files, wherever they are installed or packed.

    Empty if there are no sources, as in an installation of compiled modules.
    """
    try:
        sources = sorted(_sources(files(_PACKAGE), ""))
    except (OSError, NotImplementedError):
        return ""
    digest = hashlib.blake2b(digest_size=16)
    for name, source in sources:
        digest.update(f"{name}\n{len(source)}\n".encode())
        digest.update(source)
    return digest.hexdigest() if sources else ""


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.name.endswith(".py"):
            yield f"{path}/{entry.name}", entry.read_bytes()
        elif entry.is_dir() and entry.name.isidentifier():
            yield from _sources(entry, f"{path}/{entry.name}")


_FORM = 6
"""The version of the checkpoint's first line, which has the program's version and code digest as well."""

_LOG = logging.getLogger(__name__)

_BUILT_IN = {("builtins", "frozenset"), ("builtins", "set"), ("collections", "deque"), ("collections", "OrderedDict")}
_OWN = f"{_PACKAGE}."


class Checkpoint(NamedTuple):
    """The state of a log at the end of its finished parts, for the next harvest.

    Attributes:
        payload: A line of JSON that names what it covers, then the state.
    """

    log_path: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class ResumePoint:
    """Where the next harvest of a log resumes.

    Attributes:
        covered: How many of the log's parts need not be read.
        path: The checkpoint's file, where the executors see the driver's disk.
        payload: Its bytes, where they do not.
        problems: The gaps of the log as it was listed, for a log that is read from its beginning after all.
        compacted: The indexes of the parts that are compacted, for the same case.
    """

    covered: int
    path: str = ""
    payload: bytes = b""
    problems: tuple[Gap, ...] = ()
    compacted: frozenset[int] = frozenset()

    def assembly(self, log: EventLog) -> Assembly | None:
        """Return the state, ready for the first part that is not covered; None if it cannot be loaded."""
        try:
            state = self.payload or Path(self.path).read_bytes()
            _, _, packed = state.partition(b"\n")
            assembly = _Unpickler(io.BytesIO(zstandard.decompress(packed))).load()
            assembly.continue_with(log)
        except Exception:  # a pickle of other code, or a damaged one, may raise anything
            return None
        return assembly if isinstance(assembly, Assembly) else None

    def from_beginning(self, log: EventLog) -> EventLog:
        """Return the log for a harvest that reads all its parts: as it was listed."""
        parts = (replace(part, compacted=part.index in self.compacted) for part in log.parts)
        return replace(log, parts=tuple(parts), problems=self.problems)


def resume_point(log: EventLog, file: Path) -> tuple[EventLog, ResumePoint] | None:
    """Return where an earlier harvest stopped in a log.

    Args:
        file: The log's checkpoint; it may be missing.

    Returns:
        The log, without the gaps of covered parts that were compacted or removed meanwhile, and where to resume; None
        if the log has to be read from its beginning.
    """
    parts = _read_parts(log, file)
    if not parts:
        return None
    last = max(parts)
    covered = [part for part in log.parts if part.index <= last]
    if not all(part.compacted or parts.get(part.index) == (_name(part), part.size) for part in covered):
        return None
    compacted = frozenset(part.index for part in log.parts if part.compacted)
    resume = ResumePoint(len(covered), str(file), problems=log.problems, compacted=compacted)
    return without_known_parts(log, last), resume


def _read_parts(log: EventLog, file: Path) -> dict[int, tuple[str, int]]:
    """Return the parts that a checkpoint covers, index to name and size; none of another program's checkpoint."""
    try:
        with file.open("rb") as stream:
            head = json.loads(stream.readline())
        if (head["form"], head["version"], head["code"], head["log_path"]) == (*_made_by(), log.path) and head["code"]:
            return {index: (path, size) for index, path, size in head["parts"]}
    except OSError:
        return {}
    except (ValueError, TypeError, LookupError):  # not a line of this version's
        pass
    _LOG.info("checkpoint of another version dropped", extra={"facts": {"log": log.path}})
    return {}


class LogAssembly:
    """A log's assembly, from its beginning or from where an earlier harvest stopped.

    Attributes:
        log: The log; as it was listed, if the checkpoint cannot be loaded.
        unread: The parts to add before all others: the covered ones, if the checkpoint cannot be loaded.
    """

    def __init__(self, log: EventLog, resume: ResumePoint | None) -> None:
        resumed = resume.assembly(log) if resume else None
        self.log = log if resume is None or resumed is not None else resume.from_beginning(log)
        before = self.log.parts[: resume.covered] if resume else ()
        self.covered = before if resumed is not None else ()
        self.unread = before if resumed is None else ()
        self._assembly = resumed if resumed is not None else Assembly(self.log)
        self._last_finished = log.parts[-2].index if log.in_progress and len(log.parts) > 1 else None
        self.result = self._assembly.result
        self.bytes_read = 0

    def add(self, event: Event) -> Checkpoint | None:
        """Take the next event; return a checkpoint at the end of the last finished part."""
        self._assembly.add(event)
        if not isinstance(event, PartEnd):
            return None
        self.bytes_read += event.bytes_read
        if event.part != self._last_finished or not self._assembly.is_sound:
            return None
        return Checkpoint(self.log.path, _packed(self.log, self._assembly))


def _packed(log: EventLog, assembly: Assembly) -> bytes:
    form, version, code = _made_by()
    parts = [(part.index, _name(part), part.size) for part in log.parts[:-1]]
    head = {"form": form, "version": version, "code": code, "log_path": log.path, "parts": parts}
    state = io.BytesIO()
    _Pickler(state, pickle.HIGHEST_PROTOCOL).dump(assembly)
    return json.dumps(head).encode() + b"\n" + zstandard.compress(state.getvalue(), 3)


def _made_by() -> tuple[int, str, str]:
    """Return what identifies the code: a state is valid for the code that made it."""
    return _FORM, __version__, code_digest()


def _name(part: LogPart) -> str:
    """Return a name for a part that does not contain its path, which may hold a secret."""
    return hashlib.blake2b(part.path.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class _Pickler(pickle.Pickler):
    """Writes enumerations by value: Python 3.11.0 to 3.11.3 calls `getattr` for them, which no state may name."""

    def reducer_override(self, value: object) -> Any:
        return (type(value), (value.value,)) if isinstance(value, Enum) else NotImplemented


class _Unpickler(pickle.Unpickler):
    """Makes values of this package only, whatever the file holds."""

    def find_class(self, module: str, name: str) -> Any:
        if not module.startswith(_OWN) and (module, name) not in _BUILT_IN:
            raise pickle.UnpicklingError(f"a checkpoint has no {module}.{name}")
        return super().find_class(module, name)


class Batch(NamedTuple):
    """Rows of a table, as `pack` packs them."""

    table: str
    payload: bytes


UNKNOWN_START = 1 << 62
"""Takes the place of an unknown start in a rank: later than any time."""


class NewStatement(NamedTuple):
    """A statement that has to be traced: the store has no lineage of its combination of plans.

    Attributes:
        rank: (start in epoch milliseconds, number of the log, id of the root execution). Of several runs the first
            one is traced, one with an unknown start (`UNKNOWN_START`) last.
        texts: Fingerprint to text, as `pack_text` packs it.
    """

    statement: Statement
    rank: tuple[int, int, int]
    texts: Mapping[str, bytes]

    @property
    def traced_at(self) -> int | None:
        """When the run started, in epoch milliseconds; None if that is unknown."""
        return None if self.rank[0] == UNKNOWN_START else self.rank[0]


class Progress(NamedTuple):
    """What a task has read, and how many statements it found that have to be traced."""

    logs: int
    bytes_read: int
    new_statements: int = 0


Record = Batch | NewStatement | Progress | Checkpoint
