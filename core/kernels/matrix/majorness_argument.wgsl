// Matrix units, their builtins as they were spelled until the middle of 2026: an argument says whether columns lie
// contiguous, and arrays are of numbers.
// Devices that spell them so lack @builtin(subgroup_id) too. That invocations fall into subgroups in the order of their
// index is no promise of WGSL, but what every driver does where workgroup_size.x is a multiple of the subgroup size.
// (Numbers drawn from an atomic counter instead gave wrong products on an NVIDIA H200 without bounds checks.)
fn subgroup_index(thread: u32) -> u32 { return thread / $(LANES); }
alias Left = subgroup_matrix_left<$compute, $(MK), $(MM)>;
alias Right = subgroup_matrix_right<$compute, $(MN), $(MK)>;
alias Result = subgroup_matrix_result<$accumulate, $(MN), $(MM)>;

fn multiply_add(left: Left, right: Right, sum: Result) -> Result {
  return subgroupMatrixMultiplyAccumulate(left, right, sum);
}
#if PATCHES

fn store_to_patch(at: u32, value: Result) {
  subgroupMatrixStore(&patches, at, value, false, $(MN));
}
#end
#if C_ALIGNED

fn store_to_c(index: u32, value: Result) {
  subgroupMatrixStore(&c, index, value, false, dims.ldc);
}
#end
