// Resolves the directives of a kernel text. A line that starts with '#' is a directive:
//   #include NAME [KEY=EXPRESSION | KEY="word"] …   the text of that name, with those names added for its
//   extent #if EXPRESSION / #elif EXPRESSION / #else / #end #for NAME in EXPRESSION..EXPRESSION / #end
//   repeats its lines, the upper end excluded #let NAME = EXPRESSION                           a name for the
//   rest of the text
// In every other line $(EXPRESSION) becomes its integer and $NAME the value of that name.
#pragma once

#include <string>
#include <string_view>

#include "core/text/environment.hpp"
#include "wgemm/error.hpp"

namespace wgemm::text {

/// Finds a text by name; an empty view where there is none.
using SourceLookup = std::string_view (*)(std::string_view name);

/// The text `name` with its directives resolved. Errors name the text and the line.
Result<std::string> expand(std::string_view name, SourceLookup lookup, Environment environment);

}  // namespace wgemm::text
