#include "cli/terminal/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "cli/terminal/text.hpp"

#ifdef _WIN32
#define NOMINMAX
#include <io.h>
#include <windows.h>
#else
#include <sys/ioctl.h>
#include <unistd.h>
#endif

namespace wgemm::cli {
namespace {

constexpr int kUnwatchedWidth = 120;
constexpr int kNarrowest = 40;
constexpr int kBarWidth = 20;
constexpr std::string_view kEraseLine = "\r\x1b[K";

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

/// Whether the stream is a terminal that moves its cursor when told to.
bool is_interactive(std::FILE* stream) {
#ifdef _WIN32
  DWORD mode = 0;
  const auto console = reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(stream)));
  return GetConsoleMode(console, &mode) != 0 &&
         SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
#else
  const char* kind = std::getenv("TERM");
  return isatty(fileno(stream)) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
#endif
}

int columns_of(std::FILE* stream) {
#ifdef _WIN32
  CONSOLE_SCREEN_BUFFER_INFO info{};
  const auto console = reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(stream)));
  return GetConsoleScreenBufferInfo(console, &info) != 0 ? info.srWindow.Right - info.srWindow.Left + 1 : 0;
#else
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
#endif
}

}  // namespace

Terminal::Terminal(std::FILE* stream)
    : stream_(stream),
      interactive_(is_interactive(stream)),
      coloured_(interactive_ && !is_set("NO_COLOR")),
      width_(kUnwatchedWidth) {
  if (!interactive_) return;
  if (const int columns = columns_of(stream); columns > 0) width_ = std::max(columns, kNarrowest);
}

Terminal::~Terminal() { clear_status(); }

std::string Terminal::paint(Colour colour, std::string_view text) const {
  if (!coloured_ || colour == Colour::none || text.empty()) return std::string(text);
  const auto code = [&] {
    switch (colour) {
      case Colour::none:
        return 0;
      case Colour::bold:
        return 1;
      case Colour::dim:
        return 2;
      case Colour::red:
        return 31;
      case Colour::green:
        return 32;
      case Colour::yellow:
        return 33;
    }
    return 0;
  }();
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

void Terminal::line(std::string_view text) {
  clear_status();
  fmt::print(stream_, "{}\n", text);
  std::fflush(stream_);
}

void Terminal::status(std::string_view text, double fraction, std::string_view activity) {
  if (!interactive_) return;
  // A line that wraps could not be erased.
  const auto whole = fmt::format("{} {} {}", text, bar(fraction, kBarWidth), activity);
  auto shown = clip(whole, static_cast<std::size_t>(width_ - 1));
  if (shown == shown_) return;
  shown_ = std::move(shown);
  fmt::print(stream_, "{}{}", kEraseLine, shown_);
  std::fflush(stream_);
}

void Terminal::clear_status() {
  if (shown_.empty()) return;
  shown_.clear();
  fmt::print(stream_, "{}", kEraseLine);
  std::fflush(stream_);
}

}  // namespace wgemm::cli
