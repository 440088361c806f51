// What the judge and a program in Node tell each other: lines of JSON, and raw bytes behind them.
#pragma once

#include <cstddef>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

namespace wgemm::web {

using Json = nlohmann::ordered_json;

inline void write_line(const Json& line) { std::cout << line.dump() << '\n' << std::flush; }

inline void write_bytes(std::span<const std::byte> bytes) {
  std::cout.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))
      << std::flush;
}

/// The next line; nothing where the other side has ended or writes no JSON.
inline std::optional<Json> read_line() {
  std::string text;
  if (!std::getline(std::cin, text)) return std::nullopt;
  auto line = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (line.is_discarded()) return std::nullopt;
  return line;
}

/// Fills the bytes; false where the other side has ended.
inline bool read_bytes(std::span<std::byte> bytes) {
  std::cin.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return std::cin.gcount() == static_cast<std::streamsize>(bytes.size());
}

}  // namespace wgemm::web
