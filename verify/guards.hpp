// Brings the margins around a plan's operands into the kernel's reach.
#pragma once

#include "wgemm/device_profile.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::verify {

/// Lengthens the plan's operands by the margins that verify() puts behind them. An executor binds exactly
/// the bytes that a plan states, and a WebGPU library moves or drops accesses beyond them, so that a store
/// behind C would stay unseen. A plan that goes through here before Context::prepare shows it.
void extend_over_guards(Plan& plan, const Limits& limits);

}  // namespace wgemm::verify
