"""wgemm run: products of .npy files against NumPy's, and what is said of files that are none."""

import os
import unittest

import numpy

from support import ADAPTER_TYPES, LIBRARIES, NO_ADAPTER, QUICK, CliTest


def random_matrix(rows, cols, seed):
    return numpy.random.default_rng(seed).uniform(-1, 1, (rows, cols)).astype(numpy.float32)


def digits_like():
    """The shape and the values of scikit-learn's digits: 1797 images of 8x8 pixels from 0 to 16."""
    return numpy.random.default_rng(7).integers(0, 17, (1797, 64)).astype(numpy.float32)


class Products(CliTest):
    def save(self, name, array):
        numpy.save(self.folder / name, array)

    def product(self, a, b, *options):
        self.save("A.npy", a)
        self.save("B.npy", b)
        output = self.succeed("run", "A.npy", "B.npy", "-o", "C.npy", "--kernel", QUICK, *options).stdout
        return numpy.load(self.folder / "C.npy"), output

    def assert_close(self, c, a, b):
        """Within the bound for sums in float32."""
        a, b = a.astype(numpy.float64), b.astype(numpy.float64)
        bound = 1.01 * a.shape[1] * 2.0**-24 * (abs(a) @ abs(b))
        self.assertEqual(c.dtype, numpy.float32)
        self.assertEqual(c.shape, (a.shape[0], b.shape[1]))
        self.assertTrue((abs(c - a @ b) <= bound).all())

    def test_both_orders_of_every_file(self):
        a, b = random_matrix(33, 17, 1), random_matrix(17, 21, 2)
        for library in LIBRARIES:
            for order_a in "CF":
                for order_b in "CF":
                    for order_c in "CF":
                        with self.subTest(library=library, orders=order_a + order_b + order_c):
                            c, _ = self.product(numpy.asarray(a, order=order_a), numpy.asarray(b, order=order_b),
                                                "--order", order_c.lower(), "--webgpu", library)
                            self.assert_close(c, a, b)
                            self.assertEqual(c.flags["F_CONTIGUOUS"], order_c == "F")

    def test_digits_times_their_transpose(self):
        digits = digits_like()
        c, output = self.product(digits, digits.T, "--check")
        # Sums of small integers are exact.
        self.assertTrue(numpy.array_equal(c, digits @ digits.T))
        self.assertIn("check: ok", output)
        self.assertIn("1797 x 1797 float32", output)

    def test_check_tells_how_near_the_product_is(self):
        a, b = random_matrix(70, 300, 3), random_matrix(300, 50, 4)
        c, output = self.product(a, b, "--check")
        self.assert_close(c, a, b)
        share = float(output.split("largest error is ")[1].split(" ")[0])
        self.assertTrue(0 < share < 1, output)

    def test_smallest_and_thinnest(self):
        for m, k, n in ((1, 1, 1), (1, 97, 1), (1, 3, 65), (65, 1, 2)):
            with self.subTest(m=m, k=k, n=n):
                a, b = random_matrix(m, k, 5), random_matrix(k, n, 6)
                self.assert_close(self.product(a, b)[0], a, b)

    def test_float16(self):
        a, b = random_matrix(19, 40, 8).astype(numpy.float16), random_matrix(40, 23, 9).astype(numpy.float16)
        for order in "CF":
            c, output = self.product(numpy.asarray(a, order=order), b, "--check")
            self.assert_close(c, a, b)
            self.assertIn("check: ok", output)

    def test_chosen_kernel(self):
        a, b = random_matrix(20, 30, 10), random_matrix(30, 10, 11)
        self.save("A.npy", a)
        self.save("B.npy", b)
        output = self.succeed("run", "A.npy", "B.npy", "-o", "C.npy", "--kernel", "naive").stdout
        self.assertRegex(output, rf"by naive on .+ \(({ADAPTER_TYPES}), \w+ through (dawn|wgpu)\) in")
        self.assert_close(numpy.load(self.folder / "C.npy"), a, b)

    def test_output_of_an_earlier_run_is_replaced(self):
        (self.folder / "C.npy").write_bytes(b"old")
        a = random_matrix(4, 4, 12)
        self.assert_close(self.product(a, a)[0], a, a)

    def test_output_keeps_the_permissions_of_the_file_it_replaces(self):
        target = self.folder / "C.npy"
        target.write_bytes(b"old")
        target.chmod(0o600)
        a = random_matrix(4, 4, 12)
        self.product(a, a)
        self.assertEqual(target.stat().st_mode & 0o777, 0o600)

    def test_a_link_stays_a_link(self):
        (self.folder / "target.npy").write_bytes(b"old")
        os.symlink("target.npy", self.folder / "C.npy")
        a = random_matrix(4, 4, 13)
        self.product(a, a)
        self.assertTrue((self.folder / "C.npy").is_symlink())
        self.assert_close(numpy.load(self.folder / "target.npy"), a, a)

    def test_header_of_format_version_2(self):
        a = random_matrix(5, 6, 14)
        with open(self.folder / "A.npy", "wb") as file:
            numpy.lib.format.write_array(file, a, version=(2, 0))
        self.save("B.npy", a.T)
        self.succeed("run", "A.npy", "B.npy", "-o", "C.npy", "--kernel", QUICK)
        self.assert_close(numpy.load(self.folder / "C.npy"), a, a.T)

    def test_long_header(self):
        # 246 bytes: a length whose low byte is above 127.
        a = random_matrix(2, 2, 15)
        text = b"{'shape': (2, 2), 'fortran_order': False, 'descr': '<f4'}".ljust(245) + b"\n"
        data = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + a.tobytes()
        (self.folder / "A.npy").write_bytes(data)
        self.save("B.npy", a)
        self.succeed("run", "A.npy", "B.npy", "-o", "C.npy", "--kernel", QUICK)
        self.assert_close(numpy.load(self.folder / "C.npy"), a, a)


    def test_compiled_pipelines_are_kept_for_the_next_process(self):
        a = random_matrix(8, 8, 1)
        cache = self.folder / "pipelines"

        def run():
            self.save("A.npy", a)
            self.succeed("run", "A.npy", "A.npy", "-o", "C.npy", "--kernel", QUICK, "--webgpu", "dawn",
                         WGEMM_PIPELINE_CACHE=str(cache))
            self.assert_close(numpy.load(self.folder / "C.npy"), a, a)
            return {file.name: (file.stat().st_ino, file.read_bytes()) for file in cache.iterdir()}

        first = run()
        self.assertGreater(len(first), 0)
        self.assertTrue(all(name.endswith(".blob") for name in first))
        # The second process finds all of them and writes none anew.
        self.assertEqual(run(), first)
        for file in cache.iterdir():
            file.write_bytes(file.read_bytes()[:-1])
        replaced = run()
        self.assertEqual(sorted(replaced), sorted(first))
        self.assertEqual(run(), replaced)


