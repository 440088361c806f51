// Products that a device cannot hold: the panels that pass through it, as data. One panel is told at a time,
// for there may be many.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/caller_buffers.hpp"
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

struct OfPanel {
  ToStream all;
  std::uint64_t index = 0;
};
void fields(json::Reader& reader, OfPanel& arguments) {
  fields(reader, arguments.all);
  reader.required("index", arguments.index);
}

/// How the product is cut; nothing where the device can hold it whole. Errors: in terms of the request.
Result<std::optional<Streaming>> cut(const ToStream& arguments) {
  const auto& [whole, limits, options, memory_cap] = arguments;
  if (auto done = validate(whole); !done) return tl::unexpected(within("problem", done.error()));
  if (!must_stream(whole, limits, memory_cap)) return std::nullopt;
  const auto streaming = plan_streaming(whole, limits, memory_cap);
  if (streaming) return *streaming;
  auto error = streaming.error();
  return tl::unexpected(error.argument == "memory_cap" ? error : within("limits", std::move(error)));
}

/// Whether a panel's problem may have the operand: the epilogue is the last one's along k.
bool takes(const Panel& panel, BufferRole role) {
  return panel.last_k || (role != BufferRole::bias && role != BufferRole::residual);
}

}  // namespace

Result<Json> panels(const Json& request) {
  const auto arguments = read_arguments<ToStream>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto streaming = cut(*arguments);
  if (!streaming) return tl::unexpected(streaming.error());
  if (!*streaming) return Json(nullptr);
  return Json{{"whole", json::Writer::of(arguments->problem)},
              {"options", json::Writer::of(panel_options(arguments->options, **streaming))},
              {"count", (*streaming)->count}};
}

Result<Json> panel(const Json& request) {
  const auto arguments = read_arguments<OfPanel>(request);
  if (!arguments) return tl::unexpected(arguments.error());
  const auto& [all, index] = *arguments;
  const auto may_stream = cut(all);
  if (!may_stream) return tl::unexpected(may_stream.error());
  const Streaming streaming = may_stream->value_or(Streaming());  // whole: of no panels
  if (index >= streaming.count) {
    return fail(ErrorCode::invalid_argument, "index",
                "request: 'index' is " + std::to_string(index) + "; there are " +
                    std::to_string(streaming.count) + " panels");
  }
  const auto& whole = all.problem;
  const Panel found = panel_at(whole, streaming, index);
  auto parts = Json::array();
  const auto bytes = caller_bytes(whole);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto role = static_cast<BufferRole>(i);
    if (bytes.at(i) == 0 || !takes(found, role)) continue;
    parts.push_back(json::Writer::of(part_of(whole, found, streaming.c_type, role)));
  }
  return Json{{"problem", json::Writer::of(panel_problem(whole, found, streaming.c_type))},
              {"parts", std::move(parts)},
              {"first_k", found.first_k},
              {"last_k", found.last_k}};
}

}  // namespace wgemm::wasm
