// Every product that the kernels are tried on, as data: which kernel, on which device, with which shape,
// layout and type. Cases follow from list_rungs() and the kernels' own geometry, so that a new rung is tested
// without a change.
#pragma once

#include <string>
#include <vector>

#include "tests/kernels/bench.hpp"
#include "tests/kernels/problems.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::tests {

struct Case {
  std::string suite;  ///< suite_name of its group and rung
  std::string name;   ///< "m17n33k5.rcr.gap1"
  Setting setting = Setting::standard;
  Problem problem;
  PlanOptions options;
};

/// A kernel with what its cases are derived from.
struct Subject {
  std::string label;   ///< name of the rung, or of the kernel where it is none
  std::string kernel;  ///< full name
  Setting setting = Setting::standard;
  DataType operands = DataType::f32;
  std::string family;
  Shape block{16, 16, 16};  ///< what a workgroup computes at a time; 16 where that is a single element
  bool tiled = false;       ///< passes its operands through workgroup memory
};

/// "Kernels/dawn.tiled_16": group, library and rung or kernel. GoogleTest's filters read a '-' as "but not",
/// so '_' stands for it.
std::string suite_name(const std::string& group, std::string label);

/// The rungs that can run in a setting; on a device without matrix units those rungs are left out.
std::vector<Subject> subjects(Setting setting);

/// The subgroup-matrix kernel in its emulated dialect, for subgroups of 4 to 128 lanes and each matrix shape.
std::vector<Subject> emulated_subjects();

/// All cases for the library at hand.
std::vector<Case> all_cases();

}  // namespace wgemm::tests
