// Takes the preparation of an operand out of a finished plan, so that it is done once for many products.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "wgemm/plan.hpp"

namespace wgemm {
namespace {

bool binds(const Step& step, std::uint32_t buffer) {
  return std::ranges::any_of(step.bindings, [&](const Binding& binding) { return binding.buffer == buffer; });
}

/// What belongs to an operand: itself, and what turns it into numbers.
bool belongs_to(BufferRole role, std::uint32_t operand) {
  constexpr auto kB = static_cast<std::uint32_t>(BufferRole::b);
  return static_cast<std::uint32_t>(role) == operand ||
         (operand == kB && (role == BufferRole::scales || role == BufferRole::zeros));
}

/// The scratch buffer that a step fills from the operand alone.
std::optional<std::uint32_t> filled_from(const Plan& plan, const Step& step, std::uint32_t operand) {
  std::optional<std::uint32_t> filled;
  if ((step.kind != StepKind::transpose && step.kind != StepKind::pad) || !binds(step, operand)) return {};
  for (const auto& binding : step.bindings) {
    const auto role = plan.buffers[binding.buffer].role;
    if (binding.writable && role == BufferRole::scratch && !filled) {
      filled = binding.buffer;
    } else if (binding.writable || (role != BufferRole::constant && !belongs_to(role, operand))) {
      return {};
    }
  }
  return filled;
}

/// The only step that touches the operand, if it is one that prepares it, and the only one that writes to
/// where.
std::optional<std::size_t> preparation(const Plan& plan, std::uint32_t operand) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    if (!binds(plan.steps[i], operand)) continue;
    if (found || !filled_from(plan, plan.steps[i], operand)) return {};
    found = i;
  }
  if (!found) return {};
  const auto filled = filled_from(plan, plan.steps[*found], operand).value_or(0);
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    for (const auto& binding : plan.steps[i].bindings) {
      if (i != *found && binding.buffer == filled && binding.writable) return {};
    }
  }
  return found;
}

/// Everything that decides what the step writes.
std::string layout_text(const Plan& plan, const Step& step, std::uint32_t filled) {
  std::string text =
      plan.shaders[step.shader].label + " into " + std::to_string(plan.buffers[filled].bytes) + " bytes:";
  for (const auto& dispatch : step.dispatches) {
    using Words = std::span<const std::uint32_t>;
    for (const auto words : {Words(dispatch.uniforms), Words(dispatch.workgroups)}) {
      for (const auto word : words) text += " " + std::to_string(word);
    }
    text += ';';
  }
  for (const auto& binding : step.bindings) {
    if (plan.buffers[binding.buffer].role != BufferRole::constant) continue;
    for (const auto word : plan.buffers[binding.buffer].words) text += " " + std::to_string(word);
  }
  return text;
}

void rename(Plan& plan, std::uint32_t from, std::uint32_t to) {
  for (auto& step : plan.steps) {
    for (auto& binding : step.bindings) {
      if (binding.buffer == from) binding.buffer = to;
    }
  }
}

/// Without the shaders and the buffers behind the caller's that no step needs any more.
void drop_unused(Plan& plan) {
  for (std::size_t i = plan.shaders.size(); i-- > 0;) {
    if (std::ranges::any_of(plan.steps, [&](const Step& step) { return step.shader == i; })) continue;
    plan.shaders.erase(plan.shaders.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& step : plan.steps) step.shader -= step.shader > i ? 1 : 0;
  }
  for (auto i = static_cast<std::uint32_t>(plan.buffers.size()); i-- > kCallerBuffers;) {
    if (std::ranges::any_of(plan.steps, [&](const Step& step) { return binds(step, i); })) continue;
    plan.buffers.erase(plan.buffers.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& step : plan.steps) {
      for (auto& binding : step.bindings) binding.buffer -= binding.buffer > i ? 1 : 0;
    }
  }
}

}  // namespace

SplitPlan split_operand(const Plan& plan, Matrix operand) {
  const auto role = operand == Matrix::a ? BufferRole::a : BufferRole::b;
  const auto given = static_cast<std::uint32_t>(role);
  constexpr auto kC = static_cast<std::uint32_t>(BufferRole::c);
  SplitPlan split{plan, plan};
  const auto at = preparation(plan, given);
  if (!at) {
    split.prepare.steps.clear();
    drop_unused(split.prepare);
    return split;
  }
  const auto& step = plan.steps[*at];
  const auto filled = filled_from(plan, step, given).value_or(0);
  const auto& scratch = plan.buffers[filled];

  split.prepare.steps = {step};
  for (std::uint32_t i = 0; i < kCallerBuffers; ++i) {
    if (!belongs_to(plan.buffers[i].role, given)) split.prepare.buffers[i].bytes = 0;
    if (i != given && belongs_to(plan.buffers[i].role, given)) split.use.buffers[i].bytes = 0;
  }
  split.prepare.buffers[kC].bytes = scratch.bytes;
  rename(split.prepare, filled, kC);
  split.prepare.traffic = {};

  split.use.steps.erase(split.use.steps.begin() + static_cast<std::ptrdiff_t>(*at));
  split.use.buffers[given].bytes = scratch.bytes;
  split.use.buffers[given].layout = layout_text(plan, step, filled);
  rename(split.use, filled, given);
  drop_unused(split.prepare);
  drop_unused(split.use);
  return split;
}

}  // namespace wgemm
