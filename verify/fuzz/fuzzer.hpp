// Runs drawn problems on a device and judges each: by its error bound, and exactly on small integers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "verify/fuzz/draw.hpp"
#include "wgemm/context.hpp"
#include "wgemm/error.hpp"

namespace wgemm::verify::fuzz {

/// Cases that share a group's texts.
constexpr std::uint64_t kCasesOfAGroup = 512;

struct Options {
  std::uint64_t seed = 1;
  std::vector<std::string> kernels;  ///< families, or kernels by full name; empty: all
};

struct Failure {
  std::string name;     ///< "7:12.34", and behind a '+' each step that made it smaller: what replay() takes
  std::string problem;  ///< in words
  std::string reason;
};

struct Tally {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::map<std::string, std::uint64_t> refused;  ///< by the argument of the typed error
  std::unordered_set<std::string> kernels;
  std::unordered_set<std::size_t> texts;  ///< hashes of shader texts that ran
  std::vector<Failure> failures;          ///< the first ones

  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] std::uint64_t refusals() const;
};

class Fuzzer {
 public:
  /// The context must outlive it.
  Fuzzer(Context& context, Options options);

  /// Cases 0 ... cases - 1 of the group. Errors: device_lost, timeout: no further case can run.
  Result<void> run_group(std::uint64_t group, std::uint64_t cases = kCasesOfAGroup);

  /// One case by the name that a failure has. Errors: invalid_argument (no such name), and as run_group.
  Result<void> replay(std::string_view name);

  [[nodiscard]] const Tally& tally() const { return tally_; }

 private:
  /// What became of a case.
  struct Outcome {
    std::string fault;     ///< what is wrong; empty where nothing is
    std::string argument;  ///< of the refusal; empty where it ran
  };

  Result<Outcome> judge(const Case& each);
  Result<void> count(const Case& each, std::string name, bool shrink);

  Context& context_;
  Options options_;
  DeviceProfile profile_;
  std::vector<std::string> kernels_;
  Tally tally_;
};

/// The case in words, places in memory included.
std::string describe(const Case& each);

}  // namespace wgemm::verify::fuzz
