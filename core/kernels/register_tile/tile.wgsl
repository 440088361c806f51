// tile: of operand X, k by k, RUN steps of k together. A line holds LANES invocations' first vectors, then their second ones.
struct Line_$X {
  vectors: array<array<vec4<$compute>, $(LANES)>, $(VECTORS)>,
#if PAD
  pad: vec4<$compute>,
#end
}
var<workgroup> tile_$X: array<array<Line_$X, $(RUN)>, $(BK / RUN)>;
