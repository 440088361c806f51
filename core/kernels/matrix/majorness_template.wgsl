// Matrix units, their builtins as they are spelled since the middle of 2026.
alias Left = subgroup_matrix_left<$compute, $(MK), $(MM)>;
alias Right = subgroup_matrix_right<$compute, $(MN), $(MK)>;
alias Result = subgroup_matrix_result<$accumulate, $(MN), $(MM)>;

fn load_left(offset: u32) -> Left { return subgroupMatrixLoad<Left, row_major>(&tile_a, offset, $(LDA)); }
fn load_right(offset: u32) -> Right { return subgroupMatrixLoad<Right, row_major>(&tile_b, offset, $(LDB)); }

fn multiply_add(left: Left, right: Right, sum: Result) -> Result {
  return subgroupMatrixMultiplyAccumulate(left, right, sum);
}

fn store_to_patch(offset: u32, value: Result) { subgroupMatrixStore<row_major>(&patches, offset, value, $(MN)); }
#if C_F32
fn store_to_c(offset: u32, value: Result) { subgroupMatrixStore<row_major>(&c, offset, value, dims.ldc); }
#end
