"""wgemm run: everything beside the plain product, against NumPy in float64."""

import math

import numpy

from problems import ProblemTest, numbers, small
from support import LIBRARIES

erf = numpy.vectorize(math.erf)
ACTIVATIONS = {
    "none": lambda x: x,
    "relu": lambda x: numpy.maximum(x, 0),
    "gelu": lambda x: x / 2 * (1 + erf(x / math.sqrt(2))),
    "gelu-tanh": lambda x: x / 2 * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x / (1 + numpy.exp(-x)),
    "clamp:-0.5:0.25": lambda x: numpy.clip(x, -0.5, 0.25),
}


class Shapes(ProblemTest):
    def test_broadcasts_as_numpy_does(self):
        for shape_a, shape_b in (
                ((3, 5, 7), (7, 4)), ((5, 7), (3, 7, 4)), ((3, 5, 7), (3, 7, 4)), ((2, 1, 5, 7), (3, 7, 4)),
                ((1, 5, 7), (4, 7, 2)), ((2, 4, 3, 3), (4, 3, 3)), ((3, 1, 2, 4), (1, 5, 4, 6)),
                ((2, 1, 3, 1, 4, 5), (1, 2, 1, 3, 5, 2)), ((1, 1, 1, 1, 1, 2, 3), (3, 2)),
                ((2, 3, 2, 1, 2, 1, 2, 3), (3, 4)), ((7,), (7, 4)), ((5, 7), (7,)), ((7,), (7,)), ((7,), (3, 7, 4)),
                ((3, 5, 7), (7,)), ((1,), (1, 1)), ((3, 0, 4), (4, 5)), ((0, 2, 4), (4, 5)), ((3, 2, 0), (0, 5)),
                ((2, 0, 3, 1), (2, 1, 1, 4)), ((0,), (0,)), ((0, 4), (4, 0))):
            for order in "CF":
                with self.subTest(a=shape_a, b=shape_b, order=order):
                    a, b = small(*shape_a, seed=2), small(*shape_b, seed=3)
                    out = self.run_product(numpy.asarray(a, order=order), numpy.asarray(b, order=order))
                    self.assert_equal(out, numpy.matmul(a, b))
                    self.assertEqual(out.dtype, numpy.float32)

    def test_transposed(self):
        for order in "CF":
            for shape_a, shape_b in (((7, 5), (4, 7)), ((3, 7, 5), (4, 7)), ((2, 1, 7, 5), (3, 4, 7))):
                with self.subTest(order=order, a=shape_a):
                    a, b = small(*shape_a, seed=4), small(*shape_b, seed=5)
                    files = numpy.asarray(a, order=order), numpy.asarray(b, order=order)
                    a, b = numpy.swapaxes(a, -1, -2), numpy.swapaxes(b, -1, -2)
                    self.assert_equal(self.run_product(*files, "--trans-a", "--trans-b"), a @ b)
                    self.assert_equal(self.run_product(files[0], b, "--trans-a"), a @ b)
                    self.assert_equal(self.run_product(a, files[1], "--trans-b"), a @ b)

    def test_result_in_fortran_order(self):
        for shape_a, shape_b in (((4, 3), (3, 5)), ((2, 4, 3), (3, 5)), ((2, 4, 3), (3,)), ((3,), (3,))):
            with self.subTest(a=shape_a, b=shape_b):
                a, b = small(*shape_a, seed=6), small(*shape_b, seed=7)
                out = self.run_product(a, b, "--order", "f")
                self.assert_equal(out, numpy.matmul(a, b))
                self.assertTrue(out.flags["F_CONTIGUOUS"])

    def test_transposed_vector(self):
        self.refuse(2, "--trans-a", "'A.npy' has shape (3,)", options=["--trans-a"], A=small(3))
        self.refuse(2, "--trans-b", "'B.npy' has shape (3,)", options=["--trans-b"], B=small(3))

    def test_batches_that_do_not_broadcast(self):
        self.refuse(1, "do not broadcast", "'A.npy' is (2, 4, 3)", "'B.npy' is (3, 3, 5)", A=small(2, 4, 3),
                    B=small(3, 3, 5))

    def test_too_many_batch_dimensions(self):
        self.refuse(1, "(2, 3, 2, 3, 2)", "5 dimensions", "at most 4", A=small(2, 1, 2, 1, 2, 4, 3),
                    B=small(3, 1, 3, 1, 3, 5))


