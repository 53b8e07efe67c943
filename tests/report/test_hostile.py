"""Hostile names in Chromium: they are shown as text, and nothing in them runs."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from support.pages.opened import OpenPage, expect
from support.stores.hostile_names import HOSTILE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def path(hostile_page: Path) -> Path:
    return hostile_page


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_text_in_the_graph_and_in_the_facts(page: OpenPage, name: str) -> None:
    tab = page.tab(f"#lineage?focus={quote(f'spark_catalog.db.{name}')}&up=1&down=0")
    expect(tab.locator(".card.home")).to_be_visible()
    expect(tab.locator(".row").first).to_be_visible()
    expect(tab.locator("img, iframe, object, embed, main script, main a[href]")).to_have_count(0)
    assert tab.evaluate("document.scripts.length") <= 2
    text = tab.inner_text("body")
    assert "\u202e" not in text
    assert "\u2066" not in text


@pytest.mark.parametrize(
    "fragment", ["#lineage?view=table", "#changes", "#do_not_break", "#removable", "#cost", "#trust"]
)
def test_hostile_names_are_text_in_tables(page: OpenPage, fragment: str) -> None:
    tab = page.tab(fragment)
    expect(tab.locator(".grid-row").first).to_be_visible()
    expect(tab.locator("img, iframe, object, embed, main script")).to_have_count(0)


def test_hostile_names_are_text_in_search(page: OpenPage) -> None:
    tab = page.tab()
    tab.fill("#search", "<img")
    found = tab.get_by_role("listbox", name="Found")
    expect(found.get_by_role("option").first).to_contain_text("<img src=x onerror=alert(1)>")


def test_hostile_names_are_escaped_in_downloads(page: OpenPage, tmp_path: Path) -> None:
    tab = page.tab(f"#lineage?focus={quote(f'spark_catalog.db.{HOSTILE[0]}')}&up=1&down=0")
    expect(tab.locator(".card.home")).to_be_visible()
    for ending in ("CSV", "SVG", "PNG"):
        with tab.expect_download() as download:
            tab.locator(".menu").evaluate("menu => { menu.open = true }")
            tab.get_by_role("button", name=ending, exact=True).click()
        download.value.save_as(tmp_path / ending)
        assert "/" not in download.value.suggested_filename
    svg = (tmp_path / "SVG").read_text(encoding="utf-8")
    assert "<script" not in svg
    assert "<img" not in svg
    assert ",=cmd" not in (tmp_path / "CSV").read_text(encoding="utf-8")


def test_an_address_that_somebody_made_up_runs_nothing(page: OpenPage) -> None:
    tab = page.tab("#lineage?focus=<img src=x onerror=alert(1)>&selected=job:<script>alert(1)</script>")
    expect(tab.get_by_role("alert")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(tab.locator("img")).to_have_count(0)
