// The verdict can fail: kernels that are wrong on purpose, each in one way that people have met, are caught
// for the right reason.
#include <gmock/gmock.h>

#include <ostream>
#include <string>

#include "tests/kernels/adapter_test.hpp"
#include "verify/exam.hpp"
#include "verify/guards.hpp"

namespace wgemm::tests {
namespace {

using testing::HasSubstr;

constexpr Shape kShape{13, 10, 37};

struct WrongKernel {
  std::string name;
  std::string before;  ///< part of the right kernel
  std::string after;   ///< what stands there instead
  std::uint64_t gap;   ///< elements between lines
  std::string reason;  ///< part of what the verdict says
};

std::ostream& operator<<(std::ostream& out, const WrongKernel& wrong) { return out << wrong.name; }

/// Right as it stands.
constexpr const char* kRightKernel = R"(
struct Dims { m: u32, n: u32, k: u32, lda: u32, ldb: u32, ldc: u32 }
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> dims: Dims;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.y;
  let col = id.x;
  if (row >= dims.m || col >= dims.n) { return; }
  var sum = 0.0;
  let last = dims.k;
  for (var k = 0u; k < last; k++) { sum += a[row * dims.lda + k] * b[k * dims.ldb + col]; }
  let out = col;
  c[row * dims.ldc + out] = sum;
}
)";

Plan make_wrong_plan(const WrongKernel& wrong) {
  Plan plan;
  plan.kernel = wrong.name;
  plan.problem = make_problem(kShape, all_layouts().front(), wrong.gap, DataType::f32);
  Shader shader;
  shader.label = wrong.name;
  shader.wgsl = kRightKernel;
  if (const auto found = shader.wgsl.find(wrong.before);
      !wrong.before.empty() && found != std::string::npos) {
    shader.wgsl.replace(found, wrong.before.size(), wrong.after);
  } else {
    EXPECT_TRUE(wrong.before.empty()) << "no such part of the kernel: " << wrong.before;
  }
  shader.workgroup_size = {8, 8, 1};
  plan.shaders.push_back(shader);
  const auto& problem = plan.problem;
  const auto m = problem.m;
  const auto n = problem.n;
  const auto k = problem.k;
  plan.buffers = {{BufferRole::a, size_in_bytes(problem.a, m, k)},
                  {BufferRole::b, size_in_bytes(problem.b, k, n)},
                  {BufferRole::c, size_in_bytes(problem.c, m, n)}};
  const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  Step step;
  step.bindings = {{0, 0, false}, {1, 1, false}, {2, 2, true}};
  step.uniform_binding = 3;
  step.dispatches = {{{word(m), word(n), word(k), word(leading_dimension(problem.a, m, k)),
                       word(leading_dimension(problem.b, k, n)), word(leading_dimension(problem.c, m, n))},
                      {2, 2, 1},
                      0}};
  plan.steps.push_back(step);
  return plan;
}

Result<PreparedPlan> prepare(Context& context, const WrongKernel& wrong) {
  auto plan = make_wrong_plan(wrong);
  verify::extend_over_guards(plan, context.profile().limits);
  return context.prepare(plan);
}

Result<verify::Verdict> judge(const WrongKernel& wrong, const verify::VerifyOptions& options = {}) {
  auto& context = *Bench::get().context(Setting::standard);
  auto prepared = prepare(context, wrong);
  if (!prepared) return tl::unexpected(prepared.error());
  return verify::verify(context, *prepared, options);
}

class WrongKernels : public AdapterTest, public testing::WithParamInterface<WrongKernel> {};

