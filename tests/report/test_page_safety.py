"""No name in a log reaches the page's HTML, and the page may load nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from eventlog_lineage.report.write import PLACEHOLDER, TEMPLATE, packed, page
from support.pages.report import blocks
from support.stores.hostile_names import HOSTILE


def test_the_page_differs_from_the_template_in_base64_only(hostile_page: Path) -> None:
    before, after = TEMPLATE.read_bytes().split(PLACEHOLDER.encode())
    text = hostile_page.read_bytes()
    assert text.startswith(before)
    assert text.endswith(after)
    element = rb'(<script type="application/octet-stream" id="data-[a-z]+">[A-Za-z0-9+/=]*</script>\n)+'
    assert re.fullmatch(element, text[len(before) : len(text) - len(after)])


def test_hostile_names_are_data_of_the_page(hostile_page: Path) -> None:
    graph = blocks(hostile_page)["graph"]
    assert {f"spark_catalog.db.{name}" for name in HOSTILE} <= set(graph["datasets"]["name"])


@given(st.dictionaries(st.text(), st.text()))
def test_packed_data_has_no_character_that_html_reads(value: dict[str, str]) -> None:
    assert re.fullmatch(rb"[A-Za-z0-9+/=]*", packed(value))


def test_the_policy_allows_the_page_its_own_script_and_style_and_nothing_else() -> None:
    text = page({}).decode()
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', text)
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules == {
        "default-src": "'none'",
        "script-src": f"'{_hash(text, '<script>', '</script>')}'",
        "style-src": f"'{_hash(text, '<style>', '</style>')}'",
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def _hash(text: str, start: str, end: str) -> str:
    assert text.count(start) >= 1
    content = text[text.index(start) + len(start) :]
    digest = hashlib.sha256(content[: content.index(end)].encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def test_the_page_names_no_address_that_it_could_load() -> None:
    text = TEMPLATE.read_text(encoding="utf-8")
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", text)
    style = text[text.index("<style>") : text.index("</style>")]
    assert not re.search(r"@import|url\((?!#|data:)", style)


def test_the_licences_of_the_bundled_packages_are_in_the_page() -> None:
    notices = TEMPLATE.read_text(encoding="utf-8").partition('id="licences">')[2]
    for package in ("react-dom", "@xyflow/react", "@tanstack/react-table", "@observablehq/plot", "d3-scale"):
        assert re.search(rf"^{re.escape(package)} [\d.]+ \((MIT|ISC|BSD-3-Clause)\)$", notices, re.MULTILINE), package
    assert not re.search(r"^[@\w/.-]+ [\d.]+ \((?!MIT|ISC|BSD-3-Clause|0BSD)", notices, re.MULTILINE)
