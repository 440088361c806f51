// The kernels under test, with what their cases are derived from.
#pragma once

#include <string>
#include <vector>

#include "tests/kernels/bench.hpp"
#include "tests/kernels/problems.hpp"

namespace wgemm::tests {

struct Subject {
  std::string label;   ///< name of the rung, or of the kernel where it is none
  std::string kernel;  ///< full name
  Setting setting = Setting::standard;
  DataType operands = DataType::f32;
  std::string family;
  Shape block{16, 16, 16};  ///< what a workgroup computes at a time; 16 where that is a single element
  bool tiled = false;       ///< passes its operands through workgroup memory
  /// Takes a software driver seconds to compile: gets few cases, and a small configuration of its family gets
  /// the rest.
  bool heavy = false;
};

/// The rungs that can run in a setting, the small configurations that stand for the heavy ones, and small
/// configurations of the families that are no rung. On a
/// device without matrix units the rungs that need them are left out.
std::vector<Subject> subjects(Setting setting);

/// Those of them that compile quickly: every family is among them.
std::vector<Subject> light_subjects(Setting setting);

/// One light subject of each family that can take f16 operands, with f16 operands; none without shader-f16.
std::vector<Subject> half_subjects();

/// The kernels with matrix units in their emulated dialect (faults.md 13): subgroups of 4 to 128 lanes, each
/// matrix shape.
std::vector<Subject> emulated_subjects();

}  // namespace wgemm::tests
