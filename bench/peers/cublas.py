#!/usr/bin/env python3
"""cuBLAS through PyTorch: cublas.py ROWS.json -o PEER.json

The time is the GPU's: products are captured into a CUDA graph, which is replayed between two events, so that no gap
between launches counts. Operands are rotated through more memory than caches hold.
"""

import sys

import rows

MOST_CAPTURED = 4096


class CuBlas:
    name = "cuBLAS"

    def __init__(self):
        self.torch = None

    def open(self):
        try:
            import torch  # pylint: disable=import-outside-toplevel
        except ImportError as error:
            raise rows.Missing("PyTorch is not installed (pip install torch)") from error
        if not torch.cuda.is_available():
            raise rows.Missing("PyTorch sees no CUDA device")
        self.torch = torch
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
        torch.manual_seed(1)

    def conditions(self):
        torch = self.torch
        return {"adapter": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda}

    def product(self, row):
        """Element types of A, B and C, the function that multiplies, and a note."""
        torch = self.torch
        half_sums = getattr(torch.backends.cuda.matmul, "allow_fp16_accumulation", None)
        if half_sums is not None:
            torch.backends.cuda.matmul.allow_fp16_accumulation = row.types == "f16-acc16"
        plain = lambda a, b, c: torch.matmul(a, b, out=c)  # noqa: E731
        if row.types == "f32":
            return torch.float32, torch.float32, plain, ""
        if row.types == "f16-out16":
            return torch.float16, torch.float16, plain, ""
        if row.types == "f16-acc16":
            return torch.float16, torch.float16, plain, "sums in f32" if half_sums is None else ""
        if row.types == "f16":
            wide = torch.mm if row.batch == 1 else torch.bmm
            if self.widens(wide, row):
                return torch.float16, torch.float32, lambda a, b, c: wide(a, b, out_dtype=torch.float32, out=c), ""
            return torch.float16, torch.float16, plain, "C in f16"
        if row.types == "i8":
            if row.batch > 1:
                raise rows.Unsupported("torch._int_mm has no batches")
            return torch.int8, torch.int32, lambda a, b, c: torch._int_mm(a, b, out=c), ""
        raise rows.Unsupported(f"cuBLAS has no {row.types}")

    def widens(self, multiply, row):
        """Whether this PyTorch multiplies f16 into f32."""
        torch = self.torch
        shape = (16, 16) if row.batch == 1 else (1, 16, 16)
        a = torch.zeros(shape, device="cuda", dtype=torch.float16)
        c = torch.empty(shape, device="cuda", dtype=torch.float32)
        try:
            multiply(a, a, out_dtype=torch.float32, out=c)
        except (TypeError, RuntimeError):
            return False
        return True

    def numbers(self, shape, kind):
        torch = self.torch
        if kind == torch.int8:
            return torch.randint(-128, 128, shape, device="cuda", dtype=kind)
        return (torch.rand(shape, device="cuda") * 2 - 1).to(kind)

    def measure(self, row, options):
        torch = self.torch
        kind, kind_c, multiply, note = self.product(row)
        bytes_of = lambda each: torch.empty((), dtype=each).element_size()  # noqa: E731
        count = row.sets(bytes_of(kind), bytes_of(kind), bytes_of(kind_c))
        left = [self.numbers(row.shape_a(), kind) for _ in range(count)]
        right = [self.numbers(row.shape_b(), kind) for _ in range(count)]
        out = [torch.empty(row.shape(row.m, row.n), device="cuda", dtype=kind_c) for _ in range(count)]

        def launch(index):
            i = index % count
            a = left[i].transpose(-1, -2) if row.trans_a else left[i]
            b = right[i].transpose(-1, -2) if row.trans_b else right[i]
            multiply(a, b, out[i])

        try:
            self.warm_up(launch)
        except RuntimeError as why:
            if row.types != "i8":
                raise
            # Only some sizes and layouts of integers are there.
            raise rows.Unsupported(str(why).splitlines()[0]) from why
        error = rows.error_of(row, *(x[0].cpu().numpy() for x in (left, right, out)))
        graphs = {}

        def run(repeats):
            captured = min(repeats, MOST_CAPTURED)
            if captured not in graphs:
                graphs.clear()  # only the last one is replayed again
                graphs[captured] = self.capture(launch, captured)
            replays = -(-repeats // captured)
            return self.seconds(graphs[captured], replays) * repeats / (replays * captured)

        return {"relative_error": error, "note": note, "timing": "cuda_events",
                **rows.sample(run, options.row_seconds)}

    def warm_up(self, launch):
        """On a stream of its own, as capturing wants it."""
        torch = self.torch
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for index in range(3):
                launch(index)
        torch.cuda.current_stream().wait_stream(stream)
        torch.cuda.synchronize()

    def capture(self, launch, count):
        graph = self.torch.cuda.CUDAGraph()
        with self.torch.cuda.graph(graph):
            for index in range(count):
                launch(index)
        graph.replay()  # the first replay uploads it
        self.torch.cuda.synchronize()
        return graph

    def seconds(self, graph, replays):
        torch = self.torch
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        for _ in range(replays):
            graph.replay()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e-3


if __name__ == "__main__":
    sys.exit(rows.main(CuBlas()))
