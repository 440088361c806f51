// Plans without a GPU, then multiplies on whatever adapter there is.
#include <cstdio>
#include <vector>
#include <wgemm/context.hpp>
#include <wgemm/environment.hpp>
#include <wgemm/measure.hpp>
#include <wgemm/planner.hpp>

int main() {
  wgemm::Problem problem;
  problem.m = problem.n = problem.k = 64;
  const auto plan = wgemm::make_plan(problem, *wgemm::find_profile("h200"));
  if (!plan || plan->shaders.empty()) return 1;
  wgemm::prepare_environment();
  auto context = wgemm::Context::create();
  if (!context) return std::fprintf(stderr, "%s\n", context.error().message.c_str()), 2;
  const std::vector<float> a(20, 1.5F);
  const std::vector<float> b(30, 2.0F);
  const auto c = context->matmul(4, 6, 5, a, b);
  if (!c || c->size() != 24) return 3;
  for (const float value : *c) {
    if (value != 15.0F) return 4;
  }
  std::puts("outside_cpp: right");
}
