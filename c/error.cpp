#include "c/objects.hpp"
#include "wgemm/environment.hpp"

namespace wgemm::c {

wgemm_status status_of(ErrorCode code) {
  // The statuses are the codes behind WGEMM_OK, in their order.
  return static_cast<wgemm_status>(static_cast<int>(code) + 1);
}

static_assert(static_cast<int>(ErrorCode::invalid_argument) + 1 == WGEMM_INVALID_ARGUMENT);
static_assert(static_cast<int>(ErrorCode::device_lost) + 1 == WGEMM_DEVICE_LOST);
static_assert(static_cast<int>(ErrorCode::internal) + 1 == WGEMM_INTERNAL);

wgemm_status report(Error error, wgemm_error** out) noexcept {
  const wgemm_status status = status_of(error.code);
  if (out != nullptr) *out = new (std::nothrow) wgemm_error{std::move(error)};
  return status;
}

}  // namespace wgemm::c

const char* wgemm_status_name(wgemm_status status) {
  if (status == WGEMM_OK) return "ok";
  if (status < WGEMM_OK || status > WGEMM_INTERNAL) return "unknown";
  // Names are literals, and end with a zero.
  return wgemm::to_string(static_cast<wgemm::ErrorCode>(static_cast<int>(status) - 1)).data();
}

const char* wgemm_error_message(const wgemm_error* error) {
  return error != nullptr ? error->error.message.c_str() : "";
}

const char* wgemm_error_argument(const wgemm_error* error) {
  return error != nullptr ? error->error.argument.c_str() : "";
}

wgemm_status wgemm_error_status(const wgemm_error* error) {
  return error != nullptr ? wgemm::c::status_of(error->error.code) : WGEMM_OK;
}

void wgemm_error_free(wgemm_error* error) { delete error; }

void wgemm_prepare_environment() { wgemm::prepare_environment(); }

const char* wgemm_version() { return WGEMM_VERSION; }
