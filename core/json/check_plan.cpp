#include "core/json/check_plan.hpp"

#include <algorithm>
#include <string>

#include "core/caller_buffers.hpp"

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
  const bool prepared_b = !plan.buffers[static_cast<std::size_t>(BufferRole::b)].layout.empty();
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

Result<void> check_bindings(const Plan& plan, const Step& step, const std::string& where) {
  for (std::size_t i = 0; i < step.bindings.size(); ++i) {
    const auto& binding = step.bindings[i];
    const auto each = where + ".bindings[" + std::to_string(i) + "]";
    if (binding.buffer >= plan.buffers.size()) return wrong(each + ".buffer", "is no buffer of the plan");
    const auto bytes = plan.buffers[binding.buffer].bytes;
    if (binding.offset > bytes || binding.bytes > bytes - binding.offset || binding.bytes % 4 != 0 ||
        bound_bytes(plan, binding) == 0) {
      return wrong(each, "reaches beyond its buffer of " + std::to_string(bytes) + " bytes");
    }
    const auto role = plan.buffers[binding.buffer].role;
    if (binding.writable && role != BufferRole::c && role != BufferRole::scratch) {
      return wrong(each + ".writable", "is set for an input");
    }
    const auto same = [&](const Binding& other) { return other.index == binding.index; };
    if (std::ranges::count_if(step.bindings, same) != 1 || binding.index == step.uniform_binding) {
      return wrong(each + ".index", "is used twice");
    }
  }
  return {};
}

Result<void> check_step(const Plan& plan, const Step& step, const std::string& where) {
  if (step.shader >= plan.shaders.size()) return wrong(where + ".shader", "is no shader of the plan");
  if (auto done = check_bindings(plan, step, where); !done) return done;
  for (const auto& dispatch : step.dispatches) {
    if (dispatch.batch_word != 0 && dispatch.batch_word >= dispatch.uniforms.size()) {
      return wrong(where + ".dispatches", "has a batch word behind its uniforms");
    }
  }
  return {};
}

}  // namespace

Result<void> check_plan(Plan& plan) {
  if (auto done = check_buffers(plan); !done) return done;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (auto done = check_step(plan, plan.steps[i], "steps[" + std::to_string(i) + "]"); !done) return done;
  }
  for (auto& shader : plan.shaders) shader.proven_in_bounds = false;
  return {};
}

}  // namespace wgemm::json
