"""Every command that the docs show exists and has the options that they show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from eventlog_lineage.cli.main import commands

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_BLOCK = re.compile(r"^```(?:sh|console|bash)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"^(?:\$ )?(?:[A-Z_]+=\S+ )*eventlog-lineage (?=[a-z-])((?:.*\\\n)*.*)$", re.MULTILINE)


def calls(page: Path) -> Iterator[list[str]]:
    """The words after `eventlog-lineage` of each call in a page's blocks, up to a pipe or a comment."""
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        for call in _CALL.findall(block):
            try:
                words = shlex.split(call.replace("\\\n", " "), comments=True)
            except ValueError:  # a quoted text of several lines
                words = shlex.split(call.splitlines()[0].partition('"')[0])
            ends = [place for place, word in enumerate(words) if word in {"|", ">", "&&", ";", "||"}]
            yield words[: ends[0]] if ends else words


def command_of(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that a call names, and the other words; options may come first."""
    command: click.Command = commands
    rest = list(words)
    for place, word in enumerate(words):
        if not isinstance(command, click.Group):
            break
        if found := command.get_command(click.Context(command), word):
            command = found
            rest[place] = ""
    return command, [word for word in rest if word]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_commands_and_options_that_exist(page: Path) -> None:
    wrong = []
    for words in calls(page):
        command, rest = command_of(words)
        known = {name for each in (command, commands) for option in each.params for name in option.opts}
        known |= {name for option in command.params for name in option.secondary_opts} | {"--help", "--version"}
        unknown = [word for word in rest if word.startswith("--") and word.partition("=")[0] not in known]
        if command is commands and not unknown and set(rest) - known:
            unknown = rest
        if unknown and "--help" not in words:
            wrong.append((words, unknown))
    assert wrong == []


def test_the_docs_show_most_commands() -> None:
    shown = {word for page in PAGES for words in calls(page) for word in words}
    assert {"harvest", "explain", "report", "doctor", "pack", "upstream", "impact"} <= shown
