// Judges products that another executor runs: draws the fuzzer's problems, hands out their operands, takes C
// back and compares it with the float64 reference, as `wgemm verify --fuzz` does with what the native
// executor computes.
//   web_judge SEED GROUPS CASES_OF_A_GROUP
// On standard input first the device profile, then an answer to each problem; on standard output the
// problems, each judged before the next:
//   problem: {"name", "text", "problem", "profile", "options", "memory_cap", "runs": 2, "bytes": [of a, b,
//     c, bias, …]} and the bytes of the operands, those of the first run before those of the second. With a
//     memory_cap above 0 the product is to pass through so many bytes of the device in panels, from arrays.
//   answer: {"kernel"} and the bytes of C, run by run; or, refused, {"error": {"code", "argument",
//     "message"}}
//   verdict: {"fault": ""} or what is wrong; {"refused": argument} where that was right
#include <charconv>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/checking/rows.hpp"
#include "core/json/plan_fields.hpp"
#include "core/json/profile_fields.hpp"
#include "tests/web/exchange.hpp"
#include "verify/fuzz/draw.hpp"
#include "verify/fuzz/forced_limits.hpp"
#include "verify/fuzz/fuzzer.hpp"
#include "verify/fuzz/refusals.hpp"
#include "verify/host_problem.hpp"
#include "verify/inputs.hpp"
#include "verify/judge.hpp"
#include "wgemm/planner.hpp"

namespace {

namespace fuzz = wgemm::verify::fuzz;
using wgemm::BufferRole;
using wgemm::DeviceProfile;
using wgemm::verify::HostProblem;
using wgemm::verify::Numbers;
using wgemm::web::Json;

/// Of so many groups, the large problems of one pass through the device in panels.
constexpr std::uint64_t kPanelGroups = 4;

Json options_of(const wgemm::PlanOptions& options) {
  return {{"kernel", options.kernel},
          {"edges", options.edges == wgemm::EdgePolicy::padded ? "padded" : "checked"},
          {"split_k", options.split_k},
          {"scratch_cap", options.scratch_cap},
          {"max_dispatch_flops", options.max_dispatch_flops},
          {"dequantise", options.dequantise}};
}

/// Draws nothing itself: tells a case, listens, judges.
class Judge {
 public:
  explicit Judge(DeviceProfile profile) : profile_(std::move(profile)) {}

  /// The judged case: in panels where `memory_cap` is not 0. Whether to go on.
  bool judge(const std::string& name, const fuzz::Case& each, std::uint64_t memory_cap) {
    const auto limited = fuzz::limited(profile_, each);
    const auto largest = wgemm::verify::largest_operand(profile_.limits);
    const std::vector<HostProblem> runs = {
        wgemm::verify::make_inputs(each.problem, Numbers::uniform, each.seed, largest),
        wgemm::verify::make_inputs(each.problem, Numbers::integers, each.seed, largest)};
    tell(name, each, limited, memory_cap, runs);
    const auto answer = wgemm::web::read_line();
    if (!answer) return false;
    if (memory_cap != 0) return judge_panels(each, *answer, runs);
    const auto plan = wgemm::make_plan(each.problem, limited, each.options, nullptr);
    if (const auto refusal = answer->find("error"); refusal != answer->end()) {
      wgemm::web::write_line(judge_refusal(each, limited, plan, *refusal));
      return true;
    }
    const auto results = read_results(runs);
    if (!results) return false;
    auto fault = fault_of_plan(limited, plan, *answer);
    if (fault.empty()) fault = fault_of(each, runs, *results);
    wgemm::web::write_line({{"fault", fault}});
    return true;
  }

 private:
  using Results = std::vector<std::vector<std::byte>>;

  static bool judge_panels(const fuzz::Case& each, const Json& answer, const std::vector<HostProblem>& runs) {
    if (answer.contains("error")) {
      wgemm::web::write_line({{"fault", "refused in panels: " + answer.dump()}});
      return true;
    }
    const auto results = read_results(runs);
    if (!results) return false;
    wgemm::web::write_line({{"fault", fault_of(each, runs, *results)}});
    return true;
  }

  static std::optional<Results> read_results(const std::vector<HostProblem>& runs) {
    Results results;
    results.reserve(runs.size());
    for (const auto& given : runs) {
      results.emplace_back(given[BufferRole::c].size());
      if (!wgemm::web::read_bytes(results.back())) return std::nullopt;
    }
    return results;
  }

