// The main of tests that open a device: where this machine's drivers are found is said before any is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "wgemm/environment.hpp"

int main(int argc, char** argv) {
  wgemm::prepare_environment();
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
