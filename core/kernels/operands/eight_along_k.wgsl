// eight_along_k: load8_X(outer, k), eight elements of operand X from k, a multiple of 8, as two vectors: of quantised weights
// of 4 bits those of one word. For V == 4 along k; it reads whole vectors, so the planner must see to it that eight are there
// (a quantised operand always has them: it is stored in whole blocks). No guard: outer must lie inside.
fn load8_$X(outer: u32, k: u32) -> array<vec4<$compute>, 2> {
#if QUANTISED
  let scale = scale_of(outer, k);
  let zero = vec4i(zero_of(outer, k));
#if BITS == 4
  let word = $X[index_$X(outer, k) / 8];
  let low = integers_$X(word);
  let high = integers_$X(word >> 16);
#else
  let at = index_$X(outer, k) / 4;
  let low = integers_$X($X[at]);
  let high = integers_$X($X[at + 1]);
#end
  return array<vec4<$compute>, 2>(vec4<$compute>(scale * vec4f(low - zero)), vec4<$compute>(scale * vec4f(high - zero)));
#else
  return array<vec4<$compute>, 2>(value4_$X(outer, k), value4_$X(outer, k + 4));
#end
}
