#include "cli/report/info_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cli/report/figures.hpp"
#include "cli/terminal/text.hpp"

namespace wgemm::cli {
namespace {

constexpr std::size_t kIndent = 5;
constexpr std::size_t kHead = 13;

std::string subgroups_of(const DeviceProfile& profile) {
  if (!profile.subgroups) return "not offered";
  const auto reported =
      profile.subgroup_max_size == 0
          ? std::string("not reported")
          : fmt::format("reported {} to {}", profile.subgroup_min_size, profile.subgroup_max_size);
  return profile.subgroup_size == 0 ? reported
                                    : fmt::format("{} lanes ({})", profile.subgroup_size, reported);
}

std::string matrices_of(const DeviceProfile& profile) {
  std::string text;
  for (const auto& config : profile.matrix_configs) text += (text.empty() ? "" : ", ") + describe(config);
  return text.empty() ? "none" : text;
}

std::string limits_of(const Limits& limits) {
  return fmt::format(
      "bindings of {}, buffers of {}, {} bindings a shader; workgroups of {} invocations ({} x {} x {}) with "
      "{} of memory, {} in a dimension",
      byte_count(limits.max_storage_buffer_binding_size), byte_count(limits.max_buffer_size),
      limits.max_storage_buffers_per_shader_stage, limits.max_compute_invocations_per_workgroup,
      limits.max_compute_workgroup_size_x, limits.max_compute_workgroup_size_y,
      limits.max_compute_workgroup_size_z, byte_count(limits.max_compute_workgroup_storage_size),
      limits.max_compute_workgroups_per_dimension);
}

/// By name; what has only a number is counted.
std::string features_of(const std::vector<std::string>& features) {
  std::vector<std::string> named;
  std::ranges::copy_if(features, std::back_inserter(named),
                       [](const std::string& feature) { return !feature.starts_with("0x"); });
  const auto unnamed = features.size() - named.size();
  return fmt::format("{}", fmt::join(named, ", ")) +
         (unnamed > 0 ? fmt::format(", and {} that have no name here (--json lists their numbers)", unnamed)
                      : "");
}

/// What kernels and measurements do without on this adapter.
std::string lacks_of(const DeviceProfile& profile) {
  std::vector<std::string> lacks;
  if (!profile.timestamps) lacks.emplace_back("timestamps (times come from the host's clock)");
  if (!profile.shader_f16) lacks.emplace_back("f16 (no kernels on f16 matrices)");
  if (profile.matrix_configs.empty())
    lacks.emplace_back("matrix units (rung subgroup-matrix is checked by emulation)");
  return fmt::format("{}", fmt::join(lacks, ", "));
}

class Page {
 public:
  explicit Page(Terminal& terminal) : terminal_(terminal) {}

  void print(const LibraryReport& library) {
    terminal_.line(terminal_.paint(Colour::bold, library.name) +
                   (library.path.empty() ? std::string()
                                         : fmt::format(", version {}, {}", library.version, library.path)));
    if (!library.problem.empty()) entry("problem", library.problem, Colour::yellow);
    for (std::size_t i = 0; i < library.adapters.size(); ++i) print(i, library.adapters[i]);
    terminal_.line();
  }

  void print(const InfoReport::Chosen& chosen) {
    terminal_.line(
        chosen.problem.empty()
            ? fmt::format("wgemm uses {} through {}: {}", chosen.name, chosen.library, chosen.reason)
            : terminal_.paint(Colour::yellow, "wgemm has no adapter that it can use"));
  }

  void print(const std::vector<std::string>& missing) {
    if (missing.empty()) return;
    terminal_.line();
    terminal_.line("Missing on this machine:");
    for (const auto& part : missing) {
      const auto lines = wrap(part, static_cast<std::size_t>(terminal_.width()) - 4);
      for (std::size_t i = 0; i < lines.size(); ++i) terminal_.line((i == 0 ? "  - " : "    ") + lines[i]);
    }
  }

 private:
  void print(std::size_t number, const AdapterReport& adapter) {
    const auto& profile = adapter.profile;
    terminal_.line(fmt::format("  {}  {}", number, terminal_.paint(Colour::bold, profile.name)));
    entry("type", fmt::format("{}, {}", type_in_words(profile.type), profile.backend));
    entry("driver", profile.driver.empty() ? "not told" : profile.driver);
    entry("subgroups", subgroups_of(profile));
    if (!adapter.lane_order.empty()) entry("lanes", "in a 16x16 workgroup: " + adapter.lane_order);
    entry("matrix units", matrices_of(profile));
    entry("limits", limits_of(profile.limits));
    entry("features", features_of(adapter.features));
    if (const auto lacks = lacks_of(profile); !lacks.empty()) entry("lacks", lacks);
  }

  void entry(std::string_view head, std::string_view text, Colour colour = Colour::none) {
    const auto lines = wrap(text, static_cast<std::size_t>(terminal_.width()) - kIndent - kHead);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      terminal_.line(std::string(kIndent, ' ') +
                     terminal_.paint(Colour::dim, left(i == 0 ? head : "", kHead)) +
                     terminal_.paint(colour, lines[i]));
    }
  }

  Terminal& terminal_;
};

}  // namespace

void print_info(Terminal& terminal, const InfoReport& report) {
  Page page(terminal);
  for (const auto& library : report.libraries) page.print(library);
  page.print(report.chosen);
  page.print(report.missing);
}

}  // namespace wgemm::cli
