// What is written as JSON of the parts of operands that pass through a device in panels.
#pragma once

#include "core/json/archive.hpp"
#include "core/streaming/parts.hpp"

namespace wgemm::json {

inline void fields(Writer& archive, const Spacing& spacing) {
  archive("start", spacing.start);
  archive("line", spacing.line);
  archive("matrix", spacing.matrix);
}

inline void fields(Writer& archive, const StridedCopy& copy) {
  archive("length", copy.length);
  archive("lines", copy.lines);
  archive("matrices", copy.matrices);
  archive("caller", copy.caller);
  archive("panel", copy.panel);
}

inline void fields(Writer& archive, const Part& part) {
  archive("role", part.role);
  archive("caller_type", part.caller_type);
  archive("panel_type", part.panel_type);
  archive("bytes", part.bytes);
  archive("copies", part.copies);
}

}  // namespace wgemm::json
