"""The architecture holds: imports point one way, libraries stay in their packages, modules stay small."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from eventlog_lineage.extensions import formats

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "eventlog_lineage"
MODULES = sorted(PACKAGE.rglob("*.py"))

LAYERS: tuple[tuple[str, ...], ...] = (
    ("cli",),
    ("library",),
    ("harvest", "export", "report"),
    ("store",),
    ("history", "declarations"),
    ("formats",),
    ("lineage",),
    ("catalog",),
    ("operators",),
    ("events",),
    ("plan",),
    ("connectors",),
    ("datasets", "observed_schemas"),
    ("model", "redaction", "extensions"),
    ("user_input",),
    ("safe_text",),
    ("errors", "attribute_patterns"),
)
"""Packages from the top layer down: a package imports only from layers below its own."""

LIBRARIES = {
    "pyspark": {"harvest", "library"},
    "click": {"cli"},
    "duckdb": {"store", "export", "report"},
    "rich": {"cli"},
    "mcp": {"cli"},
    "fsspec": {"events", "store"},
    "azure": {"store"},
    "sqlglot": {"connectors", "plan"},
}
"""Libraries that only some packages may import."""

NAMING_FORMATS = ("formats/", "plan/printed/operator_names.py", "events/sources/layouts.py", "events/decoding/")
"""What may name a table format: its package, the tables of native engines, the readers of vendors' logs."""

NO_FORMATS = ("WriteDelta", r"delta_\d+")
"""Spark's operator, and the folders of Hive's ACID tables."""

MOST_NAMING_FORMATS = 5

LONGEST = 600

TESTS = ROOT / "tests"
TEST_MODULES = [path for path in sorted(TESTS.rglob("test_*.py")) if "support" not in path.parts]

WITHOUT_PACKAGE = {"docs", "scripts", "harvest/results"}
"""Folders of tests that mirror no package: pages and programs of the repository, and the stores of whole harvests."""


def package_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else path.stem


@cache
def _measures() -> ModuleType:
    """The module of `benchmarks/structure.py`, which counts what docs/architecture.md shows."""
    spec = importlib.util.spec_from_file_location("structure", ROOT / "benchmarks" / "structure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def _read() -> dict[Path, Any]:
    """The modules with their trees, which are parsed and walked once for all tests."""
    return {PACKAGE / module.path: module for module in _measures().read(ROOT)}


@cache
def imports(path: Path) -> tuple[str, ...]:
    """The full names of the modules that a module imports, at its top or inside its functions."""
    return tuple(_read()[path].all_imports)


def layer_of(package: str) -> int | None:
    return next((number for number, packages in enumerate(LAYERS) if package in packages), None)


def test_a_module_imports_only_from_layers_below_its_own() -> None:
    layers = {path: layer_of(package_of(path)) for path in MODULES}
    assert {path.stem for path, own in layers.items() if own is None} == {"__init__", "__main__"}
    assert [
        f"{_path(path)} imports {name}"
        for path, own in layers.items()
        for name in imports(path)
        if own is not None and (layer := _layer_of_import(name, package_of(path))) is not None and layer <= own
    ] == []


def _layer_of_import(name: str, package: str) -> int | None:
    """The layer of another package of ours; None for the own one and for libraries."""
    words = name.split(".")
    ours = words[0] == "eventlog_lineage" and len(words) > 1 and words[1] != package
    return layer_of(words[1]) if ours else None


def test_only_some_packages_import_a_library() -> None:
    assert [
        f"{_path(path)} imports {name}"
        for path in MODULES
        for name in imports(path)
        if package_of(path) not in LIBRARIES.get(name.partition(".")[0], {package_of(path)})
    ] == []


def test_a_module_has_at_most_600_lines() -> None:
    assert [_path(path) for path in MODULES if len(path.read_text().splitlines()) > LONGEST] == []


def test_every_module_has_a_docstring() -> None:
    assert [path for path in MODULES if ast.get_docstring(_read()[path].tree) is None] == []


def test_the_docstring_of_a_package_has_a_paragraph_about_what_belongs_in_it() -> None:
    texts = {path: ast.get_docstring(_read()[path].tree) or "" for path in MODULES if path.stem == "__init__"}
    short = [str(path.relative_to(PACKAGE)) for path, text in texts.items() if "\n\n" not in text]
    assert short == ["__init__.py"]  # the top-level one describes the program


def test_a_folder_of_tests_mirrors_a_package() -> None:
    folders = {path.parent.relative_to(TESTS).as_posix() for path in TEST_MODULES}
    assert {folder for folder in folders if not (PACKAGE / folder).is_dir()} == WITHOUT_PACKAGE


def test_the_tests_of_a_module_are_in_the_folder_that_mirrors_its_package() -> None:
    tested = {path: f"{path.stem.removeprefix('test_')}.py" for path in TEST_MODULES}
    packages = {path: PACKAGE / path.parent.relative_to(TESTS) for path in TEST_MODULES}
    assert {
        path.relative_to(TESTS).as_posix(): [_path(module) for module in packages[path].rglob(name)]
        for path, name in tested.items()
        if not (packages[path] / name).exists() and any(packages[path].rglob(name))
    } == {}


def test_no_file_name_exists_twice() -> None:
    names = Counter(path.name for path in MODULES if path.stem[0] != "_" and not _path(path).startswith("formats/"))
    assert [name for name, count in names.items() if count > 1] == []


def test_only_a_formats_package_names_the_format() -> None:
    words = sorted({each.name for each in formats()} | {"hoodie", "tahoe"})
    naming = re.compile("|".join(f"(?<![a-z]){word}|{word.capitalize()}|{word.upper()}" for word in words))
    general = {path: _path(path) for path in MODULES if not _path(path).startswith("formats/")}
    found = {name: [word for word in _code(path) if naming.search(word)] for path, name in general.items()}
    naming_one = {name: words for name, words in found.items() if words}
    assert {name: words for name, words in naming_one.items() if not name.startswith(NAMING_FORMATS)} == {}
    assert len(naming_one) <= MOST_NAMING_FORMATS


def test_every_package_of_formats_contributes_a_table_format() -> None:
    packages = {path.name for path in (PACKAGE / "formats").iterdir() if (path / "__init__.py").exists()}
    assert {each.name for each in formats()} == packages


def _path(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def _code(path: Path) -> Iterator[str]:
    """The identifiers and literals of a module, without docstrings and the names in `NO_FORMATS`."""
    for text in _read()[path].strings:
        for known in NO_FORMATS:
            text = text.replace(known, "")  # noqa: PLW2901
        yield text


def test_no_modules_import_one_another_in_a_circle() -> None:
    measures = _measures()
    assert measures.circles(measures.import_graph(list(_read().values()))) == []
