# The image of prunescope: audit, maintenance, exporter and receiver, and Spark's driver and
# executors. `make image` builds it. Nothing is fetched when it runs.

FROM eclipse-temurin:17.0.17_10-jre-jammy AS java

FROM python:3.11.14-slim-bookworm AS tools
WORKDIR /build
# Byte code is checked by no time stamp, as builders set those of files anew.
ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_NO_COMPILE=1 \
    COMPILE="-m compileall -q --invalidation-mode unchecked-hash" \
    PATH=/opt/prunescope/bin:$PATH
RUN python3 -m venv /opt/prunescope
# All packages are pinned with hashes, and builds use the tools that are installed instead of
# fetching their own. Where packages come from, and what to trust there, are secrets of the build:
# both are left out where they are not given.
COPY requirements/tools.txt requirements/
RUN --mount=type=secret,id=pip,target=/etc/pip.conf \
    --mount=type=secret,id=certificates,target=/etc/ssl/certs/ca-certificates.crt \
    pip install --no-cache-dir --require-hashes --requirement requirements/tools.txt

FROM tools AS dependencies
COPY requirements/image.txt requirements/spark-4.1.txt requirements/
# Packages' own tests go, and so do the tools.
RUN --mount=type=secret,id=pip,target=/etc/pip.conf \
    --mount=type=secret,id=certificates,target=/etc/ssl/certs/ca-certificates.crt \
    pip install --no-cache-dir --require-hashes --no-build-isolation \
        --requirement requirements/image.txt --requirement requirements/spark-4.1.txt \
    && pip check \
    && pip uninstall --yes uv setuptools pip \
    && find /opt/prunescope/lib -type d -name tests -prune -exec rm -rf {} + \
    && python $COMPILE /opt/prunescope/lib

FROM tools AS project
COPY pyproject.toml LICENSE ./
COPY collectors collectors
COPY audit_jobs audit_jobs
COPY prunescope prunescope
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir dist . \
    && pip install --no-cache-dir --no-deps --no-index --prefix /opt/project dist/*.whl \
    && python $COMPILE /opt/project/lib

FROM python:3.11.14-slim-bookworm
LABEL org.opencontainers.image.title="prunescope" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.source="https://github.com/prunescope/prunescope"
# Hadoop asks for the name of the user that runs it, so there must be one. Nobody installs packages
# here, so the base's own installers go.
RUN groupadd --gid 185 prunescope \
    && useradd --uid 185 --gid 185 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin \
        prunescope \
    && rm -rf /usr/local/bin/pip* /usr/local/bin/wheel /usr/lib/python3*/ensurepip \
        /usr/local/lib/python3*/ensurepip /usr/local/lib/python3*/site-packages/*
COPY --from=java /opt/java/openjdk /opt/java/openjdk
COPY --from=dependencies /opt/prunescope /opt/prunescope
COPY docker/entrypoint.py docker/job.py /opt/prunescope/
ENV JAVA_HOME=/opt/java/openjdk \
    PATH=/opt/prunescope/bin:/opt/java/openjdk/bin:$PATH \
    PYSPARK_PYTHON=/opt/prunescope/bin/python \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SPARK_HOME=/opt/prunescope/lib/python3.11/site-packages/pyspark
# What a new version changes comes last.
COPY --from=project /opt/project /opt/prunescope
WORKDIR /tmp
USER 185:185
ENTRYPOINT ["python", "/opt/prunescope/entrypoint.py"]
CMD ["--help"]
