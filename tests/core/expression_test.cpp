#include "core/text/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace wgemm::text {
namespace {

using ::testing::HasSubstr;

Environment names() {
  Environment environment;
  environment.set("BM", 64);
  environment.set("TM", 8);
  environment.set("ZERO", 0);
  environment.set("type", std::string("f32"));
  return environment;
}

struct Case {
  const char* expression;
  std::int64_t value;
};

std::ostream& operator<<(std::ostream& out, const Case& each) { return out << each.expression; }

class ExpressionValue : public ::testing::TestWithParam<Case> {};

TEST_P(ExpressionValue, IsAsWritten) {
  const auto value = evaluate(GetParam().expression, names());
  ASSERT_TRUE(value) << value.error().message;
  EXPECT_EQ(*value, GetParam().value) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, ExpressionValue,
    ::testing::Values(Case{"7", 7}, Case{" 7 ", 7}, Case{"BM", 64}, Case{"-3", -3}, Case{"- -3", 3},
                      Case{"!0", 1}, Case{"!5", 0}, Case{"!!5", 1},
                      // precedence and association
                      Case{"2 + 3 * 4", 14}, Case{"(2 + 3) * 4", 20}, Case{"20 - 8 - 4", 8},
                      Case{"64 / 8 / 2", 4}, Case{"BM / TM * 2", 16}, Case{"7 % 4 * 2", 6},
                      Case{"1 + 1 == 2", 1}, Case{"1 < 2 == 1", 1}, Case{"-7 / 2", -3},
                      Case{"1 || 0 && 0", 1}, Case{"(1 || 0) && 0", 0},
                      // every comparison, both ways
                      Case{"3 < 4", 1}, Case{"4 < 4", 0}, Case{"4 <= 4", 1}, Case{"5 <= 4", 0},
                      Case{"5 > 4", 1}, Case{"4 > 4", 0}, Case{"4 >= 4", 1}, Case{"3 >= 4", 0},
                      Case{"4 == 4", 1}, Case{"4 == 5", 0}, Case{"4 != 5", 1}, Case{"4 != 4", 0},
                      Case{"2 && 3", 1}, Case{"2 && 0", 0}, Case{"0 || 3", 1}, Case{"0 || 0", 0},
                      // functions
                      Case{"min(3, TM)", 3}, Case{"max(3, TM)", 8}, Case{"ceil_div(7, 2)", 4},
                      Case{"ceil_div(8, 2)", 4}, Case{"min(max(1, 2), 3) + 1", 3},
                      Case{"BM % (TM * 4) == 0 && TM <= 32", 1}));

struct Mistake {
  const char* expression;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const Mistake& each) { return out << each.expression; }

class ExpressionError : public ::testing::TestWithParam<Mistake> {};

TEST_P(ExpressionError, SaysWhatIsWrong) {
  const auto value = evaluate(GetParam().expression, names());
  ASSERT_FALSE(value) << GetParam().expression << " gave " << *value;
  EXPECT_THAT(value.error().message, HasSubstr(GetParam().message));
  EXPECT_THAT(value.error().message, HasSubstr(GetParam().expression));
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, ExpressionError,
    ::testing::Values(Mistake{"", "ends where a value is expected"}, Mistake{"1 +", "ends where a value"},
                      Mistake{"BN", "unknown name 'BN'"}, Mistake{"type", "is a word, not a number"},
                      Mistake{"1 / ZERO", "division by zero"}, Mistake{"1 % 0", "division by zero"},
                      Mistake{"(1 + 2", "missing ')'"}, Mistake{"1 2", "unexpected '2'"},
                      Mistake{"1 + )", "unexpected ')'"}, Mistake{"@", "unexpected '@'"},
                      Mistake{"99999999999999999999", "too large"}, Mistake{"min(1)", "takes two values"},
                      Mistake{"min(1, 2", "missing ')'"}, Mistake{"power(1, 2)", "unknown function 'power'"},
                      Mistake{"ceil_div(1, ZERO)", "ceil_div"}));

}  // namespace
}  // namespace wgemm::text
