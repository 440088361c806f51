// Products that a device cannot hold: the panels that pass through it, as data.
#include <map>
#include <string>
#include <utility>

#include "core/json/plan_fields.hpp"
#include "core/json/planner_fields.hpp"
#include "core/json/profile_fields.hpp"
#include "core/json/streaming_fields.hpp"
#include "core/streaming/panels.hpp"
#include "core/streaming/parts.hpp"
#include "wasm/arguments.hpp"
#include "wasm/calls.hpp"

namespace wgemm::wasm {
namespace {

struct ToStream {
  Problem problem;
  Limits limits;
  PlanOptions options;
  std::uint64_t memory_cap = 0;
};
void fields(json::Reader& reader, ToStream& arguments) {
  reader.required("problem", arguments.problem);
  reader.required("limits", arguments.limits);
  reader("options", arguments.options);
  reader("memory_cap", arguments.memory_cap);
}

/// Values that are written once, however many refer to them.
class Values {
 public:
  /// Its index.
  std::size_t add(Json value) {
    const auto [found, is_new] = places_.try_emplace(value.dump(), places_.size());
    if (is_new) all_.push_back(std::move(value));
    return found->second;
  }
  Json take() { return std::move(all_); }

 private:
  std::map<std::string, std::size_t> places_;
  Json all_ = Json::array();
};

/// Operands that the panel's own problem has.
bool takes(const Problem& problem, BufferRole role) {
  switch (role) {
    case BufferRole::bias:
      return problem.epilogue.bias != Bias::none;
    case BufferRole::residual:
      return problem.epilogue.add_residual;
    default:
      return true;
  }
}

}  // namespace

Result<Json> panels(const Json& request) {
  const auto arguments = read_arguments<ToStream>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto& [whole, limits, options, memory_cap] = *arguments;
  if (auto done = validate(whole); !done) return tl::unexpected(within("problem", done.error()));
  if (!must_stream(whole, limits, memory_cap)) return Json(nullptr);
  const auto streaming = plan_streaming(whole, limits, memory_cap);
  if (!streaming) {
    auto error = streaming.error();
    return tl::unexpected(error.argument == "memory_cap" ? error : within("limits", std::move(error)));
  }
  Values problems;
  Values parts;
  auto all = Json::array();
  for (const auto& panel : streaming->panels) {
    const auto problem = panel_problem(whole, panel, streaming->c_type);
    auto taken = Json::array();
    for (std::size_t i = 0; i < kCallerBuffers; ++i) {
      const auto role = static_cast<BufferRole>(i);
      if (!takes(problem, role)) continue;
      const auto part = part_of(whole, panel, streaming->c_type, role);
      if (part.bytes != 0) taken.push_back(parts.add(json::Writer::of(part)));
    }
    all.push_back({{"problem", problems.add(json::Writer::of(problem))},
                   {"parts", std::move(taken)},
                   {"first_k", panel.first_k},
                   {"last_k", panel.last_k}});
  }
  return Json{{"whole", json::Writer::of(whole)},
              {"options", json::Writer::of(panel_options(options, *streaming))},
              {"problems", problems.take()},
              {"parts", parts.take()},
              {"panels", std::move(all)}};
}

}  // namespace wgemm::wasm
