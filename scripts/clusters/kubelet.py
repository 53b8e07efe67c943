"""A stand-in for a kubelet: runs the container of each pod as processes that see their image and volumes, nothing else.

A container has namespaces of its own for mounts and processes, a root that is bound together from its image and its
volumes, the environment that its pod declares, and an address of its own out of 127.0.0.0/8. So Linux and root only.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from shutil import which
from typing import Any

from .api_objects import ApiObjects, Key, Object, RefusedError

SPARK = "/opt/spark"
"""Where Spark is in Spark's images."""
BACKEND = "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend"
_OPTION = "SPARK_JAVA_OPT_"
_WORDS = {
    "driver-url": "DRIVER_URL",
    "executor-id": "EXECUTOR_ID",
    "cores": "EXECUTOR_CORES",
    "app-id": "APPLICATION_ID",
    "hostname": "EXECUTOR_POD_IP",
    "resourceProfileId": "RESOURCE_PROFILE_ID",
    "podName": "EXECUTOR_POD_NAME",
}
"""The backend's arguments, and the variables after `SPARK_` that have them."""
_APART = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
_CHROOT = which("chroot") or "/usr/sbin/chroot"
_FOREVER = 1e9


@dataclass(frozen=True)
class Image:
    """What a container finds: files and folders of this machine by their places in it, and variables."""

    binds: Mapping[str, Path]
    variables: Mapping[str, str]


@dataclass
class Kubelet:
    """Runs pods, each once."""

    objects: ApiObjects
    folder: Path
    images: Mapping[str, Image]
    containers: dict[Key, subprocess.Popen[bytes]] = field(default_factory=dict)

    def run(self) -> None:
        """Do what happens to pods, until the process ends."""
        for event in self.objects.events("pods", None, "", 0, _FOREVER):
            if event and event.type == "ADDED":
                self._start(event.key, event.object)
            elif event and event.type == "MODIFIED" and "deletionTimestamp" in event.object["metadata"]:
                self._end(event.key)

    def running(self) -> list[Key]:
        """The pods whose containers run."""
        return [key for key, container in self.containers.items() if container.poll() is None]

    def kill(self, key: Key) -> int:
        """`kill -9` to the first process of a container; gives its number."""
        parent = self.containers[key].pid
        child = int(Path(f"/proc/{parent}/task/{parent}/children").read_text().split()[0])
        os.kill(child, signal.SIGKILL)
        return child

    def stop(self) -> None:
        """End all containers."""
        for container in self.containers.values():
            container.kill()
            container.wait()

    def _start(self, key: Key, pod: Object) -> None:
        address = f"127.0.1.{len(self.containers) + 1}"
        declared = pod["spec"]["containers"][0]
        image = self.images[declared["image"]]
        variables = {**image.variables, **environment(declared, key[2], address)}
        words = [*declared.get("command", []), *entry_point(declared.get("args", []), variables)]
        home = self.folder / key[2]
        mounts = {**image.binds, **self._volumes(pod, home / "volumes")}
        with (self.folder / f"{key[2]}.log").open("wb") as log:
            command = [*_APART, "sh", "-c", rooted(home / "root", mounts), "sh", *words]
            self.containers[key] = subprocess.Popen(command, env=variables, stdout=log, stderr=log)
        self._tell(key, declared["name"], "Running", {"running": {}}, podIP=address)
        threading.Thread(target=self._wait, args=(key, declared["name"]), daemon=True).start()

    def _wait(self, key: Key, name: str) -> None:
        """Tell how a container ended; of one that a signal ended, 128 and its number."""
        code = self.containers[key].wait()
        code = 128 - code if code < 0 else code
        with suppress(RefusedError):  # it was ended because its pod was deleted
            state = {"terminated": {"exitCode": code}, "running": None}
            self._tell(key, name, "Failed" if code else "Succeeded", state)

    def _end(self, key: Key) -> None:
        self.containers[key].kill()
        self.containers[key].wait()
        with suppress(RefusedError):
            self.objects.deleted(key, at_once=True)

    def _tell(self, key: Key, name: str, phase: str, state: Object, **more: str) -> None:
        statuses = [{"name": name, "state": state, "ready": phase == "Running", "restartCount": 0}]
        self.objects.merged(key, {"status": {"phase": phase, "containerStatuses": statuses, **more}})

    def _volumes(self, pod: Object, folder: Path) -> dict[str, Path]:
        """Folders of this machine by where the container has them."""
        made: dict[str, Path] = {}
        for volume in pod["spec"].get("volumes", []):
            made[volume["name"]] = place = folder / volume["name"]
            if "hostPath" in volume:
                made[volume["name"]] = Path(volume["hostPath"]["path"])
                continue
            place.mkdir(parents=True)
            if "configMap" in volume:
                held = self.objects.one(("configmaps", pod["metadata"]["namespace"], volume["configMap"]["name"]))
                for name, text in (held.get("data") or {}).items():
                    (place / name).write_text(text)
            elif "emptyDir" not in volume:
                raise NotImplementedError(f"this stand-in knows no such volume: {volume}")
        mounts = pod["spec"]["containers"][0].get("volumeMounts", [])
        return {mount["mountPath"]: made[mount["name"]] for mount in mounts}


