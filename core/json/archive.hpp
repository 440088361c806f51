// Data as JSON and back: a struct names its fields once, in an overload of `fields`, and a Writer or a Reader
// visits them.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
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

/// Visits fields to read them. The first one that is missing or has a value that it cannot have is the error;
/// what follows is not read then.
class Reader {
 public:
  static constexpr bool kReads = true;

  /// `what` names the whole in errors: "plan". A lenient reader leaves a missing field as it is.
  Reader(const Json& json, std::string_view what, bool lenient, std::string path = {})
      : json_(&json), what_(what), path_(std::move(path)), lenient_(lenient) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    read_field(key, value, lenient_);
  }
  template <typename T>
  void optional(const char* key, T& value, bool /*present*/) {
    read_field(key, value, true);
  }

  [[nodiscard]] bool failed() const { return !error_.message.empty(); }
  [[nodiscard]] Result<void> result() const {
    if (failed()) return tl::unexpected<Error>(error_);
    return {};
  }

 private:
  template <typename T>
  void read_field(const char* key, T& value, bool may_miss) {
    if (failed()) return;
    const auto found = json_->is_object() ? json_->find(key) : json_->end();
    if (found == json_->end()) {
      if (!may_miss) refuse(key, "is missing");
      return;
    }
    read(*found, key, value);
  }

  void refuse(const std::string& key, std::string_view why) {
    const auto path = path_ + key;
    error_ = {ErrorCode::invalid_argument, path, std::string(what_) + ": '" + path + "' " + std::string(why)};
  }
  void refuse_value(const std::string& key) { refuse(key, "has a value that it cannot have"); }

  template <typename T>
  void read(const Json& json, const std::string& key, T& value) {
    if constexpr (std::is_enum_v<T>) {
      read_enumeration(json, key, value);
    } else if constexpr (std::is_same_v<T, bool>) {
      json.is_boolean() ? void(value = json.get<bool>()) : refuse_value(key);
    } else if constexpr (std::is_same_v<T, std::string>) {
      json.is_string() ? void(value = json.get<std::string>()) : refuse_value(key);
    } else if constexpr (std::is_floating_point_v<T>) {
      read_floating(json, key, value);
    } else if constexpr (std::is_unsigned_v<T>) {
      const bool fits =
          json.is_number_unsigned() && json.get<std::uint64_t>() <= std::numeric_limits<T>::max();
      fits ? void(value = json.get<T>()) : refuse_value(key);
    } else if constexpr (detail::IsSequence<T>::value) {
      read_sequence(json, key, value);
    } else {
      if (!json.is_object()) return refuse_value(key);
      Reader inner(json, what_, lenient_, path_ + key + ".");
      fields(inner, value);
      if (inner.failed()) error_ = inner.error_;
    }
  }

  template <typename T>
  void read_enumeration(const Json& json, const std::string& key, T& value) {
    const auto text = json.is_string() ? json.get<std::string>() : std::string();
    for (std::size_t i = 0; i < kEnumerators<T>; ++i) {
      if (to_string(static_cast<T>(i)) == text) {
        value = static_cast<T>(i);
        return;
      }
    }
    refuse_value(key);
  }

  template <typename T>
  void read_floating(const Json& json, const std::string& key, T& value) {
    if (json.is_number()) {
      value = json.get<T>();
      return;
    }
    const auto text = json.is_string() ? json.get<std::string>() : std::string();
    for (const auto& [name, number] : detail::kNonFinite) {
      if (name == text) {
        value = static_cast<T>(number);
        return;
      }
    }
    refuse_value(key);
  }

  template <typename T>
  void read_sequence(const Json& json, const std::string& key, T& value) {
    if (!json.is_array()) return refuse_value(key);
    if constexpr (detail::IsFixed<T>::value) {
      if (json.size() != value.size()) return refuse_value(key);
    } else {
      value.assign(json.size(), {});
    }
    for (std::size_t i = 0; i < value.size() && !failed(); ++i) {
      read(json[i], key + "[" + std::to_string(i) + "]", value[i]);
    }
  }

  const Json* json_;
  std::string_view what_;
  std::string path_;  ///< of the struct at hand: "steps[2]."
  bool lenient_;
  Error error_;
};

}  // namespace wgemm::json
