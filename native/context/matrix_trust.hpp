// No matrix unit is trusted unasked: a configuration multiplies small integers first, where the result is
// known exactly, beside the kernel that has no units.
#pragma once

#include <functional>
#include <string>

#include "native/context/wait.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::native {

/// The argument of an error that says that a configuration is not offered, or denied.
constexpr std::string_view kMatrixConfiguration = "matrix configuration";

/// Whether the configuration of the plan's kernel may be used on the context's device: checked the first time
/// that it is asked for, and remembered. One that fails is taken out of the device's profile, with the
/// reason. Plans without matrix units pass. Errors: unsupported (argument kMatrixConfiguration), and those of
/// running a plan.
Result<void> trust_matrix_units(Context::Impl& context, const Plan& plan, const Wait& wait);

/// Runs two plans of one problem on the same small integers; "" where they give the same, else what differs.
/// C is f32, A and B are f32 or f16.
Result<std::string> compare_on_integers(Context::Impl& context, const Plan& plan, const Plan& reference,
                                        const Wait& wait);

}  // namespace wgemm::native
