#!/usr/bin/env python3
"""OpenBLAS on the CPU, through NumPy: openblas.py ROWS.json -o PEER.json"""

import sys
import time

import rows
from rows import numpy


class OpenBlas:
    name = "OpenBLAS"

    def __init__(self):
        self.random = None
        self.library = {}

    def open(self):
        """NumPy names the library that it was built with only by words that changed over time."""
        self.random = numpy.random.default_rng(1)
        shown = numpy.show_config(mode="dicts") if numpy.lib.NumpyVersion(numpy.__version__) >= "1.26.0" else {}
        self.library = shown.get("Build Dependencies", {}).get("blas", {})
        name = self.library.get("name", "")
        if name and "openblas" not in name.lower() and "blas" != name.lower():
            raise rows.Missing(f"NumPy is built with {name}")

    def conditions(self):
        blas = " ".join(str(self.library[key]) for key in ("name", "version") if key in self.library)
        return {"numpy": numpy.__version__, **({"numpy_blas": blas} if blas else {})}

    def measure(self, row, options):
        if row.types != "f32":
            raise rows.Unsupported("BLAS has f32 and f64")
        size = row.batch * 4 * (row.m * row.k + row.k * row.n + row.m * row.n)
        count = max(1, min(rows.MOST_SETS, -(-rows.BEYOND_CACHES // size)))
        a, b = (rows.uniform(self.random, shape, numpy.float32) for shape in (row.shape_a(), row.shape_b()))
        sets = [(a.copy(), b.copy(), numpy.empty(row.shape(row.m, row.n), numpy.float32)) for _ in range(count)]

        def multiply(index):
            left, right, out = sets[index % count]
            left = left.swapaxes(-1, -2) if row.trans_a else left
            right = right.swapaxes(-1, -2) if row.trans_b else right
            numpy.matmul(left, right, out=out)

        def run(repeats):
            start = time.perf_counter()
            for index in range(repeats):
                multiply(index)
            return time.perf_counter() - start

        multiply(0)
        return {"relative_error": rows.error_of(row, a, b, sets[0][2]), "timing": "host_clock",
                **rows.sample(run, options.row_seconds)}


if __name__ == "__main__":
    sys.exit(rows.main(OpenBlas()))
