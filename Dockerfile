# The image of prunescope: audit, maintenance, exporter and receiver, and Spark's driver and
# executors. `make image` builds it. Nothing is fetched when it runs.

FROM eclipse-temurin:17.0.17_10-jre-jammy AS java

FROM python:3.11.14-slim-bookworm AS build
WORKDIR /build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PATH=/opt/prunescope/bin:$PATH
RUN python -m venv /opt/prunescope
# Build tools, then dependencies, then the project: what changes least comes first. All are pinned
# with hashes, and builds use the tools that are installed instead of fetching their own.
COPY constraints-tools.txt ./
RUN pip install --no-cache-dir --require-hashes --requirement constraints-tools.txt
COPY constraints-image.txt ./
RUN pip install --no-cache-dir --require-hashes --no-build-isolation \
    --requirement constraints-image.txt
COPY pyproject.toml LICENSE ./
COPY collectors collectors
COPY audit_jobs audit_jobs
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir dist . \
    && pip install --no-cache-dir --no-deps --no-index dist/*.whl \
    && pip check \
    && pip uninstall --yes uv

FROM python:3.11.14-slim-bookworm
LABEL org.opencontainers.image.title="prunescope" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.source="https://github.com/prunescope/prunescope"
# Hadoop asks for the name of the user that runs it, so there must be one.
RUN groupadd --gid 185 prunescope \
    && useradd --uid 185 --gid 185 --no-create-home --home-dir /tmp --shell /usr/sbin/nologin \
        prunescope
COPY --from=java /opt/java/openjdk /opt/java/openjdk
COPY --from=build /opt/prunescope /opt/prunescope
COPY docker/entrypoint.py docker/job.py /opt/prunescope/
ENV JAVA_HOME=/opt/java/openjdk \
    PATH=/opt/prunescope/bin:/opt/java/openjdk/bin:$PATH \
    PYSPARK_PYTHON=/opt/prunescope/bin/python \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    SPARK_HOME=/opt/prunescope/lib/python3.11/site-packages/pyspark
WORKDIR /tmp
USER 185:185
ENTRYPOINT ["python", "/opt/prunescope/entrypoint.py"]
CMD ["--help"]
