#!/bin/sh
# Builds sdist and wheel of the last commit into dist, and runs the wheel: usage dist.sh PYTHON TWINE
# The Python has uv and setuptools. Versions of Python that cannot be had are left out, and named.
set -eu
cd "$(dirname "$0")/.."
python=$PWD/$1 twine=$PWD/$2 dist=$PWD/dist
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# An export: the checkout may have files that are not committed, and what earlier builds left. Of
# tests, setuptools would take a few.
sources="LICENSE README.md pyproject.toml prunescope audit_jobs collectors dashboards"
mkdir "$folder/checkout"
git -c tar.umask=0022 archive HEAD -- $sources | tar -x -C "$folder/checkout"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf "$dist"
build() {
    "$python" -m uv --quiet build --no-build-isolation --python "$python" "$@" >/dev/null
}
build --sdist --out-dir "$dist" "$folder/checkout"
build --wheel --out-dir "$dist" "$dist"/*.tar.gz
build --wheel --out-dir "$folder" "$folder/checkout"

# The repository's package has links to folders; who installs it gets files.
if tar -tvzf "$dist"/*.tar.gz | grep '^[lh]'; then
    echo "The sdist has links in place of these files." >&2
    exit 1
fi
if ! cmp "$folder"/*.whl "$dist"/*.whl; then
    echo "The wheel that is built from the sdist is not the one of the checkout." >&2
    exit 1
fi
"$twine" check --strict "$dist"/*

# Outside of the repository, in environments without the tests' pins, as a stranger has them.
cd "$folder"
unset PYTHONPATH
uv() {
    "$python" -m uv --quiet --no-config "$@"
}
for version in 3.11 3.12 3.13 3.14; do
    if ! uv venv --python "$version" "$folder/$version" 2>/dev/null; then
        echo "Python $version: not to be had here, so the wheel was not installed"
        continue
    fi
    extra=""
    [ "$version" != 3.11 ] || extra="[audit]"
    uv pip install --python "$folder/$version" "prunescope$extra @ file://$(echo "$dist"/*.whl)"
    echo "Python $version: $("$folder/$version/bin/prunescope" --version)"
done
"$folder/3.11/bin/prunescope" demo --quiet --directory "$folder/demo" >/dev/null
test -s "$folder/demo/report.html"
echo "The demo ran from the wheel."
