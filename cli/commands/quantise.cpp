// wgemm quantize: weights as integers with scales, for `wgemm run A.npy W.npz`.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands/command.hpp"
#include "cli/commands/options.hpp"
#include "cli/files/new_file.hpp"
#include "cli/npy/npy.hpp"
#include "cli/quantised/quantise.hpp"
#include "cli/quantised/weights.hpp"

namespace wgemm::cli {
namespace {

struct QuantiseCommand {
  std::string w;
  std::string output;
  std::string bits = "4";
  std::string block = "32";
  bool asymmetric = false;
  std::string scale_type;
};

constexpr auto kFooter =
    R"(W is k x n, float32 or float16, as `wgemm run A.npy W.npy` would take it. Each block of a column along k gets
one scale, and with --asymmetric a zero point; integers are rounded to nearest. The .npz holds q, scales, zeros
and meta, for numpy.load; docs/quantised-weights.md says how they lie.

Examples:
  wgemm quantize W.npy -o W.npz
  wgemm quantize W.npy --bits 4 --block 128 --asymmetric --scale-dtype f16 -o W.npz
  wgemm run A.npy W.npz -o OUT.npy)";

/// Errors: invalid_argument.
Result<void> check_name(const std::string& path) {
  if (is_weights_file(path) || is_standard_output(path)) return {};
  return fail(ErrorCode::invalid_argument, "--output",
              fmt::format("--output: '{}' does not end in .npz, by which `wgemm run` knows weights", path));
}

Result<void> quantise_file(const QuantiseCommand& typed) {
  if (auto done = check_name(typed.output); !done) return done;
  const auto w = read_npy(typed.w);
  if (!w) return tl::unexpected(w.error());
  if (auto done = check_writable("--output", typed.output); !done) return done;
  QuantiseOptions options;
  options.bits = typed.bits == "8" ? 8 : 4;
  options.block = static_cast<std::uint32_t>(std::stoul(typed.block));
  options.asymmetric = typed.asymmetric;
  options.scale_type = w->type == DataType::f16 ? DataType::f16 : DataType::f32;
  if (!typed.scale_type.empty())
    options.scale_type = typed.scale_type == "f16" ? DataType::f16 : DataType::f32;
  const auto quantised = quantise(*w, options);
  if (!quantised) return tl::unexpected(quantised.error());
  const auto bytes = weights_file(quantised->weights);
  if (!bytes) return tl::unexpected(bytes.error());
  auto file = NewFile::create("--output", typed.output);
  if (!file) return tl::unexpected(file.error());
  file->stream() << *bytes;
  if (auto done = file->commit(); !done) return done;

  const auto& error = quantised->error;
  const auto share = [](double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; };
  auto* const messages = messages_beside(typed.output);
  fmt::print(messages, "{}: {} x {}, {} bits in blocks of {}, {}, {} scales: {} bytes\n",
             output_name(typed.output), quantised->weights.k, quantised->weights.n, options.bits,
             options.block, options.asymmetric ? "asymmetric" : "symmetric", numpy_name(options.scale_type),
             bytes->size());
  fmt::print(
      messages,
      "largest error {:.4g} ({:.2f} % of the largest weight), RMS error {:.4g} ({:.2f} % of the weights' "
      "RMS)\n",
      error.largest, share(error.largest, error.largest_weight), error.rms,
      share(error.rms, error.rms_weight));
  return {};
}

}  // namespace

Command add_quantise(CLI::App& program) {
  auto typed = std::make_shared<QuantiseCommand>();
  auto* app = program.add_subcommand("quantize", "Make integer weights with scales from a NumPy file");
  app->footer(kFooter);
  app->add_option("W", typed->w, "Weights, k x n")->required()->type_name("FILE");
  app->add_option("-o,--output", typed->output, "Where the weights go, .npz; -: standard output")
      ->required()
      ->type_name("FILE");
  add_choice(*app, "--bits", typed->bits, {"4", "8"}, "Bits of an integer. Default: 4");
  add_choice(*app, "--block", typed->block, {"16", "32", "64", "128", "256", "512", "1024"},
             "Weights along k that share a scale. Default: 32");
  app->add_flag("--asymmetric", typed->asymmetric,
                "Give each block a zero point as well: better where its weights lie to one side");
  add_choice(*app, "--scale-dtype", typed->scale_type, {"f16", "f32"},
             "Type of the scales. Default: that of W");
  return {app, [typed](const Invocation&) {
            const auto done = quantise_file(*typed);
            return done ? kOk : report(done.error());
          }};
}

}  // namespace wgemm::cli
