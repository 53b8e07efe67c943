"""The Streamlit example runs: its panels, its trace, and its error for a store that is not there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.stores.shop import open_shop

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

APP = Path(__file__).resolve().parents[2] / "scripts" / "dashboards" / "streamlit_app.py"


def opened(store: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    from streamlit.testing.v1 import AppTest  # noqa: PLC0415 - each worker collects all tests

    monkeypatch.setenv("LINEAGE_STORE", str(store))
    return AppTest.from_file(str(APP), default_timeout=60).run()


def test_the_app_shows_every_panel_and_traces_a_column(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_shop(tmp_path / "store")
    app = opened(tmp_path / "store", monkeypatch)
    assert not app.exception
    assert [tab.label for tab in app.tabs][-2:] == ["Trust", "Trace"]
    panels = len(app.dataframe)
    app.text_input[0].set_value("daily_sales.revenue").run()
    assert not app.exception
    assert len(app.dataframe) == panels + 1


def test_the_app_imports_the_library_only() -> None:
    imported = [
        line for line in APP.read_text(encoding="utf-8").splitlines() if "eventlog_lineage" in line and "import" in line
    ]
    assert imported == ["import eventlog_lineage as el", "from eventlog_lineage.errors import LineageError"]


def test_the_app_says_that_there_is_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(tmp_path / "nowhere", monkeypatch)
    assert [error.value.partition(" (")[0] for error in app.error] == ["there is no store"]
