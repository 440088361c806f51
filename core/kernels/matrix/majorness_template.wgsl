// Matrix units, their builtins as they are spelled since the middle of 2026. Places and strides count elements of the arrays
// as they are declared.
//   PATCH_V  numbers in an element of `patches`
alias Left = subgroup_matrix_left<$compute, $(MK), $(MM)>;
alias Right = subgroup_matrix_right<$compute, $(MN), $(MK)>;
alias Result = subgroup_matrix_result<$accumulate, $(MN), $(MM)>;

fn multiply_add(left: Left, right: Right, sum: Result) -> Result {
  return subgroupMatrixMultiplyAccumulate(left, right, sum);
}
#if PATCHES

fn store_to_patch(at: u32, value: Result) {
  subgroupMatrixStore<row_major>(&patches, at / $(PATCH_V), value, $(MN / PATCH_V));
}
#end
#if C_ALIGNED

fn store_to_c(index: u32, value: Result) {
  subgroupMatrixStore<row_major>(&c, index, value, dims.ldc);
}
#end
