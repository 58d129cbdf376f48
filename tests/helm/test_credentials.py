"""A credential in clear text ends `helm template` with a sentence that names its place."""

from __future__ import annotations

import pytest

from tests.helm.chart import (
    CONFIG,
    LANDING,
    RECEIVING,
    Chart,
    Values,
    audited,
    environment,
    merged,
    with_config,
)

pytestmark = pytest.mark.slow

LAKE = CONFIG["catalogs"]["lake"]["properties"]


def with_property(name: str, value: str) -> Values:
    return with_config(catalogs={"lake": {"properties": {**LAKE, name: value}}})


def logs(path: str) -> Values:
    return with_config(sources=[{"type": "trino_events", "paths": ["s3://logs/", path]}])


@pytest.mark.parametrize(
    ("name", "value", "variable"),
    [
        pytest.param("s3.secret-access-key", "x", "S3__SECRET_ACCESS_KEY", id="secret-key"),
        pytest.param("credential", "id:secret", "CREDENTIAL", id="oauth"),
        pytest.param("token", "x", "TOKEN", id="token"),
        pytest.param("adls.sas-token", "x", "ADLS__SAS_TOKEN", id="signature"),
        pytest.param("header.Authorization", "x", "HEADER__AUTHORIZATION", id="header"),
        pytest.param("header.X-Api-Key", "x", "HEADER__X_API_KEY", id="key-of-an-api"),
        pytest.param("header.x-auth", "x", "HEADER__X_AUTH", id="any-header"),
        pytest.param("auth", "x", "AUTH", id="auth"),
        pytest.param("auth.basic", "x", "AUTH__BASIC", id="part-of-auth"),
        pytest.param("uri", "postgresql://me:hunter2@db/catalog", "URI", id="within-a-uri"),
        pytest.param("uri", "postgresql://db/catalog?password=hunter2", "URI", id="in-a-query"),
    ],
)
def test_a_credential_of_a_catalog_is_refused_without_being_told(
    chart: Chart, name: str, value: str, variable: str
) -> None:
    said = chart.refusal(with_property(name, value))
    assert f"config.catalogs.lake.properties.{name} holds a credential" in said
    assert f"PYICEBERG_CATALOG__LAKE__{variable}" in said
    assert value == "x" or value not in said


