// Problems of every type from host to host, against a float64 triple loop (integers: modulo 2^32): exactly on
// small integers, within a bound on random numbers. Elements lie in buffers full of poison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "wgemm/context.hpp"
#include "wgemm/planner.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::tests {

/// One element of a buffer, whatever its type.
double load_element(const std::vector<std::byte>& bytes, DataType type, std::uint64_t index);
void store_element(std::vector<std::byte>& bytes, DataType type, std::uint64_t index, double value);

class TypedTrial {
 public:
  /// `extremes`: operands of i8 and u8 are -128, 127 and 255 only.
  enum class Values : std::uint8_t { random, integers, extremes };
  TypedTrial(const Problem& problem, Values values, std::uint64_t seed);

  /// Multiplies and compares; a wrong element fails the running test.
  void run(Context& context, const PlanOptions& options) const;

 private:
  struct Expected {
    double value = 0;
    double bound = 0;
  };

  double number(DataType type);
  std::vector<std::byte> make(Matrix matrix);
  void fill_vector(std::vector<std::byte>& bytes, DataType type, std::uint64_t elements);
  [[nodiscard]] std::uint64_t index(Matrix matrix, std::uint64_t product, std::uint64_t row,
                                    std::uint64_t col) const;
  [[nodiscard]] double weight(std::uint64_t product, std::uint64_t k, std::uint64_t col) const;
  [[nodiscard]] Expected reference(std::uint64_t product, std::uint64_t row, std::uint64_t col) const;

  const Problem& problem_;
  Values values_;
  std::mt19937_64 draw_;
  std::vector<std::byte> a_, b_, c_, residual_, bias_, scales_, zeros_;
};

}  // namespace wgemm::tests
