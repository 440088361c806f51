// lane_order: for every invocation of an EDGE x EDGE workgroup its lane, and the local index of the subgroup's first.
#if DAWN
enable subgroups;
#end
@group(0) @binding(0) var<storage, read_write> answer: array<u32>;

@compute @workgroup_size($(EDGE), $(EDGE))
fn main(@builtin(local_invocation_index) index: u32, @builtin(subgroup_invocation_id) lane: u32) {
  answer[2u * index] = lane;
  answer[2u * index + 1u] = subgroupBroadcastFirst(index);
}
