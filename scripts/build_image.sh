#!/bin/sh
# Builds the image with the builder at hand: usage build_image.sh NAME:TAG
set -eu
cd "$(dirname "$0")/.."

for builder in docker podman buildah; do
    # A docker without its daemon builds nothing; the others need none.
    if command -v "$builder" >/dev/null 2>&1 && "$builder" info >/dev/null 2>&1; then
        exec "$builder" build --tag "$1" --file Dockerfile .
    fi
done
echo "An image is built by docker, podman or buildah, and none of them works here: install one, or start docker's daemon." >&2
exit 1
