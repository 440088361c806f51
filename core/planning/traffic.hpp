// The bytes and operations that a kernel asks for, counted from its tiles.
#pragma once

#include "core/kernels/kernel.hpp"
#include "core/planning/product.hpp"
#include "wgemm/plan.hpp"

namespace wgemm::planning {

/// `product`: the whole problem as the kernel sees it.
Traffic count_traffic(const Problem& problem, const Product& product, const kernels::Geometry& geometry);

}  // namespace wgemm::planning
