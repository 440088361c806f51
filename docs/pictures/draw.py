#!/usr/bin/env python3
"""Draws the pictures of docs/ as SVG files beside this script. Needs Python 3 and nothing else.

A is blue, B orange, C green, workgroup memory yellow. Blocks are drawn smaller than they are, so that a cell can be
seen; each picture says so where it matters.
"""

import math
import sys

from canvas import Picture

GAP = 14


def corner(p, x, y, m, n, k, cell, a=(), b=(), c=(), labels=True):
    """A, B and C with B above C and A left of it: a row of A and a column of B meet in their element of C."""
    right, below = x + k * cell + GAP, y + k * cell + GAP
    p.grid(right, y, k, n, cell, "b", b)
    p.grid(x, below, m, k, cell, "a", a)
    p.grid(right, below, m, n, cell, "c", c)
    if labels:
        p.text(x, below - 7, "A  (m x k)", bold=True, role="a")
        p.text(right + n * cell + 8, y + 14, "B", bold=True, role="b")
        p.text(right + n * cell + 8, y + 30, "k x n", role="b", size=12)
        p.text(right + n * cell + 8, below + 14, "C", bold=True, role="c")
        p.text(right + n * cell + 8, below + 30, "m x n", role="c", size=12)
    return right, below


def product():
    p = Picture(
        "product", 326, "A matrix product",
        "Matrix A lies left of C and B above it. Row 2 of A and column 3 of B meet in element 2, 3 of C.",
    )
    corner(p, 24, 20, 6, 6, 8, 20, lambda r, c: r == 2, lambda r, c: c == 3, {(2, 3)})
    p.lines(388, 60, ["An element of C is the sum over k of", "a row of A times a column of B."])
    p.text(388, 118, "C[i][j] = Σ A[i][k] · B[k][j]", 15, mono=True)
    p.lines(388, 160, [
        "k steps, each one multiplication and",
        "one addition: 2k operations an element,",
        "2mnk for the whole product.",
        "",
        "Each element of A serves n elements of C,",
        "each element of B serves m of them.",
        "How often it is fetched for that",
        "is what the ladder is about.",
    ])
    return p


def roofline():
    p = Picture(
        "roofline", 380, "The roofline",
        "Operations per second over arithmetic intensity, both logarithmic. A slanted line, the memory's bandwidth, meets "
        "a flat line, the arithmetic peak. Rungs of the ladder are marked by what their kernel asks for at 4096.",
    )
    left, right, top, bottom = 70, 690, 40, 300

    def at(intensity):
        return left + (math.log2(intensity) + 3) / 13 * (right - left)

    ridge, slope = 14.0, 27.0  # where the two lines meet, and pixels for a factor of two: the picture has no scale in y

    def roof(intensity):
        return top + 28 + max(0.0, math.log2(ridge / intensity)) * slope

    p.line(left, bottom, right, bottom, arrow=True)
    p.line(left, bottom, left, top, arrow=True)
    p.text(left, 26, "operations per second (log)", 12, soft=True)
    p.text(right, 346, "arithmetic intensity: operations per byte asked for (log)", 12, "end", soft=True)
    for power in range(-2, 10):
        x = at(2.0**power)
        p.line(x, bottom, x, bottom + 5)
        if power % 2 == 0:
            p.text(x, bottom + 20, f"{2.0 ** power:g}", 12, "middle", soft=True)
    p.path([(at(0.13), roof(0.13)), (at(ridge), roof(ridge)), (at(960), roof(960))], "red", 3)
    p.text(at(0.28), bottom - 34, "bandwidth limits:", 12, role="red")
    p.text(at(0.28), bottom - 16, "bytes/s · intensity", 12, role="red")
    p.text(at(70), roof(70) - 10, "arithmetic limits", 12, role="red")
    for intensity, name in ((0.25, "naive"), (2.0, "tiled-8"), (3.99, "tiled-16"), (7.97, "tiled-32"),
                            (41.8, "register-tile"), (682.7, "each byte once")):
        x, y = at(intensity), roof(intensity)
        p.line(x, y, x, bottom, "c", 1.2, True)
        p.dot(x, y, "c", 5)
        if intensity < ridge:
            p.text(x - 8, y - 8, name, 12, "end", role="c")
        else:
            p.text(x - 8, bottom - 30, name, 12, "end", role="c")
    p.text(left, 368, "Where the bend lies and how high the roof is, is the device's; the marks are the kernels' own.", 12,
           soft=True)
    return p


