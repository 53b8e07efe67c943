"""Files that pages, scripts and programs name are there: a script that names a moved test would run none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NAMED = re.compile(r"(?<![\w/.-])(?:src|tests|scripts|benchmarks|docs)/[\w/.-]+\w\.(?:py|sh|md|sql|toml|json|ts)\b")
PLACEHOLDERS = {"tests/medallion_logs/NAME.json"}
PATTERNS = ("*.md", "docs/**/*.md", ".ci/*", "scripts/**/*", "benchmarks/*", "examples/**/*", "tests/support/**/*.py")
NAMING = sorted(
    path
    for pattern in (*PATTERNS, "pyproject.toml")
    for path in ROOT.glob(pattern)
    if path.is_file() and path.suffix in {".md", ".py", ".sh", ".toml", ".yml", ""} and path.name != "CHANGELOG.md"
)


@pytest.mark.parametrize("path", NAMING, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_named_file_exists(path: Path) -> None:
    named = set(NAMED.findall(path.read_text(encoding="utf-8"))) - PLACEHOLDERS
    assert sorted(name for name in named if not (ROOT / name).exists()) == []
