"""The image's entry point: what Spark starts in a pod, `driver` or `executor`, else prunescope.

The arguments and environment variables are those by which Spark 4.1 starts the pods that it makes
on Kubernetes (resource-managers/kubernetes, BasicDriverFeatureStep and BasicExecutorFeatureStep).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

_OPTION = "SPARK_JAVA_OPT_"
_BACKEND = "org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend"
_BACKEND_OPTIONS = {
    "--driver-url": "SPARK_DRIVER_URL",
    "--executor-id": "SPARK_EXECUTOR_ID",
    "--cores": "SPARK_EXECUTOR_CORES",
    "--app-id": "SPARK_APPLICATION_ID",
    "--hostname": "SPARK_EXECUTOR_POD_IP",
    "--resourceProfileId": "SPARK_RESOURCE_PROFILE_ID",
    "--podName": "SPARK_EXECUTOR_POD_NAME",
}


def command(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """The program to become, and its arguments."""
    match arguments:
        case ["driver", *rest]:
            return _driver(rest, environment)
        case ["executor", *_]:
            return _executor(environment)
        case _:
            return ["prunescope", *arguments]


def _driver(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    address = environment["SPARK_DRIVER_BIND_ADDRESS"]
    return [
        f"{environment['SPARK_HOME']}/bin/spark-submit",
        "--conf",
        f"spark.driver.bindAddress={address}",
        "--conf",
        f"spark.executorEnv.SPARK_DRIVER_POD_IP={address}",
        "--deploy-mode",
        "client",
        *arguments,
    ]


def _executor(environment: Mapping[str, str]) -> list[str]:
    numbers = sorted(
        int(name.removeprefix(_OPTION)) for name in environment if name.startswith(_OPTION)
    )
    memory = environment["SPARK_EXECUTOR_MEMORY"]
    extra = (environment.get(name) for name in ("SPARK_CONF_DIR", "SPARK_CLASSPATH"))
    classpath = [*filter(None, extra), f"{environment['SPARK_HOME']}/jars/*"]
    options = (
        word for option, name in _BACKEND_OPTIONS.items() for word in (option, environment[name])
    )
    return [
        f"{environment['JAVA_HOME']}/bin/java",
        *(environment[f"{_OPTION}{number}"] for number in numbers),
        f"-Xms{memory}",
        f"-Xmx{memory}",
        "-cp",
        ":".join(classpath),
        _BACKEND,
        *options,
    ]


if __name__ == "__main__":
    started = command(sys.argv[1:], os.environ)
    os.execvp(started[0], started)  # noqa: S606  # this process becomes the program
