"""What the peers' scripts share: the list of rows from `wgemm bench --list --json`, samples, the report.

A peer is a class with `name`, `open()`, `conditions()` and `measure(row, options)`. The report has the shape of
`wgemm bench --json`, as far as a peer knows it, so that `wgemm bench --compare` reads it.
"""

import argparse
import datetime
import json
import os
import platform
import sys
import time

try:
    import numpy
except ImportError:  # main says so
    numpy = None

BEYOND_CACHES = 256 << 20  # bytes of operands that are rotated, as wgemm does it
MOST_SETS = 512
TARGET_SPREAD = 0.03
FEWEST_SAMPLES = 5
MOST_SAMPLES = 25
SAMPLE_SECONDS = 0.02  # a sample lasts at least that long
WARM_UP_SECONDS = 0.4  # the clocks of an idle GPU are low
QUESTION = ("suite", "label", "m", "n", "k", "batch", "types", "layout", "type_a", "type_b", "type_c", "sums_in_f16", "block",
            "flops", "wanted_kernel", "wanted_split", "prepared")  # what a row asks, of a report that also answers
WRONG = 0.1  # error over the largest element from which on a result is no product


class Missing(Exception):
    """The peer is not installed or has no device; the message says what to do."""


class Unsupported(Exception):
    """The peer cannot do a row; the message says why."""


class BadFile(Exception):
    """The list of rows cannot be read or the report not be written; the message names the file."""


