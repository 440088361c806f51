// What the shader of a step sees on the interpreter: the words of its uniform block by name, and its bindings
// with every access checked.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tests/core/interpreter.hpp"

namespace wgemm::testing {

/// Names of the fields of a text's uniform block, in order.
std::map<std::string, std::size_t> fields_of(const std::string& wgsl);

class Words {
 public:
  Words(const std::map<std::string, std::size_t>& fields, const std::vector<std::uint32_t>& words);

  [[nodiscard]] bool has(const std::string& name) const { return fields_.contains(name); }
  /// 0 where the block has no such field.
  [[nodiscard]] std::uint64_t at(const std::string& name) const {
    return has(name) ? words_.at(fields_.at(name)) : 0;
  }
  [[nodiscard]] float real(const std::string& name) const;

 private:
  const std::map<std::string, std::size_t>& fields_;
  const std::vector<std::uint32_t>& words_;
};

/// What a step binds, each access checked against the range.
class Memory {
 public:
  Memory(const Plan& plan, const Step& step, const Limits& limits, Buffers& buffers);

  float& at(std::uint32_t binding, std::uint64_t index);
  /// Notes a write; false if the step wrote there before.
  bool write_once(std::uint32_t binding, std::uint64_t index);

 private:
  struct Range {
    std::span<float> elements;
    std::vector<bool> written;
  };
  std::array<Range, 16> ranges_;
};

}  // namespace wgemm::testing
