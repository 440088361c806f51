#include "native/stream/apart.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <span>

#include "core/caller_buffers.hpp"

namespace wgemm::native {

Result<void> check_apart(const Problem& problem, const HostOperands& operands) {
  const auto needed = caller_bytes(problem);
  const std::array<std::span<const std::byte>, kCallerBuffers> given = {
      operands.a, operands.b, operands.c, operands.bias, operands.residual, operands.scales, operands.zeros};
  const auto end_of = [&](std::size_t i) { return given.at(i).data() + needed.at(i); };
  constexpr auto kC = static_cast<std::size_t>(BufferRole::c);
  const std::less<> before;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool apart = !before(given[kC].data(), end_of(i)) || !before(given.at(i).data(), end_of(kC));
    if (i == kC || needed.at(i) == 0 || apart) {
      continue;
    }
    return fail(ErrorCode::invalid_argument, "c",
                fmt::format("c shares memory with {0}; a product that passes through the device in panels is "
                            "written before all of {0} is read, so it wants memory of its own",
                            to_string(static_cast<BufferRole>(i))));
  }
  return {};
}

}  // namespace wgemm::native
