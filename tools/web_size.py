#!/usr/bin/env python3
"""Prints what a page downloads for wgemm, compressed; fails above the limit. Usage: web_size.py DIST_FOLDER

Ends with 77 (skipped) where nothing is built there.
"""

import gzip
import sys
from pathlib import Path

PARTS = ["wgemm.wasm"]
LIMIT_KB = 400  # gzip; every page that uses wgemm waits for it
SKIPPED = 77


def main(folder):
    if not (folder / PARTS[0]).exists():
        print(f"skipped: {folder} holds no {PARTS[0]}; `make web-build` makes it")
        return SKIPPED
    sizes = {part: len(gzip.compress((folder / part).read_bytes(), 9)) / 1000 for part in PARTS}
    total = sum(sizes.values())
    listed = ", ".join(f"{part} {size:.0f} kB" for part, size in sizes.items())
    print(f"web: {listed} compressed; the limit is {LIMIT_KB} kB together")
    return 1 if total > LIMIT_KB else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
