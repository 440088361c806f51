// The problem space, drawn from a seed. Problems come in groups: a group fixes all that changes a shader's
// text, its cases the sizes, places, factors and numbers, so that a driver compiles a few texts for many
// problems.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::verify::fuzz {

/// What a group has in common.
struct Group {
  PlanOptions options;  ///< split_k: 1, or 2 where k is cut
  std::uint64_t block_m = 1;
  std::uint64_t block_n = 1;
  std::uint64_t block_k = 1;
  Problem form;  ///< types, orders, transposes, epilogue; without sizes
  bool scaled = false;
  bool beta = false;
  bool aligned = false;  ///< sizes, leading dimensions, offsets are multiples of 4: vectors
  bool whole = false;    ///< sizes are multiples of the kernel's block: no edges
  bool offsets = false;
  std::uint32_t rank = 0;                      ///< of the batch
  bool table = false;                          ///< the batch is one
  bool empty_k = false;                        ///< its first case has k = 0
  std::uint32_t workgroups_per_dimension = 0;  ///< forced limit; 0: the device's
  bool small_bindings = false;                 ///< what can be bound is forced, too
};

struct Case {
  Problem problem;
  PlanOptions options;
  std::uint32_t workgroups_per_dimension = 0;  ///< forced limits; 0: the device's
  std::uint64_t binding_bytes = 0;
  std::uint64_t seed = 0;  ///< of the numbers
};

/// Group number `group` of a seed, with one of the kernels ("": the planner chooses).
Group draw_group(const std::vector<std::string>& kernels, std::uint64_t seed, std::uint64_t group);

/// Case number `index` of the group.
Case draw_case(const Group& group, std::uint64_t seed, std::uint64_t number, std::uint64_t index);

/// The planner's choice, and of every family that can run on the profile (matrix units emulated where there
/// are none) some configurations that drivers compile quickly. `names` picks families, or kernels by full
/// name; empty: all.
std::vector<std::string> small_kernels(const DeviceProfile& profile, const std::vector<std::string>& names);

}  // namespace wgemm::verify::fuzz
