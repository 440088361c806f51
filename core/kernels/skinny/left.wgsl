// left4: four consecutive k of a row of A, which is inside the matrix. MASK: some of them may lie beyond the end of k
// and are zero then.
fn left4(row: u32, k: u32) -> vec4<$compute> {
#if A_V == 4
  return gather_a(index_a(row, k) / 4, 3u, row, k);
#elif A_K_CONTIGUOUS && MASK
  return mask_k(gather_a(index_a(row, k), dims.k - 1 - k, row, k), k);
#elif A_K_CONTIGUOUS
  return gather_a(index_a(row, k), 3u, row, k);
#else
  return vec4<$compute>(load_a(row, k), load_a(row, k + 1), load_a(row, k + 2), load_a(row, k + 3));
#end
}
