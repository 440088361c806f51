// What a test reads from a kernel's text itself, to compare with what planning claims about it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wgemm::testing {

/// Bytes of a WGSL type: numbers, vectors of four, arrays of them, atomics; 0 where it is none of these.
std::uint64_t bytes_of(std::string_view type);

/// Bytes of all variables in workgroup memory.
std::uint64_t workgroup_bytes(std::string_view wgsl);

/// The numbers of @workgroup_size.
std::array<std::uint32_t, 3> workgroup_size(std::string_view wgsl);

/// What is wrong with a text that any dialect must not hold; empty where nothing is.
std::vector<std::string> forbidden_forms(std::string_view wgsl);

}  // namespace wgemm::testing
