// The CPU's honest best: sgemm of OpenBLAS.
#pragma once

#include <cstdint>
#include <string>

namespace wgemm::bench {

/// "OpenBLAS 0.3.21, SkylakeX, 2 threads"
std::string blas_description();

/// C <- A * B, all row-major and tight.
void blas_multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, const float* a, const float* b,
                   float* c);

}  // namespace wgemm::bench
