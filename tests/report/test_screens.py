"""The page on screens of four widths: one way through it by mouse and by keyboard, sizes, contrast, accessibility."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from eventlog_lineage.report.write import write_report
from support.pages.opened import OpenPage, card, column, expect
from support.stores import shop
from support.stores.shop import DAILY, LOYAL

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

WIDTHS = (390, 768, 1360, 1920)
AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
JOB = "nightly-sales: daily_sales InsertInto"
VIEWS = (
    "#map",
    "#map?mark=failed",
    "#map?zoom=sales",
    f"#lineage?focus={DAILY}.revenue&indirect=1",
    f"#lineage?focus=job:{JOB}",
    "#late",
    "#cost",
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    shop.open_shop(folder / "store")
    write_report(folder / "store", folder / "lineage.html")
    return folder / "lineage.html"


IS_AT = "place => (/(?:focus|zoom)=[^&]*/.exec(location.hash)?.[0] ?? '') === place"
"""Whether the address has a focus or a group, and none other."""


def facts_of(tab: Page, width: int) -> Locator:
    """The pane with the facts, opened where the screen has it as a sheet."""
    if width <= 820:
        tab.get_by_role("button", name="Details").click()
    return tab.get_by_role("complementary", name="Facts")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_mouse_leads_from_the_map_to_a_job_and_back(page: OpenPage, width: int) -> None:
    tab = page.tab(width=width)
    tab.get_by_role("button", name="sales 2 datasets").click()
    tab.get_by_role("button", name="daily_sales changed").click()
    column(tab, DAILY, "revenue").click()
    facts = facts_of(tab, width)
    expect(facts.locator(".made code").first).to_have_text("sum(orders.amount)")
    expect(facts.locator(".steps code")).to_have_text(["cast(orders.amount as decimal(10,2))"])
    facts.get_by_role("button", name=JOB).first.click()
    expect(facts).to_contain_text("runs3")
    facts.get_by_role("button", name="Show in the graph").click()
    expect(card(tab, f"job {JOB}")).to_be_visible()
    expect(card(tab, DAILY)).to_be_attached()
    for place in (f"focus={DAILY}.revenue", f"focus={DAILY}", "zoom=sales", ""):
        tab.go_back()
        tab.wait_for_function(IS_AT, arg=place)
    expect(tab.get_by_role("button", name="sales 2 datasets")).to_be_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_keyboard_leads_from_the_map_to_a_job_and_back(page: OpenPage, width: int) -> None:
    tab = page.tab(width=width)
    tab.get_by_role("button", name="staging 2 datasets").focus()
    tab.keyboard.press("ArrowRight")
    expect(tab.get_by_role("button", name="sales 2 datasets")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("button", name="daily_sales changed")).to_be_focused()
    tab.keyboard.press("Enter")
    expect(card(tab, DAILY).locator(".name")).to_be_focused()
    while not column(tab, DAILY, "revenue").evaluate("row => row === document.activeElement"):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    expect(column(tab, DAILY, "revenue")).to_be_focused()
    if width <= 820:
        tab.get_by_role("button", name="Details").press("Enter")
    facts = tab.get_by_role("complementary", name="Facts")
    facts.get_by_role("button", name=JOB).first.press("Enter")
    facts.get_by_role("button", name="Show in the graph").press("Enter")
    expect(card(tab, f"job {JOB}")).to_be_visible()
    for place in (f"focus={DAILY}.revenue", f"focus={DAILY}", "zoom=sales", ""):
        while not tab.evaluate(IS_AT, place):
            tab.keyboard.press("Escape")
            tab.wait_for_timeout(100)
    expect(tab.get_by_role("button", name="sales 2 datasets")).to_be_focused()


SMALL_TEXT = """() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const element = text.parentElement;
        if (!text.textContent.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
        if (element.closest("script, style, .visually-hidden, .brand")) continue;
        const box = element.getBoundingClientRect();
        if (box.width === 0 || box.right < 0 || box.left > innerWidth) continue;
        if (box.bottom < 0 || box.top > innerHeight) continue;
        const scale = element.offsetWidth ? box.width / element.offsetWidth : 1;
        const size = parseFloat(getComputedStyle(element).fontSize) * scale;
        if (size < 10.99) found.push(`${size.toFixed(1)}px ${element.className} ${text.textContent.slice(0, 30)}`);
    }
    return found;
}"""

OVERLAPS = """() => {
    const boxes = [...document.querySelectorAll(".header > *, .toolbar > *, .night > *, .group-box")]
        .filter((element) => element.checkVisibility())
        .map((element) => [element.className, element.getBoundingClientRect()]);
    const found = [];
    boxes.forEach(([name, a], place) => boxes.slice(place + 1).forEach(([other, b]) => {
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (width > 1 && height > 1) found.push(`${name} and ${other}`);
    }));
    return found;
}"""


@pytest.mark.parametrize("width", WIDTHS)
def test_no_text_is_small_and_nothing_lies_upon_another(page: OpenPage, width: int) -> None:
    tab = page.tab(width=width, height=760)
    for view in VIEWS:
        show(tab, view)
        assert tab.evaluate(SMALL_TEXT) == [], view
        assert tab.evaluate(OVERLAPS) == [], view
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
        if view.startswith("#lineage"):
            box = tab.locator(".canvas").bounding_box()
            assert box is not None
            assert box["height"] >= 440
            assert box["width"] >= width * (0.65 if width >= 1360 else 0.55)


def test_text_far_away_is_as_big_as_near_or_not_there(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={LOYAL}&up=9", width=1360, height=760)
    expect(card(tab, LOYAL)).to_be_visible()
    for _ in range(6):
        tab.get_by_role("button", name="Zoom Out").click()
        tab.wait_for_timeout(50)
        assert tab.evaluate(SMALL_TEXT) == []


@pytest.mark.node
@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (768, "dark"), (1360, "light"), (1920, "dark")])
def test_axe_finds_nothing_serious(page: OpenPage, width: int, scheme: str) -> None:
    assert AXE.exists(), "run `npm ci` in web/, or leave these tests out with -m 'not node'"
    tab = page.tab(width=width, scheme=scheme)
    for view in VIEWS:
        show(tab, view)
        tab.evaluate(AXE.read_text(encoding="utf-8"))
        found = tab.evaluate("axe.run().then((result) => result.violations)")
        serious = [
            (rule["id"], node["html"][:200], node["failureSummary"])
            for rule in found
            if rule["impact"] in {"serious", "critical"}
            for node in rule["nodes"]
        ]
        assert serious == [], view


def show(tab: Page, view: str) -> None:
    """Show another view in a tab."""
    tab.evaluate("view => { location.hash = view }", view)
    tab.wait_for_timeout(250)
