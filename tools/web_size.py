#!/usr/bin/env python3
"""Prints what a page downloads for wgemm, compressed; fails above the limit. Usage: web_size.py DIST_FOLDER

Ends with 77 (skipped) where nothing is built there.
"""

import gzip
import sys
from pathlib import Path

MODULE = "wgemm.wasm"
GLUE = "index.js"  # where npm built the package
LIMIT_KB = 400  # gzip; every page that uses wgemm waits for it
SKIPPED = 77


def main(folder):
    if not (folder / MODULE).exists():
        print(f"skipped: {folder} holds no {MODULE}; `make web-build` makes it")
        return SKIPPED
    files = [folder / part for part in (MODULE, GLUE) if (folder / part).exists()]
    sizes = {file.name: len(gzip.compress(file.read_bytes(), 9)) / 1000 for file in files}
    total = sum(sizes.values())
    listed = ", ".join(f"{part} {size:.0f} kB" for part, size in sizes.items())
    print(f"web: {listed} compressed; the limit is {LIMIT_KB} kB together")
    return 1 if total > LIMIT_KB else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
