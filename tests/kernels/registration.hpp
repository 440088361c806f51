// Tests that are registered at run time.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/kernels/adapter_test.hpp"

namespace wgemm::tests {

/// A test that is made from copies of the arguments.
template <typename Made, typename... Arguments>
void add_test(const std::string& suite, const std::string& name, const Arguments&... arguments) {
#ifndef __clang_analyzer__  // it takes the registry of GoogleTest for a leak
  testing::RegisterTest(suite.c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                        [=]() -> AdapterTest* { return new Made(arguments...); });
#endif
}

}  // namespace wgemm::tests