def webgpu():
    p = Picture(
        "webgpu", 372, "How WebGPU runs a kernel",
        "The host binds buffers and asks for a grid of workgroups. A workgroup is a block of invocations that share "
        "workgroup memory. The hardware runs an invocation as one lane of a subgroup.",
    )
    p.text(24, 34, "Host: one dispatch", bold=True)
    for i, (role, words) in enumerate((("a", "binding 0: A, read"), ("b", "binding 1: B, read"),
                                       ("c", "binding 2: C, written"), ("plain", "binding 3: sizes (uniform)"))):
        p.rect(24, 50 + i * 38, 190, 28, role, radius=4)
        p.text(34, 69 + i * 38, words, 12)
    p.rect(24, 206, 190, 28, "violet", radius=4)
    p.text(34, 225, "pipeline: the WGSL text", 12)
    p.text(24, 262, "dispatchWorkgroups(4, 3)", 12, mono=True)
    p.arrow(220, 130, 252, 130)

    p.text(262, 34, "Grid: 4 x 3 workgroups", bold=True)
    p.grid(262, 50, 3, 4, 42, "c", {(1, 2)}, lambda r, c: f"{c},{r}", 12)
    p.text(262, 196, "workgroup_id", 12, mono=True)
    p.lines(262, 222, ["In any order, on any unit", "of the device; they cannot", "wait for each other."], 12, soft=True)
    p.path([(388, 92), (478, 50)], "c", 1.2, True)
    p.path([(388, 134), (478, 178)], "c", 1.2, True)

    p.text(478, 34, "Workgroup: 8 x 4 invocations", bold=True)
    p.grid(478, 50, 4, 8, 26, "c", lambda r, c: r == 1)
    p.rect(478, 160, 208, 24, "mem", radius=4)
    p.text(582, 176, "workgroup memory, shared", 12, "middle")
    p.text(478, 208, "local_invocation_id", 12, mono=True)
    p.lines(478, 230, ["Can wait for each other", "at a workgroupBarrier()."], 12, soft=True)

    p.text(24, 304, "Subgroup: lanes that run one instruction together", bold=True)
    p.grid(24, 318, 1, 8, 26, "c", lambda r, c: True, lambda r, c: c)
    p.lines(250, 328, ["Here 8 lanes, a row of the workgroup. Real devices have 4 to 128;",
                       "32 is common. What neighbouring lanes load is fetched together."], 12, soft=True)
    return p


def memory():
    p = Picture(
        "memory", 360, "Memory of a GPU",
        "From top to bottom: registers of an invocation, workgroup memory, the cache of the device, device memory with the "
        "storage buffers, and host memory. Each level is larger and slower than the one above it.",
    )
    rows = (
        ("c", 150, "registers", "one invocation", "a few hundred numbers at most"),
        ("mem", 215, "workgroup memory", "one workgroup", "16 KiB guaranteed by WebGPU"),
        ("violet", 280, "caches (L1, L2)", "the device; not in WGSL", "keep what was read lately"),
        ("a", 345, "storage buffers", "all workgroups", "A, B and C, in device memory"),
        ("plain", 410, "host memory", "the program", "copied over a bus, once"),
    )
    p.text(40, 34, "level", 12, soft=True)
    p.text(462, 34, "seen by", 12, soft=True)
    for i, (role, width, name, who, note) in enumerate(rows):
        y = 48 + i * 58
        p.rect(40, y, width, 44, role, radius=4)
        p.text(52, y + 27, name, 14, bold=True)
        p.text(462, y + 19, who, 13)
        p.text(462, y + 37, note, 12, soft=True)
    p.arrow(22, 52, 22, 320)
    p.text(40, 346, "Downwards: larger, slower, shared by more. A fast kernel reads below rarely and works above.", 12, soft=True)
    return p


def naive():
    p = Picture(
        "naive", 326, "Rung 1, naive: one invocation an element",
        "One invocation reads a whole row of A and a whole column of B for one element of C. It is alone in its "
        "workgroup, so one lane of a subgroup works and the others idle.",
    )
    corner(p, 24, 20, 6, 6, 8, 20, lambda r, c: r == 2, lambda r, c: c == 3, {(2, 3)})
    p.text(388, 44, "One workgroup = one invocation", bold=True)
    p.lines(388, 72, ["It reads 2k elements for 2k operations:", "8 bytes for 2 operations, 4 bytes each."])
    p.text(388, 136, "The subgroup that runs it:", bold=True)
    p.grid(388, 150, 4, 8, 26, "plain", {(0, 0)}, lambda r, c: "1" if (r, c) == (0, 0) else None,
           roles=lambda r, c: "c" if (r, c) == (0, 0) else None)
    p.lines(388, 280, ["1 of 32 lanes has work."], soft=True)
    return p


def access(p, y, role, title, rows, picks, note):
    """Memory of a row-major matrix, a line of cells per row; `picks`: (row, column) -> lanes that touch the cell."""
    p.text(388, y, title, 13, bold=True, role=role)
    p.grid(388, y + 10, rows, 8, 26, role, set(picks), lambda r, c: picks.get((r, c)), 11, 20)
    p.text(388, y + 10 + rows * 20 + 18, note, 12, soft=True)


