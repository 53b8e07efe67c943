"""The catalogue of commands: complete, and the only place besides the rules that spells their names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Flag
from pathlib import Path

import pytest

from eventlog_lineage.extensions import Command, Query, Role, Rows, Target, commands, find_command
from eventlog_lineage.operators.registry import rules

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "eventlog_lineage"
SPELLING = ("operators/commands.py", "operators/rules/", "formats/")
"""The catalogue, the rules, which register themselves by the names, and the table formats with their own."""

NAMESAKES = {
    "redaction/meetings.py": "redaction imports nothing of lineage: it finds the SQL of views in any text",
    "redaction/texts.py": "redaction imports nothing of lineage: it finds written values in any text",
}

ANSWERS = [(kind.__name__.lower(), answer) for kind in (Rows, Query, Target, Role) for answer in kind if answer.value]


def test_only_the_catalogue_and_the_rules_spell_a_commands_name() -> None:
    spelled = re.compile(rf"\b(?:{'|'.join(map(re.escape, commands()))})\b")
    others = [path for path in sorted(PACKAGE.rglob("*.py")) if not _name(path).startswith(SPELLING)]
    found = {_name(path): _matches(path, spelled) for path in others}
    assert {name: words for name, words in found.items() if words and name not in NAMESAKES} == {}
    assert [name for name in NAMESAKES if not found[name]] == []


def test_every_command_whose_rule_writes_is_in_the_catalogue() -> None:
    writing = {name for name, rule in rules().items() if _can_write(rule.__module__, rule.__name__)}
    assert len(writing) > 100
    assert sorted(name for name in writing if find_command(name) is find_command("")) == []


def test_every_command_of_the_catalogue_has_a_rule_or_is_the_name_that_a_rule_gives() -> None:
    texts = "".join(path.read_text() for path in PACKAGE.rglob("*.py") if _name(path).startswith(SPELLING[1:]))
    known = {name for name in commands() if name in rules() or f'"{name}"' in texts}
    assert sorted(commands().keys() - known) == []


@pytest.mark.parametrize(("attribute", "answer"), ANSWERS)
def test_some_command_has_each_value_of_an_attribute(attribute: str, answer: Rows | Query | Target | Role) -> None:
    values = [getattr(each, attribute) for each in commands().values()]
    assert any(value is answer or (isinstance(value, Flag) and answer in value) for value in values)


def test_a_command_that_is_not_listed_has_the_defaults() -> None:
    unknown = find_command("FrobnicateTable")
    assert unknown == Command("")
    assert find_command("") is unknown


def test_other_words_that_are_printed_find_the_command() -> None:
    assert find_command("CallExec") is find_command("CallStatement") is find_command("Call")


def _name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _matches(path: Path, pattern: re.Pattern[str]) -> list[str]:
    """What a module's string literals have of a pattern, docstrings left out."""
    tree = ast.parse(path.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs)
    return sorted({word for node in constants for word in pattern.findall(str(node.value))})


def _can_write(module: str, rule: str) -> bool:
    """Does a rule, or a function of its module that it calls, make a `Write`?"""
    tree = ast.parse((PACKAGE.parent / f"{module.replace('.', '/')}.py").read_text())
    called = {node.name: set(_calls(node)) for node in tree.body if isinstance(node, ast.FunctionDef)}
    reached, waiting = set(), [rule]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += called.get(name, ())
    return not reached.isdisjoint({"Write", "written"})


def _calls(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
