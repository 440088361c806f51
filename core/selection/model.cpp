#include "core/selection/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace wgemm::selection {
namespace {

using kernels::Geometry;
using planning::Arrangement;

double invocations(const Geometry& geometry) {
  return static_cast<double>(geometry.workgroup_x) * geometry.workgroup_y;
}

double bytes_of(DataType type) { return bits_of(type) / 8.0; }

/// The multiply step: how many workgroups, and what one of them does.
struct Work {
  double groups = 0;
  double k = 0;              ///< of a workgroup
  double multiply_adds = 0;  ///< of a workgroup, edges rounded up
  double a_bytes = 0;        ///< of an element as the kernel reads it
  double b_bytes = 0;
  double asked = 0;  ///< bytes of A and B that all workgroups load
  double once = 0;   ///< bytes of A and B
};

Work work_of(const planning::Product& product, const Arrangement& arranged, const Geometry& geometry,
             double batch) {
  Work work;
  work.groups = static_cast<double>(planning::blocks(arranged.rows, geometry.block_m) *
                                    planning::blocks(arranged.cols, geometry.block_n) * arranged.parts) *
                batch;
  work.k = static_cast<double>(std::min(arranged.chunk, round_up(arranged.k, geometry.block_k)));
  work.multiply_adds = static_cast<double>(geometry.block_m) * geometry.block_n * work.k;
  work.a_bytes = bytes_of(arranged.a.type);
  work.b_bytes = bytes_of(arranged.b.type);
  work.asked = work.groups * (geometry.block_m * work.a_bytes + geometry.block_n * work.b_bytes) * work.k;
  work.once = batch * static_cast<double>(arranged.k) *
              (static_cast<double>(product.m) * work.a_bytes + static_cast<double>(product.n) * work.b_bytes);
  return work;
}

/// Whether tiles of A and B are kept in workgroup memory; kernels for few rows have only their sums there.
bool is_staged(const Geometry& geometry) {
  return geometry.workgroup_bytes > 0 && geometry.reuse_m == geometry.block_m &&
         geometry.reuse_n == geometry.block_n;
}

/// Groups of invocations that each have sums for the whole of a staged block.
double slices_of(const Candidate& candidate) {
  return is_staged(candidate.geometry) ? kernels::slices(candidate.kernel) : 1;
}

/// Of two that overlap, but not wholly: this much of the shorter shows.
double overlapped(double one, double other, double shown) {
  return std::max(one, other) + shown * std::min(one, other);
}

double arithmetic_rate(const kernels::Kernel& kernel, DataType stored, const DeviceModel& device) {
  if (kernel.family->matrix_units) {
    return stored == DataType::f16 ? device.matrix_f16_rate : device.matrix_f32_rate;
  }
  return kernel.family->access == kernels::Access::words_along_k ? device.byte_rate : device.fma_rate;
}

/// Seconds that one unit is busy with one workgroup when it has others to fill every gap.
double busy_seconds(const Work& work, const Candidate& candidate, const DeviceModel& device) {
  const auto& [kernel, geometry] = candidate;
  const double rate =
      std::max(arithmetic_rate(kernel, work.a_bytes == 2 ? DataType::f16 : DataType::f32, device), 1.0);
  const double arithmetic = 2 * work.multiply_adds / (rate / device.units);
  // Bytes that a multiply-add needs from where its operands lie.
  if (!is_staged(geometry)) {
    const double bytes = work.a_bytes / geometry.reuse_n + work.b_bytes / geometry.reuse_m;
    return std::max(arithmetic, work.multiply_adds * bytes / (device.local_rate / device.units));
  }
  // The edge of the square that an invocation, or a subgroup with matrix units, multiplies from registers.
  const double lanes =
      kernel.family->matrix_units ? static_cast<double>(kernels::value_of(kernel, "LANES")) : 1;
  const double slices = slices_of(candidate);
  const double owners = std::max(1.0, invocations(geometry) / slices / std::max(lanes, 1.0));
  const double edge = std::sqrt(static_cast<double>(geometry.block_m) * geometry.block_n / owners);
  // Numbers are staged as f32, but for matrix units and for bytes.
  const bool as_stored =
      kernel.family->matrix_units || kernel.family->access == kernels::Access::words_along_k;
  const double bytes = 2 / edge * (as_stored ? work.a_bytes : 4);
  const bool conflicts = kernel.family->matrix_units && kernels::value_of(kernel, "PAD") == 0;
  const double rate_of_loads = device.workgroup_rate * (conflicts ? device.unpadded_share : 1) / device.units;
  // Sums of slices are written to workgroup memory once, and read once to be added.
  const double outputs = static_cast<double>(geometry.block_m) * geometry.block_n;
  const double meeting = slices > 1 ? 8 * slices * outputs / (device.workgroup_rate / device.units) : 0;
  // Loads take turns with arithmetic where instructions are issued.
  constexpr double kShown = 0.49;
  return overlapped(arithmetic, work.multiply_adds * bytes / rate_of_loads, kShown) + meeting;
}

/// Seconds of a workgroup that has a unit for itself.
double alone_seconds(double busy, const Work& work, const Candidate& candidate, const DeviceModel& device) {
  const auto& [kernel, geometry] = candidate;
  const double lanes = std::min(1.0, invocations(geometry) / device.unit_lanes);
  // Sums that do not wait for each other; without tiles also the steps of k that are taken at once.
  constexpr double kMostIndependent = 32;
  const double outputs =
      static_cast<double>(geometry.block_m) * geometry.block_n * slices_of(candidate) / invocations(geometry);
  const double independent = outputs * (is_staged(geometry) ? 1 : geometry.block_k);
  const double in_flight = invocations(geometry) * std::clamp(independent, 1.0, kMostIndependent);
  const double hidden = in_flight / (in_flight + device.hiding_invocations);
  // Each step along k waits for its loads, and longer for what no workgroup has loaded before.
  const double first = std::min(1.0, work.once / work.asked);
  const double of_step = (is_staged(geometry) ? device.step_seconds : 0) + first * device.memory_seconds;
  const double waits = geometry.workgroup_bytes > 0 ? work.k / geometry.block_k * of_step : 0;
  constexpr double kShown = 0.15;
  return overlapped(busy / (lanes * hidden), waits, kShown) + device.group_seconds;
}

double arithmetic_seconds(const Work& work, const Candidate& candidate, const DeviceModel& device) {
  const double busy = busy_seconds(work, candidate, device);
  const double alone = alone_seconds(busy, work, candidate, device);
  const double resident = resident_workgroups(candidate.geometry, device);
  const double of_unit = std::ceil(work.groups / device.units);
  const double rounds = std::floor(of_unit / resident);
  const double rest = of_unit - rounds * resident;
  const auto round = [&](double groups) { return std::max(groups * busy, alone); };
  return rounds * round(resident) + (rest > 0 ? round(rest) : 0);
}

double memory_seconds(const Work& work, const planning::Product& product, const Candidate& candidate,
                      double batch, const DeviceModel& device) {
  const auto& geometry = candidate.geometry;
  const double of_step = geometry.block_m * work.a_bytes + geometry.block_n * work.b_bytes;
  // What is asked for at a time bounds the rate: latency times rate must be in flight.
  const double running = std::min(work.groups, device.units * resident_workgroups(geometry, device));
  const double in_flight = running * of_step * geometry.block_k / device.memory_seconds;
  const double c_bytes =
      batch * static_cast<double>(product.m) * static_cast<double>(product.n) * bytes_of(product.c.type);
  return std::max(work.asked / std::min(device.cache_rate, in_flight),
                  (work.once + c_bytes) / std::min(device.memory_rate, in_flight));
}

/// Seconds to move bytes, from the cache where they fit.
double moving_seconds(double bytes, const DeviceModel& device) {
  return bytes / (bytes < device.cache_bytes ? device.cache_rate : device.memory_rate);
}

/// Copies of operands, and the pass that adds the parts of k.
double other_steps_seconds(const Arrangement& arranged, const DeviceModel& device) {
  double seconds = 0;
  const std::array<std::pair<bool, std::uint64_t>, 2> copies{
      {{arranged.copies_a, arranged.a_bytes}, {arranged.copies_b, arranged.b_bytes}}};
  for (const auto& [needed, bytes] : copies) {
    if (needed) seconds += device.launch_seconds + moving_seconds(2.0 * static_cast<double>(bytes), device);
  }
  if (!arranged.finishes) {
    seconds +=
        device.reduce_seconds + moving_seconds(2.0 * static_cast<double>(arranged.partial_bytes), device);
  }
  return seconds;
}

}  // namespace

