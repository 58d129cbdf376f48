#!/bin/sh
# Builds the image with the builder at hand: usage build_image.sh NAME:TAG
# PULL=never takes base images that are here, and looks for none elsewhere. BUILDER=podman chooses one.
set -eu
cd "$(dirname "$0")/.."

# Where pip finds packages, and whose certificates it trusts, are the machine's: they are shown to
# the build and are not in the image.
set -- --tag "$1" --file Dockerfile
for pip in "${PIP_CONFIG_FILE:-}" "${XDG_CONFIG_HOME:-$HOME/.config}/pip/pip.conf" /etc/pip.conf; do
    if [ -s "$pip" ]; then
        set -- "$@" --secret "id=pip,src=$pip"
        break
    fi
done
certificates=${PIP_CERT:-${SSL_CERT_FILE:-}}
if [ -n "$certificates" ]; then
    set -- "$@" --secret "id=certificates,src=$certificates"
fi

export DOCKER_BUILDKIT=1  # before docker 23, secrets of a build are known to BuildKit alone
for builder in ${BUILDER:-docker podman buildah}; do
    # A docker without its daemon builds nothing; the others need none.
    if command -v "$builder" >/dev/null 2>&1 && "$builder" info >/dev/null 2>&1; then
        if [ "$builder" != docker ]; then
            set -- "$@" --layers
            [ "${PULL:-}" != never ] || set -- "$@" --pull=never
            # In a container, or as root without a runtime of containers, chroot is what works.
            [ "$(id -u)" != 0 ] || set -- "$@" --isolation chroot
        fi
        exec "$builder" build "$@" .
    fi
done
echo "An image is built by docker, podman or buildah, and none of them works here: install one, or start docker's daemon." >&2
exit 1
