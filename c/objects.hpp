// What stands behind the opaque types of wgemm.h, and how a call of C++ becomes one of C.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "wgemm/context.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/wgemm.h"

struct wgemm_error {
  wgemm::Error error;
};

struct wgemm_context {
  wgemm::Context context;
  std::string profile;  ///< as JSON
};

struct wgemm_buffer {
  wgemm::Buffer buffer;
};

struct wgemm_plan {
  wgemm::Plan plan;
  std::string json;
};

struct wgemm_prepared {
  wgemm::PreparedPlan prepared;
};

struct wgemm_prepared_operand {
  wgemm::PreparedOperand operand;
  wgemm_buffer buffer;  ///< the operand's
};

namespace wgemm::c {

wgemm_status status_of(ErrorCode code);

/// Hands the error to the caller where it wants one. Does not throw: without memory for the error only the
/// status is told.
wgemm_status report(Error error, wgemm_error** out) noexcept;

inline tl::unexpected<Error> null_argument(const char* name) {
  return fail(ErrorCode::invalid_argument, name, std::string(name) + " is NULL");
}

/// Runs `body`, which returns a Result<void>, behind the C interface: no exception passes.
template <typename Body>
wgemm_status guarded(wgemm_error** error, const Body& body) noexcept {
  if (error != nullptr) *error = nullptr;
  try {
    Result<void> done = body();
    return done ? WGEMM_OK : report(std::move(done.error()), error);
  } catch (const std::bad_alloc&) {
    return report({ErrorCode::out_of_memory, "", "the host has no memory left"}, error);
  } catch (const std::exception& thrown) {
    return report({ErrorCode::internal, "", thrown.what()}, error);
  } catch (...) {
    return report({ErrorCode::internal, "", "an unknown exception"}, error);
  }
}

}  // namespace wgemm::c
