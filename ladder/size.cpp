#include "ladder/size.hpp"

namespace wgemm::ladder {
namespace {

constexpr std::uint64_t kLargest = 4096;
constexpr std::uint64_t kSmallest = 512;
constexpr std::uint64_t kSoftware = 256;
constexpr double kNaiveShare = 1.0 / 100;  ///< of the peak, what the slowest rung reaches at best
constexpr double kNaiveSeconds = 5;        ///< how long one product of the slowest rung may take

}  // namespace

std::uint64_t fitting_size(const DeviceProfile& profile, double peak) {
  if (profile.type == AdapterType::software) return kSoftware;
  const auto seconds = [&](std::uint64_t size) {
    const auto edge = static_cast<double>(size);
    return 2 * edge * edge * edge / (peak * kNaiveShare);
  };
  auto size = kLargest;
  while (size > kSmallest && seconds(size) > kNaiveSeconds) size /= 2;
  return size;
}

}  // namespace wgemm::ladder
