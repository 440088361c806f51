// A sweep in a terminal: one group of bars for each thing that is varied.
#pragma once

#include <string_view>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "ladder/ladder.hpp"

namespace wgemm::cli {

class SweepBars {
 public:
  explicit SweepBars(Terminal& terminal) : terminal_(terminal) {}

  void begin(const ladder::Report& report);
  void show_progress(const ladder::Row& row, double fraction, std::string_view activity);
  /// Bars are drawn when the last of their group is there, for the longest of them sets the scale.
  void add(const ladder::Row& row);
  void end(const ladder::Report& report);

 private:
  void draw_group();

  Terminal& terminal_;
  std::vector<ladder::Row> group_;
};

}  // namespace wgemm::cli
