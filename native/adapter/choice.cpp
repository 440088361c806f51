#include "native/adapter/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace wgemm::native {

namespace {

/// Lower is better.
int rank(AdapterType type) {
  switch (type) {
    case AdapterType::discrete:
      return 0;
    case AdapterType::integrated:
      return 1;
    case AdapterType::unknown:
      return 2;
    case AdapterType::software:
      return 3;
  }
  return 3;
}

bool contains_in_any_case(std::string_view text, std::string_view part) {
  const auto same = [](unsigned char left, unsigned char right) {
    return std::tolower(left) == std::tolower(right);
  };
  return !std::ranges::search(text, part, same).empty() || part.empty();
}

std::optional<std::size_t> to_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::string describe_all(std::span<const DeviceProfile* const> profiles) {
  std::string text;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    text += fmt::format("{}number {} is {} ({})", i == 0 ? "" : ", ", i, profiles[i]->name,
                        to_string(profiles[i]->type));
  }
  return text;
}

tl::unexpected<Error> no_such_adapter(std::string_view wanted,
                                      std::span<const DeviceProfile* const> profiles) {
  return fail(ErrorCode::not_found, "adapter",
              fmt::format("there is no adapter \"{}\" (by number or part of a name); adapters: {}", wanted,
                          describe_all(profiles)));
}

}  // namespace

Result<Choice> choose_adapter(std::span<const DeviceProfile* const> profiles, std::string_view wanted) {
  if (!wanted.empty()) {
    // Two digits are a number and nothing else: they occur in the version of any driver. "4090" is a name.
    const std::optional<std::size_t> number = to_number(wanted);
    if (number && *number < profiles.size()) {
      return Choice{*number, fmt::format("{} was asked for by number", profiles[*number]->name)};
    }
    if (number && *number < 100) {
      return no_such_adapter(wanted, profiles);
    }
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      if (contains_in_any_case(profiles[i]->name, wanted) ||
          contains_in_any_case(profiles[i]->driver, wanted)) {
        return Choice{i, fmt::format("{} was asked for as \"{}\"", profiles[i]->name, wanted)};
      }
    }
    return no_such_adapter(wanted, profiles);
  }
  const auto best = std::ranges::min_element(
      profiles, {}, [](const DeviceProfile* profile) { return rank(profile->type); });
  const auto index = static_cast<std::size_t>(best - profiles.begin());
  if (profiles.size() == 1) {
    return Choice{index, fmt::format("{} is the only adapter ({})", (*best)->name, to_string((*best)->type))};
  }
  return Choice{index,
                fmt::format("{} ({}) is the best of {} adapters: hardware before software, discrete before "
                            "integrated",
                            (*best)->name, to_string((*best)->type), profiles.size())};
}

}  // namespace wgemm::native
