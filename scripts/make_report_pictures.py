"""Makes the pictures of docs/report.md and the README from a store: `python scripts/make_report_pictures.py STORE`.

STORE is one of tests/sample_logs and tests/night_logs together. Chromium draws the pages.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from eventlog_lineage.report.write import write_report

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"

DESK, PHONE, WIDE = (1360, 740), (390, 760), (1920, 1000)

PICTURES = {
    "report-map": ("light", DESK, "#map"),
    "report-jobs": ("dark", WIDE, "#lineage?focus=spark_catalog.staging.orders&jobs=1"),
    "report-lineage": ("light", DESK, "#lineage?focus=spark_catalog.sales.daily_sales.revenue"),
    "report-phone": ("light", PHONE, "#lineage?focus=spark_catalog.sales.daily_sales.revenue"),
    "report-changes": ("dark", DESK, "#lineage?focus=lake.shop.customers&since=36500"),
    "report-panel": ("light", DESK, "#do_not_break"),
}
"""Name to color scheme, width and height, address."""


def main(store: str) -> None:
    """Write the page and take its pictures."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = Path(folder) / "lineage.html"
        write_report(store, page)
        named = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=named, args=["--no-sandbox"])
        for name, (scheme, (width, height), fragment) in PICTURES.items():
            tab = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
            tab.goto(f"{page.as_uri()}{fragment}")
            tab.wait_for_selector("html[data-ready]")
            tab.wait_for_timeout(500)
            tab.screenshot(path=IMAGES / f"{name}.png")
            tab.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
