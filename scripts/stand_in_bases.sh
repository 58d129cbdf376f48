#!/bin/sh
# Makes stand-ins for the Dockerfile's base images of Debian's packages, where no registry of images
# can be reached: `make image-bases`, and then `PULL=never make image`. Needs root and some minutes;
# a second call finds what the first one made.
set -eu
cd "$(dirname "$0")/.."

for program in buildah mmdebstrap; do
    if ! command -v "$program" >/dev/null 2>&1; then
        echo "Stand-ins are made by buildah and mmdebstrap, and there is no $program: apt-get install it." >&2
        exit 1
    fi
done

base() { sed -n "s/^FROM \($1:[^ ]*\).*/localhost\/\1/p" Dockerfile | sort -u; }
python=$(base python)
java=$(base eclipse-temurin)
recipe=$(sha256sum scripts/stand_in_bases.sh | cut -d ' ' -f 1)

is_made() {
    format='{{index .OCIv1.Config.Labels "prunescope.stand-in"}}'
    [ "$(buildah inspect --type image --format "$format" "$1" 2>/dev/null)" = "$recipe" ]
}
if is_made "$python" && is_made "$java"; then
    exit 0
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Java is moved to where the real base has it, with what its links lead to; it installs only where
# there is a folder for its manual. The wheels of venv are where CPython has them.
mmdebstrap --quiet --variant=minbase --include=ca-certificates,openjdk-17-jre-headless,python3-venv \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --essential-hook='mkdir -p "$1/usr/share/man/man1"' \
    --customize-hook='chroot "$1" sh -eu -c "
        mkdir -p /opt/java
        rm -rf /usr/lib/jvm/java-17-openjdk-*/docs /usr/lib/jvm/java-17-openjdk-*/man
        cp -rL /usr/lib/jvm/java-17-openjdk-* /opt/java/openjdk
        apt-get -qq purge --yes --auto-remove openjdk-17-jre-headless java-common ca-certificates-java >/dev/null
        mv /usr/share/python-wheels /usr/lib/python3.11/ensurepip/_bundled
        ln -s /usr/lib/python3.11/ensurepip/_bundled /usr/share/python-wheels
        ln -s python3 /usr/bin/python"' \
    bookworm "$folder/root.tar"
mkdir "$folder/root"
tar -C "$folder/root" -xf "$folder/root.tar"
mkdir -p "$folder/java/opt"
mv "$folder/root/opt/java" "$folder/java/opt/"

image() {
    container=$(buildah from scratch)
    buildah add --quiet "$container" "$1" / >/dev/null
    buildah config --label "prunescope.stand-in=$recipe" --env "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" "$container"
    buildah commit --quiet --rm "$container" "$2" >/dev/null
}
image "$folder/root" "$python"
image "$folder/java" "$java"
