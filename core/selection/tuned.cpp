#include "core/selection/tuned.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include "core/planning/operand.hpp"
#include "core/selection/device_name.hpp"
#include "core/selection/shipped.hpp"

namespace wgemm {
namespace {

Order order_of(const MatrixLayout& layout, Transpose transpose) {
  const bool row_major = (layout.order == Order::row_major) == (transpose == Transpose::none);
  return row_major ? Order::row_major : Order::col_major;
}

EpilogueClass epilogue_of(const Problem& problem) {
  if (problem.beta != 0 || problem.epilogue.add_residual) return EpilogueClass::reads_matrix;
  return problem.alpha != 1 || !problem.epilogue.empty() ? EpilogueClass::arithmetic : EpilogueClass::none;
}

bool is_aligned(const Problem& problem) {
  constexpr std::array<Matrix, 3> kMatrices{Matrix::a, Matrix::b, Matrix::c};
  return std::ranges::all_of(kMatrices, [&](Matrix matrix) {
    return planning::vector_width(
               planning::make_operand(problem, matrix, static_cast<std::uint32_t>(matrix))) == 4;
  });
}

}  // namespace

std::string_view to_string(EpilogueClass epilogue) {
  constexpr std::array<std::string_view, 3> names{"none", "arithmetic", "reads_matrix"};
  return names.at(static_cast<std::size_t>(epilogue));
}

TuningDevice tuning_device(const DeviceProfile& profile) {
  return {profile.vendor, profile.architecture, profile.name,    profile.vendor_id,      profile.device_id,
          profile.driver, profile.backend,      profile.library, profile.library_version};
}

TuningProblem tuning_problem(const Problem& problem, bool dequantise) {
  return {.m = problem.m,
          .n = problem.n,
          .k = problem.k,
          .batch = problem.batch.count(),
          .a = problem.a.type,
          .b = problem.b.type,
          .c = problem.c.type,
          .accumulate = problem.accumulate,
          .a_order = order_of(problem.a, problem.trans_a),
          .b_order = order_of(problem.b, problem.trans_b),
          .c_order = problem.c.order,
          .aligned = is_aligned(problem),
          .quantization = problem.quantization.block,
          .dequantise = dequantise && problem.quantization.block != 0,
          .epilogue = epilogue_of(problem)};
}

void TuningData::merge(const TuningData& other) {
  for (const auto& entry : other.entries) {
    const auto known = std::ranges::find_if(entries, [&](const TuningEntry& each) {
      return each.device == entry.device && each.problem == entry.problem &&
             each.unchecked_shaders == entry.unchecked_shaders;
    });
    if (known == entries.end()) {
      entries.push_back(entry);
    } else if (known->date <= entry.date) {  // ISO 8601 sorts as text
      *known = entry;
    }
  }
}

const TuningData& shipped_tuning() {
  static const auto data = [] {
    TuningData all;
    const auto shipped = selection::shipped_entries();
    all.entries.reserve(shipped.size());
    for (const auto& [device, problem, kernel, date, tool, seconds, heuristic_seconds, split_k, unchecked] :
         shipped) {
      all.entries.push_back({.device = {std::string(device.vendor), std::string(device.architecture),
                                        std::string(device.name), device.vendor_id, device.device_id,
                                        std::string(device.driver), std::string(device.backend),
                                        std::string(device.library), std::string(device.library_version)},
                             .problem = problem,
                             .kernel = std::string(kernel),
                             .split_k = split_k,
                             .seconds = seconds,
                             .heuristic_seconds = heuristic_seconds,
                             .unchecked_shaders = unchecked,
                             .date = std::string(date),
                             .tool = std::string(tool)});
    }
    return all;
  }();
  return data;
}

namespace selection {
namespace {

bool holds(const std::string& wanted, const std::string& found) { return wanted.empty() || wanted == found; }

/// Pages are told no numbers, and software adapters and Apple's have none of their own.
bool may_be_same(std::uint32_t one, std::uint32_t other) { return one == other || one == 0 || other == 0; }

bool is_same_device(const TuningDevice& entry, const TuningDevice& device) {
  if (!may_be_same(entry.vendor_id, device.vendor_id)) return false;
  if (entry.device_id != 0 && entry.device_id == device.device_id) return entry.vendor_id == device.vendor_id;
  return may_be_same(entry.device_id, device.device_id) && !entry.name.empty() &&
         identifier_of(entry.name) == identifier_of(device.name);
}

bool is_same_class(TuningProblem one, const TuningProblem& other) {
  std::tie(one.m, one.n, one.k, one.batch) = std::tie(other.m, other.n, other.k, other.batch);
  return one == other;
}

}  // namespace

Scope scope_of(const TuningDevice& entry, const TuningDevice& device) {
  if (is_same_device(entry, device)) {
    const bool same = holds(entry.driver, device.driver) && holds(entry.backend, device.backend) &&
                      holds(entry.library, device.library) &&
                      holds(entry.library_version, device.library_version);
    return same ? Scope::same : Scope::device;
  }
  if (entry.vendor.empty()) return entry == TuningDevice{} ? Scope::any : Scope::none;
  if (entry.vendor != device.vendor) return Scope::none;
  if (!entry.architecture.empty()) {
    return entry.architecture == device.architecture ? Scope::architecture : Scope::none;
  }
  return entry.device_id == 0 && entry.name.empty() ? Scope::vendor : Scope::none;
}

double distance(const TuningProblem& one, const TuningProblem& other) {
  const auto between = [](std::uint64_t a, std::uint64_t b) {
    if (a == b) return 1.0;
    return static_cast<double>(std::max(a, b)) / static_cast<double>(std::min(a, b));
  };
  return between(one.m, other.m) * between(one.n, other.n) * between(one.k, other.k) *
         between(one.batch, other.batch);
}

std::vector<const TuningEntry*> find_entries(const TuningData& data, const DeviceProfile& profile,
                                             const TuningProblem& problem) {
  const auto device = tuning_device(profile);
  struct Found {
    std::tuple<Scope, bool, double> rank;  ///< the smaller, the closer
    const TuningEntry* entry;
  };
  std::vector<Found> found;
  for (const auto& entry : data.entries) {
    if (!is_same_class(entry.problem, problem)) continue;
    const auto far = distance(entry.problem, problem);
    if (!(far <= kFarthest)) continue;  // infinite for a size of 0
    const auto scope = scope_of(entry.device, device);
    const bool otherwise = entry.unchecked_shaders != profile.unchecked_shaders;
    if (scope != Scope::none) found.push_back({{scope, otherwise, far}, &entry});
  }
  std::ranges::stable_sort(found, [](const Found& one, const Found& other) {
    if (one.rank != other.rank) return one.rank < other.rank;
    return one.entry->date > other.entry->date;  // ISO 8601 sorts as text
  });
  std::vector<const TuningEntry*> entries;
  entries.reserve(found.size());
  for (const auto& each : found) entries.push_back(each.entry);
  return entries;
}

}  // namespace selection
}  // namespace wgemm
