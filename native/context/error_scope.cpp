#include "native/context/error_scope.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

#include "native/context/pending.hpp"
#include "native/string_view.hpp"

namespace wgemm::native {

namespace {

struct ScopeAnswer {
  WGPUErrorType type = WGPUErrorType_NoError;
  std::string message;
};

constexpr std::array kScopes = {WGPUErrorFilter_OutOfMemory, WGPUErrorFilter_Validation,
                                WGPUErrorFilter_Internal};

/// The scopes that the device's library takes.
std::span<const WGPUErrorFilter> scopes(const Device& device) {
  const bool internal = device.library().capabilities().internal_error_scopes;
  return std::span(kScopes).first(internal ? kScopes.size() : kScopes.size() - 1);
}

/// The innermost scope of this thread that catches by the uncaptured-error callback.
thread_local ErrorScope* innermost = nullptr;

}  // namespace

ErrorScope::ErrorScope(Device& device) : device_(&device) {
  if (!pushes()) {
    outer_ = innermost;
    innermost = this;
    return;
  }
  if (!device.library().capabilities().scopes_by_thread) {
    lock_ = std::unique_lock(device.scope_mutex());
  }
  for (const WGPUErrorFilter filter : scopes(device)) {
    device.gpu().DevicePushErrorScope(device.get(), filter);
  }
}

ErrorScope::~ErrorScope() {
  if (open_) {
    static_cast<void>(close(ErrorCode::validation, ""));
  }
}

bool ErrorScope::pushes() const {
  return device_->library().capabilities().scopes_by_thread || device_->external();
}

bool ErrorScope::take(const DeviceErrors& errors, WGPUErrorType type, std::string_view message) {
  if (innermost == nullptr || &innermost->device_->errors() != &errors) {
    return false;
  }
  if (!innermost->first_) {
    innermost->first_ = Caught{type, std::string(message)};
  }
  return true;
}

Result<void> ErrorScope::pop() {
  for (std::size_t i = 0; i < scopes(*device_).size(); ++i) {
    Pending<ScopeAnswer> pending;
    WGPUPopErrorScopeCallbackInfo callback{};
    // Both libraries know the answer at once, so nothing is waited for.
    callback.mode = WGPUCallbackMode_AllowSpontaneous;
    callback.userdata1 = pending.ticket();
    callback.callback = [](WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                           void* ticket, void* /*unused*/) {
      const bool told = status == WGPUPopErrorScopeStatus_Success;
      Pending<ScopeAnswer>::arrive(ticket,
                                   {told ? type : WGPUErrorType_NoError, std::string(to_view(message))});
    };
    device_->gpu().DevicePopErrorScope(device_->get(), callback);
    if (Result<void> waited = device_->wait_for(pending.arrived(), {}); !waited) {
      return waited;
    }
    const ScopeAnswer& answer = pending.value();
    if (answer.type != WGPUErrorType_NoError && !first_) {
      first_ = Caught{answer.type, answer.message};
    }
  }
  return {};
}

Result<void> ErrorScope::close(ErrorCode refusal, std::string_view what) {
  open_ = false;
  if (pushes()) {
    Result<void> popped = pop();
    if (lock_) {
      lock_.unlock();
    }
    if (!popped) {
      return popped;
    }
  } else {
    innermost = outer_;
  }
  ErrorCode code = ErrorCode::internal;
  if (first_) {
    code = to_code(first_->type, first_->message);
    if (code == ErrorCode::device_lost) {
      device_->errors().lose(first_->message);
    }
  }
  if (Result<void> checked = device_->check(); !checked) {
    return checked;
  }
  if (first_) {
    return fail(code == ErrorCode::validation ? refusal : code, "",
                fmt::format("{}: {}", what, shorten(first_->message)));
  }
  return {};
}

}  // namespace wgemm::native
