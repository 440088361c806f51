#include "core/selection/device_model.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace wgemm::selection {
namespace {

/// A model and whom it stands for; an empty field is any.
struct Known {
  std::string_view vendor;
  std::string_view architecture;
  std::optional<AdapterType> type;
  DeviceModel model;
};

// Of several that match, the first counts. The H200's are from shared/scout measurements of peak rates and
// bandwidths; the others stand for the middle of their kind, and only ratios within a line matter to a
// choice.
const std::array kModels{
    // 132 multiprocessors of 128 lanes at 1.75 to 1.98 GHz. The driver gives a multiprocessor about 48 KiB of
    // workgroup memory; two workgroups of 23 KiB fit, two of 27 KiB do not.
    Known{"nvidia",
          "hopper",
          {},
          {.units = 132,
           .unit_lanes = 128,
           .fma_rate = 60e12,
           .matrix_f16_rate = 600e12,
           .matrix_f32_rate = 0,
           .byte_rate = 130e12,
           .memory_rate = 4.2e12,
           .cache_rate = 5.5e12,
           .cache_bytes = 50e6,
           .local_rate = 20e12,
           .workgroup_rate = 33e12,
           .memory_seconds = 0.9e-6,
           .unit_workgroup_bytes = 49152,
           .unit_invocations = 2048,
           .unit_registers = 65536,
           .hiding_invocations = 128,
           .step_seconds = 0.3e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 2.5e-6}},
    Known{"nvidia",
          "",
          {},
          {.units = 46,
           .unit_lanes = 128,
           .fma_rate = 20e12,
           .matrix_f16_rate = 60e12,
           .matrix_f32_rate = 0,
           .byte_rate = 60e12,
           .memory_rate = 0.45e12,
           .cache_rate = 1.5e12,
           .cache_bytes = 16e6,
           .local_rate = 6e12,
           .workgroup_rate = 10e12,
           .memory_seconds = 0.7e-6,
           .unit_workgroup_bytes = 49152,
           .unit_invocations = 1536,
           .unit_registers = 65536,
           .hiding_invocations = 128,
           .step_seconds = 0.3e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 4e-6}},
    // A compute unit: 64 lanes, 64 KiB of local memory.
    Known{"amd",
          "",
          AdapterType::discrete,
          {.units = 60,
           .unit_lanes = 64,
           .fma_rate = 20e12,
           .matrix_f16_rate = 40e12,
           .matrix_f32_rate = 0,
           .byte_rate = 40e12,
           .memory_rate = 0.5e12,
           .cache_rate = 1.8e12,
           .cache_bytes = 64e6,
           .local_rate = 5e12,
           .workgroup_rate = 9e12,
           .memory_seconds = 0.8e-6,
           .unit_workgroup_bytes = 65536,
           .unit_invocations = 1024,
           .unit_registers = 98304,
           .hiding_invocations = 96,
           .step_seconds = 0.4e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 6e-6}},
    // A core: 128 lanes, 32 KiB of threadgroup memory. Its matrix instructions run on the same lanes, with
    // fewer
    // loads.
    Known{"apple",
          "",
          {},
          {.units = 16,
           .unit_lanes = 128,
           .fma_rate = 5e12,
           .matrix_f16_rate = 5.5e12,
           .matrix_f32_rate = 5.5e12,
           .byte_rate = 5e12,
           .memory_rate = 0.2e12,
           .cache_rate = 0.6e12,
           .cache_bytes = 16e6,
           .local_rate = 1.5e12,
           .workgroup_rate = 2.5e12,
           .memory_seconds = 0.6e-6,
           .unit_workgroup_bytes = 65536,
           .unit_invocations = 1024,
           .unit_registers = 53248,
           .hiding_invocations = 128,
           .step_seconds = 0.5e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 8e-6}},
    Known{"qualcomm",
          "",
          {},
          {.units = 6,
           .unit_lanes = 128,
           .fma_rate = 2e12,
           .matrix_f16_rate = 0,
           .matrix_f32_rate = 0,
           .byte_rate = 4e12,
           .memory_rate = 0.05e12,
           .cache_rate = 0.2e12,
           .cache_bytes = 2e6,
           .local_rate = 0.5e12,
           .workgroup_rate = 0.7e12,
           .memory_seconds = 1e-6,
           .unit_workgroup_bytes = 32768,
           .unit_invocations = 2048,
           .unit_registers = 49152,
           .hiding_invocations = 256,
           .step_seconds = 1e-6,
           .group_seconds = 2e-6,
           .launch_seconds = 20e-6}},
    Known{"",
          "",
          AdapterType::discrete,
          {.units = 40,
           .unit_lanes = 128,
           .fma_rate = 15e12,
           .matrix_f16_rate = 40e12,
           .matrix_f32_rate = 15e12,
           .byte_rate = 30e12,
           .memory_rate = 0.4e12,
           .cache_rate = 1.2e12,
           .cache_bytes = 16e6,
           .local_rate = 5e12,
           .workgroup_rate = 7.5e12,
           .memory_seconds = 0.8e-6,
           .unit_workgroup_bytes = 49152,
           .unit_invocations = 1024,
           .unit_registers = 65536,
           .hiding_invocations = 128,
           .step_seconds = 0.4e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 6e-6}},
    // Units stand for the threads of a processor. A barrier is a switch between fibres.
    Known{"",
          "",
          AdapterType::software,
          {.units = 4,
           .unit_lanes = 8,
           .fma_rate = 0.1e12,
           .matrix_f16_rate = 0,
           .matrix_f32_rate = 0,
           .byte_rate = 0.1e12,
           .memory_rate = 0.02e12,
           .cache_rate = 0.1e12,
           .cache_bytes = 16e6,
           .local_rate = 0.1e12,
           .workgroup_rate = 0.2e12,
           .memory_seconds = 0.1e-6,
           .unit_workgroup_bytes = 32768,
           .unit_invocations = 1024,
           .unit_registers = 1e6,
           .hiding_invocations = 1,
           .step_seconds = 1e-6,
           .group_seconds = 2e-6,
           .launch_seconds = 50e-6}},
    // Integrated, and whatever does not say what it is: Intel's Xe of 8 cores is one of them.
    Known{"",
          "",
          {},
          {.units = 8,
           .unit_lanes = 128,
           .fma_rate = 3.5e12,
           .matrix_f16_rate = 7e12,
           .matrix_f32_rate = 3.5e12,
           .byte_rate = 7e12,
           .memory_rate = 0.08e12,
           .cache_rate = 0.4e12,
           .cache_bytes = 8e6,
           .local_rate = 1e12,
           .workgroup_rate = 1.7e12,
           .memory_seconds = 0.8e-6,
           .unit_workgroup_bytes = 65536,
           .unit_invocations = 1024,
           .unit_registers = 65536,
           .hiding_invocations = 128,
           .step_seconds = 0.6e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 10e-6}},
};

}  // namespace

const DeviceModel& device_model(const DeviceProfile& profile) {
  const auto* found = std::ranges::find_if(kModels, [&](const Known& known) {
    return (known.vendor.empty() || known.vendor == profile.vendor) &&
           (known.architecture.empty() || known.architecture == profile.architecture) &&
           (!known.type || known.type == profile.type);
  });
  return found->model;  // the last is for any
}

}  // namespace wgemm::selection
