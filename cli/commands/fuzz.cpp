#include "cli/commands/fuzz.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal/text.hpp"
#include "verify/fuzz/fuzzer.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;
namespace fuzz = verify::fuzz;

std::string replay_command(const FuzzRun& run, const fuzz::Failure& failure) {
  return fmt::format("wgemm verify --replay {}{}", failure.name, run.options);
}

void tell(const FuzzRun& run, const fuzz::Failure& failure, Terminal& terminal) {
  terminal.line(terminal.paint(Colour::red, fmt::format("FAILED {}: {}", failure.problem, failure.reason)));
  terminal.line("  " + replay_command(run, failure));
}

/// "9,871 passed ..." and behind it what was refused, and why.
std::string summary(const fuzz::Tally& tally) {
  auto text = fmt::format("{} passed, {} failed, {} refused", tally.passed, tally.failed, tally.refusals());
  std::string reasons;
  for (const auto& [argument, count] : tally.refused) {
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, argument);
  }
  if (!reasons.empty()) text += " (" + reasons + ")";
  return text + fmt::format("; {} kernels, {} shader texts", tally.kernels.size(), tally.texts.size());
}

Json to_json(const FuzzRun& run, const fuzz::Tally& tally) {
  Json json{{"passed", tally.passed},          {"failed", tally.failed},      {"refused", tally.refused},
            {"kernels", tally.kernels.size()}, {"texts", tally.texts.size()}, {"failures", Json::array()}};
  for (const auto& failure : tally.failures) {
    json["failures"].push_back({{"problem", failure.problem},
                                {"reason", failure.reason},
                                {"reproduce", replay_command(run, failure)}});
  }
  return json;
}

/// A group's texts cost more than its cases: a few problems still see a variety of texts, and many are spread
/// over no more than a driver compiles in bearable time.
std::uint64_t cases_of_a_group(std::uint64_t problems) {
  constexpr std::uint64_t kGroups = 32;
  constexpr std::uint64_t kFewest = 16;
  return std::clamp(problems / kGroups, kFewest, fuzz::kCasesOfAGroup);
}

}  // namespace

Result<FuzzResult> run_fuzz(Context& context, const FuzzRun& run, Terminal& terminal) {
  fuzz::Fuzzer fuzzer(context, {run.seed, run.kernels});
  const auto& tally = fuzzer.tally();
  std::size_t told = 0;
  const auto tell_new = [&] {
    for (; told < tally.failures.size(); ++told) tell(run, tally.failures[told], terminal);
  };
  Result<void> done;
  if (!run.replay.empty()) {
    done = fuzzer.replay(run.replay);
  } else {
    const auto cases = cases_of_a_group(run.problems);
    const auto groups = (run.problems + cases - 1) / cases;
    for (std::uint64_t group = 0; group < groups && done; ++group) {
      terminal.status(left(fmt::format("{}/{}", group * cases, run.problems), 14),
                      static_cast<double>(group) / static_cast<double>(groups),
                      fmt::format("{} failed, {} texts", tally.failed, tally.texts.size()));
      done = fuzzer.run_group(group, std::min(cases, run.problems - group * cases));
      tell_new();
    }
  }
  tell_new();
  if (done || tally.count() > 0) terminal.line(summary(tally));
  if (!done) return tl::unexpected(done.error());
  return FuzzResult{tally.failed == 0, to_json(run, tally)};
}

}  // namespace wgemm::cli
