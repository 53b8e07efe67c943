"""Job descriptions of executions that run within a command."""

from __future__ import annotations

import re

from eventlog_lineage.extensions import contributions

_CALL_SITE = re.compile(r"^[\w$<>]+ at \S+:\d+$")


def described_within(outer: str, inner: str) -> bool:
    """Return whether an execution's description is that of a command's own execution.

    It equals the command's description, or a table format wraps it: `Delta: load orders: Writing merged data`, once
    per nested step (`DeltaProgressReporter.withStatusCode` up to Delta 4). If the user set no job description, the
    command's is the call site, which the format omits: `Delta: Writing merged data`.

    Args:
        outer: The command's description, or its call site (`sql at NativeMethodAccessorImpl.java:0`).
        inner: The execution's description.

    >>> described_within("load orders", "Delta: load orders: Writing merged data"), described_within("load", "other")
    (True, False)
    """
    if inner == outer:
        return True
    rest, prefixes = inner, contributions("description_prefix")
    while prefix := next(filter(rest.startswith, prefixes), ""):
        rest = rest.removeprefix(prefix)
    if rest == inner:
        return False
    return rest.startswith(f"{outer}: ") or _CALL_SITE.match(outer) is not None
