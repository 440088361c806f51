// Data as JSON and back: a struct names its fields once, in an overload of `fields`, and a Writer or a Reader
// visits them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/json/enumerations.hpp"
#include "wgemm/error.hpp"

namespace wgemm::json {

using Json = nlohmann::ordered_json;

/// T or const T: what an overload of `fields` takes, to be written or read.
template <typename T, typename Wanted>
concept As = std::is_same_v<std::remove_const_t<T>, Wanted>;

namespace detail {
template <typename T>
struct IsSequence : std::false_type {};
template <typename T>
struct IsSequence<std::vector<T>> : std::true_type {};
template <typename T, std::size_t Size>
struct IsSequence<std::array<T, Size>> : std::true_type {};

template <typename T>
struct IsFixed : std::false_type {};
template <typename T, std::size_t Size>
struct IsFixed<std::array<T, Size>> : std::true_type {};

/// JSON has no infinities and no NaN.
inline constexpr std::pair<std::string_view, double> kNonFinite[] = {
    {"inf", std::numeric_limits<double>::infinity()},
    {"-inf", -std::numeric_limits<double>::infinity()},
    {"nan", std::numeric_limits<double>::quiet_NaN()}};
}  // namespace detail

/// A value in an error's sentence, shortened. Whatever is nested is only named: it may be of any depth.
inline std::string shown(const Json& json) {
  if (json.is_array()) return "an array of " + std::to_string(json.size());
  if (json.is_object()) return "an object";
  constexpr std::size_t kMost = 60;
  auto text = json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "…";
}

/// Visits fields to write them.
class Writer {
 public:
  static constexpr bool kReads = false;

  template <typename T>
  void operator()(const char* key, const T& value) {
    json_[key] = of(value);
  }
  /// A field that stands only where it means something.
  template <typename T>
  void optional(const char* key, const T& value, bool present) {
    if (present) (*this)(key, value);
  }
  template <typename T>
  void required(const char* key, const T& value) {
    (*this)(key, value);
  }

  template <typename T>
  static Json of(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return to_string(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      if (std::isfinite(value)) return value;
      return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    } else if constexpr (std::is_arithmetic_v<T> || std::is_convertible_v<T, std::string_view>) {
      return value;
    } else if constexpr (detail::IsSequence<T>::value) {
      auto array = Json::array();
      for (const auto& each : value) array.push_back(of(each));
      return array;
    } else {
      Writer writer;
      fields(writer, value);
      return std::move(writer.json_);
    }
  }

 private:
  Json json_ = Json::object();
};

/// How strictly JSON is read.
struct Rules {
  bool may_miss = false;  ///< a missing field, or the end of an array of fixed size, leaves what stands there
  bool known_only = false;  ///< a field that is not asked for is an error
  std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();  ///< whole number
};

/// Visits fields to read them. The first one that is missing or has a value that it cannot have is the error;
/// what follows is not read then.
class Reader {
 public:
  static constexpr bool kReads = true;

  /// `what` names the whole in errors: "plan".
  Reader(const Json& json, std::string_view what, const Rules& rules, std::string path = {})
      : json_(&json), what_(what), path_(std::move(path)), rules_(rules) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    read_field(key, value, rules_.may_miss);
  }
  template <typename T>
  void optional(const char* key, T& value, bool /*present*/) {
    read_field(key, value, true);
  }
  /// A field that stands there whatever the rules say of others.
  template <typename T>
  void required(const char* key, T& value) {
    read_field(key, value, false);
  }

  /// A number of entries that are in use of arrays of fixed size, whose ends may be left out alike. Left out
  /// itself, it is all of those that are there.
  template <typename T>
  void count(const char* key, T& value, std::initializer_list<const char*> arrays) {
    if (!rules_.may_miss) return (*this)(key, value);
    const std::size_t size = common_size(arrays);
    value = static_cast<T>(size);
    (*this)(key, value);
    if (!failed() && value > size) {
      refuse(key, "is " + std::to_string(value) + "; it is to be at most " + std::to_string(size) +
                      ", the number of entries of the arrays beside it");
    }
  }

  [[nodiscard]] bool failed() const { return !error_.message.empty(); }
  /// Once every field is read.
  [[nodiscard]] Result<void> result() {
    refuse_unknown();
    if (failed()) return tl::unexpected<Error>(error_);
    return {};
  }

 private:
  template <typename T>
  void read_field(const char* key, T& value, bool may_miss) {
    if (failed()) return;
    if (rules_.known_only) known_.emplace_back(key);
    const auto found = json_->is_object() ? json_->find(key) : json_->end();
    if (found == json_->end()) {
      if (!may_miss) refuse(key, "is missing");
      return;
    }
    read(*found, key, value);
  }

