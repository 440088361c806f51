// Copies between the caller's operands and the parts of them that a panel takes, on the host.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/streaming/parts.hpp"

namespace wgemm::native {

/// The part's elements as the panel's buffer holds them.
void gather(const Part& part, std::span<const std::byte> caller, std::vector<std::byte>& panel);

/// Puts a panel of C back among the caller's elements; touches no others.
void scatter(const Part& part, std::span<const std::byte> panel, std::span<std::byte> caller);

}  // namespace wgemm::native
