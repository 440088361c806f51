// wgemm info: the WebGPU libraries and adapters of this machine, and what is missing.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands/command.hpp"
#include "cli/commands/options.hpp"
#include "cli/files/new_file.hpp"
#include "cli/report/html.hpp"
#include "cli/report/info_page.hpp"
#include "cli/terminal/terminal.hpp"
#include "wgemm/adapters.hpp"

namespace wgemm::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  DeviceOptions device;
  ReportOptions reports;
};

constexpr auto kFooter = R"(Examples:
  wgemm info
  wgemm info --webgpu wgpu
  wgemm info --json - | jq '.libraries[].adapters[].profile.name')";

InfoReport::Chosen choose(const ContextOptions& options) {
  const auto context = Context::create(options);
  if (!context) return {{}, {}, {}, context.error().message};
  return {context->profile().name, context->profile().library, std::string(context->choice()), {}};
}

/// Besides the problem of each library, which stands with it.
std::vector<std::string> missing_parts(const std::vector<LibraryReport>& libraries) {
  std::vector<std::string> missing;
  bool software = false;
  bool hardware = false;
  for (const auto& library : libraries) {
    for (const auto& adapter : library.adapters) {
      (adapter.profile.type == AdapterType::software ? software : hardware) = true;
    }
  }
  if (software && !hardware) {
    missing.emplace_back(
        "only software adapters are in reach: if this machine has a GPU, install its Vulkan driver (Debian: "
        "nvidia-driver, or mesa-vulkan-drivers for AMD and Intel)");
  }
  if (const auto charts = check_html(); !charts) missing.push_back(charts.error().message);
  return missing;
}

Json to_json(const InfoReport& info) {
  auto list = Json::array();
  for (const auto& library : info.libraries) {
    auto adapters = Json::array();
    for (const auto& adapter : library.adapters) {
      adapters.push_back({{"profile", Json::parse(wgemm::to_json(adapter.profile))},
                          {"features", adapter.features},
                          {"lane_order", adapter.lane_order}});
    }
    list.push_back({{"name", library.name},
                    {"path", library.path},
                    {"version", library.version},
                    {"problem", library.problem},
                    {"adapters", adapters}});
  }
  return {{"version", 1},
          {"wgemm", WGEMM_VERSION},
          {"libraries", list},
          {"chosen",
           {{"adapter", info.chosen.name},
            {"library", info.chosen.library},
            {"reason", info.chosen.reason},
            {"problem", info.chosen.problem}}},
          {"missing", info.missing}};
}

int run_info(const InfoOptions& typed) {
  if (auto done = typed.reports.check(); !done) return report(done.error());
  const auto options = typed.device.context();
  InfoReport info{list_adapters(options), choose(options), {}};
  info.missing = missing_parts(info.libraries);
  if (typed.reports.json != "-") {
    Terminal terminal(typed.reports.stream());
    print_info(terminal, info);
  }
  if (!typed.reports.json.empty()) {
    const auto text = to_json(info).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    if (auto done = write_text("--json", typed.reports.json, text); !done) return report(done.error());
  }
  return info.chosen.problem.empty() ? kOk : kFailure;
}

}  // namespace

Command add_info(CLI::App& program) {
  auto typed = std::make_shared<InfoOptions>();
  auto* app = program.add_subcommand(
      "info", "Show WebGPU libraries and adapters, which one is used and why, and what is missing");
  app->footer(kFooter);
  typed->device.add_to(*app);
  typed->reports.add_json_to(*app);
  return {app, [typed](const Invocation&) { return run_info(*typed); }};
}

}  // namespace wgemm::cli
