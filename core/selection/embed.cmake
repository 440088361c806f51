# Writes the tuning data that are shipped as C++, so that no program parses them when it plans its first product.
# cmake -DOUTPUT=… "-DFILES=a.json;b.json" -P embed.cmake

# Appends fields of a JSON object to `row`, as C++ writes them.
function(append_values json)
  foreach(field IN LISTS ARGN)
    string(JSON value GET "${json}" ${field})
    string(JSON type TYPE "${json}" ${field})
    if(type STREQUAL STRING)
      string(REPLACE "\\" "\\\\" value "${value}")
      string(REPLACE "\"" "\\\"" value "${value}")
      set(value "\"${value}\"")
    elseif(type STREQUAL BOOLEAN)
      # CMake reads them as ON and OFF.
      if(value)
        set(value true)
      else()
        set(value false)
      endif()
    endif()
    string(APPEND row ".${field} = ${value}, ")
  endforeach()
  set(row "${row}" PARENT_SCOPE)
endfunction()

# The same of fields that hold an enumerator's name.
function(append_enumerators json enumeration)
  foreach(field IN LISTS ARGN)
    string(JSON value GET "${json}" ${field})
    string(APPEND row ".${field} = ${enumeration}::${value}, ")
  endforeach()
  set(row "${row}" PARENT_SCOPE)
endfunction()

# In the order in which the structures declare them.
set(rows "")
set(count 0)
foreach(file IN LISTS FILES)
  file(READ "${file}" data)
  string(JSON entries LENGTH "${data}" entries)
  if(entries EQUAL 0)
    continue()
  endif()
  math(EXPR last "${entries} - 1")
  foreach(i RANGE ${last})
    string(JSON entry GET "${data}" entries ${i})
    string(JSON device GET "${entry}" device)
    string(JSON problem GET "${entry}" problem)
    set(row "    {.device = {")
    append_values("${device}" vendor architecture name driver backend library library_version vendor_id device_id)
    string(APPEND row "},\n     .problem = {")
    append_values("${problem}" m n k batch)
    append_enumerators("${problem}" DataType a b c)
    append_enumerators("${problem}" Accumulate accumulate)
    append_enumerators("${problem}" Order a_order b_order c_order)
    append_values("${problem}" aligned quantization dequantise)
    append_enumerators("${problem}" EpilogueClass epilogue)
    string(APPEND row "},\n     ")
    append_values("${entry}" kernel date tool seconds heuristic_seconds split_k unchecked_shaders)
    string(APPEND rows "${row}},\n")
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()
file(WRITE "${OUTPUT}.tmp" "// Made by core/selection/embed.cmake; do not edit.
#include \"core/selection/shipped.hpp\"

#include <array>

namespace wgemm::selection {
namespace {
constexpr std::array<ShippedEntry, ${count}> entries{{
${rows}}};
}  // namespace

std::span<const ShippedEntry> shipped_entries() { return entries; }
}  // namespace wgemm::selection
")
file(COPY_FILE "${OUTPUT}.tmp" "${OUTPUT}" ONLY_IF_DIFFERENT)
