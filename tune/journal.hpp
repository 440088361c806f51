// Every trial's result, a JSON object a line, so that a search that is stopped, or that takes its process
// down, goes on where it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tune/trial.hpp"
#include "wgemm/error.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::tune {

/// What results can be compared within: one problem on one device, measured one way, and one set of
/// candidates.
struct Session {
  TuningDevice device;
  TuningProblem problem;
  bool unchecked_shaders = false;
  std::string candidates;  ///< checksum of the set
  bool operator==(const Session&) const = default;
};

class Journal {
 public:
  /// Reads what is there; the file need not exist. "" keeps nothing on disk. Lines that cannot be read are
  /// skipped: the last one of a process that was killed may be torn. Errors: io.
  static Result<Journal> open(std::string path);

  /// What is known of a configuration in a session. A trial that began twice and never ended is known as
  /// failed: it took its process down.
  [[nodiscard]] std::optional<Trial> recall(const Session& session, std::string_view kernel,
                                            std::uint32_t split_k) const;

  /// A trial begins; a trial has ended. Written at once. Errors: io.
  Result<void> begin(const Session& session, const Trial& trial);
  Result<void> end(const Session& session, const Trial& trial, const std::string& date,
                   const std::string& tool);

  /// Several configurations are being compiled at once; they have been. Written at once. Errors: io.
  Result<void> begin_compiling(const Session& session);
  Result<void> end_compiling(const Session& session);
  /// Whether that has taken a process down, or somebody did meanwhile: one after the other would show which.
  [[nodiscard]] bool died_compiling(const Session& session) const;

  [[nodiscard]] std::size_t skipped_lines() const { return skipped_; }

 private:
  enum class Event : std::uint8_t { began, ended, compiling, compiled };
  struct Line {
    Session session;
    Trial trial;  ///< of a trial's events
    Event event = Event::began;
  };
  void read(std::string_view line);
  Result<void> note(const Session& session, const Trial& trial, std::string_view status) const;
  Result<void> write(const std::string& line) const;

  std::string path_;
  std::vector<Line> lines_;
  std::size_t skipped_ = 0;
};

}  // namespace wgemm::tune
