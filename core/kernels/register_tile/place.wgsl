// place: which vectors of operand X this invocation brings, and where they lie. V: width of a load.
// Of several slices neighbours bring at most 16 steps of k of a line: those of a long tile would be stored in few banks.
#let ALONG = min(BK / 4, 4)
#for i in 0..LOADS
#if SLICES > 1 && K_CONTIGUOUS
  let o_$X$(i) = (thread + $(i * THREADS)) / $(ALONG) % $(B);
  let k_$X$(i) = ((thread + $(i * THREADS)) / $(ALONG * B) * $(ALONG) + thread % $(ALONG)) * 4;
#elif SLICES > 1
  let o_$X$(i) = (thread + $(i * THREADS)) % $(B / 4) * 4;
  let k_$X$(i) = (thread + $(i * THREADS)) / $(B / 4);
#elif K_CONTIGUOUS
  let o_$X$(i) = (t + $(i * THREADS)) / $(BK / 4);
  let k_$X$(i) = (t + $(i * THREADS)) % $(BK / 4) * 4;
#else
  let o_$X$(i) = (t + $(i * THREADS)) % $(B / 4) * 4;
  let k_$X$(i) = (t + $(i * THREADS)) / $(B / 4);
#end
#if BOUNDS
#if K_CONTIGUOUS == 0 && V == 4
  let outer_$X$(i) = min($outer0 + o_$X$(i), (dims.$extent - 1) / 4 * 4);
#else
  let outer_$X$(i) = min($outer0 + o_$X$(i), dims.$extent - 1);
#end
#else
  let outer_$X$(i) = $outer0 + o_$X$(i);
#end
#if BOUNDS && K_CONTIGUOUS == 0
  let room_$X$(i) = dims.$extent - 1 - outer_$X$(i);
#else
  let room_$X$(i) = 3u;
#end
  var at_$X$(i) = index_$X(outer_$X$(i), k_$X$(i)) / $(V);
  var next_$X$(i): vec4<$compute>;
#end
