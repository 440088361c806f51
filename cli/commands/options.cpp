#include "cli/commands/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include "cli/commands/command.hpp"
#include "cli/files/new_file.hpp"

namespace wgemm::cli {
namespace {

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// One word of a command line, for a shell.
std::string quoted(const std::string& word) {
  const bool plain =
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,:=") ==
      std::string::npos;
  return plain && !word.empty() ? word : "'" + word + "'";
}

void print_log(Severity severity, std::string_view message) {
  constexpr std::string_view kNames[] = {"info", "warning", "error"};
  fmt::print(stderr, "webgpu {}: {}\n", kNames[static_cast<std::size_t>(severity)], message);
}

}  // namespace

void DeviceOptions::add_to(CLI::App& app) {
  constexpr auto kGroup = "Device";
  app.add_option(
         "--webgpu", webgpu,
         "WebGPU library: dawn, wgpu, or the path of one. Default: the environment variable WGEMM_WEBGPU, "
         "else dawn, else wgpu")
      ->type_name("LIBRARY")
      ->group(kGroup);
  add_choice(app, "--backend", backend, {"vulkan", "metal", "d3d12", "gl"},
             "Graphics interface underneath. Default: the platform's own")
      ->group(kGroup);
  app.add_option(
         "--adapter", adapter,
         "Part of an adapter's name, or its number in `wgemm info`. Default: hardware before software, "
         "discrete before integrated")
      ->type_name("NAME")
      ->group(kGroup);
  add_choice(
      app, "--limits", limits, {"minimum", "adapter"},
      "minimum: run as on a device with the WebGPU specification's minimum limits and no optional features. "
      "Default: adapter, all that it offers")
      ->group(kGroup);
  app.add_flag("--verbose", verbose, "Print what the WebGPU library says, on standard error")->group(kGroup);
}

ContextOptions DeviceOptions::context() const {
  ContextOptions options;
  options.webgpu = webgpu;
  options.backend = backend;
  options.adapter = adapter;
  options.minimum_limits = limits == "minimum";
  if (verbose) options.log = print_log;
  return options;
}

std::string DeviceOptions::typed() const {
  std::string text;
  for (const auto& [name, value] : {std::pair{"--webgpu", webgpu},
                                    {"--backend", backend},
                                    {"--adapter", adapter},
                                    {"--limits", limits}}) {
    if (!value.empty()) text += fmt::format(" {} {}", name, quoted(value));
  }
  return text;
}

void ReportOptions::add_json_to(CLI::App& app) {
  app.add_option("--json", json, "Write the results as JSON to FILE; - is standard output")
      ->type_name("FILE")
      ->group("Reports");
}

void ReportOptions::add_all_to(CLI::App& app) {
  add_json_to(app);
  app.add_option("--csv", csv, "Write one line a row as CSV to FILE; - is standard output")
      ->type_name("FILE")
      ->group("Reports");
  app.add_option("--html", html, "Write a page with charts to FILE, which needs nothing else to be read")
      ->type_name("FILE")
      ->group("Reports");
}

namespace {

/// Whether both name one file, which need not be there yet.
bool is_same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  if (one.empty() || one == "-") return false;
  if (one == other) return true;
  std::error_code error;
  if (fs::equivalent(one, other, error)) return true;
  const auto whole = [&](const std::string& path) { return fs::weakly_canonical(fs::absolute(path), error); };
  return whole(one) == whole(other);
}

}  // namespace

Result<void> ReportOptions::check() const {
  const std::pair<const char*, const std::string*> reports[] = {
      {"--json", &json}, {"--csv", &csv}, {"--html", &html}};
  std::string on_output;
  for (const auto& [name, path] : reports) {
    if (path->empty()) continue;
    if (*path != "-") {
      for (const auto& [other, taken] : reports) {
        if (other == name) break;
        if (!is_same_file(*taken, *path)) continue;
        return fail(
            ErrorCode::invalid_argument, name,
            fmt::format("{} and {} both write '{}'; give each a file of its own", other, name, *path));
      }
      if (auto done = check_writable(name, *path); !done) return done;
      continue;
    }
    if (!on_output.empty()) {
      return fail(ErrorCode::invalid_argument, name,
                  fmt::format("{} - and {} - both ask for standard output; give one of them a file",
                              on_output, name));
    }
    on_output = name;
  }
  return {};
}

std::FILE* ReportOptions::stream() const {
  return json == "-" || csv == "-" || html == "-" ? stderr : stdout;
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const auto check = [=](const std::string& text) {
    const auto value = parse_number(text);
    if (value && *value >= least && *value <= most) return std::string();
    if (most == std::numeric_limits<std::uint64_t>::max()) {
      return fmt::format("'{}' is no whole number of at least {}", text, least);
    }
    return fmt::format("'{}' is no whole number from {} to {}", text, least, most);
  };
  return {check, ""};
}

CLI::Validator one_of(std::vector<std::string> words) {
  const auto check = [words = std::move(words)](const std::string& text) {
    if (std::ranges::find(words, text) != words.end()) return std::string();
    return fmt::format("'{}' is none of {}", text, fmt::join(words, ", "));
  };
  return {check, ""};
}

CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& target,
                        const std::vector<std::string>& words, const std::string& description) {
  return app.add_option(name, target, description)
      ->check(one_of(words))
      ->type_name(fmt::format("{}", fmt::join(words, "|")));
}

CLI::Validator orders_check(bool or_all) {
  const auto check = [or_all](const std::string& text) {
    Problem ignored;
    if (set_orders(ignored, text) || (or_all && text == "all")) return std::string();
    return fmt::format("'{}' is no triple of orders; a letter each for A, B and C, r or c: rrr, rcr, …{}",
                       text, or_all ? ", or all" : "");
  };
  return {check, ""};
}

Result<std::string> find_kernel(const std::string& option, const std::string& name) {
  auto found = canonical_kernel_name(name);
  if (found) return found;
  return fail(ErrorCode::invalid_argument, option, option + ": " + found.error().message);
}

std::optional<Problem> parse_shape(std::string_view text) {
  Problem problem;
  for (auto* size : {&problem.m, &problem.n, &problem.k}) {
    const auto end = size == &problem.k ? text.size() : text.find('x');
    if (end == std::string_view::npos) return std::nullopt;
    const auto value = parse_number(text.substr(0, end));
    if (!value || *value == 0) return std::nullopt;
    *size = *value;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return problem;
}

CLI::Validator shape_check() {
  const auto check = [](const std::string& text) {
    if (parse_shape(text)) return std::string();
    return fmt::format("'{}' is no shape; three sizes of at least 1: 17x33x5 (m, n, k)", text);
  };
  return {check, ""};
}

bool set_orders(Problem& problem, std::string_view letters) {
  const std::array<MatrixLayout*, 3> layouts{&problem.a, &problem.b, &problem.c};
  if (letters.size() != layouts.size() || letters.find_first_not_of("rc") != std::string_view::npos)
    return false;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    layouts.at(i)->order = letters[i] == 'r' ? Order::row_major : Order::col_major;
  }
  return true;
}

int report(const Error& error) {
  fmt::print(stderr, "wgemm: error: {}\n", error.message);
  const bool typed_wrong = error.code == ErrorCode::invalid_argument && error.argument.starts_with("--");
  return typed_wrong ? kUsage : kFailure;
}

int report_usage(std::string_view message) {
  fmt::print(stderr, "wgemm: error: {}\n", message);
  return kUsage;
}

}  // namespace wgemm::cli
