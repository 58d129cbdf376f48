"""A real Kubernetes API server and its controllers on this machine's loopback, over Debian's etcd.

There is neither a kubelet nor a scheduler: `tests.cluster.node` runs pods.
"""

from __future__ import annotations

import base64
import datetime as dt
import ipaddress
import json
import secrets
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.ports import free_port

VERSION = "v1.34.1"
_SOURCE = Path(__file__).with_name("kubernetes")
_STARTS_WITHIN = 90.0
"""Seconds."""

Object = dict[str, Any]


class Refused(Exception):
    """The API server did not do what it was asked."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status


@dataclass(frozen=True, slots=True)
class Api:
    """The API, asked with a token."""

    url: str
    certificate: Path
    token: str

    def ask(self, method: str, path: str, body: Object | None = None, **query: str) -> Object:
        """The answer, as JSON; raises Refused."""
        kind = "application/json"
        if method == "PATCH":
            kind = "application/merge-patch+json"
        answer = _client(self.certificate).request(
            method,
            f"{self.url}{path}",
            params=query,
            content=None if body is None else json.dumps(body),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": kind},
        )
        document: Object = answer.json()
        if answer.is_error:
            raise Refused(answer.status_code, document.get("message", answer.text))
        return document

    def get(self, path: str, **query: str) -> Object:
        """An object, or a list of them."""
        return self.ask("GET", path, None, **query)

    def items(self, path: str, **query: str) -> list[Object]:
        """The objects of a list."""
        found: list[Object] = self.get(path, **query)["items"]
        return found

    def create(self, path: str, made: Object) -> Object:
        """Makes an object."""
        return self.ask("POST", path, made)

    def as_account(self, namespace: str, name: str) -> Api:
        """The API as a service account sees it."""
        path = f"/api/v1/namespaces/{namespace}/serviceaccounts/{name}/token"
        asked = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
        token = self.create(path, asked)["status"]["token"]
        return Api(self.url, self.certificate, token)


@dataclass(frozen=True, slots=True)
class ControlPlane:
    """What runs, and how to get at it as its administrator."""

    api: Api
    kubeconfig: Path
    folder: Path

    def log(self, program: str) -> str:
        """The end of a program's log."""
        return (self.folder / f"{program}.log").read_text(errors="replace")[-3_000:]


def build(target: Path) -> None:
    """Builds the control plane with Go, whose cache makes the next time quick."""
    stamp = "-X k8s.io/{}/version.gitVersion=" + VERSION
    stamps = [stamp.format(package) for package in ("component-base", "client-go/pkg")]
    flags = ["-ldflags", " ".join(["-s", "-w", *stamps]), "-o", str(target)]
    done = subprocess.run(
        ["go", "build", *flags, "."], cwd=_SOURCE, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"go cannot build the control plane: {done.stderr[-2_000:]}")


@contextmanager
def running(program: Path, folder: Path) -> Iterator[ControlPlane]:
    """Starts everything anew, with its state and logs in a folder."""
    etcd, peer, port = (free_port() for _ in range(3))
    token = secrets.token_hex(16)
    certificate, key = _certify(folder)
    (folder / "tokens.csv").write_text(f'{token},admin,admin,"system:masters"\n')
    url = f"https://127.0.0.1:{port}"
    plane = ControlPlane(Api(url, certificate, token), folder / "kubeconfig", folder)
    plane.kubeconfig.write_text(json.dumps(_kubeconfig(plane.api)))
    plane.kubeconfig.chmod(0o600)
    store, peers = f"http://127.0.0.1:{etcd}", f"http://127.0.0.1:{peer}"
    with ExitStack() as stack:
        stack.enter_context(
            _program(
                folder,
                "etcd",
                "etcd",
                f"--data-dir={folder / 'etcd'}",
                f"--listen-client-urls={store}",
                f"--advertise-client-urls={store}",
                f"--listen-peer-urls={peers}",
                f"--initial-advertise-peer-urls={peers}",
                f"--initial-cluster=default={peers}",
            )
        )
        stack.enter_context(
            _program(
                folder,
                "apiserver",
                program,
                "apiserver",
                f"--etcd-servers={store}",
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                f"--secure-port={port}",
                "--endpoint-reconciler-type=none",
                f"--tls-cert-file={certificate}",
                f"--tls-private-key-file={key}",
                f"--token-auth-file={folder / 'tokens.csv'}",
                "--authorization-mode=RBAC",
                "--service-cluster-ip-range=10.0.0.0/24",
                # It asks more of etcd than Debian's has.
                "--feature-gates=WatchList=false",
                "--service-account-issuer=https://kubernetes.default.svc",
                f"--service-account-key-file={key}",
                f"--service-account-signing-key-file={key}",
            )
        )
        _wait_until_ready(plane)
        stack.enter_context(
            _program(
                folder,
                "controllers",
                program,
                "controllers",
                f"--kubeconfig={plane.kubeconfig}",
                # The node of the tests sends no heartbeats.
                "--controllers=*,-node-lifecycle-controller",
                "--leader-elect=false",
                "--secure-port=0",
                "--use-service-account-credentials",
                f"--root-ca-file={certificate}",
                f"--service-account-private-key-file={key}",
            )
        )
        yield plane


@contextmanager
def _program(folder: Path, name: str, *command: str | Path) -> Iterator[None]:
    with (folder / f"{name}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_until_ready(plane: ControlPlane) -> None:
    deadline = time.monotonic() + _STARTS_WITHIN
    while True:
        try:
            answer = _client(plane.api.certificate).get(
                f"{plane.api.url}/readyz",
                headers={"Authorization": f"Bearer {plane.api.token}"},
            )
            if answer.status_code == 200:
                return
        except httpx.TransportError:
            pass
        if time.monotonic() > deadline:
            raise RuntimeError(f"the API server does not start:\n{plane.log('apiserver')}")
        time.sleep(0.2)


@cache
def _client(certificate: Path) -> httpx.Client:
    """Connections to the API server of a certificate."""
    return httpx.Client(verify=ssl.create_default_context(cafile=str(certificate)), timeout=30)


def _kubeconfig(api: Api) -> Object:
    authority = base64.b64encode(api.certificate.read_bytes()).decode()
    server = {"server": api.url, "certificate-authority-data": authority}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "tests", "cluster": server}],
        "users": [{"name": "admin", "user": {"token": api.token}}],
        "contexts": [{"name": "tests", "context": {"cluster": "tests", "user": "admin"}}],
        "current-context": "tests",
    }


def _certify(folder: Path) -> tuple[Path, Path]:
    """A certificate of the API server, which is its own authority, and its key."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "kubernetes")])
    now = dt.datetime.now(dt.UTC)
    hosts = [
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
        x509.DNSName("kubernetes.default.svc"),
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate_path, key_path = folder / "apiserver.crt", folder / "apiserver.key"
    certificate_path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
    )
    key_path.chmod(0o600)
    return certificate_path, key_path
