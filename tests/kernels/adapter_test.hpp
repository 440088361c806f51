// What tests on an adapter share.
#pragma once

#include <gtest/gtest.h>

#include "tests/kernels/bench.hpp"
#include "tests/kernels/subjects.hpp"
#include "verify/verify.hpp"
#include "wgemm/context.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::tests {

/// Skipped where the library is not on this machine; fails where it is and no adapter opens.
class AdapterTest : public testing::Test {
 protected:
  void SetUp() override;
};

/// The plan of a problem in a setting, with the guards around its operands in the kernel's reach.
Result<Plan> guarded_plan(const Problem& problem, Setting setting, const PlanOptions& options);

/// Plans, runs and judges; a wrong result is a failure of the running test with all that is needed to repeat
/// it.
void expect_right(const Problem& problem, Setting setting, const PlanOptions& options);

/// Cases that expect_right ran through to a verdict on every element.
std::size_t verdicts();
/// Different shader texts among them.
std::size_t texts();

}  // namespace wgemm::tests
