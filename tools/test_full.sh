#!/usr/bin/env bash
# What `make test` leaves out. Problems from the fuzzer: with each family forced, under minimum limits, on each WebGPU
# library, with and without sanitizers.
#   test_full.sh BUILD SANITIZED_BUILD full|sample
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
sanitized=$2
# Problems of a run, and under sanitizers.
case $3 in
  full) problems=20000 family=2000 careful=5000 ;;
  sample) problems=0 family=0 careful=320 ;;
  *) echo "$0: '$3' is neither full nor sample" >&2; exit 2 ;;
esac
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp} OPENBLAS_NUM_THREADS=1
# Mesa's drivers keep what they allocate.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}

failed=0
fuzz() {
  echo "$ $*"
  "$@" || failed=1
}

for library in dawn wgpu; do
  fuzz "$sanitized/wgemm" verify --fuzz "$careful" --seed 3 --webgpu "$library"
  fuzz "$sanitized/wgemm" verify --fuzz "$careful" --seed 4 --webgpu "$library" --limits minimum
  [ "$problems" = 0 ] && continue
  fuzz "$build/wgemm" verify --fuzz "$problems" --seed 5 --webgpu "$library"
  fuzz "$build/wgemm" verify --fuzz "$problems" --seed 6 --webgpu "$library" --limits minimum
  for kernel in $("$build/wgemm" emit --list | sed -n '/^kernels/,/^$/s/^  \([a-z0-9-]*\) .*/\1/p'); do
    fuzz "$build/wgemm" verify --fuzz "$family" --seed 7 --kernels "$kernel" --webgpu "$library"
    fuzz "$build/wgemm" verify --fuzz "$family" --seed 8 --kernels "$kernel" --webgpu "$library" --limits minimum
  done
done
exit $failed
