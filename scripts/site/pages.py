"""Hooks of the documentation site: pages from the root of the repository, and links to files outside of `docs`.

The pages are written for readers of the repository, with links such as `../src/...`. On the site a link to README,
CONTRIBUTING, CHANGELOG or SECURITY goes to the page made of that file; a link to any other file shows its path.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]

PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
"""Files of the root and the pages that they become."""

_LINK = re.compile(
    r"(?P<image>!?)\[(?P<text>(?:!\[[^\]]*\]\([^)]*\)|[^\]])*)\]\((?P<target>[^)#\s:]+)(?P<anchor>#[^)\s]*)?\)"
)
_FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are files of the root."""
    for name, page in PAGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=rewritten(text, ROOT)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Rewrite the links of a page of `docs`; generated pages have theirs rewritten already."""
    if page.file.src_uri in PAGES.values():
        return markdown
    return rewritten(markdown, (ROOT / "docs" / page.file.src_uri).parent)


def rewritten(markdown: str, folder: Path) -> str:
    """Return a page with links that work on the site.

    Args:
        markdown: The page.
        folder: The folder that its links are relative to.
    """
    parts = _FENCE.split(markdown)
    return "".join(part if part.startswith("```") else _LINK.sub(lambda m: _link(m, folder), part) for part in parts)


def _from(folder: Path, page: str) -> str:
    """Return the path of a page relative to the page with the link; pages of the root are at the top of the site."""
    docs = ROOT / "docs"
    below = folder.relative_to(docs) if folder.is_relative_to(docs) else Path()
    return os.path.relpath(page, below)


def _link(match: re.Match[str], folder: Path) -> str:
    text, anchor = _LINK.sub(lambda inner: _link(inner, folder), match["text"]), match["anchor"] or ""
    target = (folder / match["target"]).resolve()
    if not target.is_relative_to(ROOT):
        return match[0]
    path = target.relative_to(ROOT).as_posix()
    if path in PAGES:
        return f"[{text}]({_from(folder, PAGES[path])}{anchor})"
    if path.startswith("docs/"):
        is_page = path.endswith(".md") or match["image"]
        page = _from(folder, path.removeprefix("docs/"))
        return f"{match['image']}[{text}]({page}{anchor if is_page else ''})"
    return text if path in text else f"{text} (`{path}`)"
