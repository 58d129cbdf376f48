"""A node of the tests: it runs pods of the API server as containers of the built image.

It does what a kubelet does and the chart relies on: volumes and environment from the API's
objects, the user and the read-only root that the pod's security context says, probes, exit codes
and restarts. It has this machine's network, so every pod is at 127.0.0.1; init containers,
resources and network policies it leaves out.
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tests.cluster.control_plane import Api, Object, Refused
from tests.image.container import USER, Container, Image, stop

NAME = "node"
_EVERY = 0.3
"""Seconds between looks at the API."""
_PROBES = ("startupProbe", "livenessProbe", "readinessProbe")


@dataclass(slots=True)
class Running:
    """A pod that runs: the process of its container, and what the probes say."""

    process: subprocess.Popen[bytes]
    container: Container
    log: Path
    restarts: int = 0
    is_started: bool = False
    is_ready: bool = False
    failures: int = 0
    """Of the liveness probe, in a row."""
    probed: float = 0.0


@dataclass(slots=True)
class Node:
    """The node, its pods by their uid, and the folders of claims by their names."""

    api: Api
    image: Image
    folder: Path
    claims: dict[str, Path] = field(default_factory=dict)
    pods: dict[str, Running] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    """What the node could not do."""

    def log(self, name: str) -> str:
        """What the pods of a name printed."""
        logs = sorted(self.folder.glob(f"{name}*/log"))
        return "\n".join(path.read_text(errors="replace")[-4_000:] for path in logs)

    def look(self) -> None:
        """Starts, watches and ends pods, as the API says."""
        listed = {each["metadata"]["uid"]: each for each in self.api.items("/api/v1/pods")}
        for uid, pod in listed.items():
            is_leaving = "deletionTimestamp" in pod["metadata"]
            if uid in self.pods:
                self._watch(uid, pod, is_leaving=is_leaving)
            elif uid not in self.ended and not is_leaving:
                self._take(uid, pod)
            if is_leaving and uid not in self.pods:
                self._forget(pod)
        for uid in self.pods.keys() - listed.keys():
            stop(self.pods.pop(uid).process)

    def _take(self, uid: str, pod: Object) -> None:
        place = _path(pod)
        if not pod["spec"].get("nodeName"):
            target = {"apiVersion": "v1", "kind": "Node", "name": NAME}
            name = pod["metadata"]["name"]
            self.api.create(f"{place}/binding", {"metadata": {"name": name}, "target": target})
        folder = self.folder / f"{pod['metadata']['name']}-{uid[:4]}"
        folder.mkdir(exist_ok=True)
        try:
            container = self._container(pod, folder)
        except Refused as refused:
            if refused.status != 404:
                raise
            return  # a ConfigMap or Secret that is not there yet
        process = container.start(folder / "log")
        self.pods[uid] = Running(process, container, folder / "log")
        self._tell(pod, "Running", {"running": {}}, self.pods[uid])

    def _watch(self, uid: str, pod: Object, *, is_leaving: bool) -> None:
        running = self.pods[uid]
        code = running.process.poll()
        if is_leaving and code is None:
            code = stop(running.process, pod["metadata"].get("deletionGracePeriodSeconds", 30))
        if code is None:
            self._probe(pod, running)
            return
        if pod["spec"]["restartPolicy"] == "Always" and not is_leaving:
            self._restart(pod, running)
            return
        del self.pods[uid]
        self.ended.add(uid)
        state = {"terminated": {"exitCode": code if code >= 0 else 128 - code}}
        with suppress(Refused):
            self._tell(pod, "Failed" if code else "Succeeded", state, None)

    def _restart(self, pod: Object, running: Running) -> None:
        running.process = running.container.start(running.log)
        running.restarts += 1
        running.failures, running.is_started, running.is_ready = 0, False, False
        self._tell(pod, "Running", {"running": {}}, running)

    def _forget(self, pod: Object) -> None:
        gone = {"gracePeriodSeconds": 0, "preconditions": {"uid": pod["metadata"]["uid"]}}
        with suppress(Refused):
            self.api.ask("DELETE", _path(pod), gone)

    def _probe(self, pod: Object, running: Running) -> None:
        [spec] = pod["spec"]["containers"]
        if running.probed + 1 > time.monotonic():
            return
        running.probed = time.monotonic()
        startup, liveness, readiness = (_answers(spec, name) for name in _PROBES)
        running.is_started = running.is_started or startup
        if running.is_started:
            running.failures = 0 if liveness else running.failures + 1
        if running.failures >= spec.get("livenessProbe", {}).get("failureThreshold", 3):
            stop(running.process, 1)
            self._restart(pod, running)
            return
        is_ready = running.is_started and readiness
        if is_ready is not running.is_ready:
            running.is_ready = is_ready
            self._tell(pod, "Running", {"running": {}}, running)

    def _tell(self, pod: Object, phase: str, state: Object, running: Running | None) -> None:
        [container] = pod["spec"]["containers"]
        ready = running is not None and running.is_ready
        kinds = ("Initialized", "PodScheduled", "Ready", "ContainersReady")
        conditions = [
            {"type": kind, "status": str(ready or not kind.endswith("Ready"))} for kind in kinds
        ]
        status = {
            "name": container["name"],
            "image": container["image"],
            "imageID": "",
            "ready": ready,
            "restartCount": running.restarts if running else 0,
            "state": state,
        }
        told = {"phase": phase, "podIP": "127.0.0.1", "podIPs": [{"ip": "127.0.0.1"}]}
        changed = told | {"conditions": conditions, "containerStatuses": [status]}
        self.api.ask("PATCH", f"{_path(pod)}/status", {"status": changed})

    def _container(self, pod: Object, folder: Path) -> Container:
        [spec] = pod["spec"]["containers"]
        security = {**pod["spec"].get("securityContext", {}), **spec.get("securityContext", {})}
        assert (security["runAsUser"], security["readOnlyRootFilesystem"]) == (USER, True)
        volumes = {each["name"]: each for each in pod["spec"].get("volumes", ())}
        mounts = {
            each["mountPath"]: self._volume(volumes[each["name"]], pod, folder)
            for each in spec.get("volumeMounts", ())
        }
        fixed = {each["mountPath"] for each in spec.get("volumeMounts", ()) if each.get("readOnly")}
        environment = self._environment(pod, spec)
        return Container(
            self.image,
            [_expanded(word, environment) for word in spec.get("args", ())],
            entrypoint=spec.get("command"),
            environment=environment,
            volumes=mounts,
            read_only=frozenset(fixed),
            has_network=True,
        )

    def _environment(self, pod: Object, spec: Object) -> dict[str, str]:
        address = urlsplit(self.api.url)
        found = {
            "KUBERNETES_SERVICE_HOST": str(address.hostname),
            "KUBERNETES_SERVICE_PORT": str(address.port),
        }
        for source in spec.get("envFrom", ()):
            found |= self._secret(pod, source["secretRef"]["name"])
        fields = {"metadata.name": pod["metadata"]["name"], "status.podIP": "127.0.0.1"}
        for each in spec.get("env", ()):
            match each:
                case {"valueFrom": {"secretKeyRef": source}}:
                    found[each["name"]] = self._secret(pod, source["name"])[source["key"]]
                case {"valueFrom": {"fieldRef": {"fieldPath": path}}}:
                    found[each["name"]] = fields[path]
                case _:
                    found[each["name"]] = _expanded(each.get("value", ""), found)
        return found

    def _secret(self, pod: Object, name: str) -> dict[str, str]:
        place = f"/api/v1/namespaces/{pod['metadata']['namespace']}/secrets/{name}"
        data = self.api.get(place).get("data", {})
        return {key: base64.b64decode(value).decode() for key, value in data.items()}

    def _config_map(self, pod: Object, name: str) -> dict[str, str]:
        place = f"/api/v1/namespaces/{pod['metadata']['namespace']}/configmaps/{name}"
        data: dict[str, str] = self.api.get(place).get("data", {})
        return data

    def _volume(self, volume: Object, pod: Object, folder: Path) -> Path:
        path = folder / str(volume["name"])
        files: Mapping[str, str] = {}
        match volume:
            case {"configMap": {"name": name}}:
                files = self._config_map(pod, name)
            case {"secret": {"secretName": name}}:
                files = self._secret(pod, name)
            case {"persistentVolumeClaim": {"claimName": name}}:
                path = self.claims.setdefault(name, self.folder / f"claim-{name}")
            case {"projected": {"sources": sources}}:
                files = self._projected(pod, sources)
        if not path.exists():
            path.mkdir()
            os.chown(path, USER, USER)
        for name, text in files.items():
            (path / name).write_text(text)
            os.chown(path / name, 0, USER)
            (path / name).chmod(0o440)
        return path

    def _projected(self, pod: Object, sources: list[Object]) -> dict[str, str]:
        """The folder of the service account: token, authority and namespace."""
        namespace = pod["metadata"]["namespace"]
        files: dict[str, str] = {}
        for source in sources:
            if "serviceAccountToken" in source:
                account = self.api.as_account(namespace, pod["spec"]["serviceAccountName"])
                files["token"] = account.token
            elif "configMap" in source:
                files |= self._config_map(pod, source["configMap"]["name"])
            else:
                files["namespace"] = namespace
        return files


def _path(pod: Object) -> str:
    metadata = pod["metadata"]
    return f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"


def _expanded(value: str, environment: Mapping[str, str]) -> str:
    known = re.compile(r"\$\((\w+)\)")
    return known.sub(lambda match: environment.get(match[1], match[0]), value)


def _answers(container: Object, probe: str) -> bool:
    """Whether a probe succeeds; one that is not there does."""
    asked = container.get(probe, {}).get("httpGet")
    if asked is None:
        return True
    ports = {each.get("name"): each["containerPort"] for each in container["ports"]}
    port = ports.get(asked["port"], asked["port"])
    try:
        url = f"{asked.get('scheme', 'HTTP').lower()}://127.0.0.1:{port}{asked['path']}"
        return httpx.get(url, timeout=container[probe].get("timeoutSeconds", 1)).is_success
    except httpx.TransportError:
        return False


@contextmanager
def running(api: Api, image: Image, folder: Path) -> Iterator[Node]:
    """The node, until the end of the block, when all its pods end."""
    folder.mkdir()
    api.create("/api/v1/nodes", {"metadata": {"name": NAME}})
    node = Node(replace(api), image, folder)
    is_over = threading.Event()

    def work() -> None:
        while not is_over.wait(_EVERY):
            try:
                node.look()
            except (Refused, httpx.TransportError, OSError) as error:
                node.problems.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield node
    finally:
        is_over.set()
        thread.join()
        for each in node.pods.values():
            stop(each.process, 5)
