// fma: CHAINS independent chains of vec4 multiply-adds an invocation, UNROLL links of each in every round. The factor
// and the term come from the uniform block, and the sum is stored, so that no compiler can work it out beforehand.
//   WORKGROUP  invocations of a workgroup
struct Probe { rounds: u32, factor: f32, term: f32 }
@group(0) @binding(0) var<storage, read_write> sums: array<vec4f>;
@group(0) @binding(1) var<uniform> probe: Probe;

@compute @workgroup_size($(WORKGROUP))
fn main(@builtin(global_invocation_id) id: vec3u) {
  let factor = vec4f(probe.factor);
  let term = vec4f(probe.term);
#for chain in 0..CHAINS
  var chain$(chain) = vec4f(f32(id.x & 7u) + $(chain).0);
#end
  for (var round = 0u; round < probe.rounds; round++) {
#for link in 0..UNROLL
#for chain in 0..CHAINS
    chain$(chain) = fma(chain$(chain), factor, term);
#end
#end
  }
  var sum = chain0;
#for chain in 1..CHAINS
  sum += chain$(chain);
#end
  sums[id.x] = sum;
}
