#!/usr/bin/env python3
"""Runs the tests of the command line: main.py PROGRAM [unittest's options]. Counts go to WGEMM_COUNT_FILE."""

import json
import os
import sys
import unittest
from pathlib import Path

import support


def main():
    support.PROGRAM = str(Path(sys.argv[1]).resolve())
    suite = unittest.defaultTestLoader.discover(str(Path(__file__).parent), pattern="test_*.py")
    if len(sys.argv) > 2:  # part of a test's name
        chosen = [test for group in suite for case in group for test in case if sys.argv[2] in test.id()]
        suite = unittest.TestSuite(chosen)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    count_file = os.environ.get("WGEMM_COUNT_FILE")
    if count_file:
        Path(count_file).parent.mkdir(parents=True, exist_ok=True)
        count = {"passed": max(result.testsRun - failed - skipped, 0), "failed": failed, "skipped": skipped}
        Path(count_file).write_text(json.dumps(count), encoding="utf-8")
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
