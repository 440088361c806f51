#include "native/context/wait.hpp"

#include <fmt/format.h>

namespace wgemm::native {

namespace {

tl::unexpected<Error> timed_out(std::chrono::milliseconds allowed) {
  return fail(ErrorCode::timeout, "timeout",
              fmt::format("the device did not answer within {} ms", allowed.count()));
}

}  // namespace

Result<void> Wait::check() const {
  if (cancel_.stop_requested()) {
    return fail(ErrorCode::cancelled, "cancel", "the caller called the work off");
  }
  if (deadline_ && allowed_ && Clock::now() > *deadline_) {
    return timed_out(*allowed_);
  }
  return {};
}

Result<void> Wait::check(Clock::time_point start, std::chrono::milliseconds otherwise) const {
  if (Result<void> checked = check(); !checked) {
    return checked;
  }
  // In milliseconds: the longest time there is would overflow in the clock's own steps.
  if (!deadline_ && std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start) > otherwise) {
    return timed_out(otherwise);
  }
  return {};
}

}  // namespace wgemm::native