def workgroup():
    p = Picture(
        "workgroup", 382, "Rung 2, workgroup: rows along x",
        "Lanes 0 to 3 of a subgroup compute four elements below each other. At each step of k they read four different "
        "rows of A, far apart in memory, and one element of B together; they store to four different rows of C.",
    )
    block = {(r, c) for r in range(4) for c in range(4)}
    right, below = corner(p, 24, 44, 6, 6, 8, 20, lambda r, c: r < 4 and c == 2, lambda r, c: c == 0 and r == 2, block)
    p.outline(right, below, 80, 80, "c")
    for lane in range(4):
        p.text(right + 10, below + 14 + 20 * lane, str(lane), 11, "middle", bold=True)
    p.text(24, 30, "A block of 16 x 16, drawn as 4 x 4; lanes 0-3 go down", 12, soft=True)
    p.text(24, 370, "k = 2 is marked", 12, soft=True)
    access(p, 44, "a", "memory of A, row by row", 4, {(lane, 2): lane for lane in range(4)},
           "4 lanes, 4 places in memory")
    access(p, 182, "b", "memory of B", 1, {(0, 0): "all"}, "one place, for all 4 lanes")
    access(p, 262, "c", "memory of C, when it is stored", 4, {(lane, 0): lane for lane in range(4)},
           "again a place for each lane")
    return p


def coalesced():
    p = Picture(
        "coalesced", 360, "Rung 3, coalesced: columns along x",
        "Lanes 0 to 3 compute four elements side by side. At each step of k they read one element of A together and four "
        "neighbouring elements of B; they store to four neighbouring elements of C.",
    )
    block = {(r, c) for r in range(4) for c in range(4)}
    right, below = corner(p, 24, 44, 6, 6, 8, 20, {(0, 2)}, lambda r, c: c < 4 and r == 2, block)
    p.outline(right, below, 80, 80, "c")
    for lane in range(4):
        p.text(right + 10 + 20 * lane, below + 14, str(lane), 11, "middle", bold=True)
    p.text(24, 30, "The same block; lanes 0-3 go to the right", 12, soft=True)
    access(p, 44, "a", "memory of A", 1, {(0, 2): "all"}, "one place, for all 4 lanes")
    access(p, 130, "b", "memory of B, row by row", 1, {(0, c): c for c in range(4)},
           "4 lanes, neighbours: one wide read")
    access(p, 216, "c", "memory of C, when it is stored", 1, {(0, c): c for c in range(4)},
           "neighbours again: one wide write")
    p.text(388, 308, "Same arithmetic, same bytes asked for;", 12)
    p.text(388, 325, "fewer trips to memory.", 12)
    return p


