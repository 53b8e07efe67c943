"""Which tests go to one worker of pytest-xdist."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from xdist.scheduler.loadscope import LoadScopeScheduling

_ROOT = Path(__file__).parents[2]
_SHARED = re.compile(r"\bspark: SparkContext|\bsample_store\b|\barchive: Path")
"""How the tests of a file ask for the session's Spark, its stores or the executors' archive: a second worker would make
them again."""


class SharedFixtures(LoadScopeScheduling):  # type: ignore[misc]
    """Give a worker a whole file, or all files that share fixtures."""

    def _split_scope(self, nodeid: str) -> str:
        return _scope(nodeid.partition("::")[0])


@cache
def _scope(file: str) -> str:
    return "Spark" if _SHARED.search((_ROOT / file).read_text()) else file
