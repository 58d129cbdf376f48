"""Running a container's command as the chart renders it, on this machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyspark

from tests import class_data
from tests.helm.chart import Object, containers, only, pod_spec

Secrets = Mapping[str, Mapping[str, str]]
ENTRYPOINT = Path(__file__).parents[2] / "docker" / "entrypoint.py"


@dataclass(frozen=True, slots=True)
class Command:
    """A container's command and environment, with a folder in place of each mounted volume."""

    argv: list[str]
    environment: dict[str, str]
    folders: Mapping[str, Path]
    """By the path at which it is mounted."""

    def run(self) -> subprocess.CompletedProcess[str]:
        """Runs it to its end, which comes within minutes."""
        return subprocess.run(
            self.argv,
            env=self.environment,
            cwd=self.folders["/tmp"],  # noqa: S108  # in the pod
            capture_output=True,
            text=True,
            check=False,
            timeout=400,
        )

    @contextmanager
    def running(self) -> Iterator[subprocess.Popen[str]]:
        """Runs it meanwhile."""
        with subprocess.Popen(
            self.argv,
            env=self.environment,
            cwd=self.folders["/tmp"],  # noqa: S108
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.terminate()
                process.communicate(timeout=60)


def command(
    objects: list[Object], workload: Object, name: str, folder: Path, secrets: Secrets
) -> Command:
    """The command of a container of a workload, as `command_of_pod` has it."""
    pod = {"metadata": {"name": workload["metadata"]["name"]}, "spec": pod_spec(workload)}
    return command_of_pod(objects, pod, name, folder, secrets)


def command_of_pod(
    objects: list[Object], pod: Object, name: str, folder: Path, secrets: Secrets
) -> Command:
    """The command of a container, with its volumes in `folder`: ConfigMaps from the objects that
    there are, Secrets as given, and folders for the rest, which containers of a pod share."""
    [container] = [each for each in containers(pod["spec"]) if each["name"] == name]
    volumes = {
        volume["name"]: _volume(volume, objects, folder, secrets)
        for volume in pod["spec"]["volumes"]
    }
    folders = {mount["mountPath"]: volumes[mount["name"]] for mount in container["volumeMounts"]}
    fields = {"metadata.name": pod["metadata"]["name"], "status.podIP": "127.0.0.1"}
    environment = _image()
    for source in container.get("envFrom", ()):
        environment |= secrets[source["secretRef"]["name"]]
    for variable in container["env"]:
        match variable:
            case {"name": key, "valueFrom": {"secretKeyRef": source}}:
                environment[key] = secrets[source["name"]][source["key"]]
            case {"name": key, "valueFrom": {"fieldRef": {"fieldPath": field}}}:
                environment[key] = fields[field]
            case {"name": key}:
                value = _expanded(variable.get("value", ""), environment)
                environment[key] = _located(value, folders)
    # The image's entry point, unless the container says which command.
    started = container.get("command", [sys.executable, str(ENTRYPOINT)])
    arguments = [_located(word, folders) for word in container["args"]]
    return Command([*started, *arguments], environment, folders)


def _image() -> dict[str, str]:
    """The environment variables of the image, whose programs are those of this interpreter."""
    java = Path(shutil.which("java") or "java").resolve()
    return {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "JAVA_HOME": os.environ.get("JAVA_HOME", str(java.parent.parent)),
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "PYSPARK_PYTHON": sys.executable,
        "LANG": "C.UTF-8",
        "SPARK_SUBMIT_OPTS": class_data.options(),
    }


def _expanded(value: str, environment: Mapping[str, str]) -> str:
    """A value with variables that came before it, as the kubelet replaces them."""
    return re.sub(r"\$\((\w+)\)", lambda match: environment[match[1]], value)


def _volume(volume: Object, objects: list[Object], folder: Path, secrets: Secrets) -> Path:
    path = folder / str(volume["name"])
    path.mkdir(exist_ok=True)
    texts: Mapping[str, str] = {}
    if "configMap" in volume:
        texts = only(objects, "ConfigMap", volume["configMap"]["name"])["data"]
    elif "secret" in volume:
        texts = secrets[volume["secret"]["secretName"]]
    for name, text in texts.items():
        (path / name).write_text(text)
    return path


def _located(word: str, folders: Mapping[str, Path]) -> str:
    """A word of a command, with the folder in place of the mount path that it begins with."""
    for mount in sorted(folders, key=len, reverse=True):
        if word == mount or word.startswith(f"{mount}/"):
            return f"{folders[mount]}{word.removeprefix(mount)}"
    return word
