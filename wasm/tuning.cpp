// What a search tries next, and what becomes of what it found.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/json/plan_fields.hpp"
#include "core/json/profile_fields.hpp"
#include "core/json/tuning_fields.hpp"
#include "core/json/values.hpp"
#include "core/tuning/search_order.hpp"
#include "wasm/arguments.hpp"
#include "wasm/calls.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm::wasm {
namespace {

struct Trial {
  std::string kernel;
  std::uint32_t split_k = 1;
  double seconds = 0;  ///< 0: no result that counts
};
void fields(json::Reader& reader, Trial& trial) {
  reader.required("kernel", trial.kernel);
  reader("split_k", trial.split_k);
  reader("seconds", trial.seconds);
}

struct OfSearch {
  Problem problem;
  DeviceProfile profile;
  std::vector<Trial> trials;  ///< in any order
};
void fields(json::Reader& reader, OfSearch& arguments) {
  reader.required("problem", arguments.problem);
  reader.required("profile", arguments.profile);
  reader("trials", arguments.trials);
}

struct OfEntry {
  Problem problem;
  DeviceProfile profile;
  TuningEntry entry;  ///< without the two
};
void fields(json::Reader& reader, OfEntry& arguments) {
  reader.required("problem", arguments.problem);
  reader.required("profile", arguments.profile);
  reader.required("kernel", arguments.entry.kernel);
  reader("split_k", arguments.entry.split_k);
  reader.required("seconds", arguments.entry.seconds);
  reader("heuristic_seconds", arguments.entry.heuristic_seconds);
  reader("unchecked_shaders", arguments.entry.unchecked_shaders);
  reader("date", arguments.entry.date);
  reader("tool", arguments.entry.tool);
}

struct ToMerge {
  Json data;
  Json with;
};
void fields(json::Reader& reader, ToMerge& arguments) {
  reader.required("data", arguments.data);
  reader.required("with", arguments.with);
}

Json next_of(const tuning::SearchOrder& order) {
  const auto* choice = order.next();
  if (choice == nullptr) return nullptr;
  return {{"kernel", kernels::name(choice->kernel)},
          {"split_k", choice->split_k},
          {"estimated_seconds", choice->seconds},
          {"heuristic", order.heuristic()}};
}

}  // namespace

Result<Json> next_trial(const Json& request) {
  const auto arguments = read_arguments<OfSearch>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto& [problem, profile, trials] = *arguments;
  if (auto done = validate(problem); !done) return tl::unexpected(within("problem", done.error()));
  std::map<std::pair<std::string, std::uint32_t>, std::size_t> known;
  for (std::size_t i = 0; i < trials.size(); ++i) known[{trials[i].kernel, trials[i].split_k}] = i;
  tuning::SearchOrder order(problem, profile);
  std::vector<std::size_t> told;
  while (const auto* choice = order.next()) {
    const auto found = known.find({kernels::name(choice->kernel), choice->split_k});
    if (found == known.end()) break;
    const double seconds = trials[found->second].seconds;
    order.tried(seconds > 0 ? std::optional(seconds) : std::nullopt);
    told.push_back(found->second);
  }
  const auto given = [&](std::optional<std::size_t> index) { return index ? Json(told.at(*index)) : Json(); };
  return Json{{"next", next_of(order)},
              {"fastest", given(order.fastest())},
              {"kept", given(order.kept())},
              {"candidates", tuning::candidate_checksum(problem, profile)}};
}

Result<Json> tuning_entry(const Json& request) {
  auto arguments = read_arguments<OfEntry>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  auto& [problem, profile, entry] = *arguments;
  if (auto done = validate(problem); !done) return tl::unexpected(within("problem", done.error()));
  const auto name = wgemm::canonical_kernel_name(entry.kernel);
  if (!name) return tl::unexpected(at("kernel", name.error()));
  entry.kernel = *name;
  entry.device = tuning_device(profile);
  entry.problem = tuning_problem(problem);
  const auto data = json::tuning_value(TuningData{{entry}});
  // What no file may hold is none either.
  if (auto done = json::tuning_of(data); !done) return tl::unexpected(done.error());
  return data;
}

Result<Json> merge_tuning(const Json& request) {
  const auto arguments = read_arguments<ToMerge>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  auto data = json::tuning_of(arguments->data);
  if (!data) return tl::unexpected(within("data", data.error()));
  const auto with = json::tuning_of(arguments->with);
  if (!with) return tl::unexpected(within("with", with.error()));
  data->merge(*with);
  return json::tuning_value(*data);
}

}  // namespace wgemm::wasm
