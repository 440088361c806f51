#!/usr/bin/env bash
# Runs all tests of a build folder (default: build); the last line is the count. See count_tests.py for what counts.
set -uo pipefail
cd "$(dirname "$0")/.."

build=$(cd "${1:-build}" && pwd) || exit 1
results=$build/test-results
rm -rf "$results"
mkdir -p "$results"

# GoogleTest programs write one JSON file each into this folder.
export GTEST_OUTPUT="json:$results/"
ctest --test-dir "$build" --output-on-failure -j2 --output-junit "$results/ctest.xml"
python3 tools/count_tests.py "$build" "$results"
