#!/usr/bin/env python3
"""Multiplies .npy files that are larger than the device may hold: python3 examples/large_npy.py build/wgemm

The files are mapped, not read, and pass through the device in panels; --memory-cap forces what a small GPU would."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROWS, INNER, COLUMNS, CAP = 1500, 1100, 1300, 2_000_000


def main(program):
    random = np.random.default_rng(7)
    # Small integers: every sum is exact, so the panels must give NumPy's own bits.
    a = random.integers(-4, 5, (ROWS, INNER)).astype(np.float32)
    b = random.integers(-4, 5, (INNER, COLUMNS)).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("a.npy", "b.npy", "c.npy")]
        np.save(paths[0], a)
        np.save(paths[1], np.asfortranarray(b))
        subprocess.run([program, "run", paths[0], paths[1], "-o", paths[2], "--memory-cap", str(CAP)], check=True)
        c = np.load(paths[2])
    held = a.nbytes + b.nbytes + c.nbytes
    equal = np.array_equal(c, a @ b)
    print(f"{held / 1e6:.1f} MB of matrices through {CAP / 1e6:.1f} MB of device memory: {'equal' if equal else 'WRONG'}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
