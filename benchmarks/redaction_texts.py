"""What the programs about redaction share: the texts that it sees in logs, and redaction as another revision has it."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from unittest import mock

import zstandard

from eventlog_lineage.events.read_options import ReadOptions
from eventlog_lineage.events.reading import read_part
from eventlog_lineage.events.sources.discovery import find_logs
from eventlog_lineage.redaction import Redaction

ROOT = Path(__file__).resolve().parent.parent
LOGS = [ROOT / "tests" / name for name in "sample_logs lakehouse_logs session_logs events/logs night_logs".split()]
PLANS = (".plan", ".txt", ".sql")


def texts_of(sources: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Where a text stands, and the text: of event logs, plan texts and archives of either; of tests/ by default."""
    for source in sources or [*LOGS, ROOT / "tests" / "operators"]:
        for file in sorted(source.rglob("*")) if source.is_dir() else [source]:
            if not file.is_file():
                continue
            if file.name.endswith(".tar.zst"):
                yield from _of_archive(file)
            elif file.suffix in PLANS:
                yield str(file), file.read_text(errors="replace")
        yield from _of_logs(source)


def _of_logs(source: Path) -> Iterator[tuple[str, str]]:
    found: list[str] = []

    def keep(_: Redaction, text: str) -> str:
        found.append(text)
        return text

    with mock.patch.object(Redaction, "text", keep):
        for log in find_logs([str(source)]):
            for part in log.parts:
                found.clear()
                for _ in read_part(part, ReadOptions(Redaction())):
                    pass
                yield from ((part.path, text) for text in found)


def _of_archive(file: Path) -> Iterator[tuple[str, str]]:
    """The logs and plan texts in an archive."""
    unpacked = zstandard.ZstdDecompressor().stream_reader(file.open("rb")).read()
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=BytesIO(unpacked)) as archive:
        archive.extractall(folder, filter="data")
        yield from texts_of([Path(folder)])


def older_redaction(revision: str) -> Callable[[str], str]:
    """Redaction as another revision has it: one module, or a package."""
    name = f"redaction_of_{revision}"
    package = Path(tempfile.mkdtemp()) / name
    call = ["git", "-C", str(ROOT), "archive", revision, "src/eventlog_lineage"]
    with tarfile.open(fileobj=BytesIO(subprocess.run(call, check=True, stdout=subprocess.PIPE).stdout)) as archive:
        archive.extractall(package.parent, filter="data")
    (package.parent / "src" / "eventlog_lineage").rename(package)
    (package / "__init__.py").write_text("")
    sys.path.insert(0, str(package.parent))
    module = importlib.import_module(f"{name}.redaction")
    searched: Callable[[str], str] = module.PLAIN._searched  # without the memory for short texts
    return searched
