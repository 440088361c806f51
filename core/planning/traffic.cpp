#include "core/planning/traffic.hpp"

#include "core/planning/arrange.hpp"

namespace wgemm::planning {

Traffic count_traffic(const Problem& problem, const Product& product, const kernels::Geometry& geometry) {
  const auto rounded = [](std::uint64_t value, std::uint32_t block) {
    return static_cast<double>(round_up(value, block));
  };
  const auto batch = static_cast<double>(problem.batch.count());
  const double m = rounded(product.m, geometry.block_m);
  const double n = rounded(product.n, geometry.block_n);
  const double k = rounded(product.k, geometry.block_k);
  const double a_bytes = bits_of(product.a.type) / 8.0;
  const double b_bytes = bits_of(product.b.type) / 8.0;
  const auto c_bytes = static_cast<double>(size_of(problem.c.type)) * static_cast<double>(problem.m) *
                       static_cast<double>(problem.n);
  const auto inputs = static_cast<double>(problem.k) *
                      (a_bytes * static_cast<double>(product.m) + b_bytes * static_cast<double>(product.n));
  Traffic traffic;
  traffic.flops = problem.flops();
  traffic.global_bytes =
      batch * (m * n * k * (a_bytes / geometry.reuse_n + b_bytes / geometry.reuse_m) + c_bytes);
  traffic.compulsory_bytes = batch * (inputs + c_bytes);
  return traffic;
}

}  // namespace wgemm::planning
