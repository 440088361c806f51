#!/usr/bin/env python3
"""Checks what the documentation says against the repository: links and anchors lead somewhere, quoted WGSL stands in
a kernel file as quoted, no text of a picture overlaps another. Needs Python 3 and nothing else."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "docs/ladder.md", "docs/architecture.md", "docs/using.md", "docs/tuning.md",
         "docs/benchmark.md", "docs/performance.md", "docs/types.md", "docs/numerics.md", "docs/faults.md",
         "docs/quantised-weights.md")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def anchors(page):
    """Headings as GitHub turns them into anchors."""
    titles = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(page, text):
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", text)):
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists():
            yield f"{link}: no such file"
        elif anchor and anchor not in anchors(target):
            yield f"{link}: no such heading"


def stale_quotes(text):
    kernels = [kernel.read_text(encoding="utf-8") for kernel in (ROOT / "core" / "kernels").rglob("*.wgsl")]
    for quote in re.findall(r"^```wgsl\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if not any(quote in kernel for kernel in kernels):
            yield f"quoted WGSL stands in no kernel: {quote.strip().splitlines()[0]} …"


def overlaps():
    sys.path.insert(0, str(ROOT / "docs" / "pictures"))
    from draw import PICTURES  # pylint: disable=import-outside-toplevel,import-error

    for draw in PICTURES:
        yield from draw().check()


def main():
    faults = [f"docs/pictures/draw.py: {fault}" for fault in overlaps()]
    for name in PAGES:
        page = ROOT / name
        text = page.read_text(encoding="utf-8")
        faults += [f"{name}: {fault}" for fault in (*broken_links(page, text), *stale_quotes(text))]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
