"""The diffs of CONTRIBUTING's recipes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

_BLOCK = re.compile(r"^```diff\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class RecipeDiff:
    """What a recipe adds to one file.

    Attributes:
        section: The recipe's title.
        path: The file, from the root of the repository.
        before: The lines that are in the file already; the added lines follow the last one.
        added: The added lines.
    """

    section: str
    path: str
    before: tuple[str, ...]
    added: tuple[str, ...]


def recipe_diffs() -> list[RecipeDiff]:
    """Return the diffs of all recipes, one for each file that they name."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = []
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title = section.partition("\n")[0]
        for block in _BLOCK.findall(section):
            parts = re.split(r"^(?=--- )", block, flags=re.MULTILINE)
            found += [_diff(title, part.splitlines()) for part in parts if "+++ b/" in part]
    return found


def _diff(title: str, lines: list[str]) -> RecipeDiff:
    named = [line.removeprefix("+++ b/") for line in lines if line.startswith("+++ ")]
    assert len(named) == 1, (title, lines)
    body = [line for line in lines if not re.match(r"(?:---|\+\+\+|diff|index|new file|@@)", line)]
    before = tuple(line[1:] for line in body if line.startswith(" "))
    return RecipeDiff(title, named[0], before, tuple(line[1:] for line in body if line.startswith("+")))
