// The kernel texts that the build embedded, by their path below core/kernels without ".wgsl".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace wgemm::text {

/// The text of that name; empty where there is none.
std::string_view find_source(std::string_view name);

using Source = std::pair<std::string_view, std::string_view>;  ///< name, text

/// All of them.
std::span<const Source> all_sources();

/// Another number for other texts: of some, and of all of them, which is computed once.
std::uint64_t fingerprint(std::span<const Source> sources);
std::uint64_t fingerprint();

}  // namespace wgemm::text
