"""The pages that are written by a script say what the program says today."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def make_docs() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "scripts" / "make_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["tables", "operators", "configuration"])
def test_a_written_page_is_up_to_date(make_docs: ModuleType, page: str) -> None:
    """Else run scripts/make_docs.py and read the difference."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert getattr(make_docs, f"{page}_page")() == text


@pytest.mark.parametrize(
    "page", [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name
)
def test_a_link_of_a_page_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)[)#]", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
