// What `wgemm tune` does with measured choices without measuring: shows, exports, imports, merges.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal/terminal.hpp"
#include "wgemm/error.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::cli {

/// The data in a file, or none where there is no such file. Errors: as `load_tuning`, with what to do.
Result<TuningData> load_or_empty(const std::string& path);

/// Adds entries to what a file holds. Errors: as `add_tuning`, with what to do.
Result<void> add_to_file(const std::string& path, const TuningData& data);

/// A line for each entry: sizes and class, kernel, time, how much faster than the planner's own.
void show(Terminal& terminal, const TuningData& data, const std::string& source);

/// Writes the data of a file to another, or to standard output for "-".
Result<void> export_file(const std::string& database, const std::string& path);

/// Puts the data of a file in the place of what the database holds.
Result<void> import_file(const std::string& database, const std::string& path);

/// Adds the data of files to what the database holds.
Result<void> merge_files(const std::string& database, const std::vector<std::string>& paths);

/// "1024x1024x1024 f32 rrr", and what else makes the class.
std::string describe(const TuningProblem& problem);

}  // namespace wgemm::cli
