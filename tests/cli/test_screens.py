"""Terminals of 80, 120 and 200 columns show what tests/cli/screens has; `scripts/make_screens.py` writes the files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from eventlog_lineage.cli.drawing import cells
from eventlog_lineage.cli.main import MODULES
from support.pages.screens import QUESTIONS, SCREENS, WIDTHS, screens
from support.stores.shop import open_shop


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, str]:
    store = tmp_path_factory.mktemp("shop")
    open_shop(store)
    return dict(screens(store))


def test_every_question_has_a_screen() -> None:
    asked = {words[0] for words in QUESTIONS.values()}
    assert asked == {name for name, module in MODULES.items() if module in {"changes", "impact", "listings", "why"}}


@pytest.mark.parametrize("width", WIDTHS)
def test_a_terminal_shows_its_screens(shown: dict[Path, str], width: int) -> None:
    """Else run scripts/make_screens.py and read the difference."""
    found = {path.name: text for path, text in shown.items() if path.parent.name == str(width)}
    assert found == {path.name: path.read_text(encoding="utf-8") for path in (SCREENS / str(width)).iterdir()}


@pytest.mark.parametrize("width", WIDTHS)
def test_every_line_fits_and_no_name_breaks_within_a_word(shown: dict[Path, str], width: int) -> None:
    for path, text in shown.items():
        if path.parent.name == str(width) and path.stem != "erd":  # a diagram's lines stay whole
            lines = text.splitlines()[1:]
            assert [line for line in lines if cells(line) > width] == [], path
            assert [line for line in lines if re.search(r"\w[_-](?:\s|$)", line)] == [], path
