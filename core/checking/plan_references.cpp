#include "core/checking/plan_references.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/text/utf8.hpp"

namespace wgemm {
namespace {

tl::unexpected<Error> wrong(const std::string& where, const std::string& why) {
  return fail(ErrorCode::invalid_argument, where, "plan: '" + where + "' " + why);
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

Result<void> check_shader(const Shader& shader, const std::string& where) {
  for (const auto& [name, text] :
       {std::pair{".label", &shader.label}, {".entry_point", &shader.entry_point}, {".wgsl", &shader.wgsl}}) {
    if (const auto valid = utf8_prefix(*text); valid != text->size()) {
      return wrong(where + name, "is not UTF-8 from byte " + std::to_string(valid) + " on");
    }
  }
  return {};
}

}  // namespace

Result<void> check_references(const Plan& plan) {
  for (std::size_t i = 0; i < plan.shaders.size(); ++i) {
    if (auto done = check_shader(plan.shaders[i], "shaders[" + std::to_string(i) + "]"); !done) return done;
  }
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (auto done = check_step(plan, plan.steps[i], "steps[" + std::to_string(i) + "]"); !done) return done;
  }
  return {};
}

}  // namespace wgemm
