// subgroup_size: the size of a subgroup as a compute shader sees it.
#if DAWN
enable subgroups;
#end
@group(0) @binding(0) var<storage, read_write> answer: array<u32>;

@compute @workgroup_size($(WORKGROUP))
fn main(@builtin(local_invocation_index) index: u32, @builtin(subgroup_size) size: u32) {
  if (index == 0u) {
    answer[0] = size;
  }
}
