"""What is committed is what the source says: the page is built again and compared; its own tests pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from eventlog_lineage.report.write import TEMPLATE
from support.pages.web_tools import npx

pytestmark = pytest.mark.node


def test_the_committed_page_is_what_its_source_builds(tmp_path: Path) -> None:
    """Else run `npm run build` in web/ and commit the page with its source."""
    npx("vite", "build", "--logLevel", "error", REPORT_PAGE=str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").read_bytes() == TEMPLATE.read_bytes()


def test_the_page_without_data_fits_its_budget() -> None:
    assert TEMPLATE.stat().st_size < 1_000_000


def test_the_types_of_the_page_are_right() -> None:
    npx("tsc", "--noEmit")


def test_the_tests_of_the_page_pass() -> None:
    npx("vitest", "run")
