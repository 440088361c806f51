// A product that is cut into many dispatches is the same product.
#pragma once

#include "tests/kernels/subjects.hpp"

namespace wgemm::tests {

/// Runs a subject in one dispatch, in dispatches of one row of workgroups, and of one workgroup each: C and
/// all around it must have the same bits.
void expect_same_bits_when_split(const Subject& subject, const Layout& layout);

}  // namespace wgemm::tests
