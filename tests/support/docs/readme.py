"""The README's commands and what it says they print."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"

_WITHIN = r"(?:(?!```).)*?"
_SHOWN = re.compile(
    rf"```console\n\$ (?P<command>{_WITHIN})\n```\n{_WITHIN}```text\n(?P<output>{_WITHIN})```", re.DOTALL
)
_KEPT = {"HOME", "JAVA_HOME", "LANG", "PATH", "SPARK_SUBMIT_OPTS", "TMPDIR"}
"""Variables of a clean shell; `SPARK_SUBMIT_OPTS` spares Java the work that only long runs earn back."""
_SECONDS = re.compile(r"\bin [\d.]+ s\b")
_SIZE = re.compile(r"\b\d\.\d MB$", re.MULTILINE)


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


def run(command: str, text: str) -> str:
    """Return what a command prints in a newcomer's shell: a clean one, after the README's own preparation.

    Args:
        command: As one types it.
        text: The README.
    """
    environment = {name: value for name, value in os.environ.items() if name in _KEPT}
    shell = ["bash", "-c", command if command.startswith("./") else f"{preparation(text)}\n{command}"]
    done = subprocess.run(shell, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    done.stdout = done.stdout.replace(ROOT.as_uri(), "file://…")
    return done.stdout if done.returncode == 0 else f"exit code {done.returncode}\n{done.stdout}{done.stderr}"


def preparation(text: str) -> str:
    """Return the lines that the README tells to type before its questions."""
    (lines,) = re.findall(r"```sh\n(\. \.venv/bin/activate\n.*?)```", text, re.DOTALL)
    return str(lines)


def settled(output: str) -> str:
    """An output without what differs from run to run: how long a harvest took, and how well zlib packed a page."""
    return _SIZE.sub("… MB", _SECONDS.sub("in … s", output))
