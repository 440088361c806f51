"""wgemm quantize, and wgemm run with the weights that it makes, against a reading of the archive by NumPy alone."""

import numpy

from support import LIBRARIES, QUICK, CliTest


def gaussian(*shape, seed=1, dtype=numpy.float32):
    return numpy.random.default_rng(seed).normal(size=shape).astype(dtype)


def integers_of(packed, bits, count):
    """A row of integers for each row of bytes, the first of two in the lower half."""
    if bits == 4:
        packed = numpy.stack([packed & 15, packed >> 4], -1).reshape(packed.shape[0], 2 * packed.shape[1])
    return packed[:, :count].astype(int)


def weights_of(path):
    """k x n float64 and the half of a step for each, as docs/quantised-weights.md has it."""
    with numpy.load(path) as archive:
        version, bits, block, k, n = (int(number) for number in archive["meta"])
        assert version == 1
        blocks = -(-k // block)
        q = integers_of(archive["q"], bits, blocks * block)
        zeros = numpy.full((n, blocks), 1 << (bits - 1))
        if "zeros" in archive:
            zeros = integers_of(archive["zeros"], bits, blocks)
        scales = archive["scales"].astype(float)
    w = numpy.repeat(scales, block, 1) * (q - numpy.repeat(zeros, block, 1))
    return w[:, :k].T, numpy.repeat(scales / 2, block, 1)[:, :k].T


class Quantise(CliTest):
    def quantise(self, w, *options):
        numpy.save(self.folder / "W.npy", w)
        return self.succeed("quantize", "W.npy", "-o", "W.npz", *options).stdout

    def archive(self):
        with numpy.load(self.folder / "W.npz") as archive:
            return dict(archive)

    def test_every_weight_is_within_half_a_step(self):
        for bits in (4, 8):
            for block in (16, 32, 64):
                for options in ([], ["--asymmetric"], ["--scale-dtype", "f16"],
                                ["--asymmetric", "--scale-dtype", "f16"]):
                    with self.subTest(bits=bits, block=block, options=options):
                        w = gaussian(70, 5)
                        w[:, 1] += 3  # to one side
                        w[:33, 2] = 0
                        self.quantise(w, "--bits", bits, "--block", block, *options)
                        approximate, half_step = weights_of(self.folder / "W.npz")
                        # A scale rounded to float16 takes up to 2^-11 of the largest integer from both ends.
                        slack = 1 + 2.0**-9 * 2**bits if "f16" in options else 1 + 1e-5
                        self.assertTrue((abs(approximate - w) <= half_step * slack).all())

    def test_arrays_of_the_archive(self):
        self.quantise(gaussian(70, 5), "--asymmetric")
        arrays = self.archive()
        self.assertEqual(set(arrays), {"meta", "q", "scales", "zeros"})
        self.assertEqual(arrays["meta"].tolist(), [1, 4, 32, 70, 5])
        for name, shape, dtype in (("q", (5, 48), "u1"), ("scales", (5, 3), "f4"), ("zeros", (5, 2), "u1"),
                                   ("meta", (5,), "i8")):
            self.assertEqual(arrays[name].shape, shape)
            self.assertEqual(arrays[name].dtype, numpy.dtype(dtype))
        self.quantise(gaussian(64, 5, dtype=numpy.float16), "--bits", "8", "--block", "64")
        arrays = self.archive()
        self.assertEqual(set(arrays), {"meta", "q", "scales"})
        self.assertEqual(arrays["q"].shape, (5, 64))
        self.assertEqual(arrays["scales"].dtype, numpy.float16)

    def test_archive_on_standard_output(self):
        self.quantise(gaussian(70, 5))
        written, messages = self.bytes_of("quantize", "W.npy", "-o", "-")
        self.assertEqual(written, (self.folder / "W.npz").read_bytes())
        self.assertIn("standard output: 70 x 5", messages)
        self.assertFalse((self.folder / "-").exists())

    def test_integers_are_kept(self):
        # The step is 1 where a block holds 7 or -7, so these weights are their own integers.
        w = numpy.random.default_rng(1).integers(-7, 8, (64, 6)).astype(numpy.float32)
        w[0::32] = 7
        output = self.quantise(w)
        self.assertTrue(numpy.array_equal(weights_of(self.folder / "W.npz")[0], w))
        self.assertTrue((self.archive()["scales"] == 1).all())
        self.assertIn("largest error 0 ", output)

    def test_output_states_the_errors(self):
        w = gaussian(70, 5)
        output = self.quantise(w)
        error = weights_of(self.folder / "W.npz")[0] - w
        rms = (error**2).mean() ** 0.5
        self.assertIn("70 x 5, 4 bits in blocks of 32, symmetric, float32 scales", output)
        self.assertIn(f"largest error {abs(error).max():.4g} ", output)
        self.assertIn(f"RMS error {rms:.4g} ({100 * rms / (w.astype(float)**2).mean()**0.5:.2f} %", output)

    def test_fortran_order_and_repetition_give_the_same_bytes(self):
        w = gaussian(40, 7)
        self.quantise(w)
        first = (self.folder / "W.npz").read_bytes()
        self.quantise(numpy.asfortranarray(w))
        self.assertEqual((self.folder / "W.npz").read_bytes(), first)

    def test_extremes(self):
        w = numpy.zeros((32, 4), numpy.float32)
        w[:2, 1] = 3.4e38, -3.4e38
        w[:2, 2] = 1e-38, 1e-44
        for options in ([], ["--asymmetric"]):
            self.quantise(w, *options)
            approximate, half_step = weights_of(self.folder / "W.npz")
            self.assertTrue((abs(approximate - w) <= half_step * 1.00001).all())

    def test_empty_weights(self):
        for shape in ((0, 3), (3, 0)):
            self.quantise(numpy.zeros(shape, numpy.float32))
            self.assertEqual(weights_of(self.folder / "W.npz")[0].shape, shape)

    def refuse(self, w, *words, options=()):
        numpy.save(self.folder / "W.npy", w)
        self.fail_with(1, "'W.npy'", *words, arguments=["quantize", "W.npy", "-o", "W.npz", *options])
        self.assertFalse((self.folder / "W.npz").exists())

    def test_what_cannot_be_quantised(self):
        w = gaussian(40, 3)
        w[33, 1] = numpy.inf
        self.refuse(w, "inf at [33, 1]")
        w[2, 1] = numpy.nan
        self.refuse(w, "nan at [2, 1]")
        self.refuse(gaussian(3), "(3,)")
        self.refuse(gaussian(2, 3, 4), "(2, 3, 4)")
        self.refuse(numpy.ones((3, 4), numpy.int8), "int8")
        self.refuse(numpy.full((3, 4), 1e6, numpy.float32), "--scale-dtype f32", options=["--scale-dtype", "f16"])
        self.refuse(numpy.full((3, 4), 6e-8, numpy.float16), "--scale-dtype f32", options=["--scale-dtype", "f16"])
        self.fail_with(1, "'nowhere.npy'", arguments=["quantize", "nowhere.npy", "-o", "W.npz"])


class Run(CliTest):
    def setUp(self):
        super().setUp()
        numpy.save(self.folder / "W.npy", gaussian(70, 6))

    def run_product(self, a, *options):
        numpy.save(self.folder / "A.npy", a)
        output = self.succeed("run", "A.npy", "W.npz", "-o", "OUT.npy", "--kernel", QUICK, "--check", *options).stdout
        self.assertIn("check: ok", output)
        return numpy.load(self.folder / "OUT.npy")

    def assert_near(self, out, expected):
        self.assertEqual(out.shape, expected.shape)
        self.assertTrue((abs(out - expected) <= 1e-4).all())

    def test_products(self):
        for bits in (4, 8):
            for options in ([], ["--asymmetric"], ["--scale-dtype", "f16"]):
                with self.subTest(bits=bits, options=options):
                    self.succeed("quantize", "W.npy", "-o", "W.npz", "--bits", bits, *options)
                    w, _ = weights_of(self.folder / "W.npz")
                    for dtype in (numpy.float32, numpy.float16):
                        a = gaussian(9, 70, seed=2).astype(dtype)
                        self.assert_near(self.run_product(a), a.astype(float) @ w)

    def test_batches_vectors_and_libraries(self):
        self.succeed("quantize", "W.npy", "-o", "W.npz")
        w, _ = weights_of(self.folder / "W.npz")
        bias = gaussian(6, seed=4)
        numpy.save(self.folder / "V.npy", bias)
        for library in LIBRARIES:
            for shape in ((70,), (2, 3, 70), (2, 2, 3, 70)):
                for order in "CF":
                    with self.subTest(library=library, shape=shape, order=order):
                        a = gaussian(*shape, seed=3)
                        out = self.run_product(numpy.asarray(a, order=order), "--bias", "V.npy", "--act", "relu",
                                               "--webgpu", library)
                        self.assert_near(out, numpy.maximum(a.astype(float) @ w + bias, 0))

    def test_archives_that_numpy_wrote(self):
        self.succeed("quantize", "W.npy", "-o", "W.npz", "--asymmetric")
        with numpy.load(self.folder / "W.npz") as archive:
            arrays = dict(archive)
        a = gaussian(9, 70, seed=2)
        expected = a.astype(float) @ weights_of(self.folder / "W.npz")[0]
        for save in (numpy.savez, numpy.savez_compressed):
            save(self.folder / "W.npz", **arrays)
            self.assert_near(self.run_product(a), expected)


class Errors(CliTest):
    def setUp(self):
        super().setUp()
        numpy.save(self.folder / "A.npy", gaussian(9, 70))
        numpy.save(self.folder / "W.npy", gaussian(70, 6))
        self.succeed("quantize", "W.npy", "-o", "W.npz", "--asymmetric")
        with numpy.load(self.folder / "W.npz") as archive:
            self.arrays = dict(archive)

    def refuse(self, *words, a="A.npy", options=(), code=1):
        self.fail_with(code, *words, arguments=["run", a, "W.npz", "-o", "OUT.npy", *options])
        self.assertFalse((self.folder / "OUT.npy").exists())

    def refuse_arrays(self, *words, **changes):
        arrays = {name: array for name, array in {**self.arrays, **changes}.items() if array is not None}
        numpy.savez(self.folder / "W.npz", **arrays)
        self.refuse("'W.npz'", *words)

    def test_damaged_archives(self):
        whole = (self.folder / "W.npz").read_bytes()
        for size in (0, 10, len(whole) // 2, len(whole) - 1):
            (self.folder / "W.npz").write_bytes(whole[:size])
            self.refuse("'W.npz' is no .npz file, or a truncated one")
        for member in (b"meta.npy", b"q.npy", b"scales.npy", b"zeros.npy"):
            with self.subTest(member=member):
                # The last byte of the member's data: in front of the next header.
                at = whole.find(b"PK", whole.find(member) + 1) - 1
                (self.folder / "W.npz").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
                self.refuse("'W.npz' is damaged", member.decode(), "CRC")
        (self.folder / "W.npz").unlink()
        self.refuse("no file 'W.npz'")

    def test_members_that_do_not_fit(self):
        meta = self.arrays["meta"]
        for index, value, words in ((0, 2, "version 2"), (1, 5, "5 bits"), (2, 33, "blocks of 33"), (3, -1, "-1 x 6"),
                                    (3, 71 + 32, "(6, 64)"), (4, 7, "(7, 48)")):
            changed = meta.copy()
            changed[index] = value
            self.refuse_arrays(words, meta=changed)
        self.refuse_arrays("'meta'", "five int64", meta=meta.astype("f4"))
        self.refuse_arrays("'meta'", "five int64", meta=meta[:4])
        for name in ("meta", "q", "scales"):
            self.refuse_arrays(f"no member '{name}.npy'", "wgemm quantize", **{name: None})
        self.refuse_arrays("a member 'zeroes.npy'", zeros=None, zeroes=self.arrays["zeros"])
        self.refuse_arrays("'q' of int8", q=self.arrays["q"].astype("i1"))
        self.refuse_arrays("'scales'", "float64", scales=self.arrays["scales"].astype("f8"))
        self.refuse_arrays("'zeros'", "(6, 2)", zeros=self.arrays["zeros"][:5])

    def test_scales_that_are_no_numbers(self):
        for dtype in (numpy.float32, numpy.float16):
            for value, word in ((numpy.nan, "nan"), (numpy.inf, "inf"), (-numpy.inf, "-inf")):
                scales = self.arrays["scales"].astype(dtype)
                scales[4, 1] = value
                self.refuse_arrays(f"has {word} in 'scales' at [4, 1]", "finite", scales=scales)

    def test_operands_that_do_not_fit(self):
        numpy.save(self.folder / "int.npy", numpy.ones((2, 70), numpy.int8))
        numpy.save(self.folder / "narrow.npy", gaussian(9, 69))
        self.refuse("'int.npy' is int8", "float32 or float16", a="int.npy")
        self.refuse("inner dimensions 69 and 70", "'narrow.npy' is (9, 69)", "'W.npz' is (70, 6)", a="narrow.npy")
        self.refuse("'W.npz'", "the right matrix", a="W.npz")
        self.refuse("--trans-b", "'W.npz'", options=["--trans-b"], code=2)
