// Every product that the kernels are tried on, as data: which kernel, on which device, with which shape,
// layout and type. Cases follow from list_rungs() and the kernels' own geometry, so that a new rung is tested
// without a change.
#pragma once

#include <string>
#include <vector>

#include "tests/kernels/subjects.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::tests {

struct Case {
  std::string suite;  ///< suite_name of its group and subject
  std::string name;   ///< "m17n33k5.rcr.gap1"
  Setting setting = Setting::standard;
  Problem problem;
  PlanOptions options;
};

/// Cases of a light subject in each of the groups Kernels and Minimum.
constexpr std::size_t kFullCases = (11 + 26 + 2 * 3) * 8 + 2 * (2 + 2);

/// "Kernels/dawn.tiled_16": group, library and label. GoogleTest's filters read a '-' as "but not", so '_'
/// stands for it.
std::string suite_name(const std::string& group, std::string label);

/// All cases for the library at hand.
std::vector<Case> all_cases();

}  // namespace wgemm::tests
