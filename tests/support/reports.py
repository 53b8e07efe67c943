"""What a worker of pytest-xdist reports: failures, and how long each test took.

xdist sends six messages for each of nine thousand tests, twelve seconds of the processors for the run. Four of them say
that a test begins, ends, and was set up and torn down.
"""

from __future__ import annotations

from typing import Any

import pytest

_SLOW = 0.01
"""Seconds of a setup or teardown that `--durations` may list."""

_LEFT_OUT = {"$report_type": "left out"}


class FewMessages:
    """Leaves out what no one reads; a plugin for workers."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_to_serializable(self, report: pytest.TestReport | pytest.CollectReport) -> dict[str, Any] | None:
        """Return a report that is not sent, for a setup or teardown that passed at once."""
        if report.when in {"setup", "teardown"} and report.passed and report.duration < _SLOW and not report.sections:
            return dict(_LEFT_OUT)
        return None

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Send the other messages only."""
        for plugin in session.config.pluginmanager.get_plugins():
            if hasattr(plugin, "sendevent"):
                plugin.sendevent = _sender(plugin.sendevent)


def _sender(send: Any) -> Any:
    def send_few(name: str, **facts: Any) -> None:
        is_left_out = name == "testreport" and facts["data"]["$report_type"] == _LEFT_OUT["$report_type"]
        if name not in {"logstart", "logfinish"} and not is_left_out:
            send(name, **facts)

    return send_few
