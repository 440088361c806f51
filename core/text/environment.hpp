// The names that a kernel text can use: integers (tile sizes, flags) and words (types, operand letters).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace wgemm::text {

using Value = std::variant<std::int64_t, std::string>;

class Environment {
 public:
  void set(std::string_view name, std::int64_t value) { values_.insert_or_assign(std::string(name), value); }
  void set(std::string_view name, std::string value) {
    values_.insert_or_assign(std::string(name), std::move(value));
  }
  /// nullptr where the name is not known.
  [[nodiscard]] const Value* find(std::string_view name) const {
    const auto found = values_.find(name);
    if (found != values_.end()) return &found->second;
    return outer_ != nullptr ? outer_->find(name) : nullptr;
  }
  /// Names for a block inside: knows all of these and hides those that it sets itself. Must not outlive
  /// *this. Blocks are many, so the names are not copied.
  [[nodiscard]] Environment inner() const {
    Environment made;
    made.outer_ = this;
    return made;
  }

 private:
  const Environment* outer_ = nullptr;
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace wgemm::text
