#include "cli/commands/run_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace wgemm::cli {
namespace {

constexpr auto kEpilogue = "Beside the product";
constexpr auto kTypes = "Types, kernel and memory";

std::optional<float> parse_float(std::string_view text) {
  float value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

CLI::Validator finite_number() {
  return {[](const std::string& text) {
            return parse_float(text) ? std::string()
                                     : fmt::format(
                                           "'{}' is no decimal number that a float32 holds as finite and, "
                                           "where it is not 0, as "
                                           "more than 0",
                                           text);
          },
          ""};
}

struct Bounds {
  float lower = 0;
  float upper = 0;
};

/// "clamp:LO:HI"
std::optional<Bounds> parse_clamp(std::string_view text) {
  constexpr std::string_view kName = "clamp:";
  if (!text.starts_with(kName)) return std::nullopt;
  text.remove_prefix(kName.size());
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto lower = parse_float(text.substr(0, colon));
  const auto upper = parse_float(text.substr(colon + 1));
  if (!lower || !upper || *lower > *upper) return std::nullopt;
  return Bounds{*lower, *upper};
}

std::optional<Activation> parse_activation(std::string_view text) {
  if (text == "none") return Activation::none;
  if (text == "relu") return Activation::relu;
  if (text == "gelu") return Activation::gelu;
  if (text == "gelu-tanh") return Activation::gelu_tanh;
  if (text == "silu") return Activation::silu;
  if (parse_clamp(text)) return Activation::clamp;
  return std::nullopt;
}

CLI::Validator activation() {
  return {[](const std::string& text) {
            if (parse_activation(text)) return std::string();
            return fmt::format(
                "'{}' is none of none, relu, gelu, gelu-tanh, silu, clamp:LO:HI with finite LO <= HI", text);
          },
          ""};
}

}  // namespace

void RunOptions::add_to(CLI::App& app) {
  app.add_option("A", a, "Left matrix, m x k, or a batch of them")->required()->type_name("FILE");
  app.add_option("B", b, "Right matrix, k x n, or a batch of them; or weights of `wgemm quantize`, .npz")
      ->required()
      ->type_name("FILE");
  app.add_option("-o,--output", output, "Where the result goes, m x n; -: standard output")
      ->required()
      ->type_name("FILE");
  app.add_flag("--trans-a", trans_a, "Multiply by the transpose of A (of each of a batch)");
  app.add_flag("--trans-b", trans_b, "Multiply by the transpose of B (of each of a batch)");
  app.add_flag("--check", check, "Compare the result with a float64 one before it is written");

  app.add_option("--alpha", alpha, "Factor of the product. Default: 1")
      ->check(finite_number())
      ->type_name("X")
      ->group(kEpilogue);
  app.add_option("--c", c, "Matrix that is added, of the result's shape and type")
      ->type_name("FILE")
      ->group(kEpilogue);
  app.add_option("--beta", beta, "Factor of --c; with 0 its numbers are not read. Default: 1 with --c")
      ->check(finite_number())
      ->type_name("Y")
      ->group(kEpilogue);
  app.add_option("--bias", bias, "Vector that is added to each row or column")
      ->type_name("FILE")
      ->group(kEpilogue);
  add_choice(app, "--bias-by", bias_by, {"row", "column"},
             "Whether the bias has an element for each row of the result or for each column. Default: column")
      ->group(kEpilogue);
  app.add_option("--act", act, "Activation: relu, gelu (by erf), gelu-tanh, silu, clamp:LO:HI. Default: none")
      ->check(activation())
      ->type_name("NAME")
      ->group(kEpilogue);
  app.add_option("--residual", residual,
                 "Matrix that is added after the activation, of the result's shape; a batch may share one")
      ->type_name("FILE")
      ->group(kEpilogue);

  add_choice(app, "--accumulate", accumulate, {"f32", "f16"},
             "What float16 is summed in; f16 has the range and the rounding of float16. Default: f32")
      ->group(kTypes);
  add_choice(app, "--out-dtype", out_dtype, {"f32", "f16", "i32"},
             "Type of the result. Default: f32, and i32 for integers")
      ->group(kTypes);
  add_choice(app, "--order", order, {"c", "f"},
             "Order of the file written: c (rows) or f (columns, Fortran). Default: c")
      ->group(kTypes);
  app.add_option("--kernel", kernel, "Kernel by name, see `wgemm emit --list`. Default: the planner's choice")
      ->type_name("NAME")
      ->group(kTypes);
  app.add_option(
         "--memory-cap", memory_cap,
         "Bytes of device memory that may be taken; larger products pass through it in panels. Default: "
         "what the device holds")
      ->check(whole_number(1, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("BYTES")
      ->group(kTypes);
  device.add_to(app);
}

ContextOptions RunOptions::context() const {
  auto options = device.context();
  options.memory_cap = memory_cap;
  return options;
}

Result<ProductOptions> RunOptions::product() const {
  if (bias.empty() && !bias_by.empty()) {
    return fail(ErrorCode::invalid_argument, "--bias-by",
                fmt::format("--bias-by: '{}' says where a bias goes, and there is no --bias", bias_by));
  }
  ProductOptions options;
  options.trans_a = trans_a;
  options.trans_b = trans_b;
  options.alpha = parse_float(alpha).value_or(1);
  options.beta = parse_float(beta);
  options.bias_by = bias_by == "row" ? Bias::per_row : Bias::per_column;
  options.activation = parse_activation(act).value_or(Activation::none);
  if (const auto bounds = parse_clamp(act)) {
    options.lower = bounds->lower;
    options.upper = bounds->upper;
  }
  if (accumulate == "f16") options.accumulate = Accumulate::f16;
  for (const auto type : {DataType::f32, DataType::f16, DataType::i32}) {
    if (out_dtype == to_string(type)) options.out_type = type;
  }
  options.order = order == "f" ? Order::col_major : Order::row_major;
  return options;
}

}  // namespace wgemm::cli
