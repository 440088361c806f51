// Devices that nobody of us has at hand, as public sources describe them. What a source does not say is left
// at the specification's minimum, or at what Dawn's limits are tiered to.
//   Apple     google/dawn, src/dawn/native/metal/PhysicalDeviceMTL.mm (limits by Metal family, two matrix
//             configurations from Apple7 on, architecture "metal-3"); Dawn change d7d27a68 (subgroups of 32)
//   Qualcomm  Mesa, src/freedreno/ir3 (waves of 64, doubled to 128 where registers allow)
//   AMD       AMD, "RDNA Architecture" white paper (waves of 32 and 64)
//   Intel     Mesa, src/intel/vulkan (dispatch of 8, 16 or 32 lanes)
//   names     google/dawn, src/dawn/gpu_info.json
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wgemm/device_profile.hpp"

namespace wgemm::testing {

inline DeviceProfile public_device(std::string vendor, std::string architecture, std::uint32_t vendor_id,
                                   AdapterType type, std::uint32_t smallest, std::uint32_t largest) {
  DeviceProfile profile;
  profile.name = vendor + " " + architecture;
  profile.vendor = std::move(vendor);
  profile.architecture = std::move(architecture);
  profile.vendor_id = vendor_id;
  profile.type = type;
  profile.limits.max_compute_workgroup_storage_size = 32768;
  profile.limits.max_compute_invocations_per_workgroup = 1024;
  profile.limits.max_compute_workgroup_size_x = 1024;
  profile.limits.max_compute_workgroup_size_y = 1024;
  profile.limits.max_storage_buffer_binding_size = 2147483644;
  profile.limits.max_buffer_size = 2147483648;
  profile.shader_f16 = true;
  profile.subgroups = true;
  profile.subgroup_min_size = smallest;
  profile.subgroup_max_size = largest;
  if (smallest == largest) profile.subgroup_size = smallest;
  return profile;
}

inline std::vector<DeviceProfile> public_devices() {
  auto apple = public_device("apple", "metal-3", 0x106b, AdapterType::integrated, 32, 32);
  apple.backend = "metal";
  apple.matrix_dialect = MatrixDialect::majorness_template;
  apple.matrix_configs = {{DataType::f32, DataType::f32, 8, 8, 8}, {DataType::f16, DataType::f16, 8, 8, 8}};
  return {apple,
          public_device("amd", "rdna-3", 0x1002, AdapterType::discrete, 32, 64),
          public_device("intel", "gen-12-lp", 0x8086, AdapterType::integrated, 8, 32),
          public_device("qualcomm", "adreno-7xx", 0x5143, AdapterType::integrated, 64, 128),
          *find_profile("lavapipe"),
          *find_profile("swiftshader"),
          *find_profile("h200")};
}

}  // namespace wgemm::testing
