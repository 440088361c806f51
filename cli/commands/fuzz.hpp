// `wgemm verify --fuzz` and `--replay`: problems drawn from a seed.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

struct FuzzRun {
  std::uint64_t problems = 0;  ///< at least; rounded up to whole groups
  std::string replay;          ///< one case by name instead
  std::uint64_t seed = 1;
  std::vector<std::string> kernels;  ///< families or kernels; empty: all
  std::string options;               ///< what else was typed, for the command that replays a case
};

struct FuzzResult {
  bool ok = false;
  nlohmann::ordered_json json;
};

/// Tells each failure with the command that replays it, and how many of what there were. Errors: device_lost,
/// timeout, invalid_argument (a name to replay).
Result<FuzzResult> run_fuzz(Context& context, const FuzzRun& run, Terminal& terminal);

}  // namespace wgemm::cli
