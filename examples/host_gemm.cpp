// A product from host memory to host memory, in ten lines.
#include <cstdio>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/environment.hpp"

int main() {
  wgemm::prepare_environment();
  auto gpu = wgemm::Context::create();
  if (!gpu) return std::fprintf(stderr, "%s\n", gpu.error().message.c_str()), 1;
  const std::vector<float> a(256 * 64, 1.0F), b(64 * 128, 2.0F);  // row-major
  const auto c = gpu->matmul(256, 128, 64, a, b);                 // m, n, k
  if (!c) return std::fprintf(stderr, "%s\n", c.error().message.c_str()), 1;
  std::printf("%g on %s\n", c->front(), gpu->profile().name.c_str());  // 128
}
