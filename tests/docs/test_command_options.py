"""Every command that the docs show exists and has the options that they show."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from eventlog_lineage.cli.main import commands

ROOT = Path(__file__).resolve().parents[2]
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


FORMATS = {"table", "json", "jsonl", "csv", "markdown", "parquet"}
QUESTIONS = (
    "changes columns cycles diff downstream find gaps history impact jobs ls path sql udfs unused upstream"
).split()
OPTIONS = {
    "harvest": "--store --json --fail-if-empty --max-seconds-per-log --keep --keep-versions",
    "upstream": "--depth --direct-only --at",
    "downstream": "--depth --direct-only --at",
    "impact": "--ddl --fail-on",
    "history": "--since",
    "changes": "--since",
    "diff": "--since",
    "unused": "--since --for",
    "explain": "--execution --format",
    "report": "--store --out",
    "mcp": "--store",
    "check": "--store",
    "restore": "--store --version",
    "rebuild": "--store",
    "doctor": "--store --master",
    "pack": "--out",
}


def options_of(*names: str) -> set[str]:
    command, _ = command_of(list(names))
    return {option for parameter in command.params for option in parameter.opts}


def test_commands_have_the_options_that_scripts_rely_on() -> None:
    for name, options in OPTIONS.items():
        assert set(options.split()) <= options_of(name), name
    for form in ("openlineage", "hive", "csv", "superset", "duckdb"):
        assert {"--out", "--store"} <= options_of("export", form), form
    assert "--to" in options_of("export", "openlineage")


def test_every_question_has_all_formats_a_file_several_stores_and_a_log_level() -> None:
    for name in QUESTIONS:
        command, _ = command_of([name])
        by_name = {option: parameter for parameter in command.params for option in parameter.opts}
        assert {"--output", "--log-level"} <= by_name.keys(), name
        assert by_name["--store"].multiple  # type: ignore[attr-defined]
        assert {*by_name["--format"].type.choices} >= FORMATS, name  # type: ignore[attr-defined]


def test_no_message_names_a_file_that_only_the_repository_has() -> None:
    """An installation has no docs/ and no scripts/: messages name addresses of pages and commands."""
    named = re.compile(r"(?<![\w/])(?:docs|scripts|tests|benchmarks)/[\w/-]+\.(?:md|py)")
    wrong = []
    for module in sorted((ROOT / "src").rglob("*.py")):
        tree = ast.parse(module.read_text(encoding="utf-8"))
        texts = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}  # docstrings
        for each in ast.walk(tree):
            if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in texts:
                wrong += [(module.name, found) for found in named.findall(each.value)]
    helps = [
        command.help or ""
        for name in commands.list_commands(click.Context(commands))
        if (command := command_of([name])[0])
    ]
    assert wrong + [found for text in helps for found in named.findall(text)] == []
