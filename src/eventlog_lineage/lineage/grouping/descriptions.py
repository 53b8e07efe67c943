"""Job descriptions of executions that run within a command."""

from __future__ import annotations

import re

from eventlog_lineage.extensions import contributions

_CALL_SITE = re.compile(r"^[\w$<>]+ at \S+:\d+$")


def described_within(outer: str, inner: str) -> bool:
    """Tell whether an execution is described as one that a command runs.

    It has the command's description, or a format's words around it, `Delta: load orders: Writing merged data`,
    repeated for each step within a step (`DeltaProgressReporter.withStatusCode` up to Delta 4). If nobody describes
    the command's jobs, its description is the call site, which the format omits: `Delta: Writing merged data`.

    Args:
        outer: The command's description, or its call site (`sql at NativeMethodAccessorImpl.java:0`).
        inner: The execution's.
    """
    if inner == outer:
        return True
    words, prefixes = inner, contributions("description_prefix")
    while prefix := next(filter(words.startswith, prefixes), ""):
        words = words.removeprefix(prefix)
    if words == inner:
        return False
    return words.startswith(f"{outer}: ") or _CALL_SITE.match(outer) is not None
