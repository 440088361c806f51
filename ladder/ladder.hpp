// Climbs the ladder: every rung on one device, checked and timed, beside the CPU and the device's own limits.
// Yields data; prints nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/conditions.hpp"
#include "bench/row.hpp"
#include "ladder/row.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/measure.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::ladder {

/// Which rungs get a second row with operands padded to whole tiles.
enum class Padding : std::uint8_t {
  none,
  some,  ///< the 16x16 tile and the last rung
  all,   ///< every rung that has tiles
};

using bench::Shaders;

struct Options {
  ContextOptions device;  ///< its `unchecked_shaders` follows `shaders`
  std::uint64_t m = 0;    ///< sizes: all three, or 0 to fit them to the device
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  std::vector<std::string> only;  ///< names of rungs; empty: all of them
  Padding padding = Padding::some;
  Shaders shaders = Shaders::checked;
  bool sweep = false;  ///< instead of the rungs, the configurations of those that have several
  std::uint64_t seed = 1;
};

struct Report : bench::Session {
  Problem problem;
  bool sweep = false;
  std::vector<Row> rows;

  /// No row is wrong, failed, or lost with the device.
  [[nodiscard]] bool good() const;
};

/// Called from the thread that runs the ladder.
struct Observer {
  /// The device is open and its roofline known; no row is done yet.
  std::function<void(const Report&)> started;
  std::function<void(const Row&, std::string_view activity, double fraction)> progress;
  std::function<void(const Row&)> finished;
};

/// Errors: no device, or a size or a name that is none. What goes wrong later stands in the rows.
Result<Report> climb(const Options& options, const Observer& observer);

/// The same on a device that is open; `options.device` and `options.shaders` count for nothing then.
Result<Report> climb(Context& context, const Options& options, const Observer& observer);

}  // namespace wgemm::ladder