class Row:
    """A product of the list."""

    def __init__(self, question):
        self.question = question
        self.m, self.n, self.k = question["m"], question["n"], question["k"]
        self.batch = question["batch"]
        self.types = question["types"]
        self.trans_a, self.trans_b = (letter == "t" for letter in question["layout"])

    def name(self):
        batch = f"{self.batch} x " if self.batch > 1 else ""
        return f"{batch}{self.m}x{self.n}x{self.k} {self.types} {self.question['layout']}"

    def shape(self, rows, cols):
        return (rows, cols) if self.batch == 1 else (self.batch, rows, cols)

    def shape_a(self):
        """As it is stored."""
        return self.shape(self.k, self.m) if self.trans_a else self.shape(self.m, self.k)

    def shape_b(self):
        return self.shape(self.n, self.k) if self.trans_b else self.shape(self.k, self.n)

    def sets(self, bytes_a, bytes_b, bytes_c):
        """How many copies of the operands no cache holds together; the sizes are of an element."""
        size = self.batch * (self.m * self.k * bytes_a + self.k * self.n * bytes_b + self.m * self.n * bytes_c)
        return max(1, min(MOST_SETS, -(-BEYOND_CACHES // size)))

    def flops(self):
        return 2 * self.batch * self.m * self.n * self.k


def uniform(random, shape, kind):
    return (random.random(shape, dtype=numpy.float32) * 2 - 1).astype(kind)


def error_of(row, a, b, c):
    """Largest error of some rows of the first product over the largest element, against float64. The arguments are
    NumPy arrays, A and B as they are stored."""
    a, b, c = (x if row.batch == 1 else x[0] for x in (a, b, c))
    a = a.T if row.trans_a else a
    b = b.T if row.trans_b else b
    some = sorted({0, row.m // 2, row.m - 1})
    expected = a[some].astype(numpy.float64) @ b.astype(numpy.float64)
    return float(numpy.abs(c[some].astype(numpy.float64) - expected).max() / max(numpy.abs(expected).max(), 1e-30))


def summary(samples, repeats):
    """The fields of a time; samples are milliseconds of one product."""
    quarter, median, three = numpy.quantile(samples, (0.25, 0.5, 0.75))
    spread = float((three - quarter) / median)
    return {"ms": float(median), "ms_min": float(min(samples)), "ms_max": float(max(samples)), "spread": spread,
            "spread_reached": len(samples) >= FEWEST_SAMPLES and spread <= TARGET_SPREAD,
            "samples": len(samples), "repeats": repeats}


def sample(run, budget, span=SAMPLE_SECONDS):
    """`run(repeats)` gives seconds for that many products. Finds how many fill `span` seconds, warms up, and samples
    until the spread is small or `budget` seconds are spent."""
    run(1)
    repeats, seconds = 1, run(1)
    while seconds < span and repeats < 1 << 16:
        growth = 1.1 * span / seconds if seconds > 0 else 16
        repeats = max(repeats + 1, int(repeats * min(growth, 16)))
        seconds = run(repeats)
    start = time.monotonic()
    while time.monotonic() - start < min(WARM_UP_SECONDS, budget / 4):
        run(repeats)
    samples, start = [], time.monotonic()
    while len(samples) < MOST_SAMPLES and (not samples or time.monotonic() - start < budget):
        samples.append(run(repeats) / repeats * 1e3)
        if len(samples) >= FEWEST_SAMPLES and summary(samples, repeats)["spread_reached"]:
            break
    return summary(samples, repeats)


def measured(peer, row, options):
    """A row of the report."""
    fields = {key: row.question[key] for key in QUESTION if key in row.question}
    fields.update({"kernel": peer.name, "status": "ok", "reason": "", "note": "", "ms": None})
    try:
        fields.update(peer.measure(row, options))
    except Unsupported as why:
        fields.update({"status": "unsupported", "reason": str(why)})
    except Exception as error:  # pylint: disable=broad-except  # one row must not end the others
        fields.update({"status": "failed", "reason": f"{type(error).__name__}: {error}".splitlines()[0]})
    if fields["status"] == "ok":
        if not fields["relative_error"] <= WRONG:
            fields.update({"status": "wrong", "reason": f"an error of {fields['relative_error']:.3g}", "ms": None})
        else:
            fields["gflops"] = row.flops() / fields["ms"] * 1e-6
    return fields


def is_question(row):
    """Whether a row says what it multiplies."""
    sizes = ("m", "n", "k", "batch")
    return (isinstance(row, dict) and all(type(row.get(key)) is int and row[key] > 0 for key in sizes)
            and isinstance(row.get("types"), str) and row.get("layout") in ("nn", "nt", "tn", "tt"))


def read_rows(path):
    """Products of the list, each once: kernels, splits and preparations are wgemm's. Errors: BadFile."""
    try:
        with open(path, encoding="utf-8") as file:
            questions = json.load(file)["rows"]
    except OSError as why:
        raise BadFile(f"'{path}' cannot be read: {why.strerror}") from why
    except (ValueError, KeyError, TypeError) as why:
        raise BadFile(f"'{path}' is no list of rows; `wgemm bench ... --list --json FILE` writes one") from why
    rows, seen = [], set()
    for question in questions if isinstance(questions, list) else [questions]:
        if not is_question(question):
            raise BadFile(f"'{path}' has a row without sizes, types or layout: {json.dumps(question)[:80]}")
        row = Row({**question, "wanted_kernel": "", "wanted_split": 0, "prepared": False})
        if row.name() not in seen:
            seen.add(row.name())
            rows.append(row)
    return rows


def parse_arguments(peer):
    parser = argparse.ArgumentParser(description=f"Measures {peer.name} on the rows of `wgemm bench --list --json`.")
    parser.add_argument("rows", help="what `wgemm bench ... --list --json ROWS` wrote; a report of `--json` too")
    parser.add_argument("-o", "--output", required=True, help="the report, for `wgemm bench --compare`")
    parser.add_argument("--row-seconds", type=float, default=4, help="time to sample a row (default: 4)")
    parser.add_argument("--budget", type=float, default=0, help="begin no row after that many seconds")
    parser.add_argument("--types", default="", help="only rows of these types, separated by commas")
    return parser.parse_args()


def check_writable(path):
    """Better known before the rows are measured than after. Errors: BadFile."""
    existed = os.path.exists(path)
    try:
        with open(path, "a", encoding="utf-8"):
            pass
        if not existed:
            os.remove(path)
    except OSError as why:
        raise BadFile(f"'{path}' cannot be written: {why.strerror}") from why


def write_report(path, report):
    """Errors: BadFile."""
    try:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
    except OSError as why:
        raise BadFile(f"'{path}' cannot be written: {why.strerror}") from why


def say(words):
    print(words, file=sys.stderr, flush=True)


def main(peer):
    """Measures the rows that the command line names, and gives the exit code."""
    options = parse_arguments(peer)
    try:
        return run(peer, options)
    except BadFile as why:
        say(f"{peer.name}: {why}")
        return 1


def run(peer, options):
    rows = read_rows(options.rows)
    check_writable(options.output)
    if options.types:
        rows = [row for row in rows if row.types in options.types.split(",")]
    try:
        if numpy is None:
            raise Missing("NumPy is not installed (pip install numpy)")
        peer.open()
    except Missing as why:
        say(f"{peer.name}: {why}; nothing was measured")
        return 3
    results, start = [], time.monotonic()
    for number, row in enumerate(rows):
        if options.budget and time.monotonic() - start >= options.budget:
            say(f"{peer.name}: the budget was spent after {number} of {len(rows)} rows")
            break
        fields = measured(peer, row, options)
        results.append(fields)
        figure = f"{fields['ms']:.4f} ms, {fields['gflops']:.1f} GFLOP/s" if fields["ms"] else fields["reason"]
        say(f"{peer.name} {number + 1}/{len(rows)} {row.name()}: {fields['status']} {figure}")
    report = {"version": 1, "peer": peer.name, "command": " ".join(sys.argv),
              "conditions": {"host": f"{platform.system()} {platform.release()} {platform.machine()}",
                             "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                             **peer.conditions()},
              "rows": results}
    write_report(options.output, report)
    return 1 if any(row["status"] in ("wrong", "failed") for row in results) else 0
