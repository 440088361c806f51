// What belongs around the ladder's table in a terminal: what is measured, and under which conditions.
#pragma once

#include "cli/terminal/terminal.hpp"
#include "ladder/ladder.hpp"

namespace wgemm::cli {

/// One line: product and device.
void print_headline(Terminal& terminal, const ladder::Report& report);

/// Roofline, floor, timing, adapter, library, inputs, CPU, date.
void print_conditions(Terminal& terminal, const ladder::Report& report);

}  // namespace wgemm::cli
