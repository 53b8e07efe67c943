"""What a terminal shows while a harvest runs."""

from __future__ import annotations

import time

import pytest

from eventlog_lineage.cli.commands.harvest import progress_bar


def test_a_terminal_shows_how_much_is_read_how_fast_and_how_long_it_will_take(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    with progress_bar(enabled=True) as tell:
        tell("list", 0, 0)
        tell("read", 0, 4_000_000)
        for done in (1_000_000, 2_000_000):
            time.sleep(0.15)
            tell("read", done, 4_000_000)
        time.sleep(0.3)
    shown = capsys.readouterr().err
    assert "Reading logs" in shown
    assert "2.0 MB of 4.0 MB, " in shown
    assert "MB/s" in shown
    assert "0:00:0" in shown


def test_without_a_terminal_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(enabled=False) as tell:
        tell("read", 1, 2)
    assert capsys.readouterr() == ("", "")
