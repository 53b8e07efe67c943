"""Write docs/licenses.md: the packages that an installation needs, with their licences, from their own metadata.

    python scripts/make_licenses.py
    python scripts/make_licenses.py --versions    prints the packages with their versions instead

Follows the dependencies of the package as they are installed in this environment, without its extras.
"""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageMetadata, PackageNotFoundError, distribution
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "licenses.md"
_NAME = re.compile(r"[\w.-]+")
_LONGEST = 60
_HEAD = """# Licences

What an installation brings along, without extras, as the packages' own metadata say it
(`python scripts/make_licenses.py`). The program is under Apache-2.0. The rules for vendors' tokens come from gitleaks
(MIT, `src/eventlog_lineage/redaction/tokens/LICENSE.gitleaks`).

| package | licence |
|---|---|
"""


def main() -> int:
    """Write the page, or print the versions."""
    found = installed()
    if "--versions" in sys.argv[1:]:
        print("\n".join(f"{name}=={metadata['Version']}" for name, metadata in sorted(found.items())))
        return 0
    licences = ((name, _licence(metadata.get_all("Classifier") or [], metadata)) for name, metadata in found.items())
    rows = "".join(f"| {name} | {licence} |\n" for name, licence in sorted(licences))
    PAGE.write_text(_HEAD + rows, encoding="utf-8")
    return 0


def installed() -> dict[str, PackageMetadata]:
    """Return the metadata of the packages that an installation without extras needs, by their names in lower case."""
    waiting = list(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"])
    found: dict[str, PackageMetadata] = {}
    while waiting:
        requirement = waiting.pop()
        name = _NAME.match(requirement)
        if name is None or "extra ==" in requirement or name[0].lower() in found:
            continue
        try:
            metadata = distribution(name[0]).metadata
        except PackageNotFoundError:  # needed on other versions of Python only
            continue
        found[name[0].lower()] = metadata
        waiting += metadata.get_all("Requires-Dist") or []
    return found


def _licence(classifiers: list[str], metadata: PackageMetadata) -> str:
    """Return the licence: its SPDX expression, its short name, or its classifier."""
    for field in ("License-Expression", "License"):
        text = str(metadata[field] or "").strip()
        if text and "\n" not in text and len(text) <= _LONGEST:
            return text
    named = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::")]
    return ", ".join(named) or "see its distribution"


if __name__ == "__main__":
    sys.exit(main())
