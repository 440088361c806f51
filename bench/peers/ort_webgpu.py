#!/usr/bin/env python3
"""ONNX Runtime on WebGPU: ort_webgpu.py ROWS.json -o PEER.json

Needs the packages onnxruntime-webgpu and onnx. The operands are constants of a model, which the session keeps on the
GPU; a model holds as many products of rotated operands as fill a sample, and brings one element back, so that
copies to the host count for nothing. ONNX Runtime sums f16 in f16.
"""

import sys
import time

import rows
from rows import numpy

MOST_PRODUCTS = 4096
SAMPLE_SECONDS = 0.05  # bringing an element back costs some tenths of a millisecond
LARGEST_MODEL = 1_900_000_000  # bytes: a protobuf ends at 2 GiB


class OrtWebGpu:
    name = "ONNX Runtime WebGPU"

    def __init__(self):
        self.ort = self.onnx = None
        self.random = None

    def open(self):
        try:
            import onnx  # pylint: disable=import-outside-toplevel
            import onnx.numpy_helper  # pylint: disable=import-outside-toplevel
            import onnxruntime  # pylint: disable=import-outside-toplevel
        except ImportError as error:
            raise rows.Missing(f"{error.name} is not installed (pip install onnxruntime-webgpu onnx)") from error
        self.ort, self.onnx = onnxruntime, onnx
        self.random = numpy.random.default_rng(1)
        if "WebGpuExecutionProvider" not in onnxruntime.get_available_providers():
            raise rows.Missing("this onnxruntime has no WebGPU (pip install onnxruntime-webgpu)")
        small = rows.Row({"m": 2, "n": 2, "k": 2, "batch": 1, "types": "f32", "layout": "nn"})
        try:
            self.session(self.model(small, self.operands(small), 1, 1, whole=True)).run(None, {})
        except Exception as error:  # pylint: disable=broad-except  # ONNX Runtime has no class of its own for it
            raise rows.Missing(f"it has no WebGPU device: {str(error).splitlines()[0]}") from error

    def conditions(self):
        return {"onnxruntime": self.ort.__version__}

    def session(self, model):
        options = self.ort.SessionOptions()
        # Products of constants would be computed ahead, on the CPU.
        options.graph_optimization_level = self.ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        options.log_severity_level = 4
        return self.ort.InferenceSession(model.SerializeToString(), options, providers=["WebGpuExecutionProvider"])

    @staticmethod
    def note(row):
        """How a product of these types is one of others here. Errors: Unsupported."""
        notes = {"f32": "", "f16": "sums and C in f16", "f16-out16": "sums in f16", "f16-acc16": "",
                 "int4": "sums and C in f16"}
        if row.types not in notes:
            raise rows.Unsupported(f"it has no {row.types} on WebGPU")
        if row.types == "int4" and (row.batch > 1 or row.trans_a):
            raise rows.Unsupported("MatMulNBits takes one A, not transposed")
        if row.batch > 1 and (row.trans_a or row.trans_b):
            raise rows.Unsupported("MatMul transposes nothing, and Gemm has no batches")
        return notes[row.types]

    def operands(self, row):
        """Arrays of A and of B; of quantised weights their codes and scales."""
        kind = numpy.float32 if row.types == "f32" else numpy.float16
        a = rows.uniform(self.random, row.shape_a(), kind)
        if row.types != "int4":
            return [a, rows.uniform(self.random, row.shape_b(), kind)]
        block = row.question["block"]
        blocks = -(-row.k // block)
        codes = self.random.integers(0, 256, (row.n, blocks, block // 2), dtype=numpy.uint8)
        scales = (self.random.random(row.n * blocks, dtype=numpy.float32) / 16 + 1 / 32).astype(numpy.float16)
        return [a, codes, scales]

    def node(self, row, names, out):
        helper = self.onnx.helper
        if row.types == "int4":
            return helper.make_node("MatMulNBits", names, [out], domain="com.microsoft", K=row.k, N=row.n, bits=4,
                                    block_size=row.question["block"])
        if row.trans_a or row.trans_b:
            return helper.make_node("Gemm", names, [out], transA=int(row.trans_a), transB=int(row.trans_b))
        return helper.make_node("MatMul", names, [out])

    def model(self, row, operands, products, count, whole=False):
        """`products` products of `count` sets of operands. It gives the last C as a `whole`, or an element of it."""
        helper, array = self.onnx.helper, self.onnx.numpy_helper.from_array
        # Copies of one set: only where they lie must differ.
        constants = [array(part, f"{part_index}.{index}") for index in range(count)
                     for part_index, part in enumerate(operands)]
        nodes = [self.node(row, [f"{part}.{product % count}" for part in range(len(operands))], f"c.{product}")
                 for product in range(products)]
        shape = row.shape(row.m, row.n)
        last = f"c.{products - 1}"
        if not whole:
            rank = len(shape)
            constants += [array(numpy.zeros(rank, numpy.int64), "start"), array(numpy.ones(rank, numpy.int64), "end")]
            nodes.append(helper.make_node("Slice", [last, "start", "end"], ["out"]))
            shape, last = (1,) * rank, "out"
        kind = self.onnx.TensorProto.FLOAT if row.types == "f32" else self.onnx.TensorProto.FLOAT16
        graph = helper.make_graph(nodes, "products", [], [helper.make_tensor_value_info(last, kind, shape)], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17),
                                                        helper.make_opsetid("com.microsoft", 1)])
        model.ir_version = 9
        return model

    @staticmethod
    def numbers(row, operands):
        """A and B; weights in float64 from their codes."""
        a = operands[0]
        if row.types != "int4":
            return a, operands[1]
        codes, scales = operands[1:]
        nibbles = numpy.stack([codes & 15, codes >> 4], axis=-1).reshape(row.n, codes.shape[1], -1)
        weights = (nibbles.astype(numpy.float64) - 8) * scales.reshape(row.n, -1, 1)
        return a, weights.reshape(row.n, -1)[:, :row.k]

    def measure(self, row, options):
        note = self.note(row)
        operands = self.operands(row)
        size = sum(part.nbytes for part in operands)
        if size > LARGEST_MODEL:
            raise rows.Unsupported(f"its operands, {size} bytes, are more than a model holds")
        out = self.session(self.model(row, operands, 1, 1, whole=True)).run(None, {})[0]
        error = rows.error_of(row, *self.numbers(row, operands), out)
        count = max(1, min(rows.MOST_SETS, -(-rows.BEYOND_CACHES // size), LARGEST_MODEL // size))
        sessions = {}

        def run(repeats):
            products = min(repeats, MOST_PRODUCTS)
            if products not in sessions:
                sessions.clear()
                sessions[products] = self.session(self.model(row, operands, products, min(count, products)))
                sessions[products].run(None, {})  # compiles, and brings the operands to the GPU
            start = time.perf_counter()
            runs = -(-repeats // products)
            for _ in range(runs):
                sessions[products].run(None, {})
            return (time.perf_counter() - start) * repeats / (runs * products)

        return {"relative_error": error, "note": note, "timing": "host_clock",
                **rows.sample(run, options.row_seconds, SAMPLE_SECONDS)}


if __name__ == "__main__":
    sys.exit(rows.main(OrtWebGpu()))
