// Products that a device cannot hold: the panels that pass through it, as data.
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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

/// Values that are written once, however many refer to them. A key has one value; several may have the same.
template <typename Key>
class Values {
 public:
  /// Its index. `make` gives the value of a key that is new.
  template <typename Make>
  std::size_t index_of(const Key& key, const Make& make) {
    const auto [known, is_new_key] = by_key_.try_emplace(key);
    if (is_new_key) {
      Json value = make();
      const auto [found, is_new] = by_text_.try_emplace(value.dump(), by_text_.size());
      if (is_new) all_.push_back(std::move(value));
      known->second = found->second;
    }
    return known->second;
  }
  Json take() { return std::move(all_); }

 private:
  std::map<Key, std::size_t> by_key_;
  std::map<std::string, std::size_t> by_text_;
  Json all_ = Json::array();
};

/// All of a panel that its problem hangs on.
using Form =
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, bool, bool>;
Form form_of(const Panel& panel) {
  return {panel.batch0, panel.batch, panel.rows, panel.cols, panel.depth, panel.first_k, panel.last_k};
}

/// All of a panel that its part of an operand hangs on: where it begins.
using Place = std::tuple<BufferRole, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
Place place_of(const Panel& panel, BufferRole role) {
  const bool by_row = role != BufferRole::b && role != BufferRole::scales && role != BufferRole::zeros;
  const bool by_column = role != BufferRole::a;
  const bool by_k = role == BufferRole::a || !by_row;
  return {role, panel.batch0, by_row ? panel.row0 : 0, by_column ? panel.col0 : 0, by_k ? panel.k0 : 0};
}

/// Whether a panel's problem may have the operand: the epilogue is the last one's along k.
bool takes(const Panel& panel, BufferRole role) {
  return panel.last_k || (role != BufferRole::bias && role != BufferRole::residual);
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
  std::vector<BufferRole> roles;  // of the operands that there are
  const auto bytes = caller_bytes(whole);
  for (std::size_t role = 0; role < bytes.size(); ++role) {
    if (bytes.at(role) != 0) roles.push_back(static_cast<BufferRole>(role));
  }
  Values<Form> problems;
  Values<Place> parts;
  auto all = Json::array();
  for (const auto& panel : streaming->panels) {
    auto taken = Json::array();
    for (const auto role : roles) {
      if (!takes(panel, role)) continue;
      taken.push_back(parts.index_of(place_of(panel, role), [&] {
        return json::Writer::of(part_of(whole, panel, streaming->c_type, role));
      }));
    }
    const auto problem = problems.index_of(
        form_of(panel), [&] { return json::Writer::of(panel_problem(whole, panel, streaming->c_type)); });
    all.push_back({{"problem", problem},
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
