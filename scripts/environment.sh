#!/bin/sh
# Makes a virtual environment of pinned packages, or brings one up to date: usage
# environment.sh PYTHON FOLDER FILE...
set -eu
cd "$(dirname "$0")/.."
python=$1 folder=$2
shift 2

if [ ! -x "$folder/bin/python" ]; then
    scripts/check_programs.sh python "$python"
    echo "Setting up $folder (some minutes, once)"
    "$python" -m venv "$folder"
fi
install() {
    "$folder/bin/python" -m pip --disable-pip-version-check install --quiet --require-hashes "$@"
}
# PySpark comes as a source distribution, and pip checks no hashes of what a build needs: so the
# build tools are pinned and installed first, and builds use them instead of fetching their own.
install --requirement requirements/tools.txt
for file in "$@"; do
    set -- "$@" --requirement "$file"
    shift
done
install --no-build-isolation "$@"
