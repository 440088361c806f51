// A plan is data: shader texts, buffers, and the dispatches that carry a product out. Making one touches no
// GPU, and whoever can create a WebGPU pipeline can carry one out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

/// Where the memory of a plan's buffer comes from. A constant is filled by the executor once, with the plan's
/// own words; scratch is the executor's, and holds nothing between runs; all others are the caller's.
enum class BufferRole : std::uint8_t { a, b, c, bias, residual, scales, zeros, constant, scratch };

/// The caller's buffers are the first of every plan, in the order of BufferRole.
constexpr std::size_t kCallerBuffers = 7;

struct PlanBuffer {
  BufferRole role = BufferRole::scratch;
  std::uint64_t bytes = 0;           ///< at least; a multiple of 4; 0 where no step touches it
  std::vector<std::uint32_t> words;  ///< of a constant
  /// Of an operand that is given prepared (split_operand): how its elements lie, as the text that only the
  /// same preparation has. Empty: as the problem says.
  std::string layout;
};

struct Shader {
  std::string label;  ///< kernel, parameters and operand variant; the same label means the same text
  std::string wgsl;
  std::string entry_point = "main";
  std::array<std::uint32_t, 3> workgroup_size{1, 1, 1};
  bool needs_f16 = false;
  bool needs_subgroups = false;
  bool needs_subgroup_matrix = false;
  /// Every memory access is in bounds for every problem that the planner lets reach it, so that a device may
  /// run it without the bounds checks that a WebGPU library adds ("unchecked shaders").
  bool proven_in_bounds = false;
};

struct Binding {
  std::uint32_t index = 0;   ///< @binding(index) in group 0
  std::uint32_t buffer = 0;  ///< index into Plan::buffers
  bool writable = false;
  /// The part of the buffer that is bound: a multiple of minStorageBufferOffsetAlignment, and its size; 0
  /// means up to the buffer's end (as PlanBuffer::bytes says).
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// One dispatch: the words of its uniform block and its number of workgroups.
struct Dispatch {
  std::vector<std::uint32_t> uniforms;  ///< in the order of the shader's uniform block
  std::array<std::uint32_t, 3> workgroups{1, 1, 1};
  /// Index of the uniform word that says at which product of a batch the dispatch starts; 0 where there is no
  /// batch.
  std::size_t batch_word = 0;
};

/// reduce: adds the results of parts of k, crops whole tiles to C, applies the epilogue.
enum class StepKind : std::uint8_t { multiply, transpose, pad, reduce };

struct Step {
  StepKind kind = StepKind::multiply;
  std::uint32_t shader = 0;           ///< index into Plan::shaders
  std::vector<Binding> bindings;      ///< storage buffers
  std::uint32_t uniform_binding = 0;  ///< @binding of the uniform block in group 0
  std::vector<Dispatch> dispatches;   ///< in order; together they cover C exactly once
  /// Floating-point operations that a workgroup does at most, or what it takes in their place to move
  /// elements: what split_dispatches goes by.
  double workgroup_flops = 0;
};

/// Bytes and operations that the plan's kernel asks for, counted from its tiles. A cache may serve part of
/// the bytes.
struct Traffic {
  double flops = 0;         ///< 2 m n k
  double global_bytes = 0;  ///< read and written in storage buffers by the multiply step, tiles rounded up
  double compulsory_bytes = 0;  ///< each element of A, B and C once: what no kernel can do without
  [[nodiscard]] double intensity() const { return global_bytes > 0 ? flops / global_bytes : 0; }
  [[nodiscard]] double best_intensity() const { return compulsory_bytes > 0 ? flops / compulsory_bytes : 0; }
};

struct Plan {
  std::string kernel;  ///< full name of the kernel, as canonical_kernel_name gives it
  Problem problem;
  std::vector<Shader> shaders;
  std::vector<PlanBuffer> buffers;
  std::vector<Step> steps;
  Traffic traffic;
  std::uint32_t split_k = 1;  ///< parts into which k was cut, their results added up at the end
};

/// Bytes that a binding of the plan makes visible to a shader.
std::uint64_t bound_bytes(const Plan& plan, const Binding& binding);

std::string_view to_string(StepKind kind);
std::string_view to_string(BufferRole role);

/// The plan as JSON text with a version, shaders included.
std::string to_json(const Plan& plan);

/// A plan from its JSON text, to be carried out as the one that was written; only Shader::proven_in_bounds is
/// false then, for the text vouches for nothing. Errors: unsupported (another version), invalid_argument (no
/// plan, or one that refers to what is not there; the argument is the field's path: "steps[0].shader").
Result<Plan> plan_from_json(std::string_view text);

/// A plan in two: what can be done with one operand alone, once, and the rest, many times.
struct SplitPlan {
  /// From the operand, in its own role, into a prepared one, in the role of C. Without steps where the kernel
  /// takes the operand as it lies: then it is its own preparation.
  Plan prepare;
  /// The product, with the prepared operand in the role of the operand; PlanBuffer::layout says that it is.
  Plan use;
};

/// Takes the steps that transpose, pad or convert A or B out of a plan; those that dequantise B take its
/// scales and zero points with them. Whatever the planner does to the operand in several pieces, or needs as
/// it lies beside, stays in the plan.
SplitPlan split_operand(const Plan& plan, Matrix operand);

/// Cuts every step so that no dispatch does more than `max_flops` (never less than one workgroup): long
/// dispatches trip the watchdogs of drivers. Copies and sums of parts count by what they move.
void split_dispatches(Plan& plan, double max_flops);

}  // namespace wgemm
