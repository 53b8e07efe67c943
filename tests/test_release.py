"""What a release says about itself: version, metadata, changelog, types."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import eventlog_lineage

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_changelog_has_the_version() -> None:
    versions = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert versions[0] == eventlog_lineage.__version__


def test_images_and_schedules_name_the_version() -> None:
    for name in ("Dockerfile", "scripts/schedule/kubernetes.yaml", "docs/platforms/kubernetes.md"):
        named = set(re.findall(r"eventlog-lineage:(\d[\w.]*)", (ROOT / name).read_text(encoding="utf-8")))
        assert named == {eventlog_lineage.__version__}, name


def test_the_metadata_has_urls_and_classifiers_of_a_typed_package() -> None:
    assert {"Homepage", "Documentation", "Changelog", "Issues", "Source"} <= PROJECT["urls"].keys()
    assert {"Typing :: Typed", "Development Status :: 4 - Beta"} <= set(PROJECT["classifiers"])
    assert (ROOT / "src" / "eventlog_lineage" / "py.typed").is_file()
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert f"Programming Language :: Python :: {oldest}" in PROJECT["classifiers"]
    assert PROJECT["license"] == "Apache-2.0"
    assert [name for name in PROJECT["license-files"] if not (ROOT / name).is_file()] == []
