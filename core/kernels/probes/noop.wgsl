// noop: does nothing; what remains is the cost of a dispatch.
@compute @workgroup_size(1)
fn main() {
}