class FileErrors(CliTest):
    """What is wrong with A, B, the output or the device; see test_run_problem.py for the other options."""

    def setUp(self):
        super().setUp()
        self.good = numpy.ones((4, 3), numpy.float32)
        numpy.save(self.folder / "good.npy", self.good)
        numpy.save(self.folder / "other.npy", self.good.T)

    def refuse(self, file, *words):
        self.fail_with(1, file, *words, arguments=["run", file, "other.npy", "-o", "C.npy"])
        self.assertFalse((self.folder / "C.npy").exists())

    def refuse_array(self, array, *words):
        numpy.save(self.folder / "bad.npy", array)
        self.refuse("bad.npy", *words)

    def refuse_bytes(self, data, *words):
        (self.folder / "bad.npy").write_bytes(data)
        self.refuse("bad.npy", *words)

    def test_missing_file(self):
        self.refuse("nowhere.npy", "no file")

    def test_folder_instead_of_file(self):
        (self.folder / "folder").mkdir()
        self.refuse("folder", "no regular file")

    def test_wrong_types_are_named(self):
        for dtype, name in (("<f8", "float64"), ("<i4", "int32"), (">f4", "big-endian float32"), ("?", "bool"),
                            (">f2", "big-endian float16"), ("<i8", "int64"), ("<c8", "complex64"),
                            ("<U3", "<U3")):
            with self.subTest(dtype=dtype):
                self.refuse_array(self.good.astype(dtype), "dtype", name, "float32")

    def test_records(self):
        self.refuse_array(numpy.zeros((4, 3), [("x", "<f4"), ("y", "<f4")]), "dtype")

    def test_single_number(self):
        self.refuse_array(numpy.ones((), numpy.float32), "shape ()", "no rows or columns")

    def test_truncated(self):
        whole = (self.folder / "good.npy").read_bytes()
        self.refuse_bytes(whole[:-1], "truncated", "48 bytes", "47")
        for size in (0, 5, 9, 30):
            with self.subTest(size=size):
                self.refuse_bytes(whole[:size], "no .npy file")

    def test_header_that_claims_too_much(self):
        header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000, 4000000000), }"
        self.refuse_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header, "truncated")

    def test_header_whose_values_are_wrong(self):
        for shape in ("(-6, 5)", "[6, 5]", "'6'", "(99999999999999999999999, 5)"):
            with self.subTest(shape=shape):
                header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
                self.refuse_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header,
                                  f"shape is {shape}; it is a tuple of whole numbers")

    def test_garbage(self):
        for data in (b"PK\x03\x04 not an array, but long enough", b"\x93NUMPY\x09\x00" + bytes(40),
                     b"\x93NUMPY\x01\x00\x10\x00{'descr': '<f4'}", b"\x93NUMPY\x01\x00\x00\x00"):
            with self.subTest(data=data):
                self.refuse_bytes(data, "no .npy file")

    def test_inner_dimensions_differ(self):
        self.fail_with(1, "'good.npy' is (4, 3)", "inner dimensions 3 and 4",
                       arguments=["run", "good.npy", "good.npy", "-o", "C.npy"])
        self.fail_with(1, "'good.npy' is (4, 3) transposed", "inner dimensions 4 and 3",
                       arguments=["run", "good.npy", "other.npy", "-o", "C.npy", "--trans-a"])
        numpy.save(self.folder / "vector.npy", numpy.ones(4, numpy.float32))
        self.fail_with(1, "'vector.npy' is (4,)", "inner dimensions 3 and 4",
                       arguments=["run", "good.npy", "vector.npy", "-o", "C.npy"])

    def test_output_that_cannot_be_written(self):
        (self.folder / "folder").mkdir()
        for target, words in (("nowhere/C.npy", "no folder"), ("folder", "is a folder"), ("/dev/full", "disk")):
            with self.subTest(target=target):
                self.fail_with(1, "--output", words,
                               arguments=["run", "good.npy", "other.npy", "-o", target, "--kernel", QUICK])

    def test_result_on_standard_output(self):
        arguments = ["run", "good.npy", "other.npy", "--kernel", QUICK, "--check", "-o"]
        self.succeed(*arguments, "C.npy")
        written, messages = self.bytes_of(*arguments, "-")
        self.assertEqual(written, (self.folder / "C.npy").read_bytes())
        self.assertIn("check: ok", messages)
        self.assertIn("standard output: 4 x 4 float32", messages)
        self.assertFalse((self.folder / "-").exists())

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_output_that_is_protected(self):
        target = self.folder / "C.npy"
        target.write_bytes(b"old")
        target.chmod(0o444)
        self.fail_with(1, "permission denied", arguments=["run", "good.npy", "other.npy", "-o", "C.npy"])

    def test_failure_leaves_no_trace(self):
        target = self.folder / "C.npy"
        target.write_bytes(b"old")
        before = sorted(self.folder.iterdir())
        self.fail_with(1, arguments=["run", "good.npy", "other.npy", "-o", "C.npy"], **NO_ADAPTER)
        self.assertEqual(target.read_bytes(), b"old")
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_no_adapter(self):
        self.fail_with(1, "found no adapter", "Install",
                       arguments=["run", "good.npy", "other.npy", "-o", "C.npy"], **NO_ADAPTER)

    def test_no_library(self):
        self.fail_with(1, "/nowhere/lib.so",
                       arguments=["run", "good.npy", "other.npy", "-o", "C.npy", "--webgpu", "/nowhere/lib.so"])

    def test_unknown_kernel(self):
        self.fail_with(2, "--kernel", "nonsense", "tiled",
                       arguments=["run", "good.npy", "other.npy", "-o", "C.npy", "--kernel", "nonsense"])
        self.fail_with(2, "--kernel", "TILE", "7", "16",
                       arguments=["run", "good.npy", "other.npy", "-o", "C.npy", "--kernel", "tiled_TILE7"])

    def test_kernel_that_the_device_cannot_run(self):
        self.fail_with(1, "maxComputeInvocationsPerWorkgroup", "1024", "256",
                       arguments=["run", "good.npy", "other.npy", "-o", "C.npy", "--kernel", "tiled_TILE32_ROWS1",
                                  "--limits", "minimum"])
        self.fail_with(1, "chromium-experimental-subgroup-matrix",
                       arguments=["run", "good.npy", "other.npy", "-o", "C.npy", "--kernel", "subgroup-matrix"])

    def test_check_of_numbers_without_a_bound(self):
        self.good[1, 1] = numpy.nan
        numpy.save(self.folder / "nan.npy", self.good)
        self.fail_with(1, "--check", "NaN",
                       arguments=["run", "nan.npy", "other.npy", "-o", "C.npy", "--kernel", QUICK, "--check"])
        numpy.save(self.folder / "huge.npy", numpy.full((4, 3), 1e30, numpy.float32))
        numpy.save(self.folder / "huge2.npy", numpy.full((3, 4), 1e30, numpy.float32))
        self.fail_with(1, "--check", "range of float32",
                       arguments=["run", "huge.npy", "huge2.npy", "-o", "C.npy", "--kernel", QUICK, "--check"])
