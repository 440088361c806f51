#!/usr/bin/env bash
# What `make test` leaves out. The native room's tests under ThreadSanitizer; problems from the fuzzer, with each family
# forced, under minimum limits, on each WebGPU library, with and without the other sanitizers.
#   test_full.sh BUILD SANITIZED_BUILD THREAD_BUILD full|sample
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
sanitized=$2
thread=$3
# Problems of a run, and under sanitizers.
case $4 in
  full) problems=20000 family=2000 careful=5000 ;;
  sample) problems=0 family=0 careful=320 ;;
  *) echo "$0: '$4' is neither full nor sample" >&2; exit 2 ;;
esac
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp} OPENBLAS_NUM_THREADS=1
# Mesa's drivers keep what they allocate.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
export WGEMM_PIPELINE_CACHE=off  # the tests of the cache have folders of their own
export TSAN_OPTIONS=suppressions=$PWD/tests/native/thread_sanitizer.supp:${TSAN_OPTIONS:-}

failed=0
run() {
  echo "$ $*"
  "$@" || failed=1
}
fuzz() { run "$1/wgemm" verify --fuzz "${@:2}"; }

run "$thread/tests/native/native_tests" --gtest_brief=1
families=$("$sanitized/wgemm" emit --list | sed -n '/^$/q; /^ /!p')
[ "$(wc -w <<<"$families")" -gt 1 ] || { echo "$0: emit --list names no families: '$families'" >&2; exit 1; }
for library in dawn wgpu; do
  fuzz "$sanitized" "$careful" --seed 3 --webgpu "$library"
  fuzz "$sanitized" "$careful" --seed 4 --webgpu "$library" --limits minimum
  [ "$problems" = 0 ] && continue
  fuzz "$build" "$problems" --seed 5 --webgpu "$library"
  fuzz "$build" "$problems" --seed 6 --webgpu "$library" --limits minimum
  for kernel in $families; do
    fuzz "$build" "$family" --seed 7 --kernels "$kernel" --webgpu "$library"
    fuzz "$build" "$family" --seed 8 --kernels "$kernel" --webgpu "$library" --limits minimum
  done
done
exit $failed
