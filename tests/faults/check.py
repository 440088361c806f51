#!/usr/bin/env python3
"""Checks docs/faults.md: a row for each number from 1 to 35, and behind it tests that exist. Needs Python 3 alone."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NUMBERS = range(1, 36)


def existing_tests():
    """Suite.Name of every test in the sources."""
    names = set()
    for source in (ROOT / "tests").rglob("*.cpp"):
        names |= {f"{suite}.{name}" for suite, name in
                  re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", source.read_text(encoding="utf-8"), re.MULTILINE)}
    for source in (ROOT / "tests").rglob("test_*.py"):
        suite = ""
        for line in source.read_text(encoding="utf-8").splitlines():
            if match := re.match(r"class (\w+)\(", line):
                suite = match[1]
            elif match := re.match(r"    def (test_\w+)\(", line):
                names.add(f"{suite}.{match[1]}")
    return names


def faults_of(table):
    rows = re.findall(r"^\| (\d+) \| (.+) \| (.+) \|$", table, re.MULTILINE)
    numbers = [int(number) for number, _, _ in rows]
    if numbers != list(NUMBERS):
        yield f"rows are numbered {numbers}"
    known = existing_tests()
    for number, _, cell in rows:
        tests = re.findall(r"`([^`]+)`", cell)
        if not tests:
            yield f"row {number} names no test"
        for test in tests:
            if test not in known:
                yield f"row {number}: there is no test {test}"


def faults_of_text(table):
    """Tests that are named outside the rows exist, too."""
    text = "\n".join(line for line in table.splitlines() if not line.startswith("|"))
    known = existing_tests()
    for test in re.findall(r"`(\w+\.\w+)`", text):
        if test not in known:
            yield f"there is no test {test}"


def main():
    table = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
    faults = [*faults_of(table), *faults_of_text(table)]
    for fault in faults:
        print(f"docs/faults.md: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
