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
  full) problems=20000 family=2000 careful=5000 careful_family=200 ;;
  sample) problems=0 family=0 careful=320 careful_family=8 ;;
  *) echo "$0: '$4' is neither full nor sample" >&2; exit 2 ;;
esac
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp} OPENBLAS_NUM_THREADS=1
# Mesa's drivers keep what they allocate.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS:-} UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
export WGEMM_PIPELINE_CACHE=off  # the tests of the cache have folders of their own
export TSAN_OPTIONS=suppressions=$PWD/tests/native/thread_sanitizer.supp:${TSAN_OPTIONS:-}

run() {
  echo "$ $*"
  "$@" || failed=1
}
fuzz() { run "$1/wgemm" verify --fuzz "${@:2}" --webgpu "$library"; }

fuzz_library() {
  local library=$1 kernel failed=0
  fuzz "$sanitized" "$careful" --seed 3
  fuzz "$sanitized" "$careful" --seed 4 --limits minimum
  for kernel in $families; do fuzz "$sanitized" "$careful_family" --seed 9 --kernels "$kernel"; done
  [ "$problems" = 0 ] && return "$failed"
  fuzz "$build" "$problems" --seed 5
  fuzz "$build" "$problems" --seed 6 --limits minimum
  for kernel in $families; do
    fuzz "$build" "$family" --seed 7 --kernels "$kernel"
    fuzz "$build" "$family" --seed 8 --kernels "$kernel" --limits minimum
  done
  return "$failed"
}

failed=0
run "$thread/tests/native/native_tests" --gtest_brief=1
[ "$problems" = 0 ] || run env WGEMM_TEST_ALL=1 "$build/tests/variants/naga_tests" --gtest_brief=1
families=$("$sanitized/wgemm" emit --list | sed -n '/^$/q; /^ /!p')
[ "$(wc -w <<<"$families")" -gt 1 ] || { echo "$0: emit --list names no families: '$families'" >&2; exit 1; }
# Side by side: drivers compile on one core each.
runs=()
for library in dawn wgpu; do
  fuzz_library "$library" > >(sed -u "s/^/$library: /") 2>&1 &
  runs+=($!)
done
for process in "${runs[@]}"; do wait "$process" || failed=1; done
exit $failed
