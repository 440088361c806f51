// subgroup_index(thread), subgroup_count(thread): which subgroup of the workgroup an invocation belongs to, and how many
// there are. Subgroups draw numbers instead of deriving them from invocation indices, since WGSL does not say how indices
// fall into subgroups; and @builtin(subgroup_id) is younger than the matrices.
var<workgroup> numbers_drawn: atomic<u32>;
var<workgroup> number_of_subgroups: u32;

fn subgroup_index(thread: u32) -> u32 {
  var index = 0u;
  if (subgroupElect()) { index = atomicAdd(&numbers_drawn, 1); }
  return subgroupBroadcastFirst(index);
}

fn subgroup_count(thread: u32) -> u32 {
  workgroupBarrier();
  if (thread == 0) { number_of_subgroups = atomicLoad(&numbers_drawn); }
  return workgroupUniformLoad(&number_of_subgroups);
}
