"""Pages, and a Chromium for the tests that open one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from eventlog_lineage.report.write import write_report
from support.pages.opened import OpenPage
from support.stores.hostile_names import hostile_store

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - each worker collects all tests

    named = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, _NAMES)), None)
    with sync_playwright() as playwright:
        try:
            chromium = playwright.chromium.launch(executable_path=named, args=["--no-sandbox"])
        except Error as error:
            pytest.fail(
                f"Chromium ({named or 'none found'}) does not start: install it (`apt-get install chromium`),"
                " name it in CHROMIUM, or leave these tests out with -m 'not browser'. " + error.message
            )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, path: Path) -> Iterator[OpenPage]:
    """The page of a module's fixture `path`."""
    opened = OpenPage(browser, path)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a store with hostile names in every place."""
    folder = tmp_path_factory.mktemp("hostile")
    hostile_store(folder / "store")
    write_report(folder / "store", folder / "page.html")
    return folder / "page.html"
