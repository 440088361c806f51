#include "native/library/stderr_capture.hpp"

#include <cstdio>
#include <mutex>
#include <utility>

#if defined(__GLIBC__)
#include <unistd.h>
#endif

namespace wgemm::native {

#if defined(__GLIBC__)

namespace {

/// Where the writes of this thread go; nullptr: to file descriptor 2, as always.
thread_local LogHub* capturing_hub = nullptr;

ssize_t write_line(void* /*cookie*/, const char* text, std::size_t size) {
  if (capturing_hub == nullptr) {
    return write(STDERR_FILENO, text, size);
  }
  std::string_view message(text, size);
  while (!message.empty() && message.back() == '\n') {
    message.remove_suffix(1);
  }
  if (!message.empty()) {
    // What a listener prints on standard error itself goes there, not round in a circle.
    LogHub* const hub = std::exchange(capturing_hub, nullptr);
    hub->say(Severity::warning, message);
    capturing_hub = hub;
  }
  return static_cast<ssize_t>(size);
}

/// Never closed, since another thread may be writing through it.
std::FILE* capturing_stream() {
  static std::FILE* const stream = [] {
    std::FILE* opened = fopencookie(nullptr, "w", {nullptr, &write_line, nullptr, nullptr});
    if (opened != nullptr) {
      std::setvbuf(opened, nullptr, _IONBF, 0);
    }
    return opened;
  }();
  return stream;
}

std::mutex swap_mutex;
int captures = 0;
std::FILE* saved_stderr = nullptr;

}  // namespace

StderrCapture::StderrCapture(LogHub& hub) {
  const std::lock_guard lock(swap_mutex);
  capturing_hub = &hub;
  if (captures++ == 0 && capturing_stream() != nullptr) {
    saved_stderr = stderr;
    stderr = capturing_stream();
  }
}

StderrCapture::~StderrCapture() {
  const std::lock_guard lock(swap_mutex);
  capturing_hub = nullptr;
  if (--captures == 0 && stderr == capturing_stream()) {
    stderr = saved_stderr;
  }
}

#else

StderrCapture::StderrCapture(LogHub& /*hub*/) {}
StderrCapture::~StderrCapture() = default;

#endif

}  // namespace wgemm::native
