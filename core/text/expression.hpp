// Integer expressions over an environment, as kernel texts and constraints use them: "BM % (TM * 4) == 0 &&
// BK <= 32". Operators: || && == != < <= > >= + - * / % ! and unary minus; functions min, max and ceil_div.
// Division truncates.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/text/environment.hpp"
#include "wgemm/error.hpp"

namespace wgemm::text {

/// Value of the expression; comparisons give 0 or 1. Errors: unknown name, division by zero, bad syntax.
Result<std::int64_t> evaluate(std::string_view expression, const Environment& environment);

/// Whether it can be part of a name in expressions and texts.
bool is_name_character(char letter);

}  // namespace wgemm::text
