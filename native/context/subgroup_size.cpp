#include "native/context/subgroup_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/probes/probes.hpp"
#include "native/execute/run.hpp"

namespace wgemm::native {

namespace {

/// Runs a probe that writes its words into C.
Result<void> run_probe(const std::shared_ptr<Device>& device, const Result<Plan>& plan,
                       std::span<std::uint32_t> words) {
  if (!plan) {
    return tl::unexpected(plan.error());
  }
  auto prepared = PreparedPlanData::prepare({device, nullptr, nullptr}, *plan);
  if (!prepared) {
    return tl::unexpected(prepared.error());
  }
  Result<DeviceBuffer> out = DeviceBuffer::create(device, words.size_bytes(), kOperandUsage);
  if (!out) {
    return tl::unexpected(out.error());
  }
  if (Result<void> ran = run_once(**prepared, {nullptr, nullptr, &*out}); !ran) {
    return ran;
  }
  Result<DeviceBuffer> staging = DeviceBuffer::create(device, words.size_bytes(), kStagingUsage);
  if (!staging) {
    return tl::unexpected(staging.error());
  }
  return download(*out, 0, std::as_writable_bytes(words), *staging);
}

}  // namespace

Result<void> ask_subgroup_size(const std::shared_ptr<Device>& device) {
  const DeviceProfile& profile = device->profile();
  if (!profile.subgroups) {
    device->set_subgroup_size(0);
    return {};
  }
  if (profile.subgroup_min_size == profile.subgroup_max_size && profile.subgroup_min_size > 0) {
    device->set_subgroup_size(profile.subgroup_min_size);
    return {};
  }
  std::array<std::uint32_t, 1> size{};
  if (Result<void> ran = run_probe(device, subgroup_size_probe(profile), size); !ran) {
    return ran;
  }
  device->set_subgroup_size(size[0]);
  return {};
}

Result<std::string> ask_lane_order(const std::shared_ptr<Device>& device) {
  if (!device->profile().subgroups) {
    return std::string();
  }
  std::array<std::uint32_t, std::size_t{2} * kLaneProbeEdge * kLaneProbeEdge> lanes{};
  if (Result<void> ran = run_probe(device, lane_order_probe(device->profile()), lanes); !ran) {
    return tl::unexpected(ran.error());
  }
  return describe_lane_order(lanes);
}

}  // namespace wgemm::native
