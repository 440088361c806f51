#include <gmock/gmock.h>

#include "wgemm/environment.hpp"

int main(int argc, char** argv) {
  wgemm::prepare_environment();
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
