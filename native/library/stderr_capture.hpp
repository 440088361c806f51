// Keeps Dawn's last words off the terminal: notes that it writes to stderr by itself, whatever logging
// callback is set, while it looks for adapters.
#pragma once

#include "native/library/log_hub.hpp"

namespace wgemm::native {

/// While it lives, what the calling thread writes to C's `stderr` becomes messages of the hub. What other
/// threads write goes on to file descriptor 2. Only where the C library can do that (glibc); elsewhere
/// nothing changes.
class StderrCapture {
 public:
  explicit StderrCapture(LogHub& hub);
  StderrCapture(const StderrCapture&) = delete;
  StderrCapture& operator=(const StderrCapture&) = delete;
  ~StderrCapture();
};

}  // namespace wgemm::native
