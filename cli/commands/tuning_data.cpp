#include "cli/commands/tuning_data.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/files/new_file.hpp"
#include "cli/report/figures.hpp"
#include "cli/terminal/text.hpp"
#include "wgemm/tuning_file.hpp"

namespace wgemm::cli {
namespace {

constexpr auto kWhatToDo = "; move the file away, or replace it with --import";

/// The data of a file that the user named with an option.
Result<TuningData> load_named(const std::string& option, const std::string& path) {
  auto data = load_tuning(path);
  if (!data) data.error().message = fmt::format("{}: {}", option, data.error().message);
  return data;
}

char letter(Order order) { return order == Order::row_major ? 'r' : 'c'; }

std::string types_of(const TuningProblem& problem) {
  const bool plain = problem.a == problem.b && problem.c == DataType::f32;
  if (plain) return std::string(to_string(problem.a));
  return fmt::format("{},{},{}", to_string(problem.a), to_string(problem.b), to_string(problem.c));
}

}  // namespace

std::string describe(const TuningProblem& problem) {
  auto text = fmt::format("{}x{}x{}", problem.m, problem.n, problem.k);
  if (problem.batch != 1) text += fmt::format(" batch {}", problem.batch);
  text += fmt::format(" {} {}{}{}", types_of(problem), letter(problem.a_order), letter(problem.b_order),
                      letter(problem.c_order));
  if (problem.accumulate == Accumulate::f16) text += " sums f16";
  if (!problem.aligned) text += " unaligned";
  if (problem.quantization != 0) text += fmt::format(" blocks {}", problem.quantization);
  if (problem.dequantise) text += " dequantised";
  if (problem.epilogue != EpilogueClass::none)
    text += fmt::format(" epilogue {}", to_string(problem.epilogue));
  return text;
}

Result<TuningData> load_or_empty(const std::string& path) {
  auto data = load_tuning(path);
  if (data) return data;
  if (data.error().code == ErrorCode::not_found) return TuningData{};
  data.error().message += kWhatToDo;
  return data;
}

Result<void> add_to_file(const std::string& path, const TuningData& data) {
  auto done = add_tuning(path, data);
  if (!done && done.error().code != ErrorCode::io) done.error().message += kWhatToDo;
  return done;
}

void show(Terminal& terminal, const TuningData& data, const std::string& source) {
  terminal.line(terminal.paint(Colour::bold, fmt::format("{}: {} entries", source, data.entries.size())));
  std::string before;
  for (const auto& entry : data.entries) {
    const auto& device = entry.device;
    const auto name = fmt::format("{} ({}, {} {}, {})", device.name, device.driver, device.library,
                                  device.library_version, device.backend);
    if (name != before) terminal.line(name);
    before = name;
    const auto gain = entry.heuristic_seconds > 0
                          ? fmt::format("×{:.2f}", entry.heuristic_seconds / entry.seconds)
                          : std::string();
    const auto split = entry.split_k > 1 ? fmt::format(" split {}", entry.split_k) : std::string();
    terminal.line(fmt::format("  {} {} ms {}  {}{}  {}", left(describe(entry.problem), 34),
                              right(digits(entry.seconds * 1e3), 8), right(gain, 6), entry.kernel, split,
                              entry.date.substr(0, 10)));
  }
}

Result<void> export_file(const std::string& database, const std::string& path) {
  const auto data = load_or_empty(database);
  if (!data) return tl::unexpected(data.error());
  return write_text("--export", path, to_json(*data) + "\n");
}

Result<void> import_file(const std::string& database, const std::string& path) {
  const auto data = load_named("--import", path);
  if (!data) return tl::unexpected(data.error());
  return save_tuning(database, *data);
}

Result<void> merge_files(const std::string& database, const std::vector<std::string>& paths) {
  TuningData all;
  for (const auto& path : paths) {
    const auto data = load_named("--merge", path);
    if (!data) return tl::unexpected(data.error());
    all.merge(*data);
  }
  return add_to_file(database, all);
}

}  // namespace wgemm::cli
