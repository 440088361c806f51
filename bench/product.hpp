// What a row of a benchmark multiplies, in the words of a command line and a report: sizes, and types and
// layouts by name.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::bench {

/// Types of A, B, sums and C that go together.
struct Types {
  std::string_view name;
  std::string_view meaning;  ///< one line
  DataType a = DataType::f32;
  DataType b = DataType::f32;
  DataType c = DataType::f32;
  Accumulate accumulate = Accumulate::standard;
  std::uint32_t block = 0;  ///< elements of a quantised B with one scale, of f16; 0: B is not quantised
};

std::span<const Types> list_types();

/// How A and B are stored, as BLAS has it: n as they are multiplied, t transposed. C is row-major.
constexpr std::string_view kLayouts[] = {"nn", "nt", "tn", "tt"};

struct Product {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  std::uint64_t batch = 1;
  std::string types = "f32";
  std::string layout = "nn";
  std::string suite;  ///< the suite that it is of; empty where its sizes were given
  std::string label;  ///< what it stands for there: "8B gate/up, M = 16"

  bool operator==(const Product&) const = default;
};

/// The product with tight matrices; those of a batch lie behind each other, and quantised weights, which are
/// stored as n x k whatever the layout says, are shared by all of a batch. Errors: not_found (types or a
/// layout of no such name; the message lists them).
Result<Problem> problem_of(const Product& product);

/// "64 x 512x512x512" where it is a batch, else "512x512x512".
std::string sizes_of(const Product& product);

}  // namespace wgemm::bench
