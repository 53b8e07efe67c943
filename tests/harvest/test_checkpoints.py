"""A checkpoint of other code, or a damaged one, costs reading the log from its beginning and nothing else; no Spark."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path

import pytest
import zstandard

from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.events.sources.layouts import EventLog
from eventlog_lineage.harvest.checkpoints import (
    Batch,
    Checkpoint,
    Progress,
    Record,
    ResumePoint,
    code_digest,
    resume_point,
)
from eventlog_lineage.harvest.extract import DueLogs, SplitPart, assemble_distributed, extract_split, read_parts
from eventlog_lineage.harvest.row_batches import unpack

ROLLING = Path(__file__).resolve().parent.parent / "sample_logs" / "eventlog_v2_nightly-sales-4-3"
APP = "nightly-sales-4-3"


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    """A rolling log whose third part is being written."""
    folder = tmp_path / ROLLING.name
    folder.mkdir()
    for number in (1, 2, 3):
        shutil.copy(ROLLING / f"events_{number}_{APP}.zstd", folder)
    (folder / f"appstatus_{APP}.inprogress").touch()
    (listed,) = find_logs([str(folder)])
    return listed


@pytest.fixture
def checkpoint(log: EventLog, tmp_path: Path) -> Path:
    """The checkpoint that a harvest of the log leaves."""
    return made(log, tmp_path / "checkpoint")


def made(log: EventLog, file: Path) -> Path:
    (left,) = [each for each in extract_split([whole(log)], {}) if isinstance(each, Checkpoint)]
    file.write_bytes(left.payload)
    return file


def whole(log: EventLog, begin: ResumePoint | None = None) -> SplitPart:
    return SplitPart(log, 0, tuple(range(begin.covered if begin else 0, len(log.parts))), begin)


def found(log: EventLog, checkpoint: Path) -> tuple[EventLog, ResumePoint]:
    both = resume_point(log, checkpoint)
    assert both is not None
    return both


def told(records: Iterable[Record]) -> tuple[dict[str, list[str]], int]:
    """The rows of each table, and how many bytes were read for them."""
    rows: dict[str, list[str]] = {}
    size = 0
    for record in records:
        if isinstance(record, Batch):
            rows.setdefault(record.table, []).extend(map(str, unpack(record.payload).to_pylist()))
        elif isinstance(record, Progress):
            size += record.bytes_read
    return {table: sorted(each) for table, each in rows.items()}, size


def with_state(checkpoint: Path, state: bytes) -> None:
    """Puts another state below the line of JSON, which stays as it is."""
    checkpoint.write_bytes(checkpoint.read_bytes().partition(b"\n")[0] + b"\n" + state)


def naming(module: str, name: str) -> bytes:
    """A pickle that makes an object of a class: what a checkpoint is that was made before the class was moved."""
    words = b"\x80\x04" + b"".join(b"\x8c" + bytes([len(each)]) + each.encode() for each in (module, name))
    return zstandard.compress(words + b"\x93)\x81.")


DAMAGES: dict[str, Callable[[Path], None]] = {
    "names a module that is not there": lambda file: with_state(file, naming("eventlog_lineage.events.gone", "State")),
    "names a class that is not there": lambda file: with_state(
        file, naming("eventlog_lineage.events.execution", "Gone")
    ),
    "names a class of others": lambda file: with_state(file, naming("subprocess", "Popen")),
    "makes an object that misses its state": lambda file: with_state(
        file, naming("eventlog_lineage.events.execution", "Assembly")
    ),
    "holds something else": lambda file: with_state(file, zstandard.compress(pickle.dumps([1]))),
    "ends in the middle": lambda file: file.write_bytes(file.read_bytes()[:-100]),
    "is no pickle": lambda file: with_state(file, zstandard.compress(b"nonsense")),
    "is not compressed": lambda file: with_state(file, b"nonsense"),
    "is gone by then": lambda file: file.unlink(),
}


def test_a_harvest_goes_on_from_its_own_checkpoint(log: EventLog, checkpoint: Path) -> None:
    resumed, begin = found(log, checkpoint)
    rows, size = told(extract_split([whole(resumed, begin)], {}))

    assert begin.covered == 2
    assert size == log.parts[2].size
    assert rows == told(extract_split([whole(log)], {}))[0]


def test_an_enumeration_in_a_state_names_no_function_as_it_does_for_the_first_pythons_3_11(
    log: EventLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Enum, "__reduce_ex__", lambda self, protocol: (getattr, (type(self), self.name)))
    resumed, begin = found(log, made(log, tmp_path / "checkpoint"))
    assert told(extract_split([whole(resumed, begin)], {}))[1] == log.parts[2].size


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_log_whose_checkpoint_cannot_be_loaded_is_read_from_its_beginning(
    log: EventLog, checkpoint: Path, damage: str
) -> None:
    resumed, begin = found(log, checkpoint)
    DAMAGES[damage](checkpoint)
    rows, size = told(extract_split([whole(resumed, begin)], {}))

    assert (rows, size) == told(extract_split([whole(log)], {}))
    assert "'state': 'in_progress'" in rows["harvested_logs"][0]
    assert size == log.size


@pytest.mark.parametrize("where", ["spread", "on a cluster"])
def test_so_it_is_by_executors_that_read_parts_or_do_not_see_the_store(
    log: EventLog, checkpoint: Path, where: str
) -> None:
    resumed, begin = found(log, checkpoint)
    DAMAGES["names a module that is not there"](checkpoint)
    if where == "on a cluster":
        begin = DueLogs([resumed], {log.path: begin}).shipped().resume_points[log.path]
        assert begin.payload
        given = told(extract_split([whole(resumed, begin)], {}))
    else:
        share = whole(resumed, begin)
        given = told(assemble_distributed(read_parts([share]), {0: share}, {}))
    assert given == told(extract_split([whole(log)], {}))


def test_a_compacted_log_whose_checkpoint_cannot_be_loaded_has_the_gap_of_what_is_missing(
    log: EventLog, checkpoint: Path
) -> None:
    folder = Path(log.path)
    (folder / f"events_1_{APP}.zstd").unlink()
    shutil.move(folder / f"events_2_{APP}.zstd", folder / f"events_2_{APP}.zstd.compact")
    (compacted,) = find_logs([str(folder)])
    resumed, begin = found(compacted, checkpoint)
    assert resumed.problems == ()
    DAMAGES["names a module that is not there"](checkpoint)
    rows, size = told(extract_split([whole(resumed, begin)], {}))

    assert (rows, size) == told(extract_split([whole(compacted)], {}))
    assert any("compacted_log" in row for row in rows["gaps"])


@pytest.mark.parametrize(
    "head",
    [
        {"form": 4, "version": "0.1.0"},
        {"form": 5, "version": "0.1.0", "code": "0" * 32},
        {"form": 5, "version": "0.0.9"},
        {"code": ""},
        {"form": "5"},
        {"parts": []},
        {"parts": None},
        {"parts": [[1]]},
        {"log_path": "/another/log"},
    ],
    ids=str,
)
def test_a_checkpoint_of_another_version_is_dropped(log: EventLog, checkpoint: Path, head: dict[str, object]) -> None:
    line, _, state = checkpoint.read_bytes().partition(b"\n")
    assert json.loads(line)["code"] == code_digest() != ""
    checkpoint.write_bytes(json.dumps(json.loads(line) | head).encode() + b"\n" + state)
    assert resume_point(log, checkpoint) is None


@pytest.mark.parametrize("line", [b"", b"\n", b"[]\n", b"null\n", b"{}\n", b"\xff\n", b'{"form": 4}\n'])
def test_a_file_that_is_no_checkpoint_is_dropped(log: EventLog, checkpoint: Path, line: bytes) -> None:
    checkpoint.write_bytes(line)
    assert resume_point(log, checkpoint) is None


def test_of_too_many_checkpoints_for_a_cluster_the_rest_are_read_from_their_beginnings(
    log: EventLog, checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(log.path) / f"events_1_{APP}.zstd").unlink()
    (cleaned,) = find_logs([log.path])
    resumed, begin = found(cleaned, checkpoint)
    monkeypatch.setattr("eventlog_lineage.harvest.extract._MOST_SHIPPED", 1)
    shipped = DueLogs([resumed], {log.path: begin}).shipped()
    assert (shipped.logs, shipped.resume_points) == ([cleaned], {})
