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

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::wrong:
      return "wrong";
    case Status::unsupported:
      return "unsupported";
    case Status::failed:
      return "failed";
    case Status::device_lost:
      return "device_lost";
  }
  return "";
}

std::string_view to_string(EdgePolicy edges) { return edges == EdgePolicy::checked ? "checked" : "padded"; }

}  // namespace wgemm::ladder
