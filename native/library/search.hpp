// Where a WebGPU library may lie.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wgemm::native {

/// Folder of the running program, without a trailing separator; empty where the system does not tell.
std::string executable_folder();

/// What the user asked for: `requested` if it says something, else the environment variable WGEMM_WEBGPU,
/// else "".
std::string requested_library(std::string_view requested);

/// Files to try for the library "dawn" or "wgpu", best first. For a path or file name: that alone.
std::vector<std::string> library_candidates(std::string_view name);

}  // namespace wgemm::native
