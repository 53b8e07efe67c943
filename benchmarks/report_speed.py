"""How fast the page of a big store is written and read: seconds until it is ready, frames while it is moved, size.

    PYTHONPATH=src python benchmarks/report_speed.py [--store DIR] [--chromium /usr/bin/chromium]

Makes a store of 2,000 datasets, 100,000 columns and 500,000 edges unless DIR has one, writes its page, opens it in
Chromium without a display (which draws on the processor), and moves a graph of 300 cards for some seconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from ask_speed import make_store
from eventlog_lineage.report.write import MB, write_report
from eventlog_lineage.store.versions.folder import current_version

SIZES = {"tables": 200, "layers": 10, "domain": 100, "columns": 50, "sources": 4, "influences": 80}
SCREEN: ViewportSize = {"width": 1920, "height": 1080}
OPENINGS = 5
SECONDS = 5

COUNT_FRAMES = """() => {
    window.frames_seen = [];
    const note = (at) => { window.frames_seen.push(at); requestAnimationFrame(note); };
    requestAnimationFrame(note);
}"""


def ready(browser: Browser, page: Path) -> list[tuple[float, float]]:
    """Seconds from the start of the navigation until the page shows its map, and those of the processor.

    The page's main thread alone is counted: other programs of a busy machine lengthen the first number only.
    """
    found = []
    for _ in range(OPENINGS):
        tab = browser.new_page(viewport=SCREEN)
        devtools = tab.context.new_cdp_session(tab)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        tab.goto(page.as_uri())
        tab.wait_for_selector("html[data-ready] .group-box")
        seconds = float(tab.evaluate("document.documentElement.dataset.ready")) / 1000
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        found.append((seconds, next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")))
        tab.close()
    return found


def move(tab: Page, seconds: float) -> list[float]:
    """Drag the graph to and fro; gives the milliseconds between frames."""
    box = tab.locator(".canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 12
    tab.evaluate(COUNT_FRAMES)
    tab.mouse.move(x, y)
    tab.mouse.down()
    end = time.perf_counter() + seconds
    step = 0
    while time.perf_counter() < end:
        step += 1
        tab.mouse.move(x + 300 * ((step % 40) / 20 - 1), y + 100 * ((step % 30) / 15 - 1))
    tab.mouse.up()
    seen = tab.evaluate("window.frames_seen")
    return [seen[place] - seen[place - 1] for place in range(1, len(seen))]


def graph(browser: Browser, page: Path, focus: str, hops: int, seconds: float) -> None:
    """Print how a graph of many cards is drawn and moved."""
    tab = browser.new_page(viewport=SCREEN)
    tab.goto(f"{page.as_uri()}#lineage?focus={focus}&up={hops}&down={hops}")
    tab.wait_for_selector(".card")
    tab.wait_for_timeout(1500)
    cards, lines = tab.locator(".card").count(), tab.locator(".lines").get_attribute("data-lines")
    gaps = move(tab, seconds)
    rate, slow = 1000 / statistics.mean(gaps), sorted(gaps)[int(len(gaps) * 0.95)]
    print(f"{cards:4} cards, {lines:>6} lines: {rate:5.1f} frames a second, 95 % within {slow:.0f} ms")
    tab.keyboard.press("0")
    tab.wait_for_timeout(500)
    gaps = move(tab, seconds)
    rate, slow = 1000 / statistics.mean(gaps), sorted(gaps)[int(len(gaps) * 0.95)]
    print(f"     all in sight:            {rate:5.1f} frames a second, 95 % within {slow:.0f} ms")
    tab.close()


def search(browser: Browser, page: Path) -> None:
    """Print how long the answer to a search takes."""
    tab = browser.new_page(viewport=SCREEN)
    tab.goto(page.as_uri())
    tab.wait_for_selector("html[data-ready] .group-box")
    begin = time.perf_counter()
    tab.fill("#search", "table_7 column_42")
    tab.wait_for_selector("[role=option]")
    print(f"search                           {time.perf_counter() - begin:7.2f} s")
    tab.close()


def main() -> None:
    """Make the store if it is not there, write the page, open it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=Path("/tmp/report_speed"))
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    arguments = parser.parse_args()
    if current_version(arguments.store) is None:
        make_store(arguments.store, SIZES)
    out = arguments.store / "lineage.html"
    begin, begin_cpu = time.perf_counter(), time.process_time()
    written = write_report(arguments.store, out)
    elapsed, processor = time.perf_counter() - begin, time.process_time() - begin_cpu
    print(f"writing the page                 {elapsed:7.2f} s, of the processors {processor:.2f} s")
    print(f"{written.datasets} datasets, {written.columns} columns, {written.edges} edges, {written.size / MB:.1f} MB")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        times, used = zip(*ready(browser, out), strict=True)
        print(
            f"ready, median of {OPENINGS}               {statistics.median(times):7.2f} s, best {min(times):.2f} s,"
            f" of the processor {statistics.median(used):.2f} s"
        )
        search(browser, out)
        for layer, hops in ((5, 1), (5, 9)):
            graph(browser, out, f"spark_catalog.layer_{layer}.table_77", hops, arguments.seconds)
        browser.close()


if __name__ == "__main__":
    main()
