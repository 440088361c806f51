// What every subcommand of the program is: options that it adds, and what it does once they are parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace wgemm::cli {

constexpr int kOk = 0;
constexpr int kFailure = 1;
constexpr int kUsage = 2;

/// The program's name and arguments, as they were given.
using Invocation = std::vector<std::string>;

struct Command {
  CLI::App* app = nullptr;
  std::function<int(const Invocation&)> run;  ///< gives the exit code
};

Command add_info(CLI::App& program);
Command add_ladder(CLI::App& program);
Command add_bench(CLI::App& program);
Command add_run(CLI::App& program);
Command add_quantise(CLI::App& program);
Command add_emit(CLI::App& program);
Command add_verify(CLI::App& program);
Command add_tune(CLI::App& program);

}  // namespace wgemm::cli
