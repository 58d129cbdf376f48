"""As much of a Kubernetes cluster as Spark's driver needs, on this machine.

There is no Kubernetes to run here, so its API is answered by what Spark 4.1 asks of it in client
mode: objects are created, read, listed and deleted. But pods run: as processes, with the command,
the environment and the volumes that their objects say.
"""

from __future__ import annotations

import json
import re
import subprocess
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.helm.chart import Object
from tests.helm.containers import command_of_pod

_REQUIREMENT = re.compile(r"([^ !=]*) ?(!=|=|in|) ?\(?([^)]*)\)?")


class Cluster(ThreadingHTTPServer):
    """The API, its objects, and the processes of its pods."""

    daemon_threads = True

    def __init__(self, folder: Path, objects: list[Object]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.folder = folder
        self.objects = list(objects)
        self.pods: list[Object] = []
        """All that were ever created."""
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.lock = threading.Lock()

    def create(self, made: Object) -> Object:
        """Adds an object; a pod starts."""
        made["metadata"]["uid"] = str(uuid.uuid4())
        with self.lock:
            self.objects.append(made)
            if made["kind"] == "Pod":
                self.pods.append(json.loads(json.dumps(made)))
                self._start(made)
        return made

    def delete(self, gone: list[Object]) -> None:
        """Removes objects; pods end."""
        with self.lock:
            self.objects = [each for each in self.objects if each not in gone]
            for each in gone:
                process = self.processes.get(each["metadata"]["name"])
                if each["kind"] == "Pod" and process is not None:
                    process.terminate()

    def _start(self, pod: Object) -> None:
        name = pod["metadata"]["name"]
        folder = self.folder / name
        folder.mkdir()
        [container] = pod["spec"]["containers"]
        started = command_of_pod(self.objects, pod, container["name"], folder, {})
        with (folder / "log").open("wb") as log:
            self.processes[name] = subprocess.Popen(
                started.argv, env=started.environment, cwd=folder, stdout=log, stderr=log
            )
        pod["status"] = {"phase": "Running", "podIP": "127.0.0.1"}


@contextmanager
def cluster(folder: Path, objects: list[Object]) -> Iterator[Cluster]:
    """A cluster with these objects, whose pods keep their volumes and logs in a folder."""
    folder.mkdir()
    server = Cluster(folder, objects)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        for process in server.processes.values():
            process.kill()
            process.wait()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    """One connection of Spark's client. Paths are /api/v1/namespaces/NAMESPACE/KIND[/NAME]."""

    protocol_version = "HTTP/1.1"
    server: Cluster

    def do_GET(self) -> None:
        """An object, or those that a selector selects. Nothing is watched: Spark also asks."""
        *_, name = self._path()
        found = self._found()
        if name and not found:
            self._answer(404, {"kind": "Status", "apiVersion": "v1", "code": 404})
        else:
            listed = {"kind": "List", "apiVersion": "v1", "metadata": {}, "items": found}
            self._answer(200, found[0] if name else listed)

    def do_POST(self) -> None:
        """A new object."""
        self._answer(201, self.server.create(json.loads(self._body())))

    def do_DELETE(self) -> None:
        """An object, or those that a selector selects, are gone."""
        self._body()
        self.server.delete(self._found())
        self._answer(200, {"kind": "Status", "apiVersion": "v1", "status": "Success"})

    def _path(self) -> tuple[str, str]:
        parts = urlsplit(self.path).path.strip("/").split("/")
        kind = {"pods": "Pod", "configmaps": "ConfigMap"}.get(parts[4], parts[4])
        return kind, parts[5] if len(parts) > 5 else ""

    def _found(self) -> list[Object]:
        kind, name = self._path()
        query = parse_qs(urlsplit(self.path).query)
        [selector] = query.get("labelSelector", [""])
        return [
            each
            for each in self.server.objects
            if each["kind"] == kind
            and name in ("", each["metadata"]["name"])
            and _selects(selector, each["metadata"].get("labels", {}))
        ]

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _answer(self, status: int, document: Object) -> None:
        body = json.dumps(document).encode()
        self.send_response_only(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _selects(selector: str, labels: Mapping[str, str]) -> bool:
    """Whether a label selector, such as `a=x,b!=y,c in (u,v)`, selects."""
    for part in re.split(r",(?![^(]*\))", selector):
        found = _REQUIREMENT.fullmatch(part)
        assert found is not None, selector
        key, operator, values = found.groups()
        is_among = labels.get(key) in values.split(",")
        if key and is_among is (operator == "!="):
            return False
    return True