def environment(declared: Mapping[str, Any], name: str, address: str) -> dict[str, str]:
    """The variables that a container declares; those by reference are its pod's name and address."""
    fields = {"metadata.name": name, "status.podIP": address}
    plain = {each["name"]: each.get("value", "") for each in declared.get("env", [])}
    referring = {each["name"]: each["valueFrom"]["fieldRef"] for each in declared.get("env", []) if "valueFrom" in each}
    return plain | {variable: fields[field["fieldPath"]] for variable, field in referring.items()}


def entry_point(arguments: Sequence[str], variables: Mapping[str, str]) -> list[str]:
    """What the entry point of Spark's images runs for `executor` (Spark 4.3: `entrypoint.sh`); else the arguments."""
    if list(arguments) != ["executor"]:
        return list(arguments)
    numbered = sorted((int(name[len(_OPTION) :]), text) for name, text in variables.items() if name.startswith(_OPTION))
    memory = variables["SPARK_EXECUTOR_MEMORY"]
    path = [variables.get("SPARK_CONF_DIR", f"{SPARK}/conf"), variables.get("SPARK_CLASSPATH"), f"{SPARK}/jars/*"]
    command = [f"{variables['JAVA_HOME']}/bin/java", *(text for _, text in numbered), f"-Xms{memory}", f"-Xmx{memory}"]
    command += ["-cp", ":".join(filter(None, path)), BACKEND]
    for word, name in _WORDS.items():
        command += [f"--{word}", variables[f"SPARK_{name}"]]
    return command


def rooted(root: Path, mounts: Mapping[str, Path]) -> str:
    """A shell's script that runs its arguments in a root with some mounts; makes the folders that it needs."""
    for folder in ("proc", "dev", "tmp", f"{SPARK[1:]}/work-dir"):
        (root / folder).mkdir(parents=True)
    (root / "tmp").chmod(0o1777)
    for link in ("bin", "sbin", "lib", "lib64"):
        (root / link).symlink_to(f"usr/{link}")
    inside = quote(str(root))
    lines = ["set -e", f"mount -t proc proc {inside}/proc", f"mount --rbind /dev {inside}/dev"]
    for place, source in sorted(mounts.items()):
        target = root / place.strip("/")
        target.mkdir(parents=True, exist_ok=True)
        lines.append(f"mount --bind {quote(str(source))} {quote(str(target))}")
    lines.append(f'exec {_CHROOT} {inside} sh -c \'cd {SPARK}/work-dir && exec "$@"\' sh "$@"')
    return "\n".join(lines)
