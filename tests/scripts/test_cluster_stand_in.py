"""What `scripts/try_kubernetes.py` takes for Kubernetes answers as Kubernetes does, where it answers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return import_module("clusters.api_objects")


@pytest.fixture
def kubelet(api: ModuleType) -> ModuleType:
    return import_module("clusters.kubelet")


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        ("", True),
        ("role=executor", True),
        ("role==executor,app=a", True),
        ("role=driver", False),
        ("gone!=true", True),
        ("role!=executor", False),
        ("role", True),
        ("gone", False),
        ("!gone", True),
        ("!role", False),
    ],
)
def test_a_label_selector_chooses_as_kubernetes_does(api: ModuleType, selector: str, fits: bool) -> None:
    assert api.selected({"role": "executor", "app": "a"}, selector) is fits


def test_a_selector_that_the_stand_in_does_not_know_is_refused(api: ModuleType) -> None:
    with pytest.raises(api.RefusedError, match="no sets"):
        api.selected({}, "role in (driver,executor)")


def test_a_merge_patch_adds_changes_and_removes(api: ModuleType) -> None:
    held = {"a": {"b": 1, "c": 2}, "d": [1]}
    assert api.merge(held, {"a": {"b": None, "e": {"f": 3}}, "d": [2]}) == {"a": {"c": 2, "e": {"f": 3}}, "d": [2]}
    assert held == {"a": {"b": 1, "c": 2}, "d": [1]}


def test_a_watch_tells_what_happened_after_a_version_to_what_is_selected(api: ModuleType) -> None:
    objects = api.ApiObjects()
    for name, role in (("one", "executor"), ("two", "driver")):
        objects.created("pods", "default", {"metadata": {"name": name, "labels": {"role": role}}})
    objects.deleted(("pods", "default", "one"))
    objects.deleted(("pods", "default", "one"), at_once=True)
    happened = objects.events("pods", "default", "role=executor", 0, 0.01)
    assert [(event.type, event.key[2], event.version) for event in happened if event] == [
        ("ADDED", "one", 1),
        ("MODIFIED", "one", 3),  # marked, until the kubelet has ended it
        ("DELETED", "one", 4),
    ]
    later = objects.events("pods", "default", "role=executor", 3, 0.01)
    assert [event.type for event in later if event] == ["DELETED"]
    assert [pod["metadata"]["name"] for pod in objects.listed("pods", None, "")] == ["two"]


def test_an_executor_is_started_as_by_the_entry_point_of_sparks_images(kubelet: ModuleType) -> None:
    reference = {"fieldRef": {"fieldPath": "status.podIP"}}
    declared = {
        "env": [
            {"name": "SPARK_JAVA_OPT_10", "value": "-Dlast"},
            {"name": "SPARK_JAVA_OPT_9", "value": "-Dfirst=a b"},
            {"name": "SPARK_EXECUTOR_POD_IP", "valueFrom": reference},
            {"name": "SPARK_EXECUTOR_POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
            *(
                {"name": f"SPARK_{name}", "value": name.lower()}
                for name in ("DRIVER_URL", "EXECUTOR_ID", "EXECUTOR_CORES")
            ),
            *({"name": f"SPARK_{name}", "value": name.lower()} for name in ("APPLICATION_ID", "RESOURCE_PROFILE_ID")),
            {"name": "SPARK_EXECUTOR_MEMORY", "value": "512m"},
        ]
    }
    variables = kubelet.environment(declared, "exec-1", "127.0.1.1") | {"JAVA_HOME": "/java"}
    assert kubelet.entry_point(["executor"], variables) == [
        *(
            "/java/bin/java",
            "-Dfirst=a b",
            "-Dlast",
            "-Xms512m",
            "-Xmx512m",
            "-cp",
            "/opt/spark/conf:/opt/spark/jars/*",
        ),
        *(kubelet.BACKEND, "--driver-url", "driver_url", "--executor-id", "executor_id", "--cores", "executor_cores"),
        *("--app-id", "application_id", "--hostname", "127.0.1.1", "--resourceProfileId", "resource_profile_id"),
        *("--podName", "exec-1"),
    ]
    assert kubelet.entry_point(["sleep", "1"], variables) == ["sleep", "1"]
