#include "cli/commands/ranges.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>

#include "cli/commands/options.hpp"

namespace wgemm::cli {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostValues = 10000;  ///< of a range: a mistyped step must not fill the memory

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > kLargest) return std::nullopt;
  return value;
}

}  // namespace

Result<std::vector<std::uint64_t>> parse_range(const std::string& option, std::string_view text) {
  std::vector<std::uint64_t> parts;
  for (auto rest = text;;) {
    const auto end = rest.find(':');
    const auto size = parse_size(rest.substr(0, end));
    if (!size || parts.size() == 3) {
      return fail(ErrorCode::invalid_argument, option,
                  fmt::format("{}: '{}' is no size and no range; a whole number from 1 to {}, or "
                              "start:end:step, as in 64:192:64",
                              option, text, kLargest));
    }
    parts.push_back(*size);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (parts.size() == 1) return parts;
  const auto first = parts[0];
  const auto last = parts[1];
  const auto step = parts.size() == 3 ? parts[2] : 1;
  if (last < first) {
    return fail(ErrorCode::invalid_argument, option,
                fmt::format("{}: the range '{}' ends before it starts", option, text));
  }
  if ((last - first) / step >= kMostValues) {
    return fail(ErrorCode::invalid_argument, option,
                fmt::format("{}: the range '{}' has more than {} values; give a larger step", option, text,
                            kMostValues));
  }
  std::vector<std::uint64_t> values;
  for (auto value = first; value <= last; value += step) values.push_back(value);
  return values;
}

Result<std::vector<std::uint64_t>> parse_ranges(const std::string& option,
                                                const std::vector<std::string>& words) {
  std::vector<std::uint64_t> values;
  for (const auto& word : words) {
    const auto some = parse_range(option, word);
    if (!some) return some;
    values.insert(values.end(), some->begin(), some->end());
  }
  return values;
}

Result<std::vector<bench::Product>> parse_shapes(const std::string& option,
                                                 const std::vector<std::string>& words) {
  std::vector<bench::Product> products;
  for (const auto& word : words) {
    if (word.find('x') != std::string::npos) {
      const auto shape = parse_shape(word);
      if (!shape) {
        return fail(
            ErrorCode::invalid_argument, option,
            fmt::format("{}: '{}' is no shape; three sizes of at least 1: 17x33x5 (m, n, k)", option, word));
      }
      products.push_back({shape->m, shape->n, shape->k});
      continue;
    }
    const auto sizes = parse_range(option, word);
    if (!sizes) return tl::unexpected(sizes.error());
    for (const auto size : *sizes) products.push_back({size, size, size});
  }
  return products;
}

}  // namespace wgemm::cli
