#!/usr/bin/env python3
"""Checks the transformer_block example against NumPy: python3 examples/transformer_block.py build/examples/transformer_block"""

import math
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

BATCH, TOKENS, MODEL, HEADS = 2, 128, 768, 12
HEAD, HIDDEN = MODEL // HEADS, 4 * MODEL
SHAPES = {
    "x": (BATCH, TOKENS, MODEL),
    "norm1.weight": (MODEL,), "norm1.bias": (MODEL,),
    "qkv.weight": (MODEL, 3 * MODEL), "qkv.bias": (3 * MODEL,),
    "proj.weight": (MODEL, MODEL), "proj.bias": (MODEL,),
    "norm2.weight": (MODEL,), "norm2.bias": (MODEL,),
    "up.weight": (MODEL, HIDDEN), "up.bias": (HIDDEN,),
    "down.weight": (HIDDEN, MODEL), "down.bias": (MODEL,),
}  # fmt: skip


def operands():
    random = np.random.default_rng(20261130)
    tensors = {}
    for name, shape in SHAPES.items():
        scale = 1 / math.sqrt(shape[0]) if name.endswith("weight") and len(shape) == 2 else 1
        tensors[name] = (random.standard_normal(shape) * scale).astype(np.float32)
    return tensors


def block(t):
    """The block in float64."""
    t = {name: tensor.astype(np.float64) for name, tensor in t.items()}
    erf = np.vectorize(math.erf)

    def norm(x, name):
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * t[name + ".weight"] + t[name + ".bias"]

    def linear(x, name):
        return x @ t[name + ".weight"] + t[name + ".bias"]

    x = t["x"]
    heads = linear(norm(x, "norm1"), "qkv").reshape(BATCH, TOKENS, 3, HEADS, HEAD).transpose(2, 0, 3, 1, 4)
    q, k, v = heads
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(HEAD)
    scores = np.where(np.tril(np.ones((TOKENS, TOKENS), bool)), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    h = x + linear((weights @ v).transpose(0, 2, 1, 3).reshape(BATCH, TOKENS, MODEL), "proj")
    up = linear(norm(h, "norm2"), "up")
    return h + linear(up * 0.5 * (1 + erf(up / math.sqrt(2))), "down")


def main(program):
    tensors = operands()
    with tempfile.TemporaryDirectory() as folder:
        for name, tensor in tensors.items():
            tensor.tofile(Path(folder) / f"{name}.f32")
        subprocess.run([program, folder], check=True)
        result = np.fromfile(Path(folder) / "y.f32", np.float32).reshape(BATCH, TOKENS, MODEL)
    expected = block(tensors)
    error = np.abs(result - expected).max() / np.abs(expected).max()
    print(f"transformer block {BATCH}x{TOKENS}x{MODEL}: largest error {error:.2g} of the largest value, against NumPy")
    return 0 if error < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
