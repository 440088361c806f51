// Robust statistics of timing samples.
#pragma once

#include <vector>

namespace wgemm::measuring {

struct Summary {
  double median = 0;
  double minimum = 0;
  double maximum = 0;
  double spread = 0;  ///< interquartile range over median; 0 for a single sample
};

/// `samples` is not empty. Quartiles are interpolated between neighbouring samples.
Summary summarise(std::vector<double> samples);

}  // namespace wgemm::measuring
