// copy: moves `count` vectors from one buffer to another; consecutive invocations move consecutive vectors.
//   WORKGROUP  invocations of a workgroup
struct Probe { count: u32, stride: u32 }  // vectors; invocations of the whole grid
@group(0) @binding(0) var<storage, read> from_vectors: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> to_vectors: array<vec4f>;
@group(0) @binding(2) var<uniform> probe: Probe;

@compute @workgroup_size($(WORKGROUP))
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = id.x; i < probe.count; i += probe.stride) {
    to_vectors[i] = from_vectors[i];
  }
}
