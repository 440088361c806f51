# Writes a C++ file that holds the tuning data that are shipped.
# cmake -DOUTPUT=… "-DFILES=a;b" -P embed.cmake
set(count 0)
foreach(file IN LISTS FILES)
  file(READ "${file}" hex HEX)
  # Bytes, not string literals: some compilers limit a literal to 16 KiB.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(APPEND arrays "constexpr char data_${count}[] = {${bytes}};\n")
  string(APPEND entries "    {data_${count}, sizeof(data_${count})},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE "${OUTPUT}.tmp" "// Made by core/selection/embed.cmake; do not edit.
#include \"core/selection/shipped.hpp\"

#include <array>

namespace wgemm::selection {
namespace {
${arrays}
constexpr std::array<std::string_view, ${count}> texts{{
${entries}}};
}  // namespace

std::span<const std::string_view> shipped_texts() { return texts; }
}  // namespace wgemm::selection
")
file(COPY_FILE "${OUTPUT}.tmp" "${OUTPUT}" ONLY_IF_DIFFERENT)
