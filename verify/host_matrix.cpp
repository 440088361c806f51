#include "verify/host_matrix.hpp"

#include <algorithm>

namespace wgemm::verify {
namespace {

template <typename Word>
void fill(std::vector<std::byte>& bytes, Word pattern) {
  auto* first = reinterpret_cast<Word*>(bytes.data());
  std::fill(first, first + bytes.size() / sizeof(Word), pattern);
}

}  // namespace

std::uint64_t with_margin(std::uint64_t bytes, std::uint64_t largest) {
  return std::max(bytes, std::min(bytes + kMarginBytes, largest / 4 * 4));
}

std::uint64_t largest_operand(const Limits& limits) {
  return std::min(limits.max_storage_buffer_binding_size, limits.max_buffer_size);
}

HostMatrix make_poisoned(const MatrixLayout& layout, std::uint64_t rows, std::uint64_t cols,
                         std::uint64_t largest_bytes) {
  HostMatrix matrix{layout, rows, cols, {}};
  matrix.bytes.resize(with_margin((size_in_bytes(layout, rows, cols) + 3) / 4 * 4, largest_bytes));
  if (layout.type == DataType::f32) {
    fill(matrix.bytes, kPoisonF32);
  } else {
    fill(matrix.bytes, kPoisonF16);
  }
  return matrix;
}

}  // namespace wgemm::verify
