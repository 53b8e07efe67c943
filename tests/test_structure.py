"""Each measure of the code base's structure only goes down."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent

ALLOWANCE = 1.04
"""How far a figure may exceed its ceiling while several changes are under way; each round ends with lower ceilings."""

SMALL = 3
"""The same for counts so small that four percent are none."""


def load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("structure", ROOT / "benchmarks" / "structure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def structure() -> ModuleType:
    return load()


def test_each_measure_is_below_its_ceiling(structure: ModuleType) -> None:
    ceilings = structure.ceilings()
    found = structure.measure(ROOT)
    assert found.keys() == ceilings.keys()
    most = {name: max(ceiling * ALLOWANCE, ceiling + SMALL * (ceiling > 1)) for name, ceiling in ceilings.items()}
    assert {name: value for name, value in found.items() if value > most[name]} == {}


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def f(x): return x", 1),
        ("def f(x): return [y for y in x if y and x]", 4),
        ("def f(x):\n    if x:\n        return 1\n    return 2 if x else 3", 3),
    ],
)
def test_the_complexity_of_a_function_counts_its_branches(structure: ModuleType, source: str, count: int) -> None:
    (function,) = structure.ast.parse(source).body
    assert structure.complexity(function) == count


def test_docstrings_comments_and_blank_lines_are_no_code(structure: ModuleType) -> None:
    text = '"""Title.\n\nMore.\n"""\n\nX = 1\n"""About X."""\n# a comment\nY = 2\n'
    module = structure.Module(Path("some.py"), text)
    assert (module.code_lines, len(module.docstring_lines)) == (2, 5)
