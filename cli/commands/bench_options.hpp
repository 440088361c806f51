// What `wgemm bench` can be told, and the rows that it means.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/row.hpp"
#include "bench/run.hpp"
#include "cli/commands/options.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

struct BenchOptions {
  DeviceOptions device;
  ReportOptions reports;
  // As typed; `rows` understands them.
  std::vector<std::string> sizes;
  std::vector<std::string> m;
  std::vector<std::string> n;
  std::vector<std::string> k;
  std::vector<std::string> batch;
  std::vector<std::string> suites;
  std::vector<std::string> types;
  std::vector<std::string> layouts;
  std::vector<std::string> kernels;
  std::vector<std::string> splits;
  std::string shaders = "checked";
  std::string compare;
  std::string from;
  std::uint64_t seed = 1;
  double budget = 0;
  std::uint32_t passes = 2;
  bool prepared = false;
  bool prepared_only = false;
  bool commands = false;
  bool list = false;
  bool software = false;

  void add_to(CLI::App& app);

  /// Errors: invalid_argument, naming the option. Without sizes and suites: none, for the device decides.
  [[nodiscard]] Result<std::vector<bench::Product>> products() const;
  [[nodiscard]] Result<bench::Variations> variations() const;
  /// The rows of these products. Errors as of both.
  [[nodiscard]] Result<std::vector<bench::Row>> rows(const std::vector<bench::Product>& products) const;

  /// The command that runs a row alone.
  [[nodiscard]] std::string reproduction(const bench::Row& row) const;
};

}  // namespace wgemm::cli
