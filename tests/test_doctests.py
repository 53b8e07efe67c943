"""Examples in docstrings are run: each shows what its function returns."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parent.parent / "src"
MODULES = [path for path in sorted(SOURCE.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_the_examples_of_a_module_print_what_they_show(path: Path) -> None:
    module = importlib.import_module(".".join(path.relative_to(SOURCE).with_suffix("").parts))
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.attempted > 0
    assert result.failed == 0
