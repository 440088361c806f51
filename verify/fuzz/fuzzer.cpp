#include "verify/fuzz/fuzzer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "verify/fuzz/forced_limits.hpp"
#include "verify/fuzz/refusals.hpp"
#include "verify/fuzz/simplify.hpp"
#include "verify/guards.hpp"
#include "verify/verify.hpp"

namespace wgemm::verify::fuzz {
namespace {

constexpr std::size_t kKeptFailures = 20;
constexpr std::size_t kShrinkTrials = 60;

bool ends_all(const Error& error) {
  return error.code == ErrorCode::device_lost || error.code == ErrorCode::timeout;
}

/// "12" of "12.34", which then holds "34".
std::optional<std::uint64_t> take_number(std::string_view& text, char end) {
  std::uint64_t value = 0;
  const auto [last, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(last - text.data()));
  if (end == '\0') return value;
  if (text.empty() || text.front() != end) return std::nullopt;
  text.remove_prefix(1);
  return value;
}

}  // namespace

std::uint64_t Tally::refusals() const {
  return std::accumulate(refused.begin(), refused.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const auto& entry) { return sum + entry.second; });
}

std::uint64_t Tally::count() const { return passed + failed + refusals(); }

Fuzzer::Fuzzer(Context& context, Options options)
    : context_(context), options_(std::move(options)), profile_(context.profile()) {
  // Where there are no matrix units, they are emulated lane by lane.
  if (profile_.matrix_configs.empty()) profile_.matrix_dialect = MatrixDialect::emulated;
  kernels_ = small_kernels(profile_, options_.kernels);
}

Result<void> Fuzzer::run_group(std::uint64_t number, std::uint64_t cases) {
  if (kernels_.empty()) {
    return fail(ErrorCode::unsupported, "kernels",
                fmt::format("'{}' cannot run any of {}", profile_.name, fmt::join(options_.kernels, ", ")));
  }
  const auto group = draw_group(kernels_, options_.seed, number);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const auto each = draw_case(group, options_.seed, number, i);
    if (auto done = count(each, fmt::format("{}:{}.{}", options_.seed, number, i), true); !done) return done;
  }
  return {};
}

Result<void> Fuzzer::replay(std::string_view name) {
  const auto wrong = [&] {
    return fail(ErrorCode::invalid_argument, "--replay",
                fmt::format("'{}' is no case; seed:group.case, and behind a + each step, as a failure prints "
                            "it: 7:12.34+no-batch",
                            name));
  };
  auto rest = name;
  const auto seed = take_number(rest, ':');
  const auto number = take_number(rest, '.');
  const auto index = take_number(rest, '\0');
  if (!seed || !number || !index || kernels_.empty()) return wrong();
  auto each = draw_case(draw_group(kernels_, *seed, *number), *seed, *number, *index);
  while (!rest.empty()) {
    if (rest.front() != '+') return wrong();
    rest.remove_prefix(1);
    const auto end = std::min(rest.find('+'), rest.size());
    if (!simplify(each, rest.substr(0, end))) return wrong();
    rest.remove_prefix(end);
  }
  return count(each, std::string(name), false);
}

Result<Fuzzer::Outcome> Fuzzer::judge(const Case& each) {
  const auto profile = limited(profile_, each);
  auto plan = make_plan(each.problem, profile, each.options, nullptr);
  if (!plan) {
    const auto& error = plan.error();
    if (is_right_refusal(each, profile, error)) return Outcome{{}, error.argument};
    return Outcome{fmt::format("refused: {} ({}, {})", error.message, to_string(error.code), error.argument),
                   {}};
  }
  if (auto passed = passed_limit(*plan, profile.limits); !passed.empty()) {
    return Outcome{std::move(passed), {}};
  }
  // Each step has a bind group. On lavapipe Dawn's are mappings of a page each, of which a process has
  // 65,530: beyond them the driver writes to an address that it was never given.
  constexpr std::size_t kMostSteps = 8192;
  if (plan->steps.size() > kMostSteps) return Outcome{{}, "steps"};
  extend_over_guards(*plan, context_.profile().limits);
  auto prepared = context_.prepare(*plan);
  const auto verdict = prepared ? verify(context_, *prepared, {.seed = each.seed})
                                : Result<Verdict>(tl::unexpected(prepared.error()));
  if (!verdict) {
    if (ends_all(verdict.error())) return tl::unexpected(verdict.error());
    return Outcome{fmt::format("{}: {}", to_string(verdict.error().code), verdict.error().message), {}};
  }
  const auto all = each.problem.m * each.problem.n * each.problem.batch.count();
  if (verdict->ok && verdict->compared != all) {
    return Outcome{fmt::format("{} of {} elements were compared", verdict->compared, all), {}};
  }
  tally_.kernels.insert(plan->kernel);
  for (const auto& shader : plan->shaders) tally_.texts.insert(std::hash<std::string>()(shader.wgsl));
  return Outcome{verdict->reason, {}};
}

Result<void> Fuzzer::count(const Case& each, std::string name, bool shrink) {
  auto outcome = judge(each);
  if (!outcome) return tl::unexpected(outcome.error());
  if (!outcome->argument.empty()) {
    ++tally_.refused[outcome->argument];
    return {};
  }
  if (outcome->fault.empty()) {
    ++tally_.passed;
    return {};
  }
  ++tally_.failed;
  if (tally_.failures.size() == kKeptFailures) return {};
  auto smallest = each;
  if (shrink && tally_.failures.size() < 3) {
    const auto fails = [&](const Case& candidate) {
      const auto again = judge(candidate);
      return again && !again->fault.empty();
    };
    for (const auto& step : simplify_while(smallest, fails, kShrinkTrials)) name += "+" + step;
    if (const auto again = judge(smallest); again && !again->fault.empty()) outcome->fault = again->fault;
  }
  tally_.failures.push_back({std::move(name), describe(smallest), outcome->fault});
  return {};
}

std::string describe(const Case& each) {
  const auto& problem = each.problem;
  auto text = fmt::format("'{}' on {}", each.options.kernel, wgemm::describe(problem));
  for (const auto& [name, layout] : {std::pair{"a", &problem.a}, {"b", &problem.b}, {"c", &problem.c}}) {
    if (layout->ld != 0) text += fmt::format(" ld{} {}", name, layout->ld);
    if (layout->offset != 0) text += fmt::format(" offset_{} {}", name, layout->offset);
  }
  if (problem.epilogue.add_residual) {
    text += fmt::format(" residual {} ld {} offset {}", to_string(problem.epilogue.residual.order),
                        problem.epilogue.residual.ld, problem.epilogue.residual.offset);
  }
  const auto& batch = problem.batch;
  if (batch.rank > 0) {
    text += fmt::format(" strides a {} b {} c {} residual {}", batch.a, batch.b, batch.c, batch.residual);
  }
  if (each.options.split_k != 1) text += fmt::format(" split_k {}", each.options.split_k);
  if (each.options.edges == EdgePolicy::padded) text += " padded";
  if (each.options.dequantise) text += " dequantised first";
  if (each.workgroups_per_dimension != 0) {
    text += fmt::format(" at most {} workgroups a dimension", each.workgroups_per_dimension);
  }
  if (each.binding_bytes != 0) text += fmt::format(" at most {} bytes bound", each.binding_bytes);
  return text;
}

}  // namespace wgemm::verify::fuzz
