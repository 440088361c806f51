// Options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

/// Which device.
struct DeviceOptions {
  std::string webgpu;
  std::string backend;
  std::string adapter;
  std::string limits;
  bool verbose = false;

  void add_to(CLI::App& app);
  [[nodiscard]] ContextOptions context() const;
  /// The options as one would type them, each with a space before it.
  [[nodiscard]] std::string typed() const;
};

/// Where a report goes besides the terminal; "-" is standard output.
struct ReportOptions {
  std::string json;
  std::string csv;
  std::string html;

  void add_json_to(CLI::App& app);
  void add_all_to(CLI::App& app);
  /// Errors: invalid_argument (two reports on standard output), io. Asked before any work is done.
  [[nodiscard]] Result<void> check() const;
  /// Where to write for people: standard error where standard output belongs to a report.
  [[nodiscard]] std::FILE* stream() const;
};

/// Accepts whole numbers in decimal digits; the message says what would be right.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

/// The names of things that have one, as words of an option.
template <typename Named>
std::vector<std::string> names_of(std::span<const Named> all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const auto& each : all) names.emplace_back(each.name);
  return names;
}

/// Accepts these words; the message lists them.
CLI::Validator one_of(std::vector<std::string> words);

/// An option whose value is one of these words.
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::vector<std::string>& words, const std::string& description);

/// Accepts "rrr" to "ccc", and "all" where wanted.
CLI::Validator orders_check(bool or_all = false);

/// The full name of the kernel that `option` names. Errors: invalid_argument, naming the option.
Result<std::string> find_kernel(const std::string& option, const std::string& name);

/// "17x33x5" as m x n x k.
std::optional<Problem> parse_shape(std::string_view text);

/// Accepts such a shape.
CLI::Validator shape_check();

/// "rrc": the orders of A, B and C.
bool set_orders(Problem& problem, std::string_view letters);

/// One line on standard error; gives the exit code that belongs to it: kUsage where the value of an option
/// has to change (the error's argument is the option, "--beta"), kFailure where a file or the machine is at
/// fault, whichever option names it.
int report(const Error& error);
int report_usage(std::string_view message);

}  // namespace wgemm::cli
