#include <string_view>

#include "c/objects.hpp"
#include "c/problem.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::c {
namespace {

/// A built-in profile by name, or a profile's JSON.
Result<DeviceProfile> profile_of(const char* profile) {
  if (profile == nullptr) return null_argument("profile");
  const std::string_view text = profile;
  return text.find('{') == std::string_view::npos ? find_profile(text) : profile_from_json(text);
}

void keep(Plan plan, wgemm_plan** out) {
  auto kept = std::make_unique<wgemm_plan>();
  kept->json = to_json(plan);
  kept->plan = std::move(plan);
  *out = kept.release();
}

}  // namespace
}  // namespace wgemm::c

using wgemm::Result;
using namespace wgemm::c;

wgemm_status wgemm_operand_bytes(const wgemm_problem* given, uint64_t* a, uint64_t* b, uint64_t* c,
                                 uint64_t* bias, uint64_t* residual, uint64_t* scales, uint64_t* zeros,
                                 wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    const auto problem = problem_of(given);
    if (!problem) return tl::unexpected(problem.error());
    if (auto done = validate(*problem); !done) return in_terms_of_c(std::move(done));
    const auto fill = [](uint64_t* target, uint64_t value) {
      if (target != nullptr) *target = value;
    };
    fill(a, buffer_bytes(*problem, wgemm::Matrix::a));
    fill(b, buffer_bytes(*problem, wgemm::Matrix::b));
    fill(c, buffer_bytes(*problem, wgemm::Matrix::c));
    fill(bias, size_of(problem->epilogue.bias_type, bias_length(*problem)));
    fill(residual, buffer_bytes(*problem, wgemm::Matrix::residual));
    fill(scales, scales_bytes(*problem));
    fill(zeros, zeros_bytes(*problem));
    return {};
  });
}

wgemm_status wgemm_plan_create(const wgemm_problem* given, const char* profile,
                               const wgemm_plan_options* options, wgemm_plan** plan, wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (plan == nullptr) return null_argument("plan");
    const auto problem = problem_of(given);
    if (!problem) return tl::unexpected(problem.error());
    const auto device = profile_of(profile);
    if (!device) return tl::unexpected(device.error());
    auto made = make_plan(*problem, *device, options_of(options));
    if (!made) return tl::unexpected(in_terms_of_c(std::move(made.error())));
    keep(std::move(*made), plan);
    return {};
  });
}

wgemm_status wgemm_plan_from_json(const char* text, wgemm_plan** plan, wgemm_error** error) {
  return guarded(error, [&]() -> Result<void> {
    if (text == nullptr) return null_argument("text");
    if (plan == nullptr) return null_argument("plan");
    auto read = wgemm::plan_from_json(text);
    if (!read) return tl::unexpected(read.error());
    keep(std::move(*read), plan);
    return {};
  });
}

const char* wgemm_plan_json(const wgemm_plan* plan) { return plan != nullptr ? plan->json.c_str() : ""; }

const char* wgemm_plan_kernel(const wgemm_plan* plan) {
  return plan != nullptr ? plan->plan.kernel.c_str() : "";
}

void wgemm_plan_free(wgemm_plan* plan) { delete plan; }
