"""A Chromium for the tests that open a page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
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
