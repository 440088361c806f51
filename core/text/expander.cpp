// Expands a text in one walk over its lines; blocks (#if, #for) are found by matching their #end.
#include "core/text/expander.hpp"

#include <utility>
#include <vector>

#include "core/text/expression.hpp"

namespace wgemm::text {
namespace {

constexpr int kMaximumDepth = 16;  // of includes; a text that includes itself must end in an error

std::string_view trim(std::string_view line) {
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

/// Takes the first word off `line`.
std::string_view take_word(std::string_view& line) {
  line = trim(line);
  std::size_t length = 0;
  while (length < line.size() && line[length] != ' ') ++length;
  const auto word = line.substr(0, length);
  line = trim(line.substr(length));
  return word;
}

std::vector<std::string_view> split_lines(std::string_view source) {
  std::vector<std::string_view> lines;
  while (!source.empty()) {
    const auto end = source.find('\n');
    lines.push_back(source.substr(0, end));
    if (end == std::string_view::npos) break;
    source.remove_prefix(end + 1);
  }
  return lines;
}

class Expander {
 public:
  Expander(SourceLookup lookup, std::string& out) : lookup_(lookup), out_(out) {}

  Result<void> text(std::string_view name, Environment environment, int depth) {
    const auto source = lookup_(name);
    if (source.empty())
      return fail(ErrorCode::internal, std::string(name), "no kernel text '" + std::string(name) + "'");
    if (depth > kMaximumDepth) {
      return fail(ErrorCode::internal, std::string(name),
                  "kernel text '" + std::string(name) + "' includes itself");
    }
    const auto lines = split_lines(source);
    Block block{name, lines, depth};
    return range(block, 0, lines.size(), environment);
  }

 private:
  struct Block {
    std::string_view name;
    const std::vector<std::string_view>& lines;
    int depth;
  };

  static tl::unexpected<Error> error(const Block& block, std::size_t line, const std::string& what) {
    return fail(ErrorCode::internal, std::string(block.name),
                std::string(block.name) + ":" + std::to_string(line + 1) + ": " + what);
  }

  static Result<std::int64_t> value(const Block& block, std::size_t line, std::string_view expression,
                                    const Environment& environment) {
    return evaluate(expression, environment).map_error([&](const Error& inner) {
      return error(block, line, inner.message).value();
    });
  }

  /// Line of the next `#elif`, `#else` or `#end` that belongs to the block opened before `line`.
  static std::size_t block_end(const Block& block, std::size_t line) {
    int nesting = 0;
    for (; line < block.lines.size(); ++line) {
      auto rest = trim(block.lines[line]);
      const auto word = take_word(rest);
      if (word == "#if" || word == "#for") ++nesting;
      if (nesting == 0 && (word == "#elif" || word == "#else" || word == "#end")) break;
      if (word == "#end") --nesting;
    }
    return line;
  }

  Result<void> range(const Block& block, std::size_t begin, std::size_t end, Environment& environment) {
    for (std::size_t line = begin; line < end; ++line) {
      const auto content = trim(block.lines[line]);
      if (!content.starts_with('#')) {
        if (auto done = plain(block, line, environment); !done) return done;
        continue;
      }
      auto rest = content;
      const auto directive = take_word(rest);
      Result<std::size_t> next = line;
      if (directive == "#include") {
        next = include(block, line, rest, environment);
      } else if (directive == "#let") {
        next = let(block, line, rest, environment);
      } else if (directive == "#if") {
        next = conditional(block, line, rest, environment);
      } else if (directive == "#for") {
        next = loop(block, line, rest, environment);
      } else {
        return error(block, line, "unexpected '" + std::string(directive) + "'");
      }
      if (!next) return tl::unexpected(next.error());
      line = *next;
    }
    return {};
  }

  Result<std::size_t> include(const Block& block, std::size_t line, std::string_view rest,
                              const Environment& environment) {
    const auto name = take_word(rest);
    Environment inner = environment.inner();
    while (!rest.empty()) {
      auto argument = take_word(rest);
      const auto equals = argument.find('=');
      if (equals == std::string_view::npos) return error(block, line, "#include arguments are KEY=VALUE");
      const auto key = argument.substr(0, equals);
      argument.remove_prefix(equals + 1);
      if (argument.size() >= 2 && argument.front() == '"' && argument.back() == '"') {
        inner.set(key, std::string(argument.substr(1, argument.size() - 2)));
      } else {
        const auto number = value(block, line, argument, environment);
        if (!number) return tl::unexpected(number.error());
        inner.set(key, *number);
      }
    }
    if (auto done = text(name, std::move(inner), block.depth + 1); !done) return tl::unexpected(done.error());
    return line;
  }

  static Result<std::size_t> let(const Block& block, std::size_t line, std::string_view rest,
                                 Environment& environment) {
    const auto name = take_word(rest);
    if (take_word(rest) != "=") return error(block, line, "#let is NAME = EXPRESSION");
    const auto number = value(block, line, rest, environment);
    if (!number) return tl::unexpected(number.error());
    environment.set(name, *number);
    return line;
  }

  Result<std::size_t> conditional(const Block& block, std::size_t line, std::string_view condition,
                                  Environment& environment) {
    if (condition.empty()) return error(block, line, "#if without a condition");
    bool taken = false;
    for (;;) {
      bool holds = true;  // of an #else
      if (!condition.empty()) {
        const auto number = value(block, line, condition, environment);
        if (!number) return tl::unexpected(number.error());
        holds = *number != 0;
      }
      const auto end = block_end(block, line + 1);
      if (end == block.lines.size()) return error(block, line, "#if without #end");
      if (holds && !taken) {
        taken = true;
        if (auto done = range(block, line + 1, end, environment); !done) return tl::unexpected(done.error());
      }
      condition = trim(block.lines[end]);
      if (take_word(condition) == "#end") return end;
      line = end;
    }
  }

  Result<std::size_t> loop(const Block& block, std::size_t line, std::string_view rest,
                           Environment& environment) {
    const auto name = take_word(rest);
    const auto in = take_word(rest);
    const auto dots = rest.find("..");
    if (in != "in" || dots == std::string_view::npos) return error(block, line, "#for is NAME in FIRST..END");
    const auto first = value(block, line, rest.substr(0, dots), environment);
    if (!first) return tl::unexpected(first.error());
    const auto last = value(block, line, rest.substr(dots + 2), environment);
    if (!last) return tl::unexpected(last.error());
    const auto end = block_end(block, line + 1);
    if (end == block.lines.size()) return error(block, line, "#for without #end");
    for (auto index = *first; index < *last; ++index) {
      Environment inner = environment.inner();
      inner.set(name, index);
      if (auto done = range(block, line + 1, end, inner); !done) return tl::unexpected(done.error());
    }
    return end;
  }

  Result<void> plain(const Block& block, std::size_t line, const Environment& environment) {
    std::string_view rest = block.lines[line];
    for (;;) {
      const auto dollar = rest.find('$');
      out_.append(rest.substr(0, dollar));
      if (dollar == std::string_view::npos) break;
      rest.remove_prefix(dollar + 1);
      if (rest.starts_with('(')) {
        const auto close = matching_parenthesis(rest);
        if (close == std::string_view::npos) return error(block, line, "'$(' without ')'");
        const auto number = value(block, line, rest.substr(1, close - 1), environment);
        if (!number) return tl::unexpected(number.error());
        out_.append(std::to_string(*number));
        rest.remove_prefix(close + 1);
      } else {
        std::size_t length = 0;
        while (length < rest.size() && is_name_character(rest[length])) ++length;
        const auto name = rest.substr(0, length);
        const auto* found = environment.find(name);
        if (found == nullptr) return error(block, line, "unknown name '$" + std::string(name) + "'");
        const auto* integer = std::get_if<std::int64_t>(found);
        out_.append(integer != nullptr ? std::to_string(*integer) : std::get<std::string>(*found));
        rest.remove_prefix(length);
      }
    }
    out_.push_back('\n');
    return {};
  }

  static std::size_t matching_parenthesis(std::string_view text) {
    int nesting = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(') ++nesting;
      if (text[i] == ')' && --nesting == 0) return i;
    }
    return std::string_view::npos;
  }

  SourceLookup lookup_;
  std::string& out_;
};

}  // namespace

Result<std::string> expand(std::string_view name, SourceLookup lookup, Environment environment) {
  std::string out;
  out.reserve(std::size_t{16} * 1024);
  auto done = Expander(lookup, out).text(name, std::move(environment), 0);
  if (!done) return tl::unexpected(done.error());
  return out;
}

}  // namespace wgemm::text
