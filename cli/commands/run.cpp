// wgemm run: the product of NumPy files, with all that a problem can have beside it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands/command.hpp"
#include "cli/commands/options.hpp"
#include "cli/commands/run_check.hpp"
#include "cli/commands/run_options.hpp"
#include "cli/files/new_file.hpp"
#include "cli/npy/npy.hpp"
#include "cli/product/product.hpp"
#include "cli/report/figures.hpp"
#include "core/streaming/panels.hpp"
#include "wgemm/context.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::cli {
namespace {

constexpr auto kFooter =
    R"(The result is act(alpha A B + beta C + bias) + residual, in the shape that numpy.matmul gives it: arrays of
more dimensions are batches of matrices and broadcast, arrays of one dimension are vectors. Files are .npy,
in C or Fortran order, of float32, float16 (summed in float32), int8 or uint8 (summed in int32, modulo 2^32);
float16 beside float32 is converted to float32. B may also be an .npz of `wgemm quantize`.

Examples:
  wgemm run A.npy B.npy -o OUT.npy
  wgemm run A.npy B.npy -o OUT.npy --check --kernel tiled_TILE32_ROWS4
  wgemm run A.npy B.npy -o OUT.npy --trans-b --bias BIAS.npy --act gelu --out-dtype f16
  wgemm run A.npy B.npy -o - | gzip >OUT.npy.gz
  wgemm run A.npy B.npy -o OUT.npy --alpha 0.5 --c C.npy --beta 2 --residual R.npy
  wgemm quantize W.npy --bits 4 --block 32 -o W.npz; wgemm run A.npy W.npz -o OUT.npy)";

/// Where the path is given, what it holds.
Result<std::optional<Array>> read_optional(const std::string& path) {
  if (path.empty()) return std::nullopt;
  auto array = read_npy(path);
  if (!array) return tl::unexpected(array.error());
  return std::optional(std::move(*array));
}

Result<ProductInputs> read_inputs(const RunOptions& typed) {
  ProductInputs inputs;
  if (is_weights_file(typed.a)) {
    return fail(
        ErrorCode::invalid_argument, typed.a,
        fmt::format("'{}' holds quantised weights, which are the right matrix: the first file is an .npy",
                    typed.a));
  }
  auto a = read_npy(typed.a);
  if (!a) return tl::unexpected(a.error());
  inputs.a = std::move(*a);
  if (is_weights_file(typed.b)) {
    auto weights = read_weights(typed.b);
    if (!weights) return tl::unexpected(weights.error());
    inputs.weights = std::move(*weights);
  } else {
    auto b = read_npy(typed.b);
    if (!b) return tl::unexpected(b.error());
    inputs.b = std::move(*b);
  }
  for (const auto& [path, target] :
       {std::pair{&typed.c, &inputs.c}, {&typed.bias, &inputs.bias}, {&typed.residual, &inputs.residual}}) {
    auto array = read_optional(*path);
    if (!array) return tl::unexpected(array.error());
    *target = std::move(*array);
  }
  return inputs;
}

std::string shape_in_words(const Sizes& shape) {
  return shape.empty() ? "one number," : fmt::format("{}", fmt::join(shape, " x "));
}

/// Who multiplied: the kernel, where the whole product is one plan, and how it passed through the device.
std::string describe_work(const Problem& problem, const PlanOptions& options, const Context& context) {
  const auto cap = context.options().memory_cap;
  if (!must_stream(problem, context.profile().limits, cap)) {
    const auto plan = make_plan(problem, context.profile(), options, &context.tuning());
    return plan ? plan->kernel : options.kernel;
  }
  return (options.kernel.empty() ? "the planner's choice" : options.kernel) + " in panels";
}

Result<void> multiply(const RunOptions& typed) {
  const auto options = typed.product();
  if (!options) return tl::unexpected(options.error());
  auto inputs = read_inputs(typed);
  if (!inputs) return tl::unexpected(inputs.error());
  auto product = make_product(std::move(*inputs), *options);
  if (!product) return tl::unexpected(product.error());
  if (auto done = check_writable("--output", typed.output); !done) return done;
  auto* const messages = messages_beside(typed.output);

  auto context = Context::create(typed.context());
  if (!context) return tl::unexpected(context.error());
  const PlanOptions plan_options{.kernel = typed.kernel};
  auto before = typed.check ? product->out.bytes : Bytes();
  const auto start = std::chrono::steady_clock::now();
  if (auto done = context->multiply(product->problem, product->operands(), plan_options); !done) {
    return tl::unexpected(with_option(done.error()));
  }
  const double elapsed =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (typed.check) {
    const auto verdict = check_product(*product, std::move(before).take());
    if (!verdict) return tl::unexpected(verdict.error());
    fmt::print(messages, "{}\n", *verdict);
  }
  auto file = NewFile::create("--output", typed.output);
  if (!file) return tl::unexpected(file.error());
  auto& out = product->out;
  if (out.strides != strides_in(options->order, out.shape)) out = reordered(out, options->order);
  write_npy(file->stream(), out);
  if (auto done = file->commit(); !done) return done;
  if (!product->note.empty()) fmt::print(messages, "{}\n", product->note);
  fmt::print(messages, "{}: {} {}, by {} on {} in {} ms (compiling and copies included)\n",
             output_name(typed.output), shape_in_words(out.shape), numpy_name(out.type),
             describe_work(product->problem, plan_options, *context), in_words(context->profile()),
             digits(elapsed));
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
  auto* app = program.add_subcommand("run", "Multiply matrices in NumPy files");
  app->footer(kFooter);
  typed->add_to(*app);
  return {app, [typed](const Invocation&) { return run_run(*typed); }};
}

}  // namespace wgemm::cli
