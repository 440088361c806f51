// lane_order: for every invocation of an EDGE x EDGE workgroup its lane, and the local index of the subgroup's first.
#if DAWN
enable subgroups;
#end
@group(0) @binding(0) var<storage, read_write> answer: array<u32>;

@compute @workgroup_size($(EDGE), $(EDGE))
fn main(@builtin(local_invocation_index) index: u32) {
  // The lanes before this one; naga has no builtin for it in workgroups of two dimensions.
  answer[2u * index] = subgroupExclusiveAdd(1u);
  answer[2u * index + 1u] = subgroupBroadcastFirst(index);
}
