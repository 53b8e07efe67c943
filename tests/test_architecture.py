"""The house holds: imports point one way, heavy libraries stay in their rooms, modules stay small."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from eventlog_lineage.extensions import formats

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "eventlog_lineage"
MODULES = sorted(PACKAGE.rglob("*.py"))

FLOORS: tuple[tuple[str, ...], ...] = (
    ("cli", "library"),
    ("harvest", "export", "report"),
    ("store",),
    ("history",),
    ("formats",),
    ("lineage",),
    ("operators",),
    ("events",),
    ("plan",),
    ("datasets", "observed_schemas"),
    ("model", "redaction", "extensions"),
    ("errors", "safe_text", "attribute_patterns"),
)
"""Rooms from the top down: a room imports from floors below its own, never sideways or up."""

HEAVY = {
    "pyspark": {"harvest", "library"},
    "click": {"cli"},
    "duckdb": {"store", "export", "report"},
    "rich": {"cli"},
    "mcp": {"cli"},
    "fsspec": {"events", "store"},
    "azure": {"store"},
}
"""Libraries that only some rooms may import."""

NAMING_FORMATS = ("formats/", "plan/engines/", "events/sources/layouts.py", "events/decoding/")
"""What may name a table format: its package, the tables of native engines, the readers of vendors' logs."""

NO_FORMATS = ("WriteDelta", r"delta_\d+")
"""Spark's operator, and the folders of Hive's ACID tables."""

MOST_NAMING_FORMATS = 5

LONGEST = 400

LARGEST = 16


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else path.stem


def imports(path: Path) -> Iterator[str]:
    """The full names of the modules that a module imports, at its top or inside its functions."""
    package = ("eventlog_lineage", *path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *filter(None, [node.module])))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def floor_of(room: str) -> int | None:
    return next((number for number, rooms in enumerate(FLOORS) if room in rooms), None)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_from_the_rooms_below_its_own_only(path: Path) -> None:
    own = floor_of(room_of(path))
    if own is None:
        assert path.stem in {"__init__", "__main__"}
        return
    for name in imports(path):
        words = name.split(".")
        if words[0] != "eventlog_lineage" or len(words) < 2 or words[1] == room_of(path):
            continue
        floor = floor_of(words[1])
        assert floor is None or floor > own, f"{path.relative_to(PACKAGE)} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_heavy_library_stays_in_its_room(path: Path) -> None:
    for name in imports(path):
        rooms = HEAVY.get(name.split(".", maxsplit=1)[0])
        assert rooms is None or room_of(path) in rooms, f"{path.relative_to(PACKAGE)} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_is_no_longer_than_a_person_reads_at_once(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= LONGEST


def test_every_package_says_what_it_is() -> None:
    assert [path for path in MODULES if ast.get_docstring(ast.parse(path.read_text())) is None] == []


def test_a_package_has_a_paragraph_about_what_belongs_in_it() -> None:
    texts = {path: ast.get_docstring(ast.parse(path.read_text())) or "" for path in MODULES if path.stem == "__init__"}
    short = [str(path.relative_to(PACKAGE)) for path, text in texts.items() if "\n\n" not in text]
    assert short == ["__init__.py"]  # the package's own says what the program is


def test_a_folder_holds_no_more_modules_than_a_person_looks_through() -> None:
    folders = Counter(path.parent for path in MODULES if path.stem != "__init__")
    assert {str(folder.relative_to(PACKAGE)): count for folder, count in folders.items() if count > LARGEST} == {}


def test_few_file_names_exist_twice() -> None:
    """A module's name says what it is; only a command and what it calls, or two sides of one thing, share theirs."""
    names = Counter(path.name for path in MODULES if path.stem[0] != "_" and not _path(path).startswith("formats/"))
    twice = sorted(name for name, count in names.items() if count > 1)
    assert twice == ["columns.py", "history.py", "hive.py", "openlineage.py", "options.py", "progress.py"]


def test_only_a_formats_package_names_the_format() -> None:
    words = sorted({each.name for each in formats()} | {"hoodie", "tahoe"})
    naming = re.compile("|".join(f"(?<![a-z]){word}|{word.capitalize()}|{word.upper()}" for word in words))
    others = {f"{word} in {path.relative_to(PACKAGE)}" for path in MODULES for word in _code(path)
              if naming.search(word) and not _path(path).startswith(NAMING_FORMATS)}  # fmt: skip
    assert others == set()
    general = [path for path in MODULES if not _path(path).startswith("formats/")]
    assert sum(any(map(naming.search, _code(path))) for path in general) <= MOST_NAMING_FORMATS


def test_a_format_is_a_package_of_few_modules_with_a_contract() -> None:
    packages = {path.name for path in (PACKAGE / "formats").iterdir() if (path / "__init__.py").exists()}
    assert {each.name for each in formats()} == packages


def _path(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _code(path: Path) -> Iterator[str]:
    """The identifiers and literals of a module, without docstrings and what is no format's."""
    tree = ast.parse(path.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in docs:
            continue
        values = (value for field, value in ast.iter_fields(node) if field != "kind")
        for text in (str(value) for value in values if isinstance(value, str | bytes)):
            for known in NO_FORMATS:
                text = text.replace(known, "")  # noqa: PLW2901
            yield text


LAZY = {"plan.plan_text", "plan.summary.plan_summary", "plan.summary.scan_facts"}
"""Modules that import one another: a plan text computes its own summary when it is asked for it."""


def test_no_other_modules_import_one_another_in_a_circle() -> None:
    names = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in MODULES}
    graph = {}
    for name, path in names.items():
        found = {each.removeprefix("eventlog_lineage.") for each in imports(path)}
        graph[name] = ({*found, *(each.rpartition(".")[0] for each in found)} & names.keys()) - {name}
    while True:  # what imports none of the others, or is imported by none of them, is in no circle
        imported = set().union(*graph.values())
        circle = {name: graph[name] & graph.keys() for name in graph if graph[name] & graph.keys() and name in imported}
        if circle.keys() == graph.keys():
            break
        graph = circle
    assert graph.keys() == LAZY
