#!/usr/bin/env python3
"""Writes the measured figures of results/h200 into docs/ladder.md, between its markers. Needs Python 3 only."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results/h200/ladder-4096-dawn.json"
COLUMNS = ("rung", "checked: ms", "unchecked: ms", "GFLOP/s", "over the rung before", "over naive", "of the roofline",
           "error / bound")


def row(name, checked, unchecked):
    def figure(run, key, text):
        value = run.get(key) if run else None
        return text(value) if value is not None else ""

    cells = [f"`{name}`",
             figure(checked, "ms", lambda ms: f"{ms:.4g}"),
             figure(unchecked, "ms", lambda ms: f"{ms:.4g}"),
             figure(unchecked, "gflops", lambda rate: f"{rate:,.0f}"),
             figure(unchecked, "speedup_before", lambda ratio: f"{ratio:.2f}"),
             figure(unchecked, "speedup_naive", lambda ratio: f"{ratio:,.1f}"),
             figure(unchecked, "roofline_share", lambda share: f"{100 * share:.1f} %"),
             figure(unchecked, "error_over_bound", lambda ratio: f"{ratio:.1g}")]
    return "| " + " | ".join(cells) + " |"


def table(results):
    rungs = [rung for rung in results["rungs"] if rung["kind"] == "rung" and rung["edges"] == "checked"]
    by_checks = {checks: {rung["name"]: rung for rung in rungs if rung["shaders"] == checks}
                 for checks in ("checked", "unchecked")}
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for name, unchecked in by_checks["unchecked"].items():
        label = name + " (f16 inputs)" if unchecked["operands"] == "f16" else name
        lines.append(row(label, by_checks["checked"].get(name), unchecked))
    roofline = results["roofline"]
    conditions = results["conditions"]
    lines += ["",
              f"4096 x 4096 x 4096 on an {conditions['adapter']}, {conditions['driver']}, through Dawn on Vulkan, medians of "
              "GPU timestamps. Checked: with the bounds checks that Dawn adds to every shader; unchecked: without them, "
              "which all columns from GFLOP/s on refer to. The roofline measured in the same run: "
              f"{roofline['bytes_per_second'] / 1e12:.2f} TB/s copied and "
              f"{roofline['flops_per_second'] / 1e12:.1f} TFLOP/s of fused multiply-adds. "
              "[Raw results and the command](../results/README.md)."]
    return "\n".join(lines)


def main():
    page = ROOT / "docs/ladder.md"
    text = page.read_text(encoding="utf-8")
    block = table(json.loads(RESULTS.read_text(encoding="utf-8")))
    text, count = re.subn(r"(<!-- figures: h200 -->\n).*?(<!-- /figures -->)",
                          lambda match: match[1] + block + "\n" + match[2], text, flags=re.DOTALL)
    if count != 1:
        raise SystemExit("docs/ladder.md has no block of figures")
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