def lanes():
    p = Picture(
        "lanes", 410, "From local ids to lanes",
        "A workgroup of 16 by 16 invocations. Counting along x first, two rows of it fill a subgroup of 32 lanes, so lanes "
        "0 to 15 differ only in x.",
    )
    cycle = ("a", "mem", "c", "violet")
    p.text(46, 30, "local_invocation_id.x  →", 12, mono=True)
    p.text(24, 62, "y", 12, mono=True)
    p.arrow(28, 72, 28, 120)
    p.grid(46, 42, 16, 16, 21, "a", lambda r, c: r < 2, lambda r, c: r * 16 + c if r < 2 else None, 10,
           roles=lambda r, c: cycle[r // 2 % 4])
    for subgroup in range(1, 8):
        p.rect(168, 42 + subgroup * 42 + 11, 92, 20, "plain", radius=4)
        p.text(214, 42 + subgroup * 42 + 25, f"subgroup {subgroup}", 12, "middle")
    p.text(412, 58, "16 x 16 = 256 invocations", bold=True)
    p.text(412, 86, "index = y · 16 + x", 13, mono=True)
    p.text(412, 108, "lane  = index % 32", 13, mono=True)
    p.lines(412, 144, [
        "On a device with subgroups of 32,",
        "lanes 0-15 are row y = 0, lanes 16-31",
        "row y = 1: x is what differs between",
        "neighbouring lanes.",
        "",
        "So what x means decides the access:",
        "rung 2 gives x to the rows of C,",
        "rung 3 gives x to the columns.",
        "",
        "This order is usual, not promised.",
    ])
    p.text(412, 346, "wgemm info", 13, mono=True)
    p.text(412, 366, "says what it is on your device.", 13)
    return p


def tiled():
    p = Picture(
        "tiled", 366, "Rung 4, tiled: a block of C through workgroup memory",
        "The workgroup copies a tile of A and a tile of B into workgroup memory. Each of its invocations then reads a row "
        "of the one and a column of the other, so that every staged element is used by TILE invocations.",
    )
    right, below = corner(p, 24, 30, 8, 8, 8, 18, lambda r, c: r < 4 and 4 <= c, lambda r, c: c < 4 and 4 <= r,
                          lambda r, c: r < 4 and c < 4)
    p.outline(24 + 72, below, 72, 72, "a")
    p.outline(right, 30 + 72, 72, 72, "b")
    p.outline(right, below, 72, 72, "c")
    p.text(24, 353, "TILE is drawn as 4", 12, soft=True)
    p.text(398, 40, "Workgroup memory", bold=True)
    p.text(420, 66, "tile_a", 12, mono=True, role="mem")
    p.text(570, 66, "tile_b", 12, mono=True, role="mem")
    p.grid(420, 74, 4, 4, 26, "mem", lambda r, c: r == 1)
    p.grid(570, 74, 4, 4, 26, "mem", lambda r, c: c == 2)
    p.text(398, 210, "1. each invocation copies one element", 13)
    p.text(398, 232, "2. barrier: both tiles are complete", 13)
    p.text(398, 254, "3. row of tile_a times column of tile_b", 13)
    p.text(398, 276, "4. barrier: nobody still reads the tiles", 13)
    p.text(398, 298, "5. next tile along k", 13)
    p.text(398, 330, "Read once, used TILE times.", 13, bold=True)
    return p


def tile_walk():
    p = Picture(
        "tile-walk", 306, "Tiles along k",
        "A workgroup steps along k tile by tile. In each step it loads, waits, multiplies and waits. The last tile reaches "
        "beyond the matrix; there it is filled with zeros.",
    )
    p.text(24, 34, "k = 14, TILE = 4: four steps, the last one half outside the matrix", bold=True)
    for step in range(4):
        x = 60 + step * 160
        p.text(x, 62, f"k0 = {step * 4}", 12, mono=True)
        outside = step == 3
        p.grid(x, 72, 3, 4, 30, "a", lambda r, c: True, lambda r, c, o=outside: "0" if o and c > 1 else None, 11, 20,
               roles=lambda r, c, o=outside: "plain" if o and c > 1 else None)
        for i, (role, words) in enumerate((("mem", "load"), ("red", "barrier"), ("c", "multiply"), ("red", "barrier"))):
            p.rect(x, 150 + i * 27, 120, 22, role, radius=3)
            p.text(x + 60, 165 + i * 27, words, 12, "middle")
        if step < 3:
            p.arrow(x + 124, 242, x + 155, 162)
    p.text(24, 106, "A", 14, bold=True, role="a")
    p.text(24, 284, "Zeros add nothing to a sum, so the loop needs no special case for its last step.", 12, soft=True)
    return p


def banks():
    p = Picture(
        "banks", 474, "Bank conflicts: rows of 16 and of 17",
        "Workgroup memory as 32 banks. With rows of 16 words a column of a tile falls into two banks, and its reads wait for "
        "each other. With rows of 17 words it falls into a different bank for each row.",
    )
    for top, width, title, role in ((48, 16, "rows of 16 words", "red"), (264, 17, "rows of 17 words (one is padding)", "c")):
        p.text(24, top - 14, title, 14, bold=True)
        p.grid(24, top, 8, width, 24, "mem", lambda r, c: c == 0, lambda r, c, w=width: (r * w + c) % 32, 11, 21,
               roles=lambda r, c: role if c == 0 else "plain" if c == 16 else None)
    p.text(452, 44, "The number is the bank of a word.", 12, soft=True)
    p.lines(452, 84, ["16 lanes read column 0:", "banks 0, 16, 0, 16, 0, …", "8 lanes share a bank and", "are served one by one."])
    p.lines(452, 300, ["16 lanes read column 0:", "banks 0, 17, 2, 19, 4, …", "all different:", "served together."])
    p.text(24, 456, "the first 8 rows of a 16 x 16 tile, on a device with 32 banks of one word", 12, soft=True)
    return p


def tiled_transposed():
    p = Picture(
        "tiled-transposed", 304, "tiled-transposed: the tile of B is turned",
        "The tile of B is stored column by column. For one k, lanes that differ in x read a column of the turned tile, "
        "where tiled reads a row.",
    )
    p.text(24, 34, "a tile of B in the buffer", bold=True, role="b")
    p.grid(24, 50, 4, 4, 34, "b", lambda r, c: r == 1, lambda r, c: f"{r},{c}", 11)
    p.text(24, 208, "k down, columns right", 12, soft=True)
    p.arrow(172, 118, 238, 118)
    p.text(252, 34, "tiled", bold=True)
    p.grid(252, 50, 4, 4, 34, "mem", lambda r, c: r == 1, lambda r, c: f"{r},{c}", 11)
    p.text(252, 208, "tile_b[k][local.x]", 12, mono=True)
    p.text(480, 34, "tiled-transposed", bold=True)
    p.grid(480, 50, 4, 4, 34, "mem", lambda r, c: c == 1, lambda r, c: f"{c},{r}", 11)
    p.text(480, 208, "tile_b[local.x][k]", 12, mono=True)
    p.lines(24, 244, [
        "Marked: what lanes 0-3 read together at k = 1. In tiled they read words side by side. Turned,",
        "they read words a row apart: many lanes in few memory banks, unless the row is padded.",
        "What is won: for one column, neighbours in k lie side by side, which vectors of k will need.",
    ], 13)
    return p


def thread_tile():
    p = Picture(
        "thread-tile", 370, "Rung 5, thread-tile: several elements an invocation",
        "For one k, an invocation reads four values of A's tile and four of B's tile and makes sixteen products. In the "
        "block of C its rows and columns lie apart, so that neighbouring invocations touch neighbouring columns.",
    )
    p.text(24, 34, "One step of k, one invocation", bold=True)
    p.text(24, 56, "4 + 4 reads, 16 products", 12, soft=True)
    p.grid(96, 72, 1, 4, 34, "b", lambda r, c: True, lambda r, c: f"b{c}", 12)
    p.grid(48, 118, 4, 1, 34, "a", lambda r, c: True, lambda r, c: f"a{r}", 12)
    p.grid(96, 118, 4, 4, 34, "c", (), lambda r, c: f"a{r}b{c}", 11)
    p.text(24, 284, "The sums stay in registers for the", 12, soft=True)
    p.text(24, 302, "whole walk along k.", 12, soft=True)
    mine = {(r, c) for r in (1, 5, 9, 13) for c in (2, 6, 10, 14)}
    p.text(300, 34, "The block of C", bold=True)
    p.grid(300, 50, 16, 16, 17, "c", mine)
    for r in (0, 4, 8, 12):
        p.line(300, 50 + r * 17, 572, 50 + r * 17, "c", 1.5)
        p.line(300 + r * 17, 50, 300 + r * 17, 322, "c", 1.5)
    p.lines(586, 70, ["Marked: all", "16 elements", "of invocation", "x = 2, y = 1.", "", "Its columns", "are BN / TN", "apart, its",
                      "rows BM / TM."], 12)
    p.text(300, 346, "drawn for BM = BN = 16, TM = TN = 4: 4 x 4 invocations", 12, soft=True)
    return p


def unrolled():
    p = Picture(
        "unrolled", 330, "Rung 6, unrolled: the loop written out",
        "On the left the kernel file with for directives and numbered names. On the right what the expander makes of it: "
        "a line for each element, with sums in named variables.",
    )
    p.text(24, 34, "in the file", bold=True)
    p.rect(24, 46, 306, 112, "plain", radius=4)
    p.lines(36, 70, ["#for i in 0..TM", "#for j in 0..TN", "  sum$(i)_$(j) += left$(i) * right$(j);", "#end", "#end"], 12,
            mono=True)
    p.text(374, 34, "what the device gets (TM = TN = 4)", bold=True)
    p.rect(374, 46, 322, 190, "c", radius=4)
    p.lines(386, 70, ["sum0_0 += left0 * right0;", "sum0_1 += left0 * right1;", "sum0_2 += left0 * right2;",
                      "sum0_3 += left0 * right3;", "sum1_0 += left1 * right0;", "…", "sum3_2 += left3 * right2;",
                      "sum3_3 += left3 * right3;"], 12, step=21, mono=True)
    p.arrow(334, 102, 370, 102)
    p.text(24, 206, "sums[i * 4 + j]", 12, mono=True, role="red")
    p.lines(24, 226, ["An array with a computed index may", "end up in slow memory."], 12, soft=True)
    p.text(374, 262, "sum0_0 … sum3_3", 12, mono=True, role="c")
    p.text(374, 282, "Sixteen names: sixteen registers.", 12, soft=True)
    p.text(24, 312, "No instruction is spent on counting, and independent lines can run while others wait.", 12, soft=True)
    return p


def vec4():
    p = Picture(
        "vec4", 332, "Rung 7, vec4: four k in one vector",
        "A is row-major and B column-major, so that four consecutive k of a row of A and of a column of B each form one "
        "vector. One dot product replaces four multiplications and additions.",
    )
    p.text(24, 34, "A, row-major: k runs to the right", bold=True, role="a")
    p.grid(24, 46, 3, 8, 30, "a", lambda r, c: r == 1 and c < 4, lambda r, c: f"k{c}" if r == 1 else None, 11, 24)
    p.outline(24, 70, 120, 24, "a")
    p.text(24, 152, "B, column-major: k runs along memory too", bold=True, role="b")
    p.grid(24, 164, 3, 8, 30, "b", lambda r, c: r == 2 and c < 4, lambda r, c: f"k{c}" if r == 2 else None, 11, 24)
    p.outline(24, 212, 120, 24, "b")
    p.text(24, 256, "a line of memory is a column of B", 12, soft=True)
    p.text(400, 34, "one load each, 16 bytes", bold=True)
    p.text(400, 82, "left", 13, mono=True)
    p.grid(460, 66, 1, 4, 44, "a", lambda r, c: True, lambda r, c: f"k{c}", 12, 26)
    p.text(400, 128, "right", 13, mono=True)
    p.grid(460, 112, 1, 4, 44, "b", lambda r, c: True, lambda r, c: f"k{c}", 12, 26)
    p.text(400, 178, "sum += dot(left, right)", 13, mono=True)
    p.lines(400, 206, ["4 products and 4 additions for", "2 loads instead of 8."], 13)
    p.arrow(268, 82, 394, 82, "a")
    p.arrow(268, 224, 394, 134, "b")
    p.lines(24, 294, ["A row-major B does not have its k side by side. The plan then begins with a step that copies it",
                      "transposed: it reads and writes B once, and its time is shown on its own."], 12, soft=True)
    return p


def subgroup_matrix():
    p = Picture(
        "subgroup-matrix", 392, "Rung 8, subgroup-matrix: matrix units",
        "A workgroup of four subgroups computes a block of C. Each subgroup holds two by two result matrices, whose elements "
        "are spread over its lanes, and multiplies fragments from workgroup memory.",
    )
    cell, ax, bx = 46, 70, 210
    top, low = 66, 180
    shades = ("c", "violet", "c", "violet")
    p.text(bx, 34, "tile of B", 13, bold=True, role="mem")
    p.text(bx, 52, "workgroup memory, MK rows", 12, soft=True)
    p.grid(bx, top, 1, 4, cell, "mem", lambda r, c: c < 2)
    p.text(24, low - 30, "tile of A", 13, bold=True, role="mem")
    p.text(24, low - 12, "workgroup memory, MK columns", 12, soft=True)
    p.grid(ax, low, 4, 1, cell, "mem", lambda r, c: r < 2)
    p.grid(bx, low, 4, 4, cell, "c", (), None, roles=lambda r, c: shades[(r // 2 + c // 2) % 2])
    for i, (r, c) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
        p.outline(bx + c * 2 * cell, low + r * 2 * cell, 2 * cell, 2 * cell, shades[(r + c) % 2], 3)
        p.rect(bx + c * 2 * cell + 6, low + r * 2 * cell + cell - 11, 2 * cell - 12, 22, "plain", radius=4)
        p.text(bx + c * 2 * cell + cell, low + r * 2 * cell + cell + 4, f"subgroup {i}", 12, "middle")
    p.arrow(ax + cell + 6, low + cell, bx - 6, low + cell, "mem", 2)
    p.arrow(bx + cell, top + cell + 6, bx + cell, low - 6, "mem", 2)
    p.lines(430, 84, ["A cell of C is one result matrix", "of MM x MN elements, spread over",
                      "the lanes of its subgroup.", "",
                      "An instruction multiplies", "  left   MM x MK", "  right  MK x MN",
                      "and adds into a result matrix.", "",
                      "Two left and two right fragments", "feed four such instructions.", "",
                      "MM, MN, MK are the device's:", "it reports which shapes it has."])
    return p


def register_tile():
    bm, bn, bk, tm, tn = 128, 256, 16, 16, 8  # the family's standard values
    rows, columns = bm // tm, bn // tn
    p = Picture(
        "register-tile", 372, "Rung 9, register-tile: large blocks, loads that overlap with arithmetic",
        f"A block of {bm} by {bn} elements of C per workgroup, {tm} by {tn} per invocation. While the invocations multiply "
        "one tile, their loads of the next tile are on the way into registers.",
    )
    p.text(24, 34, "The block of C", bold=True)
    p.text(24, 54, f"{bm} x {bn}, {rows * columns} invocations", 12, soft=True)
    x, y, scale = 62, 112, 0.84
    width, height = bn * scale, bm * scale
    p.rect(x, y, width, height, "c")
    for row in range(tm // 4):
        for col in range(tn // 4):
            p.rect(x + (20 + col * columns * 4) * scale, y + (12 + row * rows * 4) * scale, 5, 5, "c", True)
    p.rect(x, y - 34, width, 22, "mem")
    p.text(x + width / 2, y - 18, f"tile_b: {bk} x {bn}", 12, "middle")
    p.rect(x - 34, y, 22, height, "mem")
    p.text(24, y + height + 22, f"tile_a: {bm} x {bk}, stored k by k", 12)
    p.lines(24, y + height + 46, [f"Marked: the {tm} x {tn} elements of one", f"invocation, {tm // 4} x {tn // 4} pieces of 4 x 4."],
            12, soft=True)

    p.text(316, 34, "One invocation, one k", bold=True)
    p.lines(316, 58, [f"{tm // 4} vectors of A and {tn // 4} of B from workgroup", f"memory, {tm} · {tn} = {tm * tn} products:",
                      f"{tm + tn} numbers read; tiled would read {2 * tm * tn}."], 13)
    p.text(316, 128, "The walk along k", bold=True)
    for name, at in (("memory", 148), ("registers", 192), ("arithmetic", 236)):
        p.text(316, at + 19, name, 12, soft=True)
    for i in range(3):
        at = 388 + i * 104
        for role, level, words in (("a", 148, "fetch"), ("mem", 192, "hold"), ("c", 236, "multiply")):
            p.rect(at, level, 92, 28, role, radius=3)
            p.text(at + 46, level + 18, f"{words} {i if role == 'c' else i + 1}", 12, "middle")
        if i < 2:
            p.line(at + 98, 142, at + 98, 270, "red", 2)
    p.text(538, 290, "barriers; in between a tile is staged", 12, "middle", role="red")
    p.lines(316, 318, ["The next tile is already on its way while this one", "is multiplied. Fetched numbers wait in registers",
                       "and go to workgroup memory between two barriers."], 13)
    return p


def zero_padding():
    p = Picture(
        "zero-padding", 330, "Bounds checks and zero padding",
        "Left: the kernel checks each load and store at the edge of a 6 by 5 matrix. Right: the matrix is first copied into "
        "8 by 8 elements, zeros outside, and the result is cropped afterwards.",
    )
    p.text(24, 34, "Checked: the kernel guards the edge", bold=True)
    p.grid(24, 56, 8, 8, 22, "plain", lambda r, c: False, lambda r, c: "0" if r > 5 or c > 4 else None, 11,
           roles=lambda r, c: "a" if r < 6 and c < 5 else None)
    for i in (0, 4, 8):
        p.line(24 + i * 22, 50, 24 + i * 22, 238, "red", 1.2, True)
        p.line(18, 56 + i * 22, 206, 56 + i * 22, "red", 1.2, True)
    p.lines(24, 262, ["A load outside gives 0 and reads nothing.", "A store outside is left out. Red: tiles.", "No extra memory, a test at each access."], 12)
    p.text(350, 34, "Padded: copies make whole tiles", bold=True)
    p.grid(350, 76, 6, 5, 18, "a", lambda r, c: True)
    p.arrow(446, 130, 478, 130)
    p.text(462, 118, "pad", 12, "middle")
    p.grid(484, 58, 8, 8, 18, "a", lambda r, c: r < 6 and c < 5, lambda r, c: None if r < 6 and c < 5 else 0, 10)
    p.arrow(556, 206, 556, 228)
    p.text(566, 222, "multiply, no checks", 12)
    p.text(556, 246, "C, whole tiles", 12, "middle", role="c")
    p.arrow(500, 242, 436, 242)
    p.text(470, 234, "crop", 12, "middle")
    p.text(408, 246, "C", 13, bold=True, role="c")
    p.lines(350, 274, ["Scratch memory and copies; the kernel's text has", "no test. Both give the same C."], 12)
    return p


def layouts():
    p = Picture(
        "layouts", 372, "Row-major, column-major, leading dimension",
        "The same 3 by 4 matrix stored row by row with a leading dimension of 6, and column by column with a leading "
        "dimension of 3. Below: a column-major C is the row-major transposed product.",
    )
    p.text(24, 34, "row-major, ld = 6", bold=True)
    p.grid(24, 46, 3, 6, 36, "a", lambda r, c: c < 4, lambda r, c: r * 6 + c if c < 4 else None, 12, 28,
           roles=lambda r, c: None if c < 4 else "plain")
    p.text(24, 152, "A[row][col] at row · ld + col", 12, mono=True)
    p.text(24, 172, "grey: not part of the matrix", 12, soft=True)
    p.text(380, 34, "col-major, ld = 3", bold=True)
    p.grid(380, 46, 3, 4, 36, "a", lambda r, c: True, lambda r, c: c * 3 + r, 12, 28)
    p.text(380, 152, "A[row][col] at col · ld + row", 12, mono=True)
    p.text(380, 172, "the numbers: index in the buffer", 12, soft=True)
    p.line(24, 192, 696, 192)
    p.text(24, 222, "A column-major C is the same bytes as a row-major C transposed", bold=True)
    for x, (c, left, right) in ((24, ("C", "A", "B")), (380, ("Cᵀ", "Bᵀ", "Aᵀ"))):
        first, second = ("a", "b") if left == "A" else ("b", "a")
        wide = left == "A"
        cw, ch = (70, 44) if wide else (44, 70)
        lw, lh = (50, 44) if wide else (50, 70)
        rw, rh = (70, 50) if wide else (44, 50)
        mid = 290
        p.rect(x, mid - ch / 2, cw, ch, "c", True)
        p.text(x + cw / 2, mid + 5, c, 13, "middle", bold=True)
        p.text(x + cw + 14, mid + 5, "=", 15, "middle")
        p.rect(x + cw + 28, mid - lh / 2, lw, lh, first, True)
        p.text(x + cw + 28 + lw / 2, mid + 5, left, 13, "middle", bold=True)
        p.text(x + cw + 28 + lw + 12, mid + 5, "·", 18, "middle")
        p.rect(x + cw + 28 + lw + 24, mid - rh / 2, rw, rh, second, True)
        p.text(x + cw + 28 + lw + 24 + rw / 2, mid + 5, right, 13, "middle", bold=True)
    p.arrow(290, 290, 364, 290)
    p.text(24, 356, "The planner exchanges A and B and turns their order; the kernel only ever writes rows of C.", 12, soft=True)
    return p


def quantum():
    p = Picture(
        "quantum", 270, "A clock with a quantum",
        "A timeline with ticks. One short run between two ticks measures as nothing or as a whole quantum. Many runs in one "
        "span measure right, up to a tick at either end.",
    )
    for y in (92, 190):
        p.line(40, y, 690, y, arrow=True)
        for i in range(11):
            p.line(40 + i * 62, y - 26, 40 + i * 62, y + 6)
    p.text(40, 40, "one run, shorter than a tick", bold=True)
    p.rect(180, 70, 26, 18, "c", True)
    p.rect(402, 70, 26, 18, "c", True)
    p.text(193, 116, "reads 0", 12, "middle", role="red")
    p.text(415, 116, "reads one whole tick", 12, "middle", role="red")
    p.text(40, 150, "many runs in one span", bold=True)
    for i in range(18):
        p.rect(86 + i * 28, 168, 26, 18, "c", True)
    p.text(340, 216, "ticks ÷ runs = time of a run, wrong by less than a tick ÷ runs", 12, "middle", role="c")
    p.text(40, 252, "| is a tick of the device's clock: its quantum, which the reports name", 12, soft=True)
    return p


def architecture():
    p = Picture(
        "architecture", 420, "From a problem to a product",
        "The core validates the problem, chooses a kernel, emits its WGSL and builds a plan, from the problem and a device "
        "profile. An executor carries the plan out on a GPU.",
    )
    p.rect(150, 24, 546, 236, "plain", radius=8)
    p.text(164, 48, "core: no WebGPU, no files, no clock", 13, bold=True)
    boxes = (("validate", ["sizes, layouts,", "types"]), ("choose", ["named kernel,", "or first that fits"]),
             ("emit", ["expand .wgsl for", "this variant"]), ("plan", ["buffers, shaders,", "steps, uniforms"]))
    for i, (name, words) in enumerate(boxes):
        x = 166 + i * 132
        p.rect(x, 70, 116, 84, "violet" if name == "plan" else "mem", radius=6)
        p.text(x + 58, 96, name, 15, "middle", bold=True)
        p.lines(x + 58, 120, words, 12, 17, anchor="middle")
        if i < 3:
            p.arrow(x + 118, 112, x + 130, 112)
    p.rect(16, 70, 110, 84, "a", radius=6)
    p.text(71, 96, "problem", 14, "middle", bold=True)
    p.lines(71, 120, ["m, n, k, types,", "order, ld"], 12, 17, anchor="middle")
    p.arrow(128, 112, 162, 112)
    p.rect(166, 192, 248, 48, "b", radius=6)
    p.text(290, 212, "device profile", 14, "middle", bold=True)
    p.text(290, 230, "limits, features, dialect", 12, "middle")
    p.arrow(356, 190, 356, 158)
    p.arrow(400, 190, 470, 158)
    p.rect(430, 192, 250, 48, "mem", radius=6)
    p.text(555, 212, "kernels/*.wgsl", 14, "middle", bold=True)
    p.text(555, 230, "a file and its parameters each", 12, "middle")
    p.arrow(500, 190, 492, 158)
    p.path([(620, 156), (620, 176), (706, 176), (706, 325), (690, 325)], "violet", 1.5)
    p.arrow(692, 325, 684, 325, "violet")
    p.rect(370, 296, 310, 58, "c", radius=6)
    p.text(525, 320, "native executor", 14, "middle", bold=True)
    p.text(525, 340, "pipelines, buffers, dispatches, times", 12, "middle")
    p.arrow(366, 325, 332, 325)
    p.rect(150, 296, 178, 58, "plain", radius=6)
    p.text(239, 320, "webgpu.h", 14, "middle", bold=True)
    p.text(239, 340, "Dawn or wgpu-native", 12, "middle")
    p.arrow(250, 294, 250, 244)
    p.text(240, 284, "adapter", 12, "end", soft=True)
    p.lines(24, 382, ["measure and verify stand on the executor; the ladder stands on both; the program wgemm is a file per",
                      "subcommand over all of them. Each room knows only those before it."], 12, soft=True)
    return p


PICTURES = (product, roofline, webgpu, memory, naive, workgroup, coalesced, lanes, tiled, tile_walk, banks,
            tiled_transposed, thread_tile, unrolled, vec4, subgroup_matrix, register_tile, zero_padding, layouts,
            quantum, architecture)


def main():
    faults = []
    for draw in PICTURES:
        picture = draw()
        faults += picture.check()
        picture.save()
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