  /// Entries of the arrays of those names that are there; an error where they differ.
  std::size_t common_size(std::initializer_list<const char*> keys) {
    const char* first = nullptr;
    std::size_t size = 0;
    for (const auto* key : keys) {
      const auto found = json_->is_object() ? json_->find(key) : json_->end();
      if (failed() || found == json_->end() || !found->is_array()) continue;
      if (first == nullptr) {
        first = key;
        size = found->size();
      } else if (found->size() != size) {
        refuse(key, "has " + std::to_string(found->size()) + " entries, and '" + first + "' has " +
                        std::to_string(size));
      }
    }
    return size;
  }

  void refuse(const std::string& key, std::string_view why) {
    const auto path = path_ + key;
    error_ = {ErrorCode::invalid_argument, path, std::string(what_) + ": '" + path + "' " + std::string(why)};
  }
  void refuse_value(const Json& json, const std::string& key, const std::string& right) {
    refuse(key, "is " + shown(json) + "; it is to be " + right);
  }

  void refuse_unknown() {
    if (failed() || !rules_.known_only || !json_->is_object()) return;
    for (const auto& item : json_->items()) {
      if (std::ranges::find(known_, item.key()) != known_.end()) continue;
      std::string names;
      for (const auto key : known_) names.append(names.empty() ? "" : ", ").append(key);
      return refuse(item.key(), "is no field here; there are " + names);
    }
  }

  template <typename T>
  void read(const Json& json, const std::string& key, T& value) {
    if constexpr (std::is_same_v<T, Json>) {
      value = json;
    } else if constexpr (std::is_enum_v<T>) {
      read_enumeration(json, key, value);
    } else if constexpr (std::is_same_v<T, bool>) {
      json.is_boolean() ? void(value = json.get<bool>()) : refuse_value(json, key, "true or false");
    } else if constexpr (std::is_same_v<T, std::string>) {
      json.is_string() ? void(value = json.get<std::string>()) : refuse_value(json, key, "text");
    } else if constexpr (std::is_floating_point_v<T>) {
      read_floating(json, key, value);
    } else if constexpr (std::is_unsigned_v<T>) {
      const auto largest = std::min<std::uint64_t>(rules_.largest, std::numeric_limits<T>::max());
      const bool fits = json.is_number_unsigned() && json.get<std::uint64_t>() <= largest;
      fits ? void(value = json.get<T>())
           : refuse_value(json, key, "a whole number from 0 to " + std::to_string(largest));
    } else if constexpr (detail::IsSequence<T>::value) {
      read_sequence(json, key, value);
    } else {
      if (!json.is_object()) return refuse_value(json, key, "an object");
      Reader inner(json, what_, rules_, path_ + key + ".");
      fields(inner, value);
      inner.refuse_unknown();
      if (inner.failed()) error_ = inner.error_;
    }
  }

  template <typename T>
  void read_enumeration(const Json& json, const std::string& key, T& value) {
    const auto text = json.is_string() ? json.get<std::string>() : std::string();
    std::string names;
    for (std::size_t i = 0; i < kEnumerators<T>; ++i) {
      const std::string_view name = to_string(static_cast<T>(i));
      if (name == text) {
        value = static_cast<T>(i);
        return;
      }
      names.append(names.empty() ? "" : ", ").append(name);
    }
    refuse_value(json, key, "one of " + names);
  }

  template <typename T>
  void read_floating(const Json& json, const std::string& key, T& value) {
    if (json.is_number()) {
      const auto number = json.get<double>();
      if (std::abs(number) > std::numeric_limits<T>::max()) {
        return refuse_value(json, key, "a number of f32");
      }
      value = static_cast<T>(number);
      return;
    }
    const auto text = json.is_string() ? json.get<std::string>() : std::string();
    for (const auto& [name, number] : detail::kNonFinite) {
      if (name == text) {
        value = static_cast<T>(number);
        return;
      }
    }
    refuse_value(json, key, R"(a number, or "inf", "-inf", "nan")");
  }

  template <typename T>
  void read_sequence(const Json& json, const std::string& key, T& value) {
    if (!json.is_array()) return refuse_value(json, key, "an array");
    if constexpr (detail::IsFixed<T>::value) {
      if (json.size() > value.size() || (json.size() < value.size() && !rules_.may_miss)) {
        const std::string most = rules_.may_miss ? "at most " : "";
        return refuse_value(json, key, "an array of " + most + std::to_string(value.size()));
      }
    } else {
      value.assign(json.size(), {});
    }
    for (std::size_t i = 0; i < json.size() && !failed(); ++i) {
      read(json[i], key + "[" + std::to_string(i) + "]", value[i]);
    }
  }

  const Json* json_;
  std::string_view what_;
  std::string path_;  ///< of the struct at hand: "steps[2]."
  Rules rules_;
  std::vector<std::string_view> known_;  ///< keys that were asked for; kept where no other may be
  Error error_;
};

}  // namespace wgemm::json
