// Which parts of a product go through the device at a time when it cannot hold the whole.
#pragma once

#include <cstdint>

#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

/// A range of products of the batch, of rows and columns of C, and of k.
struct Panel {
  std::uint64_t batch0 = 0, batch = 0;
  std::uint64_t row0 = 0, rows = 0;
  std::uint64_t col0 = 0, cols = 0;
  std::uint64_t k0 = 0, depth = 0;
  bool first_k = true;
  bool last_k = true;
};

/// More panels than these take days, whatever the device: the cap is a mistake then.
constexpr std::uint64_t kMostPanels = 1'000'000;

/// How a product is cut.
struct Streaming {
  Panel first;                      ///< the largest; those at the end of a range may be smaller
  std::uint64_t count = 0;          ///< of panels, at most kMostPanels
  DataType c_type = DataType::f32;  ///< of C on the device
  std::uint64_t scratch_cap = 0;    ///< bytes left for the scratch memory of each plan
};

/// Bytes of all matrices, vectors and scales of a problem.
std::uint64_t operand_bytes(const Problem& problem);

/// Whether the operands must go through the device in panels: `cap` bytes hold less (0: any number), or a
/// buffer would be over the device's limit.
bool must_stream(const Problem& problem, const Limits& limits, std::uint64_t cap);

/// Panels for a device that holds `cap` bytes. Inputs are held twice, so that the next panel is copied in
/// while one is multiplied. Errors: unsupported, argument memory_cap or max_buffer_size: no element fits, or
/// there would be more than kMostPanels; the message has the least value that would do.
Result<Streaming> plan_streaming(const Problem& problem, const Limits& limits, std::uint64_t cap);

/// A panel by its number, below streaming.count. Those that differ in k alone follow each other.
Panel panel_at(const Problem& problem, const Streaming& streaming, std::uint64_t index);

/// The problem that a panel is on the device: every matrix tight (but for lines of whole vectors), one behind
/// the other for a batch, from the start of a buffer of its own.
Problem panel_problem(const Problem& problem, const Panel& panel, DataType c_type);

/// Options of the plans of panels: within the scratch memory that is left for each.
PlanOptions panel_options(PlanOptions options, const Streaming& streaming);

}  // namespace wgemm
