// What `wgemm info` found, and its page for a terminal.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "wgemm/adapters.hpp"

namespace wgemm::cli {

struct InfoReport {
  /// The adapter that commands use when nothing is said, or why there is none.
  struct Chosen {
    std::string name;
    std::string library;
    std::string reason;
    std::string problem;
  };
  std::vector<LibraryReport> libraries;
  Chosen chosen;
  /// What this machine lacks besides the libraries' own problems, and how to get it; a sentence each.
  std::vector<std::string> missing;
};

void print_info(Terminal& terminal, const InfoReport& report);

}  // namespace wgemm::cli
