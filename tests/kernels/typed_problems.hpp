// Problems of every type: the kernels that they are tried with, and runs from host memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/kernels/bench.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::tests {

/// Small configurations of each way in which kernels read: elements, vectors along k, vectors. Drivers take
/// long to compile a text, so that tests go through kinds of operands with one kernel after the other, not
/// with all of them.
const std::vector<std::string>& kernels();

const std::string& kernel_of(std::size_t turn);

Problem of_types(Problem problem, DataType a, DataType b, DataType c);

/// From device memory with guards (see expect_right), and from host memory that ends with the operands.
void expect_right_everywhere(const Problem& problem, const PlanOptions& options,
                             Setting setting = Setting::standard);

/// From host memory, with A and B of bytes as far from 0 as they go, mostly at the same end of their range,
/// so that sums are far from 0 too.
void expect_right_on_extremes(const Problem& problem, const PlanOptions& options,
                              Setting setting = Setting::standard);

}  // namespace wgemm::tests
