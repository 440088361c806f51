// The families that exist: one function each, defined in the .cpp file beside its .wgsl file.
#pragma once

#include "core/kernels/family.hpp"

namespace wgemm::kernels {

Family naive();
Family workgroup();
Family coalesced();
Family tiled();
Family tiled_transposed();
Family thread_tile();
Family unrolled();
Family vec4();
Family subgroup_matrix();
Family matrix_tile();
Family register_tile();
Family skinny_n();
Family skinny_k();
Family packed_dot();

}  // namespace wgemm::kernels
