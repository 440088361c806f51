// Small plans that ask a device about itself. The executor of products runs them like any other plan.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm {

/// Does nothing, in one workgroup; binds no buffer.
Result<Plan> noop_probe();

struct CopyShape {
  std::uint64_t bytes = 0;  ///< of the source (A), copied to the target (C); a multiple of 16
  std::uint32_t workgroup_size = 256;
  std::uint32_t workgroups = 1024;
};
/// Traffic::compulsory_bytes counts what is read and what is written.
Result<Plan> copy_probe(const CopyShape& shape);

struct FmaShape {
  std::uint32_t workgroup_size = 256;
  std::uint32_t workgroups = 1024;
  std::uint32_t chains = 4;   ///< independent vec4 accumulators of an invocation
  std::uint32_t rounds = 64;  ///< of 16 links in each chain
};
/// Stores one vec4 an invocation in C. Traffic::flops counts two operations for each multiply-add.
Result<Plan> fma_probe(const FmaShape& shape);

/// Writes the subgroup size into the first word of C. Needs subgroups.
Result<Plan> subgroup_size_probe(const DeviceProfile& profile);

inline constexpr std::uint32_t kLaneProbeEdge = 16;

/// Writes two words for every invocation of a 16x16 workgroup into C, by local index: its lane, and the local
/// index of its subgroup's first invocation. Needs subgroups.
Result<Plan> lane_order_probe(const DeviceProfile& profile);

/// What that probe wrote, in words ("lanes run along x first: 32 lanes cover 16 x 2 invocations").
std::string describe_lane_order(std::span<const std::uint32_t> words);

}  // namespace wgemm
