// The ladder's table in a terminal: lines as the rows come in, and what belongs below it.
#pragma once

#include <string_view>

#include "cli/terminal/terminal.hpp"
#include "ladder/ladder.hpp"

namespace wgemm::cli {

class Table {
 public:
  explicit Table(Terminal& terminal) : terminal_(terminal) {}

  /// What is measured on which device, and the columns' heads.
  void begin(const ladder::Report& report);
  /// The row that is being measured, until `add` puts its result there.
  void show_progress(const ladder::Row& row, double fraction, std::string_view activity);
  void add(const ladder::Row& row);
  /// Start costs, roofline, conditions.
  void end(const ladder::Report& report);

 private:
  void print_result(const ladder::Row& row);
  void print_refusal(const ladder::Row& row);
  void print_below(std::string_view text, std::size_t indent, Colour colour);
  void print_start_costs(const ladder::Report& report);
  [[nodiscard]] bool shows_adds() const;

  Terminal& terminal_;
  bool unchecked_ = false;
};

/// "tiled-16", or that it is the row above with padding.
std::string_view label(const ladder::Row& row);

}  // namespace wgemm::cli
