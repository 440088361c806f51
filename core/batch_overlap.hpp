// Whether two matrices of a batch share an element.
#pragma once

#include "wgemm/problem.hpp"

namespace wgemm {

/// Whether two C of the batch overlap. Matrices between whose lines others lie (blocks of one larger matrix,
/// with its leading dimension) do not, as long as no element belongs to two of them.
bool outputs_overlap(const Problem& problem);

}  // namespace wgemm
