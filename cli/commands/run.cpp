// wgemm run: the product of two NumPy files.
#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "cli/commands/command.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/run_check.hpp"
#include "cli/files/new_file.hpp"
#include "cli/npy/npy.hpp"
#include "cli/report/figures.hpp"
#include "wgemm/context.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::cli {
namespace {

struct RunOptions {
  DeviceOptions device;
  std::string a;
  std::string b;
  std::string c;
  std::string kernel;
  std::string order = "c";
  bool check = false;
};

constexpr auto kFooter =
    R"(A and B are .npy files of float32 or float16 with two dimensions, in C or Fortran order; C is written as float32.

Examples:
  wgemm run A.npy B.npy -o C.npy
  wgemm run A.npy B.npy -o C.npy --check --kernel tiled_TILE32_ROWS4
  wgemm run A.npy B.npy -o C.npy --order f --webgpu wgpu)";

Result<Problem> problem_of(const RunOptions& typed, const verify::HostMatrix& a,
                           const verify::HostMatrix& b) {
  if (a.cols != b.rows) {
    return fail(
        ErrorCode::invalid_argument, "shape",
        fmt::format("inner dimensions differ: '{}' is {} x {} and '{}' is {} x {}; A has as many columns as "
                    "B has rows",
                    typed.a, a.rows, a.cols, typed.b, b.rows, b.cols));
  }
  if (a.layout.type != b.layout.type) {
    const auto numpy = [](DataType type) { return type == DataType::f32 ? "float32" : "float16"; };
    return fail(ErrorCode::invalid_argument, "dtype",
                fmt::format("'{}' is {} and '{}' is {}; both have one type", typed.a, numpy(a.layout.type),
                            typed.b, numpy(b.layout.type)));
  }
  Problem problem;
  problem.m = a.rows;
  problem.n = b.cols;
  problem.k = a.cols;
  problem.a = a.layout;
  problem.b = b.layout;
  problem.c.order = typed.order == "f" ? Order::col_major : Order::row_major;
  return problem;
}

Result<void> multiply(const RunOptions& typed) {
  const auto a = read_npy(typed.a);
  if (!a) return tl::unexpected(a.error());
  const auto b = read_npy(typed.b);
  if (!b) return tl::unexpected(b.error());
  const auto problem = problem_of(typed, *a, *b);
  if (!problem) return tl::unexpected(problem.error());
  if (auto done = check_writable("--output", typed.c); !done) return done;

  auto context = Context::create(typed.device.context());
  if (!context) return tl::unexpected(context.error());
  const PlanOptions options{.kernel = typed.kernel};
  // Asked for its name; the context makes the same.
  const auto plan = make_plan(*problem, context->profile(), options);
  if (!plan) return tl::unexpected(plan.error());

  verify::HostMatrix c{problem->c, problem->m, problem->n, {}};
  c.bytes.resize(size_in_bytes(c.layout, c.rows, c.cols));
  const auto start = std::chrono::steady_clock::now();
  if (auto done = context->multiply(*problem, a->bytes, b->bytes, c.bytes, options); !done) return done;
  const double elapsed =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (typed.check) {
    const auto verdict = check_product(*a, *b, c);
    if (!verdict) return tl::unexpected(verdict.error());
    fmt::print("{}\n", *verdict);
  }
  auto file = NewFile::create("--output", typed.c);
  if (!file) return tl::unexpected(file.error());
  write_npy(file->stream(), c);
  if (auto done = file->commit(); !done) return done;
  fmt::print("{}: {} x {} float32, by {} on {} in {} ms (compiling and copies included)\n", typed.c, c.rows,
             c.cols, plan->kernel, context->profile().name, digits(elapsed));
  return {};
}

int run_run(const RunOptions& typed) {
  if (!typed.kernel.empty()) {
    if (const auto known = find_kernel("--kernel", typed.kernel); !known) return report(known.error());
  }
  if (auto done = multiply(typed); !done) return report(done.error());
  return kOk;
}

}  // namespace

Command add_run(CLI::App& program) {
  auto typed = std::make_shared<RunOptions>();
  auto* app = program.add_subcommand("run", "Multiply two matrices in NumPy files");
  app->footer(kFooter);
  app->add_option("A", typed->a, "Left matrix, m x k")->required()->type_name("FILE");
  app->add_option("B", typed->b, "Right matrix, k x n")->required()->type_name("FILE");
  app->add_option("-o,--output", typed->c, "Where the product goes, m x n")->required()->type_name("FILE");
  app->add_option("--kernel", typed->kernel,
                  "Kernel by name, see `wgemm emit --list`. Default: the planner's choice")
      ->type_name("NAME");
  add_choice(*app, "--order", typed->order, {"c", "f"},
             "Order of the file written: c (rows) or f (columns, Fortran). Default: c");
  app->add_flag("--check", typed->check, "Compare the product with a float64 one before it is written");
  typed->device.add_to(*app);
  return {app, [typed](const Invocation&) { return run_run(*typed); }};
}

}  // namespace wgemm::cli
