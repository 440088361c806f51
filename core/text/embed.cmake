# Writes a C++ file that holds every kernel text, so that the library needs no files at run time.
# cmake -DOUTPUT=… -DROOT=… "-DFILES=a;b" -P embed.cmake
set(entries "")
foreach(file IN LISTS FILES)
  file(READ "${file}" hex HEX)
  file(RELATIVE_PATH name "${ROOT}" "${file}")
  string(REGEX REPLACE "\\.wgsl$" "" name "${name}")
  # Bytes, not string literals: some compilers limit a literal to 16 KiB.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(MAKE_C_IDENTIFIER "text_${name}" symbol)
  string(APPEND arrays "constexpr char ${symbol}[] = {${bytes}};\n")
  string(APPEND entries "    {\"${name}\", {${symbol}, sizeof(${symbol})}},\n")
endforeach()
file(WRITE "${OUTPUT}.tmp" "// Made by core/text/embed.cmake; do not edit.
#include \"core/text/sources.hpp\"

#include <algorithm>
#include <iterator>

namespace wgemm::text {
namespace {
${arrays}
constexpr Source sources[] = {
${entries}};
}  // namespace

std::string_view find_source(std::string_view name) {
  const auto* found = std::find_if(std::begin(sources), std::end(sources), [&](const auto& entry) { return entry.first == name; });
  return found == std::end(sources) ? std::string_view{} : found->second;
}

std::span<const Source> all_sources() { return sources; }
}  // namespace wgemm::text
")
file(COPY_FILE "${OUTPUT}.tmp" "${OUTPUT}" ONLY_IF_DIFFERENT)
