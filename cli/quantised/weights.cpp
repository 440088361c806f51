#include "cli/quantised/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include "cli/npy/npy.hpp"
#include "cli/quantised/archive.hpp"

namespace wgemm::cli {
namespace {

/// The numbers of the member `meta`, int64, in this order.
constexpr std::size_t kMetaNumbers = 5;  ///< version, bits, block, k, n
constexpr std::int64_t kVersion = 1;
constexpr auto kMetaType = "<i8";

tl::unexpected<Error> wrong(const std::string& path, const std::string& message) {
  return fail(ErrorCode::invalid_argument, path, fmt::format("'{}' {}", path, message));
}

Result<void> read_meta(const Archive& archive, Weights& weights) {
  const auto& path = weights.name;
  auto bytes = archive.read("meta.npy");
  if (!bytes) return tl::unexpected(bytes.error());
  std::istringstream stream(*bytes);
  const auto header = read_npy_header(stream);
  if (!header) return wrong(path, fmt::format("has a damaged 'meta', which {}", header.error().message));
  std::array<std::int64_t, kMetaNumbers> meta{};
  const bool right = header->descr == kMetaType && header->shape == Sizes{kMetaNumbers} &&
                     stream.read(reinterpret_cast<char*>(meta.data()), sizeof meta);
  if (!right) {
    return wrong(path, fmt::format("has a 'meta' of type '{}' and shape {}; it is five int64: version, bits, "
                                   "block, k, n",
                                   header->descr, shape_text(header->shape)));
  }
  const auto [version, bits, block, k, n] = meta;
  if (version != kVersion) {
    return wrong(path,
                 fmt::format("has version {} of the format; this wgemm reads version {}", version, kVersion));
  }
  if (bits != 4 && bits != 8)
    return wrong(path, fmt::format("has integers of {} bits; 4 or 8 are right", bits));
  if (block < 16 || block > 1024 || !std::has_single_bit(static_cast<std::uint64_t>(block))) {
    return wrong(path, fmt::format("has blocks of {}; a power of two from 16 to 1024 is right", block));
  }
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (k < 0 || n < 0 || k > kMost || n > kMost) {
    return wrong(path, fmt::format("is {} x {}; sizes fit 32 bits", k, n));
  }
  weights.bits = static_cast<std::uint32_t>(bits);
  weights.block = static_cast<std::uint32_t>(block);
  weights.k = static_cast<std::uint64_t>(k);
  weights.n = static_cast<std::uint64_t>(n);
  return {};
}

Result<Array> read_member(const Archive& archive, const std::string& path, const std::string& name,
                          std::initializer_list<DataType> types, const Sizes& shape) {
  auto bytes = archive.read(name + ".npy");
  if (!bytes) return tl::unexpected(bytes.error());
  const auto size = bytes->size();
  std::istringstream stream(std::move(*bytes));
  auto array = read_npy(stream, size);
  if (!array) return wrong(path, fmt::format("has a '{}' that {}", name, array.error().message));
  if (std::ranges::find(types, array->type) == types.end() || array->shape != shape) {
    return wrong(path, fmt::format("has a '{}' of {} and shape {}; by its 'meta' it is {} of shape {}", name,
                                   numpy_name(array->type), shape_text(array->shape),
                                   types.size() == 1 ? "uint8" : "float16 or float32", shape_text(shape)));
  }
  if (array->strides != strides_in(Order::row_major, shape)) *array = reordered(*array, Order::row_major);
  return array;
}

/// A scale that is no number would make each weight of its block one.
Result<void> check_scales(const std::string& path, const Array& scales) {
  const auto wide = scales.type == DataType::f16 ? widened(scales) : scales;
  const auto* const values = reinterpret_cast<const float*>(wide.bytes.data());
  const auto* const end = values + element_count(wide.shape);
  const auto* const bad = std::find_if_not(values, end, [](float value) { return std::isfinite(value); });
  if (bad == end) return {};
  const auto at = static_cast<std::uint64_t>(bad - values);
  return wrong(path, fmt::format("has {} in 'scales' at [{}, {}]; scales are finite", *bad,
                                 at / wide.shape[1], at % wide.shape[1]));
}

std::string npy_bytes(const Array& array) {
  std::ostringstream stream;
  write_npy(stream, array);
  return std::move(stream).str();
}

}  // namespace

Sizes Weights::q_shape() const { return {n, blocks() * block * bits / 8}; }
Sizes Weights::scales_shape() const { return {n, blocks()}; }
Sizes Weights::zeros_shape() const { return {n, (blocks() * bits + 7) / 8}; }

bool is_weights_file(const std::string& path) { return path.ends_with(".npz"); }

Result<Weights> read_weights(const std::string& path) {
  const auto archive = Archive::open(path);
  if (!archive) return tl::unexpected(archive.error());
  // A name that was damaged would turn weights with zero points into others.
  constexpr std::array<std::string_view, 4> kMembers{"meta.npy", "q.npy", "scales.npy", "zeros.npy"};
  for (const auto& name : archive->members()) {
    if (std::ranges::find(kMembers, name) == kMembers.end()) {
      return wrong(path, fmt::format("has a member '{}'; weights are meta, q, scales and zeros", name));
    }
  }
  Weights weights;
  weights.name = path;
  if (auto done = read_meta(*archive, weights); !done) return tl::unexpected(done.error());
  auto q = read_member(*archive, path, "q", {DataType::u8}, weights.q_shape());
  if (!q) return tl::unexpected(q.error());
  weights.q = std::move(*q);
  auto scales = read_member(*archive, path, "scales", {DataType::f32, DataType::f16}, weights.scales_shape());
  if (!scales) return tl::unexpected(scales.error());
  if (auto done = check_scales(path, *scales); !done) return tl::unexpected(done.error());
  weights.scales = std::move(*scales);
  if (archive->holds("zeros.npy")) {
    auto zeros = read_member(*archive, path, "zeros", {DataType::u8}, weights.zeros_shape());
    if (!zeros) return tl::unexpected(zeros.error());
    weights.zeros = std::move(*zeros);
  }
  return weights;
}

Result<std::string> weights_file(const Weights& weights) {
  const std::array<std::int64_t, kMetaNumbers> meta{kVersion, weights.bits, weights.block,
                                                    static_cast<std::int64_t>(weights.k),
                                                    static_cast<std::int64_t>(weights.n)};
  Array meta_array{{}, DataType::u8, {kMetaNumbers}, {1}, Bytes(sizeof meta)};
  std::memcpy(meta_array.bytes.own().data(), meta.data(), sizeof meta);
  std::ostringstream stream;
  write_npy(stream, meta_array, kMetaType);
  std::vector<std::pair<std::string, std::string>> members{{"meta.npy", std::move(stream).str()},
                                                           {"q.npy", npy_bytes(weights.q)},
                                                           {"scales.npy", npy_bytes(weights.scales)}};
  if (weights.zeros) members.emplace_back("zeros.npy", npy_bytes(*weights.zeros));
  return make_archive(members);
}

}  // namespace wgemm::cli
