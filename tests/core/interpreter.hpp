// Carries out a plan on the host, as its uniform words, bindings and dispatches say, and checks that it keeps
// to them: ranges, limits, each element of a step's result written once. It knows of a shader what its label
// and its uniform block say.
#pragma once

#include <cstdint>
#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::testing {

/// Elements of the plan's buffers, all of f32, in the order of Plan::buffers.
using Buffers = std::vector<std::vector<float>>;

/// Failures are those of the running test. Scratch starts as NaN.
void interpret(const Plan& plan, const Limits& limits, Buffers& buffers);

}  // namespace wgemm::testing
