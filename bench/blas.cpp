#include "bench/blas.hpp"

#include <cblas.h>
#include <fmt/format.h>

#include <string_view>

namespace wgemm::bench {

std::string blas_description() {
  // The configuration begins with name and version: "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …".
  const std::string_view config = openblas_get_config();
  const auto name = config.find(' ');
  const auto version = name == std::string_view::npos ? name : config.find(' ', name + 1);
  const int threads = openblas_get_num_threads();
  return fmt::format("{}, {}, {} thread{}", config.substr(0, version), openblas_get_corename(), threads,
                     threads == 1 ? "" : "s");
}

void blas_multiply(std::uint64_t m, std::uint64_t n, std::uint64_t k, const float* a, const float* b,
                   float* c) {
  const auto rows = static_cast<blasint>(m);
  const auto cols = static_cast<blasint>(n);
  const auto depth = static_cast<blasint>(k);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, cols, depth, 1.0F, a, depth, b, cols, 0.0F, c,
              cols);
}

}  // namespace wgemm::bench
