// Weights as integers with a scale for each block along k, in host memory and in an .npz file
// (docs/quantised-weights.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/npy/array.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::cli {

/// Symmetric weights have the zero that Quantization implies: the middle of the unsigned integers.
struct Weights {
  std::string name;  ///< of the file, for messages
  std::uint32_t bits = 4;
  std::uint32_t block = 32;
  std::uint64_t k = 0;
  std::uint64_t n = 0;
  Array q;                     ///< uint8, n x (blocks * block * bits / 8)
  Array scales;                ///< float16 or float32, n x blocks
  std::optional<Array> zeros;  ///< uint8, n x ceil(blocks * bits / 8)

  [[nodiscard]] std::uint64_t blocks() const { return (k + block - 1) / block; }
  [[nodiscard]] Sizes q_shape() const;
  [[nodiscard]] Sizes scales_shape() const;
  [[nodiscard]] Sizes zeros_shape() const;
  [[nodiscard]] DataType type() const { return bits == 4 ? DataType::u4 : DataType::u8; }
};

/// Whether the file's name says that it holds weights.
bool is_weights_file(const std::string& path);

/// Errors: not_found, io (no such archive, or a damaged one), invalid_argument; each names the file.
Result<Weights> read_weights(const std::string& path);

/// The archive as bytes. Errors: io.
Result<std::string> weights_file(const Weights& weights);

}  // namespace wgemm::cli