class Epilogues(ProblemTest):
    def test_activations(self):
        a, b, bias = numbers(9, 6, seed=1), numbers(6, 11, seed=2), numbers(11, seed=3)
        exact = a.astype(float) @ b + bias
        for name, function in ACTIVATIONS.items():
            with self.subTest(act=name):
                out = self.run_product(a, b, "--bias", "bias.npy", "--act", name, bias=bias)
                self.assert_near(out, function(exact), 1e-5)

    def test_alpha_and_beta(self):
        a, b, c = small(4, 3, seed=1), small(3, 5, seed=2), small(4, 5, seed=3)
        for options, alpha, beta in ((("--alpha", "-0.5"), -0.5, 0), (("--c", "C.npy"), 1, 1),
                                     (("--c", "C.npy", "--beta", "2", "--alpha", "0"), 0, 2),
                                     (("--c", "C.npy", "--beta", "-1.5", "--alpha", "2.5e-1"), 0.25, -1.5),
                                     (("--c", "C.npy", "--beta", "0"), 1, 0), (("--beta", "0"), 1, 0)):
            for order in "CF":
                with self.subTest(options=options, order=order):
                    out = self.run_product(a, b, *options, "--order", order.lower(), C=numpy.asarray(c, order="F"))
                    self.assert_equal(out, alpha * (a @ b) + beta * c)

    def test_c_is_not_read_with_beta_0(self):
        a, b = small(4, 3), small(3, 5)
        out = self.run_product(a, b, "--c", "C.npy", "--beta", "0", C=numpy.full((4, 5), numpy.nan, numpy.float32))
        self.assert_equal(out, a @ b)

    def test_nothing_to_sum(self):
        c, bias = small(4, 5, seed=1), small(5, seed=2)
        out = self.run_product(small(4, 0), small(0, 5), "--c", "C.npy", "--beta", "2", "--bias", "bias.npy", "--act",
                               "relu", C=c, bias=bias)
        self.assert_equal(out, numpy.maximum(2 * c + bias, 0))

    def test_bias(self):
        a, b = small(2, 4, 3, seed=1), small(3, 5, seed=2)
        rows, columns = 1000 * small(4, seed=3), 1000 * small(5, seed=4)
        self.assert_equal(self.run_product(a, b, "--bias", "bias.npy", bias=columns), a @ b + columns)
        self.assert_equal(self.run_product(a, b, "--bias", "bias.npy", "--bias-by", "column",
                                           bias=columns.astype(numpy.float16)), a @ b + columns)
        self.assert_equal(self.run_product(a, b, "--bias", "bias.npy", "--bias-by", "row", bias=rows),
                          a @ b + rows[:, None])

    def test_residual(self):
        a, b = small(2, 3, 4, 3, seed=1), small(3, 5, seed=2)
        for shape in ((2, 3, 4, 5), (3, 4, 5), (4, 5), (2, 1, 4, 5), (1, 1, 4, 5)):
            for order in "CF":
                with self.subTest(shape=shape, order=order):
                    residual = small(*shape, seed=3)
                    out = self.run_product(a, b, "--act", "relu", "--residual", "R.npy",
                                           R=numpy.asarray(residual, order=order))
                    self.assert_equal(out, numpy.maximum(a @ b, 0) + residual)

    def test_vectors_with_everything(self):
        a, b = small(2, 4, 3, seed=1), small(3, seed=2)
        c, residual, bias = small(2, 4, seed=3), small(2, 4, seed=4), small(4, seed=5)
        out = self.run_product(a, b, "--c", "C.npy", "--residual", "R.npy", "--bias", "bias.npy", "--bias-by", "row",
                               C=c, R=residual, bias=bias)
        self.assert_equal(out, a @ b + c + bias + residual)

    def test_both_libraries(self):
        a, b, c, bias, residual = (small(*shape) for shape in ((2, 9, 6), (6, 11), (2, 9, 11), (11,), (9, 11)))
        for library in LIBRARIES:
            with self.subTest(library=library):
                out = self.run_product(a, b, "--alpha", "0.5", "--c", "C.npy", "--beta", "2", "--bias", "bias.npy",
                                       "--act", "clamp:-4:9", "--residual", "R.npy", "--webgpu", library, "--limits",
                                       "minimum", C=c, bias=bias, R=residual)
                self.assert_equal(out, numpy.clip(0.5 * (a @ b) + 2 * c + bias, -4, 9) + residual)

    def test_errors(self):
        for code, words, options, files in (
                (2, ("--beta", "2", "no --c"), ["--beta", "2"], {}),
                (2, ("--beta", "'two'", "finite"), ["--beta", "two"], {}),
                (2, ("--alpha", "'nan'"), ["--alpha", "nan"], {}),
                (2, ("--alpha", "'1e99'"), ["--alpha", "1e99"], {}),
                (1, ("--c", "'C.npy' is float32 of shape (5, 4)", "(4, 5)"), ["--c", "C.npy"], {"C": small(5, 4)}),
                (1, ("--c", "(2, 4, 5)", "(4, 5)"), ["--c", "C.npy"], {"C": small(2, 4, 5)}),
                (1, ("--c", "float16", "float32", "--out-dtype"), ["--c", "C.npy"], {"C": small(4, 5, dtype="<f2")}),
                (1, ("'nowhere.npy'", "no file"), ["--c", "nowhere.npy"], {}),
                (1, ("--bias", "'V.npy' has shape (4,)", "each column", "(5,)"), ["--bias", "V.npy"], {"V": small(4)}),
                (1, ("--bias", "(5,)", "each row", "(4,)"), ["--bias", "V.npy", "--bias-by", "row"], {"V": small(5)}),
                (1, ("--bias", "(1, 5)", "(5,)"), ["--bias", "V.npy"], {"V": small(1, 5)}),
                (1, ("--bias", "int8", "float32 or float16"), ["--bias", "V.npy"], {"V": small(5, dtype="i1")}),
                (2, ("--bias-by", "no --bias"), ["--bias-by", "row"], {}),
                (2, ("--bias-by", "'diagonal'", "row, column"), ["--bias-by", "diagonal"], {}),
                (1, ("--residual", "(5, 4)", "(4, 5)"), ["--residual", "R.npy"], {"R": small(5, 4)}),
                (1, ("--residual", "(1, 5)", "(4, 5)"), ["--residual", "R.npy"], {"R": small(1, 5)}),
                (1, ("--residual", "int8"), ["--residual", "R.npy"], {"R": small(4, 5, dtype="i1")}),
                (2, ("--act", "'swish'", "gelu-tanh"), ["--act", "swish"], {}),
                (2, ("--act", "'clamp:1'"), ["--act", "clamp:1"], {}),
                (2, ("--act", "'clamp:2:1'"), ["--act", "clamp:2:1"], {}),
                (2, ("--act", "'clamp:0:inf'", "finite"), ["--act", "clamp:0:inf"], {}),
                (2, ("--out-dtype", "'f64'"), ["--out-dtype", "f64"], {}),
                (2, ("--out-dtype", "i32"), ["--out-dtype", "i32"], {}),
                (2, ("--accumulate", "f16", "f32"), ["--accumulate", "f16"], {})):
            with self.subTest(options=options, files=list(files)):
                self.refuse(code, *words, options=options, **files)
