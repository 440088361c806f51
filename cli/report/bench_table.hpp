// A benchmark in a terminal: two lines a row as they come in, and what belongs below them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/run.hpp"
#include "cli/terminal/terminal.hpp"

namespace wgemm::cli {

class BenchTable {
 public:
  /// `reproduction` gives the command below each row; empty: none is printed.
  BenchTable(Terminal& terminal, std::function<std::string(const bench::Row&)> reproduction)
      : terminal_(terminal), reproduction_(std::move(reproduction)) {}

  void begin(const bench::Report& report);
  void show_progress(const bench::Row& row, double done, std::string_view activity);
  void add(const bench::Row& row);
  /// Counts, roofline, floor, conditions.
  void end(const bench::Report& report);

 private:
  void print_below(std::string_view text, Colour colour);

  Terminal& terminal_;
  std::function<std::string(const bench::Row&)> reproduction_;
  std::string suite_;
  bool unchecked_ = false;
};

/// The rows alone, for `--list`.
void print_list(Terminal& terminal, const std::vector<bench::Row>& rows);

}  // namespace wgemm::cli
