// What `wgemm run` can be told.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "cli/commands/options.hpp"
#include "cli/product/product.hpp"
#include "wgemm/error.hpp"

namespace wgemm::cli {

struct RunOptions {
  DeviceOptions device;
  std::string a;
  std::string b;
  std::string output;
  std::string c;
  std::string bias;
  std::string residual;
  std::string kernel;
  bool check = false;
  // As typed; `product` understands them.
  bool trans_a = false;
  bool trans_b = false;
  std::string alpha = "1";
  std::string beta;
  std::string bias_by;
  std::string act = "none";
  std::string accumulate = "f32";
  std::string out_dtype;
  std::string order = "c";
  std::uint64_t memory_cap = 0;

  void add_to(CLI::App& app);
  /// Errors: invalid_argument (an option without the one that it belongs to).
  [[nodiscard]] Result<ProductOptions> product() const;
  [[nodiscard]] ContextOptions context() const;
};

}  // namespace wgemm::cli
