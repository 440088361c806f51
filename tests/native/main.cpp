// The tests' main. Called with "--open LIBRARY" it opens a context instead and prints how that went, for
// tests that need a process of their own with another environment.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "fixture.hpp"
#include "wgemm/context.hpp"
#include "wgemm/environment.hpp"

std::string wgemm::test_program;

namespace {

int open_and_tell(const char* library) {
  wgemm::ContextOptions options;
  options.webgpu = library;
  const auto context = wgemm::Context::create(options);
  if (context) {
    std::puts("ok");
    return 0;
  }
  std::printf("%s: %s\n", std::string(to_string(context.error().code)).c_str(),
              context.error().message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  wgemm::prepare_environment();
  wgemm::test_program = argv[0];
  if (argc == 3 && std::string_view(argv[1]) == "--open") {
    return open_and_tell(argv[2]);
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
