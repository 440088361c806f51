#include "core/json/check_plan.hpp"

#include <string>

#include "core/caller_buffers.hpp"
#include "core/checking/plan_references.hpp"

namespace wgemm::json {
namespace {

tl::unexpected<Error> wrong(const std::string& where, const std::string& why) {
  return fail(ErrorCode::invalid_argument, where, "plan: '" + where + "' " + why);
}

Result<void> check_buffers(const Plan& plan) {
  if (plan.buffers.size() < kCallerBuffers) {
    return wrong("buffers", "has " + std::to_string(plan.buffers.size()) + " entries; the first " +
                                std::to_string(kCallerBuffers) + " are the caller's");
  }
  const auto needed = caller_bytes(plan.problem);
  const bool prepared_b = takes_prepared_b(plan);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const auto& [role, bytes, words, layout] = plan.buffers[i];
    const auto where = "buffers[" + std::to_string(i) + "]";
    const bool own = static_cast<std::size_t>(role) >= kCallerBuffers;
    if (own == (i < kCallerBuffers) || (!own && static_cast<std::size_t>(role) != i)) {
      return wrong(where + ".role", "is '" + std::string(to_string(role)) +
                                        "'; the caller's come first, each once, in the order of BufferRole");
    }
    if (bytes % 4 != 0) return wrong(where + ".bytes", "is no multiple of 4");
    const bool replaced = prepared_b && (role == BufferRole::scales || role == BufferRole::zeros);
    if (replaced && bytes != 0) return wrong(where + ".bytes", "is not 0; the prepared B holds numbers");
    if (!own && layout.empty() && !replaced && bytes != (needed.at(i) + 3) / 4 * 4) {
      return wrong(where + ".bytes", "is " + std::to_string(bytes) + "; the problem's buffer has " +
                                         std::to_string(needed.at(i)));
    }
    if (role == BufferRole::constant && words.size() * 4 != bytes) {
      return wrong(where + ".words", "does not fill the constant's bytes");
    }
  }
  return {};
}

}  // namespace

Result<void> check_plan(Plan& plan) {
  if (auto done = check_buffers(plan); !done) return done;
  if (auto done = check_references(plan); !done) return done;
  for (auto& shader : plan.shaders) shader.proven_in_bounds = false;
  return {};
}

}  // namespace wgemm::json
