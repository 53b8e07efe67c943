"""What an execution's description says of the command that it runs in."""

from __future__ import annotations

import re

from eventlog_lineage.extensions import contributions

_CALL_SITE = re.compile(r"^[\w$<>]+ at \S+:\d+$")


def described_within(outer: str, inner: str) -> bool:
    """Is an execution described as one that a command runs?

    It has the command's description; or Delta's words around it, `Delta: load orders: Writing merged data`, once more
    for each step within a step (`DeltaProgressReporter.withStatusCode` up to Delta 4). Where nobody describes the
    command's jobs its description is the call site, which Delta does not see: `Delta: Writing merged data`.

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
