#include "tests/kernels/bench.hpp"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "native/library/search.hpp"

namespace wgemm::tests {

Bench& Bench::get() {
  static Bench bench;
  return bench;
}

Bench::Bench() {
  const char* name = std::getenv("WGEMM_TEST_LIBRARY");
  library_ = name != nullptr && *name != '\0' ? name : "dawn";
}

bool Bench::is_installed() const {
  // Candidates that the loader would search for in the system's folders come last, as bare names.
  std::error_code error;
  return std::filesystem::exists(native::library_candidates(library_).front(), error);
}

Context* Bench::context(Setting setting) {
  auto& slot = setting == Setting::minimum     ? minimum_
               : setting == Setting::unchecked ? unchecked_
                                               : standard_;
  if (!slot) {
    ContextOptions options;
    options.webgpu = library_;
    options.minimum_limits = setting == Setting::minimum;
    options.unchecked_shaders = setting == Setting::unchecked;
    auto opened = Context::create(options);
    if (opened) {
      slot = std::make_unique<Context>(std::move(*opened));
    } else {
      problem_ = library_ + ": " + opened.error().message;
    }
  }
  return slot.get();
}

DeviceProfile Bench::profile(Setting setting) {
  auto profile = context(setting)->profile();
  if (setting == Setting::emulated) profile.matrix_dialect = MatrixDialect::emulated;
  return profile;
}

}  // namespace wgemm::tests
