"""The documentation builds as a site: strictly, without network, and without anything that a reader's browser loads."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    call = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(call, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_of_docs_is_a_page_of_the_site(site: Path) -> None:
    docs = ROOT / "docs"
    pages = {path.relative_to(docs).with_suffix(".html") for path in docs.rglob("*.md")}
    assert pages <= {path.relative_to(site) for path in site.rglob("*.html")}


def test_a_link_of_the_site_leads_to_a_file_of_the_site(site: Path) -> None:
    for page in site.rglob("*.html"):
        links = re.findall(r'(?:href|src)="(?![a-z]+:)([^"#?]+)', page.read_text(encoding="utf-8"))
        assert [link for link in links if page.name != "404.html" and not (page.parent / link).exists()] == [], page


def test_the_site_loads_nothing_over_the_network(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(?:https?:)?//[^"]*', text) == [], page.name
