"""What is committed is what the source says: the page is built again and compared; its own tests pass."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from eventlog_lineage.report.page import TEMPLATE

WEB = Path(__file__).resolve().parents[2] / "web"

pytestmark = pytest.mark.node


def npx(*words: str, **variables: str) -> str:
    """What a program of web/node_modules prints; it must end well."""
    node = shutil.which("node")
    program = WEB / "node_modules" / ".bin" / words[0]
    assert node, "there is no Node.js: run ./scripts/test, or leave these tests out with -m 'not node'"
    assert program.exists(), "run `npm ci` in web/, or leave these tests out with -m 'not node'"
    call = [node, str(program.resolve()), *words[1:]]
    done = subprocess.run(call, cwd=WEB, env={**os.environ, **variables}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


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
