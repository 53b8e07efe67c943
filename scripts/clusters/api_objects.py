"""What a Kubernetes API server holds, as far as Spark asks for it: objects, versions, and what has happened to them."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

Object = dict[str, Any]
"""As the API has it in JSON."""

Key = tuple[str, str, str]
"""Resource (`pods`), namespace, name."""

KINDS = {
    "pods": "Pod",
    "configmaps": "ConfigMap",
    "services": "Service",
    "persistentvolumeclaims": "PersistentVolumeClaim",
}
_FINALIZED = {"pods"}
"""They stay, marked, until the kubelet has ended their containers."""


class RefusedError(Exception):
    """What the API server answers instead, as an HTTP status and a sentence."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


@dataclass(frozen=True)
class Event:
    """That an object was ADDED, MODIFIED or DELETED."""

    version: int
    type: str
    key: Key
    object: Object


class ApiObjects:
    """Objects by their keys; safe to use from all threads."""

    def __init__(self) -> None:
        self._held: dict[Key, Object] = {}
        self._events: list[Event] = []
        self._changed = threading.Condition(threading.RLock())

    @property
    def version(self) -> int:
        """The number of the last change."""
        return len(self._events)

    def created(self, resource: str, namespace: str, given: Object) -> Object:
        """Take a new object in; gives it with what the server adds."""
        held = deepcopy(given)
        metadata = held.setdefault("metadata", {})
        if "generateName" in metadata:
            metadata.setdefault("name", metadata["generateName"] + uuid.uuid4().hex[:5])
        created = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        metadata |= {"namespace": namespace, "uid": str(uuid.uuid4()), "creationTimestamp": created}
        held |= {"kind": KINDS[resource], "apiVersion": "v1"}
        if resource == "pods":
            held["status"] = {"phase": "Pending"}
        key = (resource, namespace, str(metadata["name"]))
        with self._changed:
            if key in self._held:
                raise RefusedError(409, f"{resource} {key[2]!r} already exists")
            return self._happened("ADDED", key, held)

    def one(self, key: Key) -> Object:
        """The object of a key."""
        with self._changed:
            if key not in self._held:
                raise RefusedError(404, f"{key[0]} {key[2]!r} not found")
            return self._held[key]

    def merged(self, key: Key, patch: Object) -> Object:
        """Change an object by a merge patch (RFC 7386)."""
        with self._changed:
            return self._happened("MODIFIED", key, merge(self.one(key), patch))

    def listed(self, resource: str, namespace: str | None, selector: str) -> list[Object]:
        """The objects of a resource in a namespace, or in all, that have some labels."""
        with self._changed:
            held = list(self._held.items())
        return [each for key, each in held if fits(key, each, resource, namespace, selector)]

    def deleted(self, key: Key, *, at_once: bool = False) -> Object:
        """Delete an object; a pod is only marked, unless it is the kubelet that says so."""
        with self._changed:
            held = self.one(key)
            if key[0] in _FINALIZED and not at_once:
                return self.merged(key, {"metadata": {"deletionTimestamp": held["metadata"]["creationTimestamp"]}})
            del self._held[key]
            return self._happened("DELETED", key, held)

    def events(
        self, resource: str, namespace: str | None, selector: str, since: int, seconds: float
    ) -> Iterator[Event | None]:
        """What happens to objects after a version, as it happens, for some time; None where nothing does."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with self._changed:
                if self.version <= since:
                    self._changed.wait(1)
                new = self._events[since:]
            if not new:
                yield None
            since += len(new)
            yield from (each for each in new if fits(each.key, each.object, resource, namespace, selector))

    def _happened(self, how: str, key: Key, held: Object) -> Object:
        version = self.version + 1
        held = merge(held, {"metadata": {"resourceVersion": str(version)}})
        if how != "DELETED":
            self._held[key] = held
        self._events.append(Event(version, how, key, held))
        self._changed.notify_all()
        return held


def fits(key: Key, held: Object, resource: str, namespace: str | None, selector: str) -> bool:
    """Whether an object is of a resource, in a namespace and has the labels of a selector."""
    if key[0] != resource or (namespace is not None and key[1] != namespace):
        return False
    return selected(held["metadata"].get("labels") or {}, selector)


def selected(labels: dict[str, str], selector: str) -> bool:
    """Whether labels fit a selector of `key`, `!key`, `key=value`, `key==value` and `key!=value`, with commas between.

    Raises:
        RefusedError: It is of another form.
    """
    for term in filter(None, (part.strip() for part in selector.split(","))):
        if "(" in term or ")" in term:
            raise RefusedError(400, f"this stand-in knows no sets in selectors: {selector}")
        key, operator, value = term.partition("!=" if "!=" in term else "=")
        if operator == "!=":
            fit = labels.get(key) != value
        elif operator:
            fit = labels.get(key) == value.removeprefix("=")
        else:
            fit = (key.removeprefix("!") in labels) != key.startswith("!")
        if not fit:
            return False
    return True


def merge(held: Object, patch: Object) -> Object:
    """An object with a merge patch applied; what is held stays as it is."""
    merged = dict(held)
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, dict):
            before = merged.get(name)
            merged[name] = merge(before if isinstance(before, dict) else {}, value)
        else:
            merged[name] = value
    return merged
