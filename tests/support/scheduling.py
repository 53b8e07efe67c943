"""Which tests go to one worker of pytest-xdist."""

from __future__ import annotations

from functools import cache

from xdist.scheduler.loadscope import LoadScopeScheduling

_SHARED = ("tests/harvest/", "tests/docs/test_questions.py")
"""Files that share a Spark and stores: a second worker would make them again."""


class SharedFixtures(LoadScopeScheduling):  # type: ignore[misc]
    """Give a worker a whole file, or all files that share fixtures."""

    def _split_scope(self, nodeid: str) -> str:
        return _scope(nodeid.partition("::")[0])


@cache
def _scope(file: str) -> str:
    return "Spark" if file.startswith(_SHARED) else file