  static void tell(const std::string& name, const fuzz::Case& each, const DeviceProfile& profile,
                   std::uint64_t memory_cap, const std::vector<HostProblem>& runs) {
    Json bytes = Json::array();
    for (const auto& buffer : runs.front().buffers) bytes.push_back(buffer.size());
    wgemm::web::write_line({{"name", name},
                            {"text", fuzz::describe(each)},
                            {"problem", wgemm::json::Writer::of(each.problem)},
                            {"profile", wgemm::json::Writer::of(profile)},
                            {"options", options_of(each.options)},
                            {"memory_cap", memory_cap},
                            {"runs", runs.size()},
                            {"bytes", bytes}});
    for (const auto& given : runs) {
      for (const auto& buffer : given.buffers) wgemm::web::write_bytes(buffer);
    }
  }

  /// The other side's planner must refuse what ours does, for the same reason, and it must be a right one.
  static Json judge_refusal(const fuzz::Case& each, const DeviceProfile& profile,
                            const wgemm::Result<wgemm::Plan>& plan, const Json& refusal) {
    const auto text = "refused: " + refusal.dump();
    if (plan) return {{"fault", text + "; the native planner makes " + plan->kernel}};
    const auto& error = plan.error();
    // Not by the argument, which is a path of the request there.
    const bool same =
        refusal.value("code", "") == to_string(error.code) && refusal.value("message", "") == error.message;
    if (!same)
      return {{"fault", text + "; natively " + std::string(to_string(error.code)) + ": " + error.message}};
    if (!fuzz::is_right_refusal(each, profile, error)) return {{"fault", text}};
    return {{"refused", error.argument}};
  }

  static std::string fault_of_plan(const DeviceProfile& profile, const wgemm::Result<wgemm::Plan>& plan,
                                   const Json& answer) {
    if (!plan) return "planned, where the native planner refuses: " + plan.error().message;
    if (answer.value("kernel", "") != plan->kernel) {
      return "planned " + answer.dump() + "; natively " + plan->kernel;
    }
    return fuzz::passed_limit(*plan, profile.limits);
  }

  static std::string fault_of(const fuzz::Case& each, const std::vector<HostProblem>& runs,
                              const Results& results) {
    const auto rows = wgemm::checking::sample_rows(each.problem.m, 0, each.seed);
    const auto bounded = judge_bound(runs.front(), results.front(), rows);
    if (!bounded.fault.empty()) return "random inputs: " + bounded.fault;
    const auto exact = judge_exact(runs.back(), results.back(), rows);
    if (!exact.fault.empty()) return "small integers: " + exact.fault;
    const auto all = each.problem.m * each.problem.n * each.problem.batch.count();
    if (bounded.compared != all || exact.compared != all) {
      return std::to_string(bounded.compared) + " of " + std::to_string(all) + " elements were compared";
    }
    return {};
  }

  DeviceProfile profile_;
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

int main(int count, char** arguments) {
  std::vector<std::uint64_t> numbers;
  for (int i = 1; i < count; ++i) {
    if (const auto value = number(arguments[i])) numbers.push_back(*value);
  }
  if (count != 4 || numbers.size() != 3) {
    std::cerr << "web_judge SEED GROUPS CASES_OF_A_GROUP\n";
    return 2;
  }
  const auto text = wgemm::web::read_line();
  if (!text) return 2;
  auto profile = wgemm::profile_from_json(text->dump());
  if (!profile) {
    std::cerr << profile.error().message << '\n';
    return 2;
  }
  // Where there are no matrix units, they are emulated lane by lane.
  if (profile->matrix_configs.empty()) profile->matrix_dialect = wgemm::MatrixDialect::emulated;
  const auto kernels = fuzz::small_kernels(*profile, {});
  Judge judge(*profile);
  for (std::uint64_t group = 0; group < numbers[1]; ++group) {
    const auto drawn = fuzz::draw_group(kernels, numbers[0], group);
    for (std::uint64_t index = 0; index < numbers[2]; ++index) {
      const auto each = fuzz::draw_case(drawn, numbers[0], group, index);
      const auto name =
          std::to_string(numbers[0]) + ":" + std::to_string(group) + "." + std::to_string(index);
      const auto cap = group % kPanelGroups == kPanelGroups - 1
                           ? fuzz::forced_memory_cap(each.problem, profile->limits)
                           : 0;
      if (!judge.judge(name, each, cap)) return 1;
    }
  }
  return 0;
}
