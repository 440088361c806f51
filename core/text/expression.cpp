// A recursive-descent parser that evaluates as it reads.
#include "core/text/expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

namespace wgemm::text {
namespace {

struct Operator {
  std::string_view symbol;
  int precedence;
};

// Longer symbols first, so that "<=" is not read as "<".
constexpr std::array<Operator, 13> kOperators{{{"||", 1},
                                               {"&&", 2},
                                               {"==", 3},
                                               {"!=", 3},
                                               {"<=", 4},
                                               {">=", 4},
                                               {"<", 4},
                                               {">", 4},
                                               {"+", 5},
                                               {"-", 5},
                                               {"*", 6},
                                               {"/", 6},
                                               {"%", 6}}};

class Parser {
 public:
  Parser(std::string_view source, const Environment& environment)
      : source_(source), environment_(environment) {}

  Result<std::int64_t> parse() {
    auto value = binary(1);
    skip_spaces();
    if (value && position_ != source_.size()) {
      return error("unexpected '" + std::string(source_.substr(position_)) + "'");
    }
    return value;
  }

 private:
  tl::unexpected<Error> error(const std::string& what) const {
    return fail(ErrorCode::internal, std::string(source_),
                "expression '" + std::string(source_) + "': " + what);
  }

  void skip_spaces() {
    while (position_ < source_.size() && source_[position_] == ' ') ++position_;
  }

  bool take(std::string_view symbol) {
    skip_spaces();
    if (!source_.substr(position_).starts_with(symbol)) return false;
    position_ += symbol.size();
    return true;
  }

  Result<std::int64_t> apply(std::string_view symbol, std::int64_t left, std::int64_t right) const {
    if (symbol == "||") return static_cast<std::int64_t>(left != 0 || right != 0);
    if (symbol == "&&") return static_cast<std::int64_t>(left != 0 && right != 0);
    if (symbol == "==") return static_cast<std::int64_t>(left == right);
    if (symbol == "!=") return static_cast<std::int64_t>(left != right);
    if (symbol == "<=") return static_cast<std::int64_t>(left <= right);
    if (symbol == ">=") return static_cast<std::int64_t>(left >= right);
    if (symbol == "<") return static_cast<std::int64_t>(left < right);
    if (symbol == ">") return static_cast<std::int64_t>(left > right);
    if (symbol == "+") return left + right;
    if (symbol == "-") return left - right;
    if (symbol == "*") return left * right;
    if (right == 0) return error("division by zero");
    return symbol == "/" ? left / right : left % right;
  }

  Result<std::int64_t> binary(int precedence) {
    auto left = unary();
    while (left) {
      skip_spaces();
      const auto rest = source_.substr(position_);
      const auto found =
          std::ranges::find_if(kOperators, [&](const Operator& op) { return rest.starts_with(op.symbol); });
      if (found == kOperators.end() || found->precedence < precedence) break;
      position_ += found->symbol.size();
      const auto right = binary(found->precedence + 1);
      if (!right) return right;
      left = apply(found->symbol, *left, *right);
    }
    return left;
  }

  Result<std::int64_t> unary() {
    if (take("-")) return unary().map([](std::int64_t value) { return -value; });
    if (take("!"))
      return unary().map([](std::int64_t value) { return static_cast<std::int64_t>(value == 0); });
    if (take("(")) {
      auto value = binary(1);
      if (value && !take(")")) return error("missing ')'");
      return value;
    }
    skip_spaces();
    if (position_ >= source_.size()) return error("ends where a value is expected");
    return std::isdigit(static_cast<unsigned char>(source_[position_])) != 0 ? number() : name();
  }

  Result<std::int64_t> number() {
    std::int64_t value = 0;
    const auto* end = source_.data() + source_.size();
    const auto [rest, status] = std::from_chars(source_.data() + position_, end, value);
    if (status != std::errc()) return error("a number is too large");
    position_ = static_cast<std::size_t>(rest - source_.data());
    return value;
  }

  Result<std::int64_t> name() {
    const auto start = position_;
    while (position_ < source_.size() && is_name_character(source_[position_])) ++position_;
    const auto word = source_.substr(start, position_ - start);
    if (word.empty()) return error("unexpected '" + std::string(source_.substr(start, 1)) + "'");
    if (take("(")) return call(word);
    const auto* value = environment_.find(word);
    if (value == nullptr) return error("unknown name '" + std::string(word) + "'");
    const auto* integer = std::get_if<std::int64_t>(value);
    if (integer == nullptr) return error("'" + std::string(word) + "' is a word, not a number");
    return *integer;
  }

  Result<std::int64_t> call(std::string_view function) {
    const auto left = binary(1);
    if (!left) return left;
    if (!take(",")) return error("'" + std::string(function) + "' takes two values");
    const auto right = binary(1);
    if (!right) return right;
    if (!take(")")) return error("missing ')'");
    if (function == "min") return std::min(*left, *right);
    if (function == "max") return std::max(*left, *right);
    if (function == "ceil_div") {
      if (*right <= 0) return error("ceil_div divides by a positive number only");
      return (*left + *right - 1) / *right;
    }
    return error("unknown function '" + std::string(function) + "'");
  }

  std::string_view source_;
  const Environment& environment_;
  std::size_t position_ = 0;
};

}  // namespace

bool is_name_character(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

Result<std::int64_t> evaluate(std::string_view expression, const Environment& environment) {
  return Parser(expression, environment).parse();
}

}  // namespace wgemm::text
