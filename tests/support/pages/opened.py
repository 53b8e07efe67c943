"""A report's page in a browser's tab, and its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        ConsoleMessage,
        Dialog,
        Error,
        Locator,
        LocatorAssertions,
        Page,
        Request,
    )

_TABS: dict[Browser, Page] = {}
"""A tab of each browser that pages are opened in one after another: a new one costs a second of a processor."""


def expect(locator: Locator) -> LocatorAssertions:
    """Return Playwright's assertions; it is imported here because each worker collects all tests."""
    from playwright.sync_api import expect as assertions  # noqa: PLC0415

    return assertions(locator)


@dataclass
class OpenPage:
    """A page in a tab, with all that it asked for and complained of.

    Attributes:
        browser: The browser.
        path: The page's file.
        requests: Addresses that tabs asked for.
        complaints: Messages on the console, uncaught errors, dialogs.
        tabs: The open tabs, the first of which other pages have had before.
    """

    browser: Browser
    path: Path
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    tabs: list[Page] = field(default_factory=list)

    def tab(self, fragment: str = "", *, scheme: str = "light", width: int = 1280, height: int = 800) -> Page:
        """Open the page at a fragment and wait until it is ready."""
        tab = self.browser.new_page() if self.tabs else _empty_tab(self.browser)
        self.tabs.append(tab)
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        tab.set_default_timeout(15_000)
        for event, listen in self._listeners().items():
            tab.on(event, listen)  # type: ignore[call-overload]
        tab.goto(f"{self.path.as_uri()}{fragment}")
        tab.wait_for_selector("html[data-ready]")
        return tab

    def close(self) -> None:
        """Close all tabs; no tab asked for more than the page, and none complained."""
        for tab in self.tabs[1:]:
            tab.context.close()
        for tab in self.tabs[:1]:
            tab.evaluate("localStorage.clear()")
            _TABS[self.browser] = tab
            for event, listen in self._listeners().items():
                tab.remove_listener(event, listen)
        asked = {address.partition("#")[0] for address in self.requests if not address.startswith("blob:")}
        assert asked <= {self.path.as_uri()}
        assert self.complaints == []

    def _listeners(self) -> dict[str, Callable[..., None]]:
        return {
            "request": self._note_request,
            "console": self._note_message,
            "pageerror": self._note_error,
            "dialog": self._dismiss,
        }

    def _note_request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _note_message(self, message: ConsoleMessage) -> None:
        self.complaints.append(f"{message.type}: {message.text}")

    def _note_error(self, error: Error) -> None:
        self.complaints.append(str(error))

    def _dismiss(self, dialog: Dialog) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()


def _empty_tab(browser: Browser) -> Page:
    """The browser's tab, without what an earlier page left; a new one while another page has it."""
    tab = _TABS.pop(browser, None)
    if tab is None or tab.is_closed():
        return browser.new_page()
    tab.goto("about:blank")
    return tab


def card(tab: Page, dataset: str) -> Locator:
    """The card of a dataset in the graph."""
    return tab.get_by_role("region", name=dataset, exact=True)


def column(tab: Page, dataset: str, name: str) -> Locator:
    """The row of a column in its dataset's card."""
    return card(tab, dataset).locator(".row", has=tab.locator(".column").get_by_text(name, exact=True))
