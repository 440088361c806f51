#include "tests/core/step_memory.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace wgemm::testing {

std::map<std::string, std::size_t> fields_of(const std::string& wgsl) {
  std::map<std::string, std::size_t> fields;
  const auto start = wgsl.find("struct Dims {") + 13;
  auto body = wgsl.substr(start, wgsl.find("\n}", start) - start);
  for (auto at = body.find("//"); at != std::string::npos; at = body.find("//")) {
    body.erase(at, body.find('\n', at) - at);
  }
  for (auto colon = body.find(':'); colon != std::string::npos; colon = body.find(':', colon + 1)) {
    const auto before = body.find_last_of(" \n,{", colon - 1);
    fields.emplace(body.substr(before + 1, colon - before - 1), fields.size());
  }
  return fields;
}

Words::Words(const std::map<std::string, std::size_t>& fields, const std::vector<std::uint32_t>& words)
    : fields_(fields), words_(words) {
  EXPECT_EQ(fields.size(), words.size()) << "the uniform block has another size than the text's struct";
}

float Words::real(const std::string& name) const {
  return std::bit_cast<float>(static_cast<std::uint32_t>(at(name)));
}

Memory::Memory(const Plan& plan, const Step& step, const Limits& limits, Buffers& buffers) {
  for (const auto& binding : step.bindings) {
    const auto bytes = bound_bytes(plan, binding);
    EXPECT_EQ(binding.offset % limits.min_storage_buffer_offset_alignment, 0U);
    EXPECT_EQ(bytes % 4, 0U);
    EXPECT_GT(bytes, 0U);
    EXPECT_LE(bytes, limits.max_storage_buffer_binding_size);
    EXPECT_LE(binding.offset + bytes, plan.buffers.at(binding.buffer).bytes);
    auto& range = ranges_.at(binding.index);
    range.elements = std::span(buffers.at(binding.buffer)).subspan(binding.offset / 4, bytes / 4);
    if (binding.writable) range.written.resize(bytes / 4);
  }
}

float& Memory::at(std::uint32_t binding, std::uint64_t index) {
  static float outside = 0;
  auto& elements = ranges_.at(binding).elements;
  if (index < elements.size()) return elements[index];
  ADD_FAILURE() << "element " << index << " of binding " << binding << " is outside";
  return outside;
}

bool Memory::write_once(std::uint32_t binding, std::uint64_t index) {
  auto& written = ranges_.at(binding).written;
  if (index >= written.size() || written[index]) return false;
  written[index] = true;
  return true;
}

}  // namespace wgemm::testing