double resident_workgroups(const Geometry& geometry, const DeviceModel& device) {
  constexpr double kOtherRegisters = 16;  ///< addresses, counters, temporaries
  const double each = invocations(geometry);
  double most = std::min(device.unit_invocations / each,
                         device.unit_registers / (each * (geometry.registers + kOtherRegisters)));
  if (geometry.workgroup_bytes > 0) {
    most = std::min(most, device.unit_workgroup_bytes / geometry.workgroup_bytes);
  }
  return std::max(1.0, std::floor(most));
}

double estimate(const Task& task, const Candidate& candidate, std::uint32_t split_k,
                const DeviceModel& device) {
  const auto& product = task.product;
  if (product.m == 0 || product.n == 0 || product.k == 0 || planning::batch_count(product) == 0) {
    return device.launch_seconds;
  }
  const planning::Placement placement{candidate.kernel, candidate.geometry, task.edges, split_k, false,
                                      task.align,       task.dequantise};
  const auto arranged = planning::arrange(product, placement);
  const auto batch = static_cast<double>(planning::batch_count(product));
  const auto work = work_of(product, arranged, candidate.geometry, batch);
  const double arithmetic = arithmetic_seconds(work, candidate, device);
  const double memory = memory_seconds(work, product, candidate, batch, device);
  constexpr double kShown = 0.16;
  return device.launch_seconds + overlapped(arithmetic, memory, kShown) +
         other_steps_seconds(arranged, device);
}

std::uint32_t best_split(const Task& task, const Candidate& candidate, const DeviceModel& device) {
  // A part shorter than that does not repay the second pass.
  constexpr std::uint64_t kShortestPart = 128;
  constexpr std::array<std::uint32_t, 14> kParts{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256};
  const auto& product = task.product;
  const auto& geometry = candidate.geometry;
  const auto groups = static_cast<double>(planning::blocks(product.m, geometry.block_m) *
                                          planning::blocks(product.n, geometry.block_n)) *
                      static_cast<double>(planning::batch_count(product));
  const double most = 2 * device.units * resident_workgroups(geometry, device);
  std::uint32_t best = 1;
  double seconds = estimate(task, candidate, 1, device);
  for (const auto parts : kParts) {
    if (groups * parts > most || product.k / parts < kShortestPart) break;
    const double each = estimate(task, candidate, parts, device);
    if (each < seconds) {
      seconds = each;
      best = parts;
    }
  }
  return best;
}

}  // namespace wgemm::selection
