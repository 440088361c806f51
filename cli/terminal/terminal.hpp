// Where a command writes for people: plain lines, and on a real terminal colours and one status line that is
// replaced.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace wgemm::cli {

enum class Colour : std::uint8_t { none, bold, dim, red, green, yellow };

class Terminal {
 public:
  explicit Terminal(std::FILE* stream);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  /// A person watches: escape codes are understood.
  [[nodiscard]] bool interactive() const { return interactive_; }
  /// Columns; 120 where nobody watches.
  [[nodiscard]] int width() const { return width_; }

  /// The text in a colour, or as it is where colours are not wanted.
  [[nodiscard]] std::string paint(Colour colour, std::string_view text) const;

  void line(std::string_view text = {});

  /// Shows, until the next line or status: text, a bar of the fraction done, an activity. Nothing on a file.
  void status(std::string_view text, double fraction, std::string_view activity);
  void clear_status();

 private:
  std::FILE* stream_;
  bool interactive_;
  bool coloured_;
  int width_;
  std::string shown_;
};

}  // namespace wgemm::cli
