// An analytical model of a kernel on a device: how long a product would take.
#pragma once

#include <cstdint>

#include "core/planning/arrange.hpp"
#include "core/planning/product.hpp"
#include "core/selection/candidates.hpp"
#include "core/selection/device_model.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::selection {

/// A product as a family is given it, and what of the caller's options matters.
struct Task {
  const planning::Product& product;
  EdgePolicy edges = EdgePolicy::checked;
  bool align = false;  ///< as Placement has it
  bool dequantise = false;
};

/// Seconds of one run: the longer of arithmetic and memory, in waves of workgroups over the units, and the
/// copies, launches and second passes that go with it.
double estimate(const Task& task, const Candidate& candidate, std::uint32_t split_k,
                const DeviceModel& device);

/// The number of parts of k that the model finds fastest, at most as many as fill the device.
std::uint32_t best_split(const Task& task, const Candidate& candidate, const DeviceModel& device);

/// Workgroups of the kernel that a unit holds at a time, at least 1.
double resident_workgroups(const kernels::Geometry& geometry, const DeviceModel& device);

}  // namespace wgemm::selection
