// Errors are values: a code to branch on, the argument at fault, and a sentence that says what would be
// right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace wgemm {

enum class ErrorCode : std::uint8_t {
  invalid_argument,  ///< a value that no device could accept; `Error::argument` names it
  unsupported,       ///< right in itself, but this device lacks a limit or a feature; the message names which
  not_found,         ///< a library, an adapter, a file or a kernel of that name does not exist
  compilation,       ///< the WebGPU library refused a shader or a pipeline
  out_of_memory,     ///< the device could not allocate
  device_lost,       ///< the device is gone; make a new context
  validation,        ///< the WebGPU library refused a call (a fault of wgemm: please report it)
  timeout,           ///< the device did not answer in the time given
  cancelled,         ///< the caller called the work off
  io,                ///< a file could not be read or written
  internal,          ///< a broken promise inside wgemm (please report it)
};

/// Name of a code as text, for reports ("invalid_argument", …).
std::string_view to_string(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string argument;  ///< the argument, limit, feature or kernel at fault; may be empty
  std::string message;   ///< one sentence: what was given, and what would be right
};

template <typename T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning an error from a function that returns a Result.
inline tl::unexpected<Error> fail(ErrorCode code, std::string argument, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(argument), std::move(message)});
}

}  // namespace wgemm
