#!/bin/sh
# Fuzzes each parser for some seconds, led by coverage: usage fuzz_parsers.sh PYTHON SECONDS
set -eu
cd "$(dirname "$0")/.."
for corpus in tests/fuzz/corpus/*; do
    parser=$(basename "$corpus")
    found="build/fuzz/$parser"
    echo "$parser"
    mkdir -p "$found"
    "$1" -W ignore -m tests.fuzz "$parser" -max_total_time="$2" -timeout=20 -rss_limit_mb=2048 \
        -max_len=8000 -artifact_prefix="$found-" -verbosity=0 -print_final_stats=1 "$found" "$corpus"
done
