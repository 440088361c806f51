#include "tests/kernels/typed_problems.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/caller_buffers.hpp"
#include "tests/kernels/adapter_test.hpp"
#include "verify/elements.hpp"
#include "verify/inputs.hpp"
#include "verify/judge.hpp"

namespace wgemm::tests {
namespace {

using verify::HostProblem;
using verify::Numbers;

/// Operands without a margin, not even up to the next whole word.
HostProblem tight_inputs(const Problem& problem, Numbers numbers) {
  auto given = verify::make_inputs(problem, numbers, 7, 0);
  const auto bytes = caller_bytes(problem);
  for (std::size_t i = 0; i < bytes.size(); ++i) given.buffers.at(i).resize(bytes.at(i));
  return given;
}

void saturate(HostProblem& given, BufferRole role, DataType type) {
  auto& memory = given.at(role);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const double value = verify::read_element(type, memory, i);
    const double extreme = type == DataType::u8 ? (value < 32 ? 0 : 255) : (value < 96 ? -128 : 127);
    verify::write_element(type, memory, i, extreme);
  }
}

void expect_right_from_host(const HostProblem& given, const PlanOptions& options, Setting setting,
                            decltype(verify::judge_bound)& judge) {
  const auto& problem = given.problem;
  SCOPED_TRACE(Bench::get().library() + " from host memory: " + options.kernel + " on " + describe(problem) +
               (options.edges == EdgePolicy::padded ? ", padded" : ""));
  auto* const context = Bench::get().context(setting);
  ASSERT_NE(context, nullptr) << Bench::get().problem();
  const auto& [a, b, c, bias, residual, scales, zeros] = given.buffers;
  auto result = c;
  const auto done = context->multiply(problem, {a, b, result, bias, residual, scales, zeros}, options);
  ASSERT_TRUE(done) << done.error().message;
  std::vector<std::uint64_t> rows(problem.m);
  std::iota(rows.begin(), rows.end(), 0U);
  const auto judgement = judge(given, result, rows);
  EXPECT_EQ(judgement.fault, "");
  EXPECT_EQ(judgement.compared, c.empty() ? 0 : problem.m * problem.n * problem.batch.count());
}

}  // namespace

const std::vector<std::string>& kernels() {
  static const std::vector<std::string> all{"coalesced_WX8_WY8", "vec4_BM8_BN16_BK8_TM2_TN4", "tiled_TILE8",
                                            "register-tile_BM16_BN16_BK4_TM4_TN4",
                                            "skinny-k_TM4_TN2_LANES8_GROUPS4"};
  return all;
}

const std::string& kernel_of(std::size_t turn) { return kernels()[turn % kernels().size()]; }

Problem of_types(Problem problem, DataType a, DataType b, DataType c) {
  problem.a.type = a;
  problem.b.type = b;
  problem.c.type = c;
  return problem;
}

void expect_right_everywhere(const Problem& problem, const PlanOptions& options, Setting setting) {
  expect_right(problem, setting, options);
  expect_right_from_host(tight_inputs(problem, Numbers::uniform), options, setting, verify::judge_bound);
  expect_right_from_host(tight_inputs(problem, Numbers::integers), options, setting, verify::judge_exact);
}

void expect_right_on_extremes(const Problem& problem, const PlanOptions& options, Setting setting) {
  auto given = tight_inputs(problem, Numbers::uniform);
  saturate(given, BufferRole::a, problem.a.type);
  saturate(given, BufferRole::b, problem.b.type);
  expect_right_from_host(given, options, setting, verify::judge_bound);
}

}  // namespace wgemm::tests
