"""What the tests of wgemm run share: arrays, and a product of them through files."""

import numpy

from support import QUICK, CliTest


def numbers(*shape, seed=1, dtype=numpy.float32):
    return numpy.random.default_rng(seed).uniform(-1, 1, shape).astype(dtype)


def integers(*shape, seed=1, dtype=numpy.int8):
    limits = numpy.iinfo(dtype)
    return numpy.random.default_rng(seed).integers(limits.min, limits.max + 1, shape).astype(dtype)


def small(*shape, seed=1, dtype=numpy.float32):
    """Small integers, whose sums are exact in every type here."""
    return numpy.random.default_rng(seed).integers(-3, 4, shape).astype(dtype)


class ProblemTest(CliTest):
    def save(self, **arrays):
        for name, array in arrays.items():
            numpy.save(self.folder / f"{name}.npy", array)

    def run_product(self, a, b, *options, kernel=QUICK, check=True, **files):
        self.save(A=a, B=b, **files)
        words = (*(("--kernel", kernel) if kernel else ()), *(("--check",) if check else ()))
        output = self.succeed("run", "A.npy", "B.npy", "-o", "OUT.npy", *words, *options).stdout
        if check:
            self.assertIn("check: ok", output)
        return numpy.load(self.folder / "OUT.npy")

    def assert_equal(self, out, expected):
        self.assertEqual(out.shape, numpy.shape(expected))
        self.assertTrue(numpy.array_equal(out, expected), out)

    def assert_near(self, out, expected, tolerance):
        self.assertEqual(out.shape, numpy.shape(expected))
        self.assertTrue((abs(out - expected) <= tolerance).all(), abs(out - expected).max())

    def refuse(self, code, *words, options=(), **files):
        """A and B that fit, unless files say otherwise."""
        self.save(**{"A": small(4, 3), "B": small(3, 5), **files})
        self.fail_with(code, *words, arguments=["run", "A.npy", "B.npy", "-o", "OUT.npy", "--kernel", QUICK, *options])
        self.assertFalse((self.folder / "OUT.npy").exists())
