// The program: parses the command line and hands over to a subcommand.
#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cli/commands/command.hpp"
#include "cli/commands/help.hpp"
#include "cli/commands/options.hpp"
#include "wgemm/environment.hpp"

namespace wgemm::cli {
namespace {

std::string name_of(const CLI::App& program) {
  for (const auto* chosen : program.get_subcommands()) return "wgemm " + chosen->get_name();
  return "wgemm";
}

int run(int argc, char** argv) {
  CLI::App program{
      "wgemm multiplies matrices on any GPU through WebGPU, and shows how one learns to do it fast.",
      "wgemm"};
  program.set_version_flag("--version", "wgemm " WGEMM_VERSION);
  program.require_subcommand(1);
  program.formatter(std::make_shared<HelpFormatter>());
  program.footer(
      "Start here:\n"
      "  wgemm info                           what this machine offers\n"
      "  wgemm ladder                         every kernel of the ladder, checked and timed\n"
      "  wgemm run A.npy B.npy -o C.npy       multiply two NumPy files");
  const std::vector<Command> commands = {add_info(program), add_ladder(program), add_bench(program),
                                         add_tune(program), add_run(program),    add_quantise(program),
                                         add_emit(program), add_verify(program)};
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    return program.exit(success);
  } catch (const CLI::ParseError& error) {
    if (const auto words = program.remaining(); program.get_subcommands().empty() && !words.empty()) {
      return report_usage("there is no command '" + words.front() + "'; see `wgemm --help`");
    }
    return report_usage(std::string(error.what()) + "; see `" + name_of(program) + " --help`");
  }
  const Invocation invocation(argv, argv + argc);
  for (const auto& command : commands) {
    if (command.app->parsed()) return command.run(invocation);
  }
  return kUsage;
}

}  // namespace
}  // namespace wgemm::cli

int main(int argc, char** argv) {
  wgemm::prepare_environment();
  try {
    return wgemm::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return wgemm::cli::report(
        {wgemm::ErrorCode::out_of_memory, "", "this machine has not enough memory for these arrays"});
  } catch (const std::exception& error) {
    return wgemm::cli::report({wgemm::ErrorCode::internal, "", error.what()});
  }
}
