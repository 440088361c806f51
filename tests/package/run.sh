#!/usr/bin/env bash
# Installs a build into a folder of its own and builds a project outside the tree against it: once by find_package, once
# by pkg-config where there is one. Usage: run.sh BUILD_FOLDER
set -euo pipefail
build=$1
export WGEMM_PIPELINE_CACHE=off # nothing is left behind
project=$(cd "$(dirname "$0")" && pwd)/project
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix" # an installation can be moved
cmake -S "$project" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 ||
  { cat "$work/log"; exit 1; }
cmake --build "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# The installed WebGPU library is enough; nothing of the tree is used.
library=$(find "$work/prefix" -name 'libwebgpu_dawn.so' | head -n 1)
if [ -n "$library" ]; then export WGEMM_DAWN_LIBRARY=$library WGEMM_WEBGPU=dawn; fi
"$work/build/outside_cpp"
"$work/build/outside_c"

if command -v pkg-config >/dev/null; then
  pc=$(dirname "$(find "$work/prefix" -name wgemm.pc)")
  read -ra flags <<<"$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs wgemm)"
  "${CXX:-c++}" -std=c++20 "$project/main.cpp" -o "$work/by_pkg_config" "${flags[@]}"
  "$work/by_pkg_config"
  "${CC:-cc}" "$project/main.c" -o "$work/c_by_pkg_config" "${flags[@]}"
  "$work/c_by_pkg_config"
fi
