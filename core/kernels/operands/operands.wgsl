// The operands of C <- A * B. The schedule of a kernel knows nothing of layouts, batches, types and epilogues: they are
// here, and written once for every kernel.
#include operands/dims
#include operands/inputs
#include operands/output
