// What a run left in the memory of C besides numbers: poison, and stores where none belong.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "verify/host_problem.hpp"

namespace wgemm::verify {

/// "C(2, 3)", "C(2, 3) of product 5"
std::string element_name(const Problem& problem, std::uint64_t product, std::uint64_t row, std::uint64_t col);

/// The first element of C that was not written although beta is 0, as a sentence; empty where there is none.
std::string find_unwritten(const HostProblem& given, std::span<const std::byte> c_after);

/// The first element outside every C that is not what it was before the run.
std::string find_trespass(const HostProblem& given, std::span<const std::byte> c_after);

}  // namespace wgemm::verify
