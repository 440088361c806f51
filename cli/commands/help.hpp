// How --help looks: lines that fit a terminal, and for each option its value's name and what it does.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <string>

#include "cli/terminal/text.hpp"

namespace wgemm::cli {

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kNames); }

  std::string make_option_opts(const CLI::Option* option) const override {
    const auto value = option->get_type_name();
    return value.empty() ? std::string() : " " + value;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description());
  }

 private:
  static constexpr std::size_t kNames = 28;
  static constexpr std::size_t kLine = 100;

  static std::string wrapped(const std::string& text) {
    return fmt::format("{}", fmt::join(wrap(text, kLine - kNames), "\n"));
  }
};

}  // namespace wgemm::cli
