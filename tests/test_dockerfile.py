"""The Dockerfile installs what the package declares, and its image harvests and answers as a user without rights."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def try_dockerfile() -> ModuleType:
    spec = importlib.util.spec_from_file_location("try_dockerfile", ROOT / "scripts" / "try_dockerfile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def steps(try_dockerfile: ModuleType) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = try_dockerfile.instructions((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def project() -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    return found


def test_it_installs_extras_that_exist(steps: list[tuple[str, str]], project: dict[str, dict[str, object]]) -> None:
    (installed,) = [rest for name, rest in steps if name == "RUN" and "pip install" in rest]
    extras = re.search(r"\[([\w,]+)\]", installed)
    assert extras is not None
    assert set(extras[1].split(",")) <= project["optional-dependencies"].keys()


def test_its_entry_point_is_the_program(steps: list[tuple[str, str]], project: dict[str, dict[str, object]]) -> None:
    found = dict(steps)
    assert json.loads(found["ENTRYPOINT"])[0] in project["scripts"]
    assert json.loads(found["CMD"]) == ["--help"]


def test_it_runs_as_a_user_without_rights_who_owns_the_store(steps: list[tuple[str, str]]) -> None:
    names = [name for name, _ in steps]
    (made,) = [rest for _, rest in steps if "useradd" in rest]
    assert f"install -d -o {dict(steps)['USER']} /data" in made
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert dict(steps)["ENV"].startswith("EVENTLOG_LINEAGE_STORE=/data/lineage ")


def test_a_step_over_several_lines_is_one(try_dockerfile: ModuleType) -> None:
    assert try_dockerfile.instructions("# a\nFROM x\n\nRUN a \\\n    && b\n") == [("FROM", "x"), ("RUN", "a && b")]


@pytest.mark.slow
@pytest.mark.spark
def test_the_image_harvests_and_answers(try_dockerfile: ModuleType) -> None:
    """The real image, built by buildah; the base image is made of Debian's packages."""
    if os.getuid() or not all(map(shutil.which, try_dockerfile.PROGRAMS)):
        pytest.skip(f"needs root, {' and '.join(try_dockerfile.PROGRAMS)}")
    command = [sys.executable, try_dockerfile.__file__]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == os.EX_TEMPFAIL:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    assert "\nHarvest 1: 5 logs read" in done.stdout
    assert '\n{"job_name": ' in done.stdout
