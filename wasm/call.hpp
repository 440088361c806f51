// A request answered, both as JSON text.
#pragma once

#include <string>
#include <string_view>

namespace wgemm::wasm {

/// {"call": NAME, ...arguments} -> {"result": ...} or {"error": {"code", "argument", "message"}}. Any bytes
/// are answered; those that are no request with an error.
std::string answer(std::string_view request);

}  // namespace wgemm::wasm
