// Judges many products, one after the other, and tells what is wrong as it goes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

struct Case {
  std::string kernel;
  std::string orders;  ///< of A, B and C: "rrc"
  Problem problem;
};

class Verification {
 public:
  struct Settings {
    EdgePolicy edges = EdgePolicy::checked;
    std::uint64_t seed = 1;
    std::string device;  ///< the options that chose the device, for the command that reproduces a case
  };
  struct Count {
    std::uint64_t passed = 0;
    std::uint64_t failed = 0;
    std::uint64_t unsupported = 0;
  };

  /// `context` and `terminal` outlive it.
  Verification(Context& context, Terminal& terminal, Settings settings);

  /// Errors: device_lost, timeout; what was judged before counts.
  Result<void> run(const std::vector<Case>& cases);

  [[nodiscard]] const Count& count() const { return count_; }
  [[nodiscard]] const nlohmann::ordered_json& verdicts() const { return verdicts_; }

 private:
  Result<void> judge(const Case& each);
  Result<void> refuse(const Case& each, const Error& error, nlohmann::ordered_json json);
  void fail(const Case& each, const std::string& reason);
  /// The command that judges this case alone.
  [[nodiscard]] std::string reproduction(const Case& each) const;

  Context& context_;
  Terminal& terminal_;
  Settings settings_;
  Count count_;
  nlohmann::ordered_json verdicts_ = nlohmann::ordered_json::array();
  std::set<std::string> told_;
};

}  // namespace wgemm::cli
