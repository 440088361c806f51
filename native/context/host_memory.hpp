// Host memory that may not be there: the library is built without exceptions.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include "wgemm/error.hpp"

namespace wgemm::native {

/// A vector of zeros. Errors: out_of_memory. Asks for the memory twice, since a vector's own failure is an
/// exception.
template <typename T>
Result<std::vector<T>> allocate(std::uint64_t elements) {
  const bool fits = elements <= std::numeric_limits<std::size_t>::max() / 2 / sizeof(T);
  void* const probe = fits ? ::operator new(elements * sizeof(T), std::nothrow) : nullptr;
  if (probe == nullptr) {
    return fail(ErrorCode::out_of_memory, "c",
                fmt::format("the host has no {} elements of {} bytes left", elements, sizeof(T)));
  }
  ::operator delete(probe);
  return std::vector<T>(elements);
}

}  // namespace wgemm::native
