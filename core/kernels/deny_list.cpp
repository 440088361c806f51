#include "core/kernels/deny_list.hpp"

#include <algorithm>
#include <string>

namespace wgemm::kernels {

// Empty: nobody has met one yet whose source can be cited.
std::span<const Denial> deny_list() { return {}; }

void deny(DeviceProfile& profile, const MatrixConfig& config, std::string_view reason) {
  if (std::erase(profile.matrix_configs, config) == 0) return;
  profile.denied_matrix_configs.push_back({config, std::string(reason)});
}

void apply(std::span<const Denial> list, DeviceProfile& profile) {
  const auto holds = [](std::string_view wanted, std::string_view found) {
    return wanted.empty() || wanted == found;
  };
  for (const auto& denial : list) {
    if (holds(denial.vendor, profile.vendor) && holds(denial.architecture, profile.architecture) &&
        holds(denial.library, profile.library) && profile.driver.find(denial.driver) != std::string::npos) {
      deny(profile, denial.config, denial.reason);
    }
  }
}

}  // namespace wgemm::kernels
