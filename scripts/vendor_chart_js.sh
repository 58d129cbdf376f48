#!/bin/sh
# Fetches Chart.js from npm, which checks what it gets, and puts it where the report embeds it.
# To move to another version, change these two: `npm view chart.js@VERSION dist.integrity`.
set -eu
version="4.6.1"
integrity="sha512-hJyniucsFmq//EvXYvJ6c6mahPoI3kaxdjVH8awTaJ/fDNWeSqqqArixMJWkWNN6fcYvPU3HneSANFNYtRi61g=="

vendor="$(cd "$(dirname "$0")/.." && pwd)/audit_jobs/report/vendor"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "chart.js@$version" >/dev/null
found="sha512-$(openssl dgst -sha512 -binary "chart.js-$version.tgz" | openssl base64 -A)"
if [ "$found" != "$integrity" ]; then
    echo "chart.js $version has the integrity $found, and $integrity is expected" >&2
    exit 1
fi
tar -xzf "chart.js-$version.tgz"
cp package/dist/chart.umd.min.js "$vendor/chart.umd.min.js"
cp package/LICENSE.md "$vendor/LICENSE.chart.js.md"
(cd "$vendor" && sha256sum chart.umd.min.js LICENSE.chart.js.md >SHA256SUMS)
