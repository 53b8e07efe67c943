"""A report's page in a browser's tab, and its parts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page


@dataclass
class OpenPage:
    """A page in a tab of its own, with all that it asked for and complained of.

    Attributes:
        browser: The browser.
        path: The page's file.
        requests: Addresses that tabs asked for.
        complaints: Messages on the console, uncaught errors, dialogs.
    """

    browser: Browser
    path: Path
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def tab(self, fragment: str = "", *, scheme: str = "light", width: int = 1280, height: int = 800) -> Page:
        """Open the page at a fragment and wait until it is ready."""
        size = {"width": width, "height": height}
        tab = self.browser.new_page(viewport=size, color_scheme=scheme, accept_downloads=True)  # type: ignore[arg-type]
        tab.set_default_timeout(15_000)
        tab.on("request", lambda request: self.requests.append(request.url))
        tab.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        tab.goto(f"{self.path.as_uri()}{fragment}")
        tab.wait_for_selector("html[data-ready]")
        return tab

    def close(self) -> None:
        """Close all tabs; no tab asked for more than the page, and none complained."""
        for context in self.browser.contexts:
            context.close()
        asked = {address.partition("#")[0] for address in self.requests if not address.startswith("blob:")}
        assert asked <= {self.path.as_uri()}
        assert self.complaints == []


def card(tab: Page, dataset: str) -> Locator:
    """The card of a dataset in the graph."""
    return tab.get_by_role("region", name=dataset, exact=True)


def column(tab: Page, dataset: str, name: str) -> Locator:
    """The row of a column in its dataset's card."""
    return card(tab, dataset).locator(".row", has=tab.locator(".column").get_by_text(name, exact=True))
