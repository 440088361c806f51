// The activations in float64, and how far a device's may be off.
#pragma once

#include "core/checking/error_bound.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::checking {

/// act(x) for an x that is at most `error` away from what the device has: the value, and how far the device's
/// own may lie from it.
Expected activate(const Epilogue& epilogue, double x, double error);

/// Whether small integers stay exact: not through gelu and silu.
bool keeps_integers(Activation activation);

}  // namespace wgemm::checking
