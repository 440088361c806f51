"""wgemm run: types, and products larger than the memory that they may take, against NumPy."""

import numpy

from problems import ProblemTest, integers, numbers, small
from support import QUICK


class Memory(ProblemTest):
    def test_products_larger_than_the_cap(self):
        a, b = small(2, 150, 90, seed=1), small(90, 130, seed=2)
        c, bias = small(2, 150, 130, seed=3), small(130, seed=4)
        self.save(A=a, B=b, C=c, bias=bias)
        for options in (["--memory-cap", "65536"], ["--memory-cap", "65536", "--webgpu", "wgpu"],
                        ["--memory-cap", "100000000"]):
            with self.subTest(options=options):
                output = self.succeed("run", "A.npy", "B.npy", "-o", "OUT.npy", "--kernel", QUICK, "--check", "--c",
                                      "C.npy", "--bias", "bias.npy", "--act", "relu", *options).stdout
                self.assert_equal(numpy.load(self.folder / "OUT.npy"), numpy.maximum(a @ b + c + bias, 0))
                self.assertIn("check: ok", output)
                self.assertEqual("in panels" in output, "65536" in options)

    def test_caps_that_hold_nothing(self):
        self.refuse(1, "--memory-cap", "memory_cap = 8 bytes are too few", "would do", options=["--memory-cap", "8"])
        # Element by element there would be 27 million panels.
        self.refuse(1, "--memory-cap", "memory_cap = 64 bytes are too few", "at most 1000000 panels",
                    options=["--memory-cap", "64"], A=small(300, 300), B=small(300, 300))
        self.refuse(2, "--memory-cap", "'much'", "whole number", options=["--memory-cap", "much"])

    def test_data_at_an_odd_offset(self):
        # Such a file is read instead of mapped.
        a = small(2, 3)
        text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".ljust(76) + b"\n"
        data = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + a.tobytes()
        self.save(B=a.T)
        (self.folder / "A.npy").write_bytes(data)
        self.succeed("run", "A.npy", "B.npy", "-o", "OUT.npy", "--kernel", QUICK)
        self.assert_equal(numpy.load(self.folder / "OUT.npy"), a @ a.T)


class Types(ProblemTest):
    def test_float16(self):
        a, b = numbers(6, 40, seed=1, dtype=numpy.float16), numbers(40, 7, seed=2, dtype=numpy.float16)
        exact = a.astype(float) @ b.astype(float)
        out = self.run_product(a, b)
        self.assertEqual(out.dtype, numpy.float32)
        self.assert_near(out, exact, 1e-5)
        out = self.run_product(a, b, "--out-dtype", "f16")
        self.assertEqual(out.dtype, numpy.float16)
        self.assert_near(out, exact, 4e-3)

    def test_float16_without_the_feature(self):
        a, b = small(3, 5, seed=1, dtype=numpy.float16), small(5, 7, seed=2, dtype=numpy.float16)
        c = small(3, 7, seed=3, dtype=numpy.float16)
        out = self.run_product(a, b, "--out-dtype", "f16", "--c", "C.npy", "--limits", "minimum", C=c)
        self.assertEqual(out.dtype, numpy.float16)
        self.assert_equal(out, a @ b + c)

    def test_float16_out_of_float32(self):
        a, b = small(3, 5, seed=1), small(5, 7, seed=2)
        out = self.run_product(a, b, "--out-dtype", "f16")
        self.assertEqual(out.dtype, numpy.float16)
        self.assert_equal(out, a @ b)

    def test_float16_beside_float32(self):
        half, single = numbers(6, 40, seed=1, dtype=numpy.float16), numbers(40, 7, seed=2)
        for a, b in ((half, single), (single.T, half.T)):
            self.save(A=a, B=b)
            output = self.succeed("run", "A.npy", "B.npy", "-o", "OUT.npy", "--kernel", QUICK, "--check").stdout
            self.assertIn("is float16 and was converted to float32", output)
            self.assert_near(numpy.load(self.folder / "OUT.npy"), a.astype(float) @ b.astype(float), 1e-5)

    def test_sums_in_float16(self):
        # 2049 is no float16: ones added one by one stop at 2048.
        a, b = numpy.ones((2, 3000), numpy.float16), numpy.ones((3000, 2), numpy.float16)
        out = self.run_product(a, b, "--accumulate", "f16", kernel="naive", check=False)
        self.assert_equal(out, numpy.full((2, 2), 2048))
        self.assert_equal(self.run_product(a, b), numpy.full((2, 2), 3000))

    def test_integers(self):
        for type_a in (numpy.int8, numpy.uint8):
            for type_b in (numpy.int8, numpy.uint8):
                with self.subTest(a=type_a.__name__, b=type_b.__name__):
                    a, b = integers(2, 5, 11, seed=1, dtype=type_a), integers(11, 6, seed=2, dtype=type_b)
                    out = self.run_product(a, b)
                    self.assertEqual(out.dtype, numpy.int32)
                    self.assert_equal(out, a.astype(numpy.int32) @ b.astype(numpy.int32))

    def test_integers_with_c(self):
        a, b = integers(5, 11, seed=1), integers(11, 6, seed=2)
        c = numpy.random.default_rng(3).integers(-1000, 1000, (5, 6)).astype(numpy.int32)
        exact = a.astype(numpy.int32) @ b.astype(numpy.int32)
        self.assert_equal(self.run_product(a, b, "--c", "C.npy", C=c), exact + c)

    def test_integers_into_floating_point(self):
        a, b, bias = integers(5, 11, seed=1), integers(11, 6, seed=2), small(6, seed=3)
        out = self.run_product(a, b, "--out-dtype", "f32", "--alpha", "0.5", "--bias", "V.npy", "--act", "relu", V=bias)
        self.assertEqual(out.dtype, numpy.float32)
        self.assert_equal(out, numpy.maximum(0.5 * (a.astype(float) @ b.astype(float)) + bias, 0))

    def test_types_that_do_not_go_together(self):
        self.refuse(1, "'A.npy' is float32", "'B.npy' is int8", B=integers(3, 5))
        self.refuse(1, "'A.npy' is uint8", "'B.npy' is float16", A=integers(4, 3, dtype=numpy.uint8),
                    B=small(3, 5, dtype=numpy.float16))
        whole = {"A": integers(4, 3), "B": integers(3, 5)}
        self.refuse(2, "--alpha", "i32", options=["--alpha", "2"], **whole)
        self.refuse(2, "--beta", "i32", options=["--beta", "0.5", "--c", "C.npy"], C=small(4, 5, dtype=numpy.int32),
                    **whole)
        self.refuse(2, "--out-dtype", "i32", options=["--act", "relu"], **whole)
        self.refuse(2, "--accumulate", "i8", options=["--accumulate", "f16"], **whole)

    def test_check_names_who_has_no_bound(self):
        nan = numpy.full(5, numpy.nan, numpy.float32)
        self.refuse(1, "--check", "the bias holds infinities or NaNs", options=["--bias", "V.npy", "--check"], V=nan)
