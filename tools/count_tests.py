#!/usr/bin/env python3
"""Counts what ctest just ran and prints 'N passed, N failed[, N skipped]'; fails unless all is well.

A GoogleTest program counts by its cases, read from the JSON file that it wrote: NAME.json, where NAME is its ctest
name, or PROGRAM.json. A program that ctest runs several times needs the first, or the runs overwrite each other:
  set_tests_properties(NAME PROPERTIES ENVIRONMENT "GTEST_OUTPUT=json:<results>/NAME.json")
A ctest entry of one GoogleTest case, as gtest_discover_tests makes them, counts one. Any other test is a script and
counts one, unless it wrote NAME.count.json with {"passed": n, "failed": n, "skipped": n}.
Whatever a test claims, an entry that ctest saw fail has at least one failure: a crash, a time-out, a missing program.
"""

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

GOOGLETEST_BANNER = "[==========] Running"
SINGLE_CASE = "--gtest_filter="
# How ctest words a skip that the test itself asked for; any other test that did not run is a failure.
ASKED_SKIPS = ("SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION", "Disabled")


def commands_of(build):
    """ctest name -> command line."""
    listing = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
    return {test["name"]: test.get("command", []) for test in json.loads(listing.stdout)["tests"]}


def ctest_outcome(case):
    """passed, failed or skipped, as ctest saw it."""
    if case.find("failure") is not None or case.get("status") == "fail":
        return "failed"
    skipped = case.find("skipped")
    if skipped is not None or case.get("status") in ("notrun", "disabled"):
        message = skipped.get("message", "") if skipped is not None else ""
        asked = case.get("status") == "disabled" or any(word in message for word in ASKED_SKIPS)
        return "skipped" if asked else "failed"
    return "passed"


def count_cases(file):
    """The cases of a GoogleTest result file; a disabled case is a skipped one."""
    count = Counter()
    for suite in json.loads(file.read_text(encoding="utf-8"))["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("failures"):
                count["failed"] += 1
            elif case.get("status") == "NOTRUN" or case.get("result") in ("SKIPPED", "SUPPRESSED"):
                count["skipped"] += 1
            else:
                count["passed"] += 1
    return count


def count_test(case, command, is_shared, results):
    """What one ctest entry counts, and a remark where its results are not to be trusted."""
    name, outcome = case.get("name"), ctest_outcome(case)
    written = results / f"{name}.count.json"
    if written.exists():
        return Counter(json.loads(written.read_text(encoding="utf-8"))), ""
    files = [results / f"{name}.json"]
    if command and not is_shared:
        files.append(results / f"{Path(command[0]).stem}.json")
    for file in files:
        if file.exists():
            return count_cases(file), ""
    is_googletest = GOOGLETEST_BANNER in (case.findtext("system-out") or "")
    is_single = any(word.startswith(SINGLE_CASE) and "*" not in word for word in command)
    if is_googletest and not is_single:
        why = "set its GTEST_OUTPUT in CMake" if is_shared and outcome == "passed" else "it did not end"
        return Counter(failed=1), f"{name}: GoogleTest program without a result file: {why}"
    return Counter({outcome: 1}), ""


def main(build, results):
    commands = commands_of(build)
    uses = Counter(command[0] for command in commands.values() if command)
    total, remarks = Counter(), []
    report = results / "ctest.xml"  # absent where ctest found no tests
    for case in ElementTree.parse(report).getroot().iter("testcase") if report.exists() else []:
        command = commands.get(case.get("name"), [])
        count, remark = count_test(case, command, bool(command) and uses[command[0]] > 1, results)
        if ctest_outcome(case) == "failed" and not count["failed"]:
            count["failed"] += 1
            remark = f"{case.get('name')}: failed although its cases did not"
        if remark:
            remarks.append(remark)
        total += count
    for remark in remarks:
        print(remark)
    if not total["passed"] and not total["failed"]:
        total["failed"] += 1
        print("no test ran: counted as a failure")
    line = f"{total['passed']} passed, {total['failed']} failed"
    print(line + (f", {total['skipped']} skipped" if total["skipped"] else ""))
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
