#include "core/selection/device_model.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/selection/device_name.hpp"

namespace wgemm::selection {
namespace {

/// A model and whom it stands for; an empty field is any.
struct Known {
  std::string_view vendor;
  std::string_view architecture;
  std::string_view name;  ///< part of the device's, as identifier_of has it
  std::optional<AdapterType> type;
  DeviceModel model;
};

// 132 multiprocessors of 128 lanes at 1.75 to 1.98 GHz. The driver gives a multiprocessor about 48 KiB of
// workgroup memory; two workgroups of 23 KiB fit, two of 27 KiB do not.
constexpr DeviceModel kHopper{.units = 132,
                              .unit_lanes = 128,
                              .fma_rate = 55.6e12,
                              .matrix_f16_rate = 274e12,
                              .matrix_f32_rate = 0,
                              .byte_rate = 130e12,
                              .memory_rate = 4e12,
                              .cache_rate = 6.1e12,
                              .cache_bytes = 50e6,
                              .local_rate = 12.8e12,
                              .workgroup_rate = 41.2e12,
                              .unpadded_share = 0.35,
                              .memory_seconds = 0.3e-6,
                              .unit_workgroup_bytes = 51600,
                              .unit_invocations = 2048,
                              .unit_registers = 65536,
                              .hiding_invocations = 123,
                              .step_seconds = 0.62e-6,
                              .group_seconds = 1.9e-6,
                              .launch_seconds = 2e-6,
                              .reduce_seconds = 16e-6};

// Of several that match, the first counts. The H200's were fitted to 1,033 measured products of 71 shapes
// (results/h200/kernels.txt and trials.csv), so they are what kernels reach rather than what the device
// could. Each of the others stands for its kind by one device in the middle of it: units, lanes, arithmetic,
// memory and the size of the cache are of the source that is named, at the clock that it names. Rates of
// caches and all that is in seconds no source has; they are the H200's, scaled, and only ratios within a line
// matter to a choice.
const std::array kModels{
    // Dawn names no architecture with some drivers.
    Known{"nvidia", "hopper", "", {}, kHopper},
    Known{"nvidia", "", "h100", {}, kHopper},
    Known{"nvidia", "", "h200", {}, kHopper},

    // GeForce RTX 3070: 46 multiprocessors, 20.3 TFLOP/s, 40.6 with matrix units and sums in f32, 448 GB/s,
    // 4 MB (NVIDIA, "Ampere GA102 GPU Architecture" white paper V2, appendix A).
    Known{"nvidia",
          "",
          "",
          {},
          {.units = 46,
           .unit_lanes = 128,
           .fma_rate = 20.3e12,
           .matrix_f16_rate = 40.6e12,
           .matrix_f32_rate = 0,
           .byte_rate = 60e12,
           .memory_rate = 0.448e12,
           .cache_rate = 1.5e12,
           .cache_bytes = 4e6,
           .local_rate = 6e12,
           .workgroup_rate = 10e12,
           .unpadded_share = 0.5,
           .memory_seconds = 0.7e-6,
           .unit_workgroup_bytes = 49152,
           .unit_invocations = 1536,
           .unit_registers = 65536,
           .hiding_invocations = 128,
           .step_seconds = 0.3e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 4e-6,
           .reduce_seconds = 5.6e-06}},
    // Radeon RX 7800 XT: 60 compute units of 64 lanes, 64 KiB of local memory for each, 18.7 TFLOP/s at
    // 2.43 GHz (twice that where the compiler pairs instructions), 64 MB, 624 GB/s (AMD, product page and
    // "RDNA
    // Architecture" white paper).
    Known{"amd",
          "",
          "",
          AdapterType::discrete,
          {.units = 60,
           .unit_lanes = 64,
           .fma_rate = 18.7e12,
           .matrix_f16_rate = 40e12,
           .matrix_f32_rate = 0,
           .byte_rate = 40e12,
           .memory_rate = 0.624e12,
           .cache_rate = 1.8e12,
           .cache_bytes = 64e6,
           .local_rate = 5e12,
           .workgroup_rate = 9e12,
           .unpadded_share = 0.6,
           .memory_seconds = 0.8e-6,
           .unit_workgroup_bytes = 65536,
           .unit_invocations = 1024,
           .unit_registers = 98304,
           .hiding_invocations = 96,
           .step_seconds = 0.4e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 6e-6,
           .reduce_seconds = 8.4e-06}},
    // M1 Pro: 16 cores, 2,048 lanes, 5.2 TFLOP/s, 200 GB/s (Apple, "Introducing M1 Pro and M1 Max", 2021).
    // A workgroup has 32 KiB of threadgroup memory ("Metal feature set tables"). Its matrix
    // instructions run on the same lanes, with fewer loads.
    Known{"apple",
          "",
          "",
          {},
          {.units = 16,
           .unit_lanes = 128,
           .fma_rate = 5.2e12,
           .matrix_f16_rate = 6e12,
           .matrix_f32_rate = 6e12,
           .byte_rate = 5e12,
           .memory_rate = 0.2e12,
           .cache_rate = 1.2e12,
           .cache_bytes = 16e6,
           .local_rate = 1.5e12,
           .workgroup_rate = 2.5e12,
           .unpadded_share = 0.8,
           .memory_seconds = 0.6e-6,
           .unit_workgroup_bytes = 65536,
           .unit_invocations = 1024,
           .unit_registers = 53248,
           .hiding_invocations = 128,
           .step_seconds = 0.5e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 8e-6,
           .reduce_seconds = 1.1e-05}},
    // A phone's: waves of 64 and 128 (Mesa, src/freedreno/ir3), 2 TFLOP/s and 50 GB/s, between the Adreno 650
    // and 740 of Wikipedia's list.
    Known{"qualcomm",
          "",
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
           .unpadded_share = 0.8,
           .memory_seconds = 1e-6,
           .unit_workgroup_bytes = 32768,
           .unit_invocations = 2048,
           .unit_registers = 49152,
           .hiding_invocations = 256,
           .step_seconds = 1e-6,
           .group_seconds = 2e-6,
           .launch_seconds = 20e-6,
           .reduce_seconds = 2.8e-05}},
    Known{"",
          "",
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
           .unpadded_share = 0.5,
           .memory_seconds = 0.8e-6,
           .unit_workgroup_bytes = 49152,
           .unit_invocations = 1024,
           .unit_registers = 65536,
           .hiding_invocations = 128,
           .step_seconds = 0.4e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 6e-6,
           .reduce_seconds = 8.4e-06}},
    // Units stand for the threads of a processor. A barrier is a switch between fibres.
    Known{"",
          "",
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
           .unpadded_share = 1,
           .memory_seconds = 0.1e-6,
           .unit_workgroup_bytes = 32768,
           .unit_invocations = 1024,
           .unit_registers = 1e6,
           .hiding_invocations = 1,
           .step_seconds = 1e-6,
           .group_seconds = 2e-6,
           .launch_seconds = 50e-6,
           .reduce_seconds = 7e-05}},
    // Integrated, and whatever does not say what it is. Units of 128 lanes with 128 KiB of local memory are
    // the
    // dual subslices of Intel's Xe (16 execution units of 8 lanes: Intel, "oneAPI GPU Optimization Guide");
    // a laptop has six to eight.
    Known{"",
          "",
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
           .unpadded_share = 0.6,
           .memory_seconds = 0.8e-6,
           .unit_workgroup_bytes = 65536,
           .unit_invocations = 1024,
           .unit_registers = 65536,
           .hiding_invocations = 128,
           .step_seconds = 0.6e-6,
           .group_seconds = 1e-6,
           .launch_seconds = 10e-6,
           .reduce_seconds = 1.4e-05}},
};

}  // namespace

const DeviceModel& device_model(const DeviceProfile& profile) {
  const auto name = identifier_of(profile.name);
  const auto found = std::ranges::find_if(kModels, [&](const Known& known) {
    return (known.vendor.empty() || known.vendor == profile.vendor) &&
           (known.architecture.empty() || known.architecture == profile.architecture) &&
           name.find(known.name) != std::string::npos && (!known.type || known.type == profile.type);
  });
  return found->model;  // the last is for any
}

}  // namespace wgemm::selection
