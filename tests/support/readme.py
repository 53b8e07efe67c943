"""The README's commands and what it says they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"

_WITHIN = r"(?:(?!```).)*?"
_SHOWN = re.compile(
    rf"```console\n\$ (?P<command>{_WITHIN})\n```\n{_WITHIN}```text\n(?P<output>{_WITHIN})```", re.DOTALL
)
_SECONDS = re.compile(r"\bin [\d.]+ s\b")


@dataclass(frozen=True)
class Shown:
    """A command of the README and the output that it shows.

    Attributes:
        command: As one types it.
        output: As the README has it.
        place: Where the output stands in the README.
    """

    command: str
    output: str
    place: tuple[int, int]


def shown_commands(text: str) -> Iterator[Shown]:
    """The README's commands that it shows the output of, in order."""
    for match in _SHOWN.finditer(text):
        yield Shown(match["command"], match["output"], match.span("output"))


def run(command: str, folder: Path) -> str:
    """What a command prints in a shell where the environment is active and the demo's store is named.

    Args:
        command: As one types it.
        folder: A place for the `eventlog-lineage` command of the running Python.
    """
    entry = folder / "eventlog-lineage"
    entry.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m eventlog_lineage "$@"\n')
    entry.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "VENV": sys.prefix,
        "EVENTLOG_LINEAGE_STORE": ".demo",
    }
    shell = ["bash", "-c", command]
    done = subprocess.run(shell, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    done.stdout = done.stdout.replace(ROOT.as_uri(), "file://…")
    return done.stdout if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def settled(output: str) -> str:
    """An output without what differs from run to run: how long a harvest took."""
    return _SECONDS.sub("in … s", output)
