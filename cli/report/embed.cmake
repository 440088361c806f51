# Writes a C++ file with the functions of report/assets.hpp. An empty path gives an empty text.
# cmake -DOUTPUT=… -DREPORT_FOLDER=… -DCHART_JS=… -P embed.cmake
function(append_text name file)
  set(bytes "")
  if(file)
    file(READ "${file}" hex HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  endif()
  # Bytes of type unsigned char, since those above 0x7f fit no char; one more keeps the array from being empty.
  file(APPEND "${OUTPUT}" "std::string_view ${name}() {
  static constexpr unsigned char kBytes[] = {${bytes}0};
  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes) - 1};
}
")
endfunction()

file(WRITE "${OUTPUT}" "// Made by cli/report/embed.cmake; do not edit.
#include \"cli/report/assets.hpp\"

namespace wgemm::cli::assets {
")
append_text(page_template "${REPORT_FOLDER}/page.html")
append_text(page_js "${REPORT_FOLDER}/page.js")
append_text(ladder_js "${REPORT_FOLDER}/ladder.js")
append_text(bench_js "${REPORT_FOLDER}/bench.js")
append_text(chart_js "${CHART_JS}")
file(APPEND "${OUTPUT}" "}  // namespace wgemm::cli::assets
")
