#include "cli/commands/verification.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/report/figures.hpp"
#include "cli/terminal/text.hpp"
#include "verify/verify.hpp"

namespace wgemm::cli {

using Json = nlohmann::ordered_json;

Verification::Verification(Context& context, Terminal& terminal, Settings settings)
    : context_(context), terminal_(terminal), settings_(std::move(settings)) {}

Result<void> Verification::run(const std::vector<Case>& cases) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto& each = cases[i];
    terminal_.status(left(fmt::format("{}/{}", i, cases.size()), 10),
                     static_cast<double>(i) / static_cast<double>(cases.size()),
                     fmt::format("{} {} {}", each.kernel, sizes(each.problem), each.orders));
    if (auto done = judge(each); !done) return done;
  }
  return {};
}

Result<void> Verification::judge(const Case& each) {
  const PlanOptions plan_options{.kernel = each.kernel, .edges = settings_.edges};
  verify::VerifyOptions options;
  options.seed = settings_.seed;
  const auto verdict = verify::verify(context_, each.problem, plan_options, options);
  Json json{{"kernel", each.kernel}, {"shape", sizes(each.problem)}, {"orders", each.orders}};
  if (!verdict) return refuse(each, verdict.error(), std::move(json));
  json["status"] = verdict->ok ? "ok" : "wrong";
  json["reason"] = verdict->reason;
  json["error_over_bound"] = verdict->error_over_bound;
  json["exact"] = verdict->exact;
  json["compared"] = verdict->compared;
  json["reproduce"] = reproduction(each);
  verdicts_.push_back(std::move(json));
  if (verdict->ok) {
    ++count_.passed;
  } else {
    fail(each, verdict->reason);
  }
  return {};
}

Result<void> Verification::refuse(const Case& each, const Error& error, Json json) {
  const bool unsupported = error.code == ErrorCode::unsupported;
  json["status"] = unsupported ? "unsupported" : "failed";
  json["reason"] = error.message;
  verdicts_.push_back(std::move(json));
  if (!unsupported) {
    fail(each, error.message);
  } else {
    ++count_.unsupported;
    // Once for a kernel, not for each shape.
    if (told_.insert(error.message).second) terminal_.line("unsupported: " + error.message);
  }
  if (error.code == ErrorCode::device_lost || error.code == ErrorCode::timeout) return tl::unexpected(error);
  return {};
}

void Verification::fail(const Case& each, const std::string& reason) {
  ++count_.failed;
  const auto what = fmt::format("FAILED {} {} {}: {}", each.kernel, sizes(each.problem), each.orders, reason);
  terminal_.line(terminal_.paint(Colour::red, what));
  terminal_.line("  " + reproduction(each));
}

std::string Verification::reproduction(const Case& each) const {
  auto command = fmt::format("wgemm verify --kernels {} --shapes {} --orders {} --seed {}", each.kernel,
                             sizes(each.problem), each.orders, settings_.seed);
  if (each.problem.a.type == DataType::f16) command += " --type f16";
  if (settings_.edges == EdgePolicy::padded) command += " --edges padded";
  return command + settings_.device;
}

}  // namespace wgemm::cli
