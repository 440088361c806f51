# Writes the tuning data that are shipped as C++, so that no program parses them when it plans its first product.
# cmake -DOUTPUT=… "-DFILES=a.json;b.json" -P embed.cmake
set(texts vendor architecture name driver backend library library_version)

function(get variable json)
  string(JSON value GET "${json}" ${ARGN})
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

# As C++ writes a string.
function(quoted variable text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${variable} "\"${text}\"" PARENT_SCOPE)
endfunction()

# CMake has ON and OFF for the true and false of JSON.
function(truth variable value)
  set(${variable} false PARENT_SCOPE)
  if(value)
    set(${variable} true PARENT_SCOPE)
  endif()
endfunction()

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
    get(entry "${data}" entries ${i})
    get(device "${entry}" device)
    get(problem "${entry}" problem)
    set(row "{.device = {")
    foreach(field IN LISTS texts)
      get(value "${device}" ${field})
      quoted(value "${value}")
      string(APPEND row "${value}, ")
    endforeach()
    get(vendor_id "${device}" vendor_id)
    get(device_id "${device}" device_id)
    string(APPEND row "${vendor_id}U, ${device_id}U},\n     .problem = {")
    foreach(field m n k batch)
      get(value "${problem}" ${field})
      string(APPEND row ".${field} = ${value}U, ")
    endforeach()
    foreach(field a b c)
      get(value "${problem}" ${field})
      string(APPEND row ".${field} = DataType::${value}, ")
    endforeach()
    get(value "${problem}" accumulate)
    string(APPEND row ".accumulate = Accumulate::${value}, ")
    foreach(field a_order b_order c_order)
      get(value "${problem}" ${field})
      string(APPEND row ".${field} = Order::${value}, ")
    endforeach()
    get(value "${problem}" aligned)
    truth(value "${value}")
    string(APPEND row ".aligned = ${value}, ")
    get(value "${problem}" quantization)
    string(APPEND row ".quantization = ${value}U, ")
    get(value "${problem}" dequantise)
    truth(value "${value}")
    string(APPEND row ".dequantise = ${value}, ")
    get(value "${problem}" epilogue)
    string(APPEND row ".epilogue = EpilogueClass::${value}},\n     ")
    foreach(field kernel date tool)
      get(value "${entry}" ${field})
      quoted(value "${value}")
      string(APPEND row ".${field} = ${value}, ")
    endforeach()
    foreach(field seconds heuristic_seconds)
      get(value "${entry}" ${field})
      string(APPEND row ".${field} = ${value}, ")
    endforeach()
    get(value "${entry}" split_k)
    string(APPEND row ".split_k = ${value}U, ")
    get(value "${entry}" unchecked_shaders)
    truth(value "${value}")
    string(APPEND rows "    ${row}.unchecked_shaders = ${value}},\n")
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