TEST_P(WrongKernels, AreCaught) {
  const auto verdict = judge(GetParam());
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_FALSE(verdict->ok);
  EXPECT_THAT(verdict->reason, HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(
    Faults, WrongKernels,
    testing::Values(
        // faults.md 35
        WrongKernel{"drops_the_last_k", "let last = dims.k;", "let last = dims.k - 1u;", 0, "C(0, 0) ="},
        WrongKernel{"doubles_one_k", "let out = col;",
                    "let out = col; sum += a[row * dims.lda + 16u] * b[16u * dims.ldb + col];", 0,
                    "C(0, 0) ="},
        // faults.md 2
        WrongKernel{"writes_one_element_behind_c", "let out = col;",
                    "let out = col; c[(dims.m - 1u) * dims.ldc + dims.n] = 1.0;", 0,
                    "the guard 0 elements behind the end of C was overwritten with 0x3f800000"},
        WrongKernel{"writes_into_a_gap", "let out = col;", "let out = col; c[3u * dims.ldc + dims.n] = 1.0;",
                    2, "the gap 0 elements behind the end of row 3 of C was overwritten"},
        WrongKernel{"leaves_one_element", "let out = col;",
                    "let out = col; if (row == 12u && col == 9u) { return; }", 0,
                    "C(12, 9) still holds the poison: it was not written"},
        WrongKernel{"swaps_two_columns", "let out = col;",
                    "let out = select(select(col, 4u, col == 7u), 7u, col == 4u);", 1, "C(0, 4) ="},
        // faults.md 20
        WrongKernel{"scales_c_by_zero", "= sum;", "= sum + f32(dims.k / 1000u) * c[row * dims.ldc + out];", 0,
                    "C(0, 0)"},
        // faults.md 7
        WrongKernel{"reads_behind_a_row", "let last = dims.k;", "let last = dims.k + 1u;", 1, "C(0, 0)"},
        // faults.md 18
        WrongKernel{"narrows_to_f16", "sum += a[row * dims.lda + k]",
                    // f16's eleven bits of precision; drivers see through unpack2x16float(pack2x16float(…)).
                    "sum += bitcast<f32>(bitcast<u32>(a[row * dims.lda + k]) & 0xffffe000u)", 0,
                    "random inputs: C("}),
    [](const auto& info) { return info.param.name; });

class RightKernel : public AdapterTest {};

TEST_F(RightKernel, OfTheSameTextPasses) {
  for (const std::uint64_t gap : {0, 2}) {
    const auto verdict = judge({"right", "", "", gap, ""});
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_TRUE(verdict->ok) << verdict->reason;
    EXPECT_TRUE(verdict->exact);
    EXPECT_EQ(verdict->compared, kShape.m * kShape.n);
    EXPECT_GT(verdict->error_over_bound, 0);
    EXPECT_LT(verdict->error_over_bound, 1);
  }
}

TEST_F(RightKernel, IsComparedInTheSampledRowsOnly) {
  auto& context = *Bench::get().context(Setting::standard);
  const auto verdict =
      verify::verify(context, make_problem({50, 8, 8}, all_layouts().front(), 0, DataType::f32),
                     {"naive", EdgePolicy::checked}, {.seed = 2, .sampled_rows = 6});
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_TRUE(verdict->ok) << verdict->reason;
  EXPECT_EQ(verdict->compared, 6 * 8);
}

/// Of the rows that are not compared element by element, each is taken in by the identity.
TEST_F(RightKernel, WithAWrongElementInARowThatIsNotSampledIsCaught) {
  const verify::VerifyOptions few{.seed = 1, .sampled_rows = 2};
  const auto right = judge({"right", "", "", 0, ""}, few);
  ASSERT_TRUE(right) << right.error().message;
  EXPECT_TRUE(right->ok) << right->reason;
  EXPECT_TRUE(right->identity);
  EXPECT_EQ(right->compared, 2 * kShape.n);
  for (std::uint64_t row = 0; row < kShape.m; ++row) {
    const auto wrong =
        judge({"adds_one", "let out = col;",
               "let out = col; if (row == " + std::to_string(row) + "u && col == 3u) { sum += 1.0; }", 0, ""},
              few);
    ASSERT_TRUE(wrong) << wrong.error().message;
    EXPECT_FALSE(wrong->ok);
    EXPECT_THAT(wrong->reason, HasSubstr("C(" + std::to_string(row) + ", 3) ="));
  }
}

/// An exam that is kept asks every kernel the same, and no verdict colours the next.
TEST_F(RightKernel, PassesAnExamThatWrongOnesHaveTakenBefore) {
  auto& context = *Bench::get().context(Setting::standard);
  const WrongKernel right{"right", "", "", 0, ""};
  const WrongKernel drops{"drops_the_last_k", "let last = dims.k;", "let last = dims.k - 1u;", 0, ""};
  const WrongKernel adds{"adds_one", "let out = col;", "let out = col; if (row == 5u) { sum += 1.0; }", 0,
                         ""};
  for (const std::uint64_t rows : {0, 2}) {
    verify::Exam exam(make_wrong_plan(right).problem, context.profile().limits, 1, rows,
                      verify::Exam::Keep::yes);
    for (const auto& each : {right, drops, adds, right}) {
      auto prepared = prepare(context, each);
      ASSERT_TRUE(prepared) << prepared.error().message;
      const auto verdict = exam.take(context, *prepared);
      const auto alone = judge(each, {.seed = 1, .sampled_rows = rows});
      ASSERT_TRUE(verdict && alone);
      EXPECT_EQ(verdict->ok, each.name == "right") << verdict->reason;
      EXPECT_EQ(verdict->reason, alone->reason);
      EXPECT_EQ(verdict->error_over_bound, alone->error_over_bound);
      EXPECT_EQ(verdict->compared, alone->compared);
      EXPECT_EQ(verdict->identity, alone->identity);
    }
  }
}

/// A relative fault of one in a hundred thousand is far below tolerances of percents, and above the bound
/// (faults.md 19).
TEST_F(RightKernel, WithASmallRelativeErrorIsCaught) {
  const auto verdict = judge({"scaled", "= sum;", "= sum * 1.00001;", 0, ""});
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_FALSE(verdict->ok);
  EXPECT_FALSE(verdict->exact);
}

}  // namespace
}  // namespace wgemm::tests
