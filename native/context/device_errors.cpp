#include "native/context/device_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace wgemm::native {

namespace {

constexpr std::size_t kLongest = 2000;

bool tells_of_loss(std::string_view message) {
  constexpr std::array<std::string_view, 5> kWords = {"evice is lost", "evice lost", "DeviceLost",
                                                      "evice was lost", "evice was destroyed"};
  return std::ranges::any_of(
      kWords, [&](std::string_view words) { return message.find(words) != std::string_view::npos; });
}

Error loss_error(std::string_view message) {
  return {ErrorCode::device_lost, "",
          fmt::format("the device is lost ({}); Context::reopen opens it anew, and an application adopts a "
                      "new device of its "
                      "own",
                      shorten(message))};
}

}  // namespace

ErrorCode to_code(WGPUErrorType type, std::string_view message) {
  if (tells_of_loss(message)) {
    return ErrorCode::device_lost;
  }
  switch (type) {
    case WGPUErrorType_OutOfMemory:
      return ErrorCode::out_of_memory;
    case WGPUErrorType_Validation:
      return ErrorCode::validation;
    default:
      return ErrorCode::internal;
  }
}

std::string shorten(std::string_view message) {
  while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) {
    message.remove_suffix(1);
  }
  return message.size() <= kLongest ? std::string(message) : fmt::format("{} …", message.substr(0, kLongest));
}

void DeviceErrors::record(WGPUErrorType type, std::string_view message) {
  const ErrorCode code = to_code(type, message);
  if (code == ErrorCode::device_lost) {
    lose(message);
    return;
  }
  const std::lock_guard lock(mutex_);
  if (!first_) {
    first_ = Error{code, "", shorten(message)};
  }
}

void DeviceErrors::lose(std::string_view message) {
  const std::lock_guard lock(mutex_);
  if (!loss_) {
    loss_ = loss_error(message);
  }
}

bool DeviceErrors::lost() const {
  const std::lock_guard lock(mutex_);
  return loss_.has_value();
}

std::optional<Error> DeviceErrors::take() {
  const std::lock_guard lock(mutex_);
  if (loss_) {
    return loss_;
  }
  return std::exchange(first_, std::nullopt);
}

}  // namespace wgemm::native
