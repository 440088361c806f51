// What belongs around a table of results in a terminal: what is measured, and under which conditions.
#pragma once

#include <string_view>

#include "bench/conditions.hpp"
#include "cli/terminal/terminal.hpp"

namespace wgemm::cli {

/// One line: what is multiplied, and the device.
void print_headline(Terminal& terminal, std::string_view what, const bench::Session& session);

/// Roofline, floor, timing, adapter, library, inputs, CPU, date. `reach`: behind the roofline, what it says
/// of the product.
void print_conditions(Terminal& terminal, const bench::Session& session, std::string_view reach = {});

}  // namespace wgemm::cli
