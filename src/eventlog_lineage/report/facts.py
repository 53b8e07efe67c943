"""Facts about datasets and jobs: who reads and writes what, how the jobs run, what could not be resolved."""

from __future__ import annotations

from typing import Any

from eventlog_lineage.store.queries.open_store import OpenStore

from . import queries

_USES = ("dataset", "job", "direction", "only_reads", "mode", "statements", "failures", "last", "users", "columns")
_JOBS = ("name", "runs", "failures", "last", "status", "seconds", "users")
_GAPS = ("dataset", "job", "reason", "operator", "detail", "hint", "count")


def facts_block(store: OpenStore) -> dict[str, Any]:
    """Return uses of datasets, jobs and gaps, each as rows with names."""
    return {
        "uses": {"names": _USES, "rows": queries.rows(store, "uses")},
        "jobs": {"names": _JOBS, "rows": queries.rows(store, "jobs")},
        "gaps": {"names": _GAPS, "rows": queries.rows(store, "gaps")},
    }
