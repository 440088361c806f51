#include "ladder/row.hpp"

namespace wgemm::ladder {

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::baseline:
      return "baseline";
    case Kind::rung:
      return "rung";
    case Kind::sweep:
      return "sweep";
  }
  return "";
}

}  // namespace wgemm::ladder
