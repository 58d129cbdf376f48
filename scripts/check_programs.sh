#!/bin/sh
# Says in one sentence what is missing, if it is: usage check_programs.sh python PYTHON | java
set -eu

check_python() {
    if ! command -v "$1" >/dev/null 2>&1; then
        echo "Python 3.11 or newer is needed, and there is no $1: install it, or name it with make PYTHON=…" >&2
        return 1
    fi
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if [ "${version%%.*}" -lt 3 ] || { [ "${version%%.*}" -eq 3 ] && [ "${version#*.}" -lt 11 ]; }; then
        echo "Python 3.11 or newer is needed, and $1 is $version: name a newer one with make PYTHON=…" >&2
        return 1
    fi
}

check_java() {
    if [ -n "${JAVA_HOME:-}" ]; then
        java="$JAVA_HOME/bin/java" where="JAVA_HOME"
    else
        java="java" where="the PATH"
    fi
    # The first digits of: openjdk version "17.0.15" 2025-04-15. macOS has a java that only
    # says that there is none.
    major=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p') || major=""
    if [ -z "$major" ]; then
        echo "Spark needs Java 17 or newer, and there is none in $where: install it (for example openjdk-17-jre-headless) or set JAVA_HOME." >&2
        return 1
    fi
    if [ "$major" -lt 17 ]; then
        echo "Spark needs Java 17 or newer, and the one in $where is Java $("$java" -version 2>&1 | sed -n 's/.* version "\(.*\)".*/\1/p'): install a newer one or set JAVA_HOME." >&2
        return 1
    fi
}

case "$1" in
python) check_python "$2" ;;
java) check_java ;;
esac
