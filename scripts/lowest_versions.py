"""Print the lowest versions of the dependencies that pyproject.toml allows, as constraints for pip.

python scripts/lowest_versions.py > constraints.txt
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"

NUMPY = "numpy<2"
"""pyarrow before 16.1 is built for numpy 1, and its metadata does not say so."""

_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[[^]]*\])?\s*>=\s*(?P<lowest>[\w.]+)(?P<rest>.*)")


def lowest(requirement: str) -> str:
    """Return a requirement with its lowest version alone; with its corrections, if it does not name one.

    >>> lowest("pyspark>=3.4,<5")
    'pyspark~=3.4.0'
    >>> lowest("orjson>=3.9.15")
    'orjson==3.9.15'
    >>> lowest("tomli>=2; python_version<'3.11'")
    "tomli~=2.0.0; python_version<'3.11'"

    Raises:
        ValueError: It has no lower bound.
    """
    found = _REQUIREMENT.fullmatch(requirement)
    if found is None:
        raise ValueError(f"{requirement}: give the dependency a lower bound")
    marker = found["rest"].partition(";")[2]
    missing = 2 - found["lowest"].count(".")
    version = f"{found['name']}{'~=' if missing else '=='}{found['lowest']}{'.0' * missing}"
    return f"{version};{marker}" if marker else version


def main() -> None:
    """Print a line for each dependency of the installed program."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    print("\n".join([*map(lowest, [*project["dependencies"], *project["optional-dependencies"]["spark"]]), NUMPY]))


if __name__ == "__main__":
    main()
