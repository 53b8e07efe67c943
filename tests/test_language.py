"""Users and maintainers read the field's words: no word of the lists in messages, help, docs, docstrings, comments."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from eventlog_lineage.cli.main import commands
from eventlog_lineage.store.schema.tables import PUBLIC_TABLES

ROOT = Path(__file__).resolve().parents[1]

WORDS = re.compile(
    r"""\b(?:told|tells|tellers?|untold|retold|anew|likewise|upkeep|kin|beside|by\ turns|each\ once|stitch(?:es|ed)?
    |stands?|lies|lie|behind|see\ to\ the|is\ no\ (?:time|setting|log|name|pattern|number|answer)
    |cannot\ be\ looked\ at|go\ before\ it|how\ it\ is\ said|what\ is\ said|of\ its\ own\ accord)\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Words of the first edition's dialect; docs/glossary.md has the words that are used instead."""

PROSE = re.compile(
    r"""\b(?:tell|telling|gives?|says?|said|saying|besides|stood|speaks?|by\ itself
    |(?<!there\ )(?:is|are)\ no(?!\ longer)|once\ each|thereof|uneasy|calm|lively)\b""",
    re.VERBOSE | re.IGNORECASE,
)
"""Further words that docstrings and comments avoid: plans and logs print, contain and list; functions return."""

PERSONIFIED = re.compile(r"\b(?:says?|said|knows?|thinks?|speaks?|wants?|puts? out|stood|cut off)\b", re.IGNORECASE)
"""Words that messages avoid: plans and logs print, contain and list; lists are truncated."""

MESSAGES = {"Gap", "gap", "echo", "UsageError", "BadParameter", "ClickException", "Column", "Table", "setting"}
"""Calls whose texts users see; so are those of every class whose name ends in `Error`."""

PACKAGES = sorted(
    path.name
    for path in (ROOT / "src" / "eventlog_lineage").iterdir()
    if path.suffix == ".py" or (path / "__init__.py").exists()
)

PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("SECURITY.md")])


def without_code(page: str) -> str:
    """A page without its blocks of code and code in lines: names in them are not prose."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL))


def found(text: str) -> list[str]:
    return sorted({match[0].lower() for match in WORDS.finditer(text)})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_of_the_docs_has_a_word_of_the_list(page: Path) -> None:
    if page.name == "glossary.md":  # it names the old words next to the new ones
        return
    assert found(without_code(page.read_text(encoding="utf-8"))) == []


def helps(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    yield name, command.get_help(click.Context(command))
    if isinstance(command, click.Group):
        for each in command.list_commands(click.Context(command)):
            inner = command.get_command(click.Context(command), each)
            assert inner is not None
            yield from helps(inner, f"{name} {each}")


def test_no_help_has_a_word_of_the_list() -> None:
    assert {name: found(text) for name, text in helps(commands, "eventlog-lineage") if found(text)} == {}


def test_no_comment_of_a_table_has_a_word_of_the_list() -> None:
    texts = {
        table.name: " ".join([table.meaning, *(column.sentence for column in table.columns)]) for table in PUBLIC_TABLES
    }
    assert {name: found(text) for name, text in texts.items() if found(text)} == {}


def messages(path: Path) -> Iterator[str]:
    """The texts in the calls of a module that make what users see."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in MESSAGES or name.endswith("Error"):
            read = [*node.args, *(each.value for each in node.keywords)]
            for part in (part for each in read for part in ast.walk(each)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_has_a_word_of_the_list(package: str) -> None:
    folder = ROOT / "src" / "eventlog_lineage" / package
    modules = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder] if folder.suffix == ".py" else []
    wrong = {
        f"{module.relative_to(folder.parent)}: {text[:90]}": words
        for module in modules
        for text in messages(module)
        if (words := found(text) + PERSONIFIED.findall(text))
    }
    assert wrong == {}


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a module, with their lines."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            for offset, line in enumerate(node.value.value.split("\n")):
                yield node.lineno + offset, line
    for token in tokenize.generate_tokens(iter(text.splitlines(keepends=True)).__next__):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


@pytest.mark.parametrize("package", PACKAGES)
def test_no_docstring_or_comment_has_a_word_of_the_lists(package: str) -> None:
    folder = ROOT / "src" / "eventlog_lineage" / package
    wrong = {
        f"{module.relative_to(folder.parent)}:{line}: {text.strip()}": words
        for module in (sorted(folder.rglob("*.py")) if folder.is_dir() else [folder])
        for line, text in prose(module)
        if (words := found(text) + [match[0].lower() for match in PROSE.finditer(re.sub(r"`[^`\n]*`", "", text))])
    }
    assert wrong == {}


def comments(path: Path) -> Iterator[str]:
    """The comments of an SQL file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        _, dashes, comment = line.partition("-- ")
        if dashes and not comment.startswith(("reads:", "makes:", "changes:")):
            yield comment


def test_no_comment_of_an_sql_file_has_a_word_of_the_lists() -> None:
    wrong = {
        f"{path.relative_to(ROOT)}: {comment}": words
        for path in sorted((ROOT / "src").rglob("*.sql"))
        for comment in comments(path)
        if (words := found(comment) + [match[0].lower() for match in PROSE.finditer(comment)])
    }
    assert wrong == {}


NOT_IMPERATIVE = re.compile(r"[^A-Z]|(?:An?|Another|Are|How|Is|It|That|The|This|What|Whether|Who|Whose)\b")


def descriptive(path: Path) -> Iterator[str]:
    """The functions of a module whose docstrings do not start with a verb; properties are described by a noun."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node) or "Return"
            is_property = any(ast.unparse(each).endswith("property") for each in node.decorator_list)
            if not is_property and NOT_IMPERATIVE.match(text):
                yield f"{node.name}: {text.splitlines()[0]}"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_docstring_of_a_function_starts_with_a_verb(package: str) -> None:
    folder = ROOT / "src" / "eventlog_lineage" / package
    modules = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]
    assert {str(module): found for module in modules if (found := list(descriptive(module)))} == {}


def test_no_gap_of_a_golden_file_has_a_word_of_the_list() -> None:
    goldens = sorted((ROOT / "tests" / "operators" / "fixtures").glob("*/*.lineage"))
    assert goldens
    gaps = {line for golden in goldens for line in golden.read_text(encoding="utf-8").splitlines() if "  gap " in line}
    assert {line for line in gaps if found(line) or PERSONIFIED.search(line)} == set()
