#include "tune/journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <system_error>
#include <utility>

#include "core/json/tuning_fields.hpp"

namespace wgemm::tune {
namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr std::string_view kStarted = "started";
constexpr std::string_view kCompiling = "compiling";
constexpr std::string_view kCompiled = "compiled";
/// A person may have ended the process the first time.
constexpr std::size_t kBegunInVain = 2;
constexpr std::array kStatuses{bench::Status::ok, bench::Status::wrong, bench::Status::unsupported,
                               bench::Status::failed, bench::Status::device_lost};

Json head(const Session& session, const Trial& trial) {
  return {{"candidates", session.candidates},
          {"device", json::Writer::of(session.device)},
          {"problem", json::Writer::of(session.problem)},
          {"unchecked_shaders", session.unchecked_shaders},
          {"kernel", trial.kernel},
          {"split_k", trial.split_k}};
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

tl::unexpected<Error> cannot_write(const std::string& path) {
  return fail(ErrorCode::io, "journal", fmt::format("cannot write the results of trials to '{}'", path));
}

template <typename T>
bool read_field(const Json& json, const char* key, T& value) {
  const auto found = json.find(key);
  if (found == json.end()) return false;
  json::Reader reader(json, "journal", json::Rules{});
  reader(key, value);
  return !reader.failed();
}

bool read_result(const Json& json, std::string_view status, Trial& trial) {
  const auto* named =
      std::ranges::find_if(kStatuses, [&](bench::Status each) { return to_string(each) == status; });
  if (named == kStatuses.end()) return false;
  trial.status = *named;
  return read_field(json, "reason", trial.reason) && read_field(json, "seconds", trial.seconds) &&
         read_field(json, "spread", trial.spread) && (!trial.ok() || trial.seconds > 0);
}

}  // namespace

Result<Journal> Journal::open(std::string path) {
  Journal journal;
  journal.path_ = std::move(path);
  if (journal.path_.empty()) return journal;
  std::error_code error;
  fs::create_directories(fs::absolute(journal.path_, error).parent_path(), error);
  std::ifstream stream(journal.path_, std::ios::binary);
  std::string line;
  while (std::getline(stream, line)) {
    if (!line.empty()) journal.read(line);
  }
  // A torn last line must not swallow the next one.
  if (auto done = journal.write(""); !done) return tl::unexpected(done.error());
  return journal;
}

void Journal::read(std::string_view text) {
  const auto json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  Line line;
  auto& [session, trial, event] = line;
  std::string status;
  bool known = json.is_object() && read_field(json, "candidates", session.candidates) &&
               read_field(json, "device", session.device) && read_field(json, "problem", session.problem) &&
               read_field(json, "unchecked_shaders", session.unchecked_shaders) &&
               read_field(json, "kernel", trial.kernel) && read_field(json, "split_k", trial.split_k) &&
               read_field(json, "status", status);
  if (status == kCompiling || status == kCompiled) {
    event = status == kCompiling ? Event::compiling : Event::compiled;
  } else if (status != kStarted) {
    event = Event::ended;
    known = known && read_result(json, status, trial);
  }
  if (known) {
    lines_.push_back(std::move(line));
  } else {
    ++skipped_;
  }
}

Result<void> Journal::write(const std::string& line) const {
  if (path_.empty()) return {};
  std::ofstream stream(path_, std::ios::binary | std::ios::app);
  if (!line.empty()) {
    stream << line << '\n';
  } else if (std::error_code error; fs::file_size(path_, error) > 0 && !error) {
    std::ifstream before(path_, std::ios::binary);
    before.seekg(-1, std::ios::end);
    if (before.get() != '\n') stream << '\n';
  }
  stream.close();
  if (!stream) return cannot_write(path_);
  return {};
}

std::optional<Trial> Journal::recall(const Session& session, std::string_view kernel,
                                     std::uint32_t split_k) const {
  std::size_t begun = 0;
  // The last word counts.
  for (const auto& line : std::views::reverse(lines_)) {
    const auto& trial = line.trial;
    if (trial.split_k != split_k || trial.kernel != kernel || line.session != session) continue;
    if (line.event == Event::ended) return begun == 0 ? std::optional(trial) : std::nullopt;
    if (++begun < kBegunInVain) continue;
    auto failed = trial;
    failed.status = bench::Status::failed;
    failed.reason = "it began in two earlier runs, which both ended before it did";
    return failed;
  }
  return std::nullopt;
}

Result<void> Journal::note(const Session& session, const Trial& trial, std::string_view status) const {
  auto json = head(session, trial);
  json["status"] = status;
  return write(text_of(json));
}

Result<void> Journal::begin(const Session& session, const Trial& trial) {
  return note(session, trial, kStarted);
}

Result<void> Journal::end(const Session& session, const Trial& trial, const std::string& date,
                          const std::string& tool) {
  auto json = head(session, trial);
  json["status"] = to_string(trial.status);
  json["reason"] = trial.reason;
  json["seconds"] = trial.seconds;
  json["spread"] = trial.spread;
  json["estimated_seconds"] = trial.estimated_seconds;
  json["error_over_bound"] = trial.error_over_bound ? Json(*trial.error_over_bound) : Json();
  json["date"] = date;
  json["tool"] = tool;
  return write(text_of(json));
}

Result<void> Journal::begin_compiling(const Session& session) { return note(session, {}, kCompiling); }

Result<void> Journal::end_compiling(const Session& session) { return note(session, {}, kCompiled); }

bool Journal::died_compiling(const Session& session) const {
  int open = 0;
  for (const auto& line : lines_) {
    if (line.session != session) continue;
    if (line.event == Event::compiling) ++open;
    if (line.event == Event::compiled) --open;
  }
  return open > 0;
}

}  // namespace wgemm::tune
