// float16 on the host, by Eigen.
#pragma once

#include <Eigen/Core>

namespace wgemm::verify {

using Half = Eigen::half;
static_assert(sizeof(Half) == 2);

}  // namespace wgemm::verify
