// The arguments of a call, read from its request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/json/archive.hpp"
#include "core/json/profile_fields.hpp"
#include "wgemm/device_profile.hpp"

namespace wgemm::wasm {

/// The largest whole number below which JavaScript, whose numbers are doubles, has every other one too.
inline constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 53U;

/// A struct of arguments names them in an overload of `fields`, as any other that is read from JSON. What is
/// left out keeps its default; what no argument is called is an error.
template <typename Arguments>
Result<Arguments> read_arguments(const json::Json& request) {
  Arguments arguments;
  std::string call;
  json::Reader reader(request, "request", {.may_miss = true, .known_only = true, .largest = kLargestNumber});
  reader.required("call", call);
  fields(reader, arguments);
  if (auto done = reader.result(); !done) return tl::unexpected(done.error());
  return arguments;
}

/// The error in terms of the request: its argument is what stands at that path.
inline Error at(std::string path, Error error) {
  error.argument = std::move(path);
  return error;
}

/// The error's argument as a path of the request.
inline Error within(std::string_view path, Error error) {
  auto whole = std::string(path);
  if (error.argument != path) whole += "." + error.argument;
  return at(std::move(whole), std::move(error));
}

// Arguments that several calls have.

struct None {};
inline void fields(json::Reader& /*reader*/, None& /*arguments*/) {}

struct ByName {
  std::string name;
};
inline void fields(json::Reader& reader, ByName& arguments) { reader.required("name", arguments.name); }

struct OfDevice {
  DeviceProfile profile;
};
inline void fields(json::Reader& reader, OfDevice& arguments) {
  reader.required("profile", arguments.profile);
}

}  // namespace wgemm::wasm
