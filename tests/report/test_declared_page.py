"""What files declare is on the page: exposures as nodes, owners, tags, descriptions; search finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage import declare
from eventlog_lineage.report.write import write_report
from support.pages.opened import OpenPage, card, expect
from support.pages.report import blocks, names
from support.stores import shop
from support.stores.shop import CUSTOMERS, DAILY, LOYAL

JOB = "nightly-sales: daily_sales InsertInto"

FILE = """
[[dataset]]
name = "sales.daily_sales"
owner = "team sales"
contact = "#sales-data"
due = "26h"

[dataset.columns]
revenue = { description = "Gross, in euros" }

[[job]]
name = "nightly*daily_sales*"
owner = "platform"

[[exposure]]
name = "revenue board"
type = "dashboard"
owner = "Ann"
url = "https://bi.example/revenue"
depends_on = ["sales.daily_sales"]

[[exposure]]
name = "script"
url = "javascript:alert(1)"

[tags.PII]
columns = ["*.email"]
masked = "pseudonym"
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("declared")
    shop.open_shop(folder / "store")
    (folder / "owners.toml").write_text(FILE, encoding="utf-8")
    declare([folder / "owners.toml"], folder / "store")
    write_report(folder / "store", folder / "lineage.html")
    return folder / "lineage.html"


def test_declarations_and_tags_are_in_the_page_by_node(path: Path) -> None:
    found = blocks(path)
    node = names(found["graph"])
    declared = found["facts"]["declared"]
    owners = {node[row[0]] if row[0] is not None else row[1]: row[2] for row in declared["rows"]}
    assert owners == {
        DAILY: "team sales",
        f"{DAILY}.revenue": "",
        "exposure:revenue board": "Ann",
        "exposure:script": "",
        JOB: "platform",
    }
    tags = [
        (tag, masked, [node[each] for each in nodes], [node[each] if each >= 0 else "" for each in sources])
        for tag, masked, nodes, sources in found["facts"]["tags"]["rows"]
    ]
    assert tags == [
        ("PII", False, [f"{CUSTOMERS}.email"], [""]),
        ("pseudonym", True, [f"{LOYAL}.email_hash"], [f"{CUSTOMERS}.email"]),
    ]


@pytest.mark.browser
def test_a_dashboard_is_a_card_with_its_owner_and_search_finds_it(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={DAILY}.revenue")
    board = card(tab, "exposure:revenue board")
    expect(board.locator("small").first).to_have_text("dashboard · Ann")
    facts = tab.get_by_role("complementary", name="Facts")
    expect(facts.locator(".described")).to_have_text("Gross, in euros")
    expect(facts).to_contain_text("team sales · #sales-data")
    tab.fill("#search", "revenue board")
    expect(tab.locator(".hits .title").first).to_have_text("Dashboards and other exposures")
    tab.keyboard.press("Enter")
    expect(facts.get_by_role("heading")).to_have_text("exposure:revenue board")
    expect(facts.get_by_role("link", name="https://bi.example/revenue")).to_be_visible()
    expect(card(tab, DAILY)).to_be_visible()
    tab.fill("#search", "script")
    tab.keyboard.press("Enter")
    expect(facts).to_contain_text("javascript:alert(1)")
    expect(facts.get_by_role("link")).to_have_count(0)


@pytest.mark.browser
def test_search_finds_what_somebody_owns_and_what_has_a_tag(page: OpenPage) -> None:
    tab = page.tab()
    expect(tab.get_by_role("button", name="Exposures 2 datasets")).to_be_visible()
    tab.fill("#search", "team sales")
    expect(tab.locator(".hits .title")).to_have_text(["Owners and tags"])
    tab.keyboard.press("Enter")
    facts = tab.get_by_role("complementary", name="Facts")
    expect(facts.get_by_role("heading")).to_have_text(DAILY)
    tab.fill("#search", "pseudonym")
    tab.get_by_role("listbox", name="Found").get_by_role("option").first.click()
    expect(facts.get_by_role("heading")).to_have_text(f"{LOYAL}.email_hash")
    expect(facts.get_by_role("list", name="Tags")).to_contain_text("pseudonym ◆ masked")
    expect(facts.get_by_role("list", name="Tags")).to_contain_text("staging.customers.email")


@pytest.mark.browser
def test_a_picture_that_comes_late_leaves_the_focus_to_who_types(page: OpenPage) -> None:
    tab = page.tab()
    tab.fill("#search", "team sales")
    tab.evaluate(
        """() => {
          const box = document.getElementById("search");
          box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
          box.focus();
        }"""
    )
    expect(card(tab, DAILY)).to_be_visible()
    expect(tab.locator("#search")).to_be_focused()