@pytest.mark.parametrize(
    ("values", "place"),
    [
        pytest.param(
            audited(audit={"pod": {"extraEnv": [{"name": "PRUNESCOPE_SECRET", "value": "0123"}]}}),
            "audit.pod.extraEnv of PRUNESCOPE_SECRET",
            id="secret-of-keys",
        ),
        pytest.param(
            with_config(spark={"conf": {"spark.hadoop.fs.s3a.secret.key": "hunter2"}}),
            "config.spark.conf.spark.hadoop.fs.s3a.secret.key",
            id="spark",
        ),
        pytest.param(
            with_config(spark={"conf": {"spark.x": "https://me:hunter2@x"}}),
            "config.spark.conf.spark.x",
            id="address-for-spark",
        ),
        pytest.param(
            with_config(metrics={"pushgateway": "https://me:hunter2@gateway"}),
            "config.metrics.pushgateway",
            id="pushgateway",
        ),
        pytest.param(
            with_config(otlp={"endpoint": "https://me:hunter2@collector"}),
            "config.otlp.endpoint",
            id="collector",
        ),
        pytest.param(logs("https://me:$hunter2$@h/x"), "config.sources[0].paths[1]", id="logs"),
        pytest.param(
            logs("https://h/x?X-Amz-Date=1&X-Amz-Signature=hunter2"),
            "config.sources[0].paths[1]",
            id="signed-logs",
        ),
        pytest.param(
            with_config(tables=[{"name": "a.b.c", "metadata": "https://h/x?sig=hunter2"}]),
            "config.tables[0].metadata",
            id="signed-table",
        ),
        pytest.param(
            with_config(path_map=[{"from": "a", "to": "s3://k:hunter2@b/"}]),
            "config.path_map[0].to",
            id="path-map",
        ),
        pytest.param(
            with_config(cache={"path": "/c", "bundles": "s3://k:hunter2@b/x"}),
            "config.cache.bundles",
            id="bundles",
        ),
        pytest.param(
            audited(audit={"extraArgs": ["--json", "--token=hunter2"]}),
            "audit.extraArgs[1]",
            id="option",
        ),
        pytest.param(
            audited(receiver={"extraArgs": ["--password", "hunter2"]}),
            "receiver.extraArgs[0]",
            id="option-in-two-words",
        ),
        pytest.param(
            audited(audit={"pod": environment("AWS_SECRET_ACCESS_KEY", "hunter2")}),
            "audit.pod.extraEnv of AWS_SECRET_ACCESS_KEY",
            id="variable",
        ),
        pytest.param(
            audited(audit={"executors": {"pod": environment("AWS_SESSION_TOKEN", "hunter2")}}),
            "audit.executors.pod.extraEnv of AWS_SESSION_TOKEN",
            id="variable-of-executors",
        ),
        pytest.param(
            audited(exporter={"pod": environment("PYICEBERG_CATALOG__LAKE__AUTH", "hunter2")}),
            "exporter.pod.extraEnv of PYICEBERG_CATALOG__LAKE__AUTH",
            id="variable-of-a-catalog",
        ),
        pytest.param(
            audited(maintenance={"pod": environment("OTEL_EXPORTER_OTLP_HEADERS", "a=hunter2")}),
            "maintenance.pod.extraEnv of OTEL_EXPORTER_OTLP_HEADERS",
            id="variable-of-headers",
        ),
        pytest.param(
            audited(receiver={"pod": environment("HTTPS_PROXY", "http://me:hunter2@proxy")}),
            "receiver.pod.extraEnv[0].value",
            id="address-in-a-variable",
        ),
        pytest.param(
            {"receiver": merged(RECEIVING, {"landing": environment("API_KEY", "hunter2")})},
            "receiver.landing.extraEnv of API_KEY",
            id="variable-of-landing",
        ),
        pytest.param(
            {"receiver": {"landing": {"destination": "s3://k:hunter2@b/x"}}},
            "receiver.landing.destination",
            id="landing",
        ),
    ],
)
def test_a_credential_is_refused_wherever_it_is(chart: Chart, values: Values, place: str) -> None:
    said = chart.refusal(values)
    assert f"{place} holds a credential, and a ConfigMap or pod is no place for one: " in said
    assert "hunter2" not in said


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, "https://catalog.example.com:8443/v1") for name in ("uri", "oauth2-server-uri")),
        ("s3.endpoint", "https://catalog.example.com:8443/v1"),
        ("rest.sigv4-enabled", "true"),
        ("warehouse", "abfss://container@account.dfs.core.windows.net/x"),
        ("header.X-Iceberg-Access-Delegation", "vended-credentials"),
    ],
)
def test_what_is_no_credential_of_a_catalog_is_not_refused(
    chart: Chart, name: str, value: str
) -> None:
    chart.render(with_property(name, value))


def test_what_only_leads_to_a_credential_is_not_refused(chart: Chart) -> None:
    variables = {
        "GOOGLE_APPLICATION_CREDENTIALS": "/var/run/key.json",
        "AWS_WEB_IDENTITY_TOKEN_FILE": "/var/run/token",
        "HTTPS_PROXY": "http://me:$(PROXY_PASSWORD)@proxy",
        "AWS_SECRET_ACCESS_KEY": "$(KEY)",
    }
    given: list[Values] = [{"name": name, "value": value} for name, value in variables.items()]
    secret = {"secretKeyRef": {"name": "keys", "key": "token"}}
    given.append({"name": "PYICEBERG_CATALOG__LAKE__TOKEN", "valueFrom": secret})
    values = merged(
        logs("s3://logs/key=1/token=2/*.json"),
        {"audit": {"pod": {"extraEnv": given}}, "receiver": merged(RECEIVING, LANDING)},
    )
    chart.render(values)
