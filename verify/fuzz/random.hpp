// Draws of the fuzzer: the same on every platform.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <span>

namespace wgemm::verify::fuzz {

class Random {
 public:
  /// Numbers that differ wherever one of the three does.
  Random(std::uint64_t seed, std::uint64_t group, std::uint64_t index)
      : engine_(mixed(mixed(mixed(seed) ^ group) ^ index)) {}

  std::uint64_t next() { return engine_(); }
  std::uint64_t below(std::uint64_t n) { return engine_() % n; }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) { return least + below(most - least + 1); }
  /// True once in n times.
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  template <typename T, std::size_t Size>
  T pick(const std::array<T, Size>& choices) {
    return choices.at(below(Size));
  }

 private:
  /// The finaliser of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
  /// 2014).
  static std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
  }

  std::mt19937_64 engine_;
};

}  // namespace wgemm::verify::fuzz
