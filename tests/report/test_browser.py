"""The page in Chromium: what a reader can do with it, and that it asks for nothing but itself."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from eventlog_lineage.report.write import write_report
from support.pages.opened import OpenPage, card, column, expect
from support.stores import shop
from support.stores.shop import CUSTOMERS, DAILY, LANDING, LOYAL, ORDERS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

REVENUE = f"{DAILY}.revenue"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    shop.open_shop(folder / "store")
    write_report(folder / "store", folder / "lineage.html")
    return folder / "lineage.html"


def cards(tab: Page) -> set[str]:
    expect(tab.locator(".card").first).to_be_visible()
    return {str(each.get_attribute("aria-label")) for each in tab.locator(".card").all()}


def test_a_page_begins_with_the_map_and_the_stores_facts(page: OpenPage) -> None:
    tab = page.tab()
    expect(tab.locator(".group-box").first).to_be_visible()
    expect(tab.locator(".lane h3")).to_have_text(["Sources", "Stage 1", "Stage 2", "Exports and readers"])
    expect(tab.get_by_role("region", name="Last night")).to_contain_text("statements of")
    expect(tab.locator(".facts")).to_contain_text("5 datasets")


def test_search_finds_a_column_and_puts_it_into_focus(page: OpenPage) -> None:
    tab = page.tab()
    tab.keyboard.press("/")
    tab.keyboard.type("daily revenue")
    expect(tab.get_by_role("listbox", name="Found").get_by_role("option").first).to_contain_text("daily_sales.revenue")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("complementary", name="Facts").get_by_role("heading")).to_have_text(REVENUE)
    assert f"focus={REVENUE}" in tab.url
    expect(tab.locator(".row.focus .column")).to_have_text("revenue")
    expect(column(tab, DAILY, "revenue")).to_be_focused()
    tab.keyboard.press("ArrowLeft")
    expect(column(tab, ORDERS, "amount")).to_be_focused()


def test_search_groups_what_it_finds_and_marks_the_match(page: OpenPage) -> None:
    tab = page.tab()
    tab.fill("#search", "order")
    expect(tab.locator(".hits .title").first).to_have_text("Tables")
    expect(tab.locator(".hits mark").first).to_have_text("order")
    tab.fill("#search", "sum(")
    expect(tab.locator(".hits .title")).to_have_text(["Expressions"])
    tab.fill("#search", "custmoers")
    expect(tab.get_by_role("listbox", name="Found").get_by_role("option").first).to_contain_text("customers")


def test_search_says_that_nothing_was_found(page: OpenPage) -> None:
    tab = page.tab()
    tab.fill("#search", "no such name")
    expect(tab.get_by_role("status").get_by_text("No match.")).to_be_visible()


def test_a_click_on_a_column_puts_it_into_focus(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}")
    column(tab, ORDERS, "amount").click()
    expect(column(tab, ORDERS, "amount")).to_have_class(re.compile("focus"))
    assert cards(tab) == {LANDING, ORDERS, DAILY, LOYAL}
    tab.go_back()
    expect(column(tab, DAILY, "revenue")).to_have_class(re.compile("focus"))


def test_hops_are_counted_on_both_sides(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}&up=1&down=0")
    assert cards(tab) == {ORDERS, DAILY}
    tab.get_by_role("button", name="Hops upstream: more").click()
    expect(card(tab, LANDING)).to_be_visible()
    tab.get_by_role("button", name="Hops downstream: more").click()
    expect(card(tab, LOYAL)).to_be_visible()
    assert "up=" not in tab.url
    assert "down=1" in tab.url


def test_sources_are_left_and_uses_right_of_the_focus(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}")
    cards(tab)
    left = [card(tab, name).bounding_box() for name in (LANDING, ORDERS, DAILY, LOYAL)]
    places = [box["x"] for box in left if box]
    assert places == sorted(places)
    assert len(set(places)) == 4


def test_indirect_edges_are_dashed_and_off_at_first(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={DAILY}&up=1&down=0")
    expect(tab.locator(".lines .line")).to_have_count(2)
    assert tab.locator(".lines .line[stroke-dasharray]").count() == 0
    tab.get_by_label("indirect", exact=True).check()
    expect(tab.locator(".lines .line[stroke-dasharray]")).to_have_count(3)
    assert "indirect=1" in tab.url


def test_columns_that_take_part_come_first_and_the_rest_on_request(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}")
    expect(card(tab, ORDERS).locator(".row .column")).to_have_text(["amount"])
    card(tab, ORDERS).locator(".more").click()
    expect(card(tab, ORDERS).locator(".row .column")).to_have_text(["amount", "order_id", "customer_id", "discount"])
    tab.reload()
    expect(card(tab, ORDERS).locator(".row")).to_have_count(4)
    card(tab, ORDERS).get_by_role("button", name="Hide columns").click()
    expect(card(tab, ORDERS).locator(".row")).to_have_count(0)


def test_without_columns_the_graph_is_one_of_datasets(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={DAILY}")
    expect(tab.locator(".row").first).to_be_visible()
    tab.get_by_role("button", name="tables", exact=True).click()
    expect(tab.locator(".row")).to_have_count(0)
    assert cards(tab) == {LANDING, ORDERS, CUSTOMERS, DAILY, LOYAL}
    card(tab, ORDERS).get_by_role("button", name="Show columns").click()
    expect(card(tab, ORDERS).locator(".row .column")).to_have_text(["amount"])
    assert "columns=0" in tab.url


def test_the_ends_of_a_column_count_drawn_and_all_lines(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={ORDERS}.amount&down=0&up=0")
    expect(column(tab, ORDERS, "amount").locator(".ends")).to_have_text(["0/1", "0/1"])
    tab.get_by_role("button", name="Hops upstream: more").click()
    expect(column(tab, ORDERS, "amount").locator(".ends")).to_have_text(["1/1", "0/1"])


def test_a_column_shows_the_chain_of_expressions_that_makes_it(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={LOYAL}.region_revenue")
    facts = tab.get_by_role("complementary", name="Facts")
    expect(facts.locator(".made code").first).to_have_text("daily_sales.revenue")
    expect(facts.locator(".steps code")).to_have_text(["sum(orders.amount)", "cast(orders.amount as decimal(10,2))"])
    expect(facts.locator(".steps")).to_contain_text("nightly-sales: stage orders")


def test_a_click_on_a_line_shows_its_expression_and_job(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}&up=1&down=0")
    tab.locator(".line-reach").first.click(force=True)
    facts = tab.get_by_role("complementary", name="Facts")
    expect(facts.locator(".edge")).to_contain_text("DIRECT AGGREGATION")
    expect(facts.locator(".edge code")).to_have_text("sum(orders.amount)")
    assert "selected=" in tab.url
    tab.reload()
    expect(facts.locator(".edge code")).to_have_text("sum(orders.amount)")


def test_the_pointer_on_a_line_shows_its_expression(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}&up=1&down=0")
    tab.locator(".line-reach").first.hover(force=True)
    expect(tab.locator(".tip code")).to_have_text("sum(orders.amount)")


def test_a_job_shows_what_it_reads_and_writes(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}")
    facts = tab.get_by_role("complementary", name="Facts")
    facts.get_by_role("button", name="nightly-sales: daily_sales InsertInto").first.click()
    expect(facts).to_contain_text("runs3")
    expect(facts.locator(".uses")).to_have_text(["sales.daily_sales", re.compile("staging.customers.*staging.orders")])


def test_masked_columns_are_marked_on_the_way(browser: Browser, path: Path, tmp_path: Path) -> None:
    from support.stores.nights import Night  # noqa: PLC0415 - one test's store

    night = Night()
    night.app()
    first = night.statement(
        [("raw.people!mail", "hash", "TRANSFORMATION", "sha2(mail)")], target="db.hashed", execution=1
    )
    night.statement([("db.hashed!hash", "copy", "IDENTITY")], target="db.copied", execution=2)
    for edge in night.rows["lineage_edges"]:
        edge["masking"] = edge["lineage_fingerprint"] == first
    night.harvest(tmp_path / "store")
    write_report(tmp_path / "store", tmp_path / "masked.html")
    page = OpenPage(browser, tmp_path / "masked.html")
    tab = page.tab("#lineage?focus=raw.people.mail")
    expect(tab.locator(".lines .line.masked:not(text)")).to_have_count(2)
    expect(column(tab, "db.copied", "copy").locator(".masked-sign")).to_be_visible()
    expect(column(tab, "raw.people", "mail").locator(".masked-sign")).to_have_count(0)
    page.close()


def test_the_table_lists_the_same_edges_and_sorts_and_filters_them(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}")
    cards(tab)
    tab.keyboard.press("t")
    rows = tab.get_by_role("table", name="Edges").locator(".grid-row")
    expect(rows).to_have_count(3)
    assert "view=table" in tab.url
    tab.get_by_role("columnheader", name="source").get_by_role("button").click()
    expect(rows.first).to_contain_text("landing/orders.amount")
    tab.get_by_label("Filter the edges").fill("sum(")
    expect(rows).to_have_count(1)
    rows.get_by_role("button", name="staging.orders.amount").click()
    expect(tab.get_by_role("heading", name=f"{ORDERS}.amount").first).to_be_visible()


def test_the_time_slider_shows_the_lineage_of_then(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}&up=1&down=0")
    facts = tab.get_by_role("complementary", name="Facts")
    expect(facts).to_contain_text("decimal(18,2)")
    slider = tab.get_by_role("slider", name="Time of the lineage")
    slider.focus()
    tab.keyboard.press("Home")
    expect(facts).to_contain_text("sum((orders.amount - orders.discount))")
    expect(facts).to_contain_text("decimal(20,2)")
    expect(column(tab, ORDERS, "discount")).to_be_visible()
    assert "at=2026-11-20T01%3A03%3A59" in tab.url
    tab.keyboard.press("End")
    expect(column(tab, ORDERS, "discount")).to_have_count(0)
    assert "at=" not in tab.url


def test_the_slider_stops_at_the_changes_of_what_is_in_focus(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}")
    slider = tab.get_by_role("slider", name="Time of the lineage")
    expect(slider).to_have_attribute("max", "2")
    tab.goto(f"{page.path.as_uri()}#lineage?focus={CUSTOMERS}.id")
    expect(tab.locator(".timeline")).to_contain_text("No changes in the store")


def test_a_column_is_shown_then_and_now_with_who_changed_it(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}&at=2026-11-19T12:00:00Z")
    facts = tab.get_by_role("complementary", name="Facts")
    then, now = (facts.get_by_role("region", name=name) for name in ("Then", "Now"))
    expect(then.locator("code").first).to_have_text("decimal(20,2)")
    expect(then).to_contain_text("sum((orders.amount - orders.discount))")
    expect(now.locator("code").first).to_have_text("decimal(18,2)")
    expect(now).to_contain_text("sum(orders.amount)")
    expect(facts.locator(".part").first).to_contain_text("etl · nightly-sales 2026-11-20 · app-2 · Spark 3.5.9")
    tab.get_by_role("button", name="Newest").click()
    expect(then).to_have_count(0)


def test_the_strip_marks_what_failed_and_lists_it_with_its_error(page: OpenPage) -> None:
    tab = page.tab()
    tab.get_by_role("button", name="1 failed job").click()
    facts = tab.get_by_role("complementary", name="Facts")
    expect(facts.locator(".uses li")).to_have_count(1)
    expect(facts).to_contain_text("nightly-sales: loyal customers")
    expect(tab.locator(".waffle.dim").first).to_be_visible()
    assert "mark=failed" in tab.url
    facts.get_by_role("button", name="What failed last").click()
    expect(tab.get_by_role("tab", name="Failures")).to_have_attribute("aria-selected", "true")


def test_a_ribbon_lists_its_pairs_of_datasets(page: OpenPage) -> None:
    tab = page.tab("#map?selected=staging+%3D%3E+sales")
    facts = tab.get_by_role("complementary", name="Facts")
    expect(facts.locator(".uses")).to_contain_text("staging.orders → sales.daily_sales")
    expect(tab.locator(".ribbon.on")).to_have_count(1)


def test_a_table_whose_last_write_failed_shows_what_the_run_tried(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={LOYAL}")
    failure = tab.locator(".failure")
    expect(failure).to_contain_text("The last write failed")
    expect(failure).to_contain_text("It tried to write sales.loyal_customers")


def test_what_changed_is_marked_in_the_graph(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}&up=1&down=0")
    cards(tab)
    tab.get_by_label("Changes to mark").select_option("7")
    expect(tab.locator(".lines .line.removed:not(text)")).to_have_count(1)
    expect(column(tab, DAILY, "revenue").locator(".mark.changed")).to_have_text("~")
    expect(column(tab, ORDERS, "discount")).to_be_visible()
    assert "since=7" in tab.url


def test_past_lineage_is_shown_on_request(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}&up=1&down=0")
    expect(tab.locator(".lines .line")).to_have_count(1)
    tab.get_by_label("past", exact=True).check()
    expect(tab.locator(".lines .line")).to_have_count(2)


def test_a_dataset_without_lines_says_why(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={CUSTOMERS}.id")
    expect(tab.locator(".empty")).to_contain_text("Turn on “indirect”")
    tab.get_by_label("indirect", exact=True).check()
    expect(tab.locator(".empty")).to_have_count(0)


def test_a_name_that_the_page_does_not_have_is_said(page: OpenPage) -> None:
    tab = page.tab("#lineage?focus=no.such.name")
    expect(tab.get_by_role("alert")).to_contain_text("no.such.name")


def test_gaps_are_shown_with_their_hints(browser: Browser, tmp_path: Path) -> None:
    from support.stores.nights import Night  # noqa: PLC0415 - one test's store

    night = Night()
    night.app()
    shape = night.statement([("a.b!x", "y", "IDENTITY")], target="c.d", execution=1)
    night.add(
        "lineage_gaps",
        lineage_fingerprint=shape,
        reason="truncated_fields",
        operator="Project",
        detail="… 3 more",
        hint="raise the limit",
    )
    night.harvest(tmp_path / "store")
    write_report(tmp_path / "store", tmp_path / "page.html")
    page = OpenPage(browser, tmp_path / "page.html")
    tab = page.tab("#lineage?focus=c.d.y")
    expect(card(tab, "c.d").locator(".badge.gap")).to_be_visible()
    expect(tab.get_by_role("complementary", name="Facts").locator(".gaps")).to_contain_text("raise the limit")
    tab.get_by_role("button", name="Show the list of datasets").click()
    tab.get_by_label("has gaps").check()
    expect(tab.get_by_role("treeitem", name="d")).to_be_visible()
    expect(tab.get_by_role("treeitem", name="b", exact=True)).to_have_count(0)
    page.close()


def test_the_keyboard_walks_along_lines_and_sets_the_focus(page: OpenPage) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}")
    cards(tab)
    column(tab, DAILY, "revenue").focus()
    tab.keyboard.press("ArrowLeft")
    expect(column(tab, ORDERS, "amount")).to_be_focused()
    expect(tab.get_by_role("complementary", name="Facts").get_by_role("heading")).to_have_text(f"{ORDERS}.amount")
    tab.keyboard.press("ArrowUp")
    expect(card(tab, ORDERS).locator(".name")).to_be_focused()
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    expect(column(tab, ORDERS, "amount")).to_have_class(re.compile("focus"))
    tab.keyboard.press("Escape")
    expect(column(tab, DAILY, "revenue")).to_have_class(re.compile("focus"))


def test_the_tabs_are_walked_with_arrows_and_all_show_their_rows(page: OpenPage) -> None:
    tab = page.tab("#lineage")
    tabs = tab.get_by_role("tab")
    expect(tabs).to_have_count(11)
    tabs.nth(1).focus()
    for title in (
        "Nights",
        "Failures",
        "Late",
        "Do not break",
        "Personal data",
        "Changes",
        "Removable",
        "Cost",
        "Trust",
    ):
        tab.keyboard.press("ArrowRight")
        expect(tab.get_by_role("tab", name=title)).to_be_focused()
        expect(tab.get_by_role("tab", name=title)).to_have_attribute("aria-selected", "true")
        expect(tab.locator(".panel h2")).to_be_visible()
        if title != "Personal data":  # the shop's is hashed
            expect(tab.locator(".grid-row").first).to_be_visible()
    expect(tab.locator(".chart svg")).to_be_visible()


def test_a_panel_filters_its_rows_and_leads_into_the_graph(page: OpenPage) -> None:
    tab = page.tab("#do_not_break")
    tab.get_by_label("Filter the rows").fill("discount")
    expect(tab.locator(".grid-row")).to_have_count(1)
    tab.locator(".grid-row").get_by_role("button", name="discount").click()
    expect(tab.get_by_role("complementary", name="Facts").get_by_role("heading")).to_have_text(f"{LANDING}.discount")


@pytest.mark.parametrize(
    ("panel", "leads_to"),
    [("do_not_break", "#lineage?focus="), ("cost", "#lineage?focus=job"), ("nights", "#nights?filter=20")],
)
def test_the_bars_of_a_chart_lead_to_what_they_show(page: OpenPage, panel: str, leads_to: str) -> None:
    tab = page.tab(f"#{panel}")
    bar = tab.locator(".chart svg a").first
    assert bar.get_attribute("aria-label")
    bar.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_function("start => location.hash.startsWith(start)", arg=leads_to)
    if panel == "nights":
        expect(tab.locator(".grid-row")).to_have_count(1)
    else:
        expect(tab.get_by_role("complementary", name="Facts").get_by_role("heading").first).to_be_visible()


def test_panels_and_graph_are_downloaded(page: OpenPage, tmp_path: Path) -> None:
    tab = page.tab(f"#lineage?focus={REVENUE}")
    cards(tab)
    saved = {}
    for ending in ("CSV", "SVG", "PNG"):
        with tab.expect_download() as download:
            tab.locator(".menu").evaluate("menu => { menu.open = true }")
            tab.get_by_role("button", name=ending, exact=True).click()
        saved[ending] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[ending])
    assert saved["CSV"].name == f"{REVENUE}.csv"
    with saved["CSV"].open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {(row["source_column"], row["target_column"], row["expression"]) for row in rows} == {
        ("amount", "amount", "cast(orders.amount as decimal(10,2))"),
        ("amount", "revenue", "sum(orders.amount)"),
        ("revenue", "region_revenue", "daily_sales.revenue"),
    }
    svg = saved["SVG"].read_text(encoding="utf-8")
    assert svg.count("<path") == 3
    assert ">daily_sales</text>" in svg
    assert saved["PNG"].read_bytes().startswith(b"\x89PNG")
    assert saved["PNG"].stat().st_size > 5_000


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_systems_until_somebody_chooses(page: OpenPage, scheme: str) -> None:
    other = "dark" if scheme == "light" else "light"
    tab = page.tab(scheme=scheme)
    before = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", before))) < 200) == (scheme == "dark")
    tab.get_by_role("button", name=f"Use the {other} theme").click()
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_every_control_has_a_name(page: OpenPage) -> None:
    tab = page.tab()
    for fragment in (f"#lineage?focus={REVENUE}", "#lineage?view=table", "#changes"):
        tab.goto(f"{page.path.as_uri()}{fragment}")
        tab.reload()
        tab.wait_for_selector("html[data-ready]")
        nameless = tab.evaluate(
            """() => [...document.querySelectorAll("button, input, select, [role=slider]")].filter((element) =>
                !(element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length)
            ).map((element) => element.outerHTML)"""
        )
        assert nameless == []


def test_help_lists_the_keys_and_the_licences(page: OpenPage) -> None:
    tab = page.tab()
    tab.keyboard.press("?")
    dialog = tab.get_by_role("dialog")
    expect(dialog).to_contain_text("Put the marked column, dataset or job into focus")
    dialog.get_by_text("Software in this page").click()
    expect(dialog.locator("pre")).to_contain_text("@xyflow/react")
    tab.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_part_of_a_store_begins_with_its_focus_and_says_what_is_left_out(
    browser: Browser, path: Path, tmp_path: Path
) -> None:
    write_report(path.parent / "store", tmp_path / "part.html", focus="daily_sales.revenue", depth=1)
    page = OpenPage(browser, tmp_path / "part.html")
    tab = page.tab()
    expect(column(tab, DAILY, "revenue")).to_have_class(re.compile("focus"))
    tab.get_by_text("Not everything is in this page").click()
    expect(tab.locator(".left-out")).to_contain_text("1 dataset that is more than 1 hop from")
    expect(card(tab, ORDERS).locator(".badge")).to_have_attribute("title", re.compile("not in this page"))
    page.close()


def test_a_page_of_an_empty_store_says_so(browser: Browser, tmp_path: Path) -> None:
    from support.stores.nights import Night  # noqa: PLC0415 - one test's store

    Night().begin(tmp_path / "store")
    write_report(tmp_path / "store", tmp_path / "page.html")
    page = OpenPage(browser, tmp_path / "page.html")
    tab = page.tab()
    expect(tab.get_by_text("The store has no datasets yet")).to_be_visible()
    tab.get_by_role("tab", name="Failures").click()
    expect(tab.get_by_text("No job's last write failed.")).to_be_visible()
    page.close()
