// The report on every WebGPU library and adapter of this machine.
#include "native/adapter/backend.hpp"
#include "native/adapter/choice.hpp"
#include "native/adapter/missing.hpp"
#include "native/adapter/profile.hpp"
#include "native/context/context_impl.hpp"
#include "native/context/subgroup_size.hpp"
#include "native/library/search.hpp"
#include "wgemm/adapters.hpp"

namespace wgemm {

namespace {

AdapterReport report_on(native::Adapter adapter, const ContextOptions& options) {
  AdapterReport report;
  report.profile = adapter.profile;
  for (const WGPUFeatureName feature : adapter.features) {
    report.features.push_back(native::feature_name(feature));
  }
  // An adapter that opens no device is listed all the same, without what only a device can tell.
  if (Result<std::shared_ptr<native::Device>> device = native::Device::open(std::move(adapter), options);
      device) {
    if (native::ask_subgroup_size(*device)) {
      report.profile.subgroup_size = (*device)->profile().subgroup_size;
    }
    report.lane_order = native::ask_lane_order(*device).value_or(std::string());
  }
  return report;
}

LibraryReport report_on(const std::string& name, const ContextOptions& options) {
  LibraryReport report;
  report.name = name;
  Result<native::Library*> library = native::Library::open(name);
  if (!library) {
    report.problem = library.error().message;
    return report;
  }
  report.name = (*library)->capabilities().name;
  report.path = (*library)->path();
  report.version = (*library)->version();
  const native::LogHub::Listener listener((*library)->log(), options.log);
  Result<WGPUBackendType> backend = native::parse_backend(options.backend);
  if (!backend) {
    report.problem = backend.error().message;
    return report;
  }
  auto instance = native::Instance::create(**library, *backend);
  if (!instance) {
    report.problem = instance.error().message;
    return report;
  }
  std::vector<native::Adapter> adapters = native::enumerate_adapters(*instance);
  if (adapters.empty()) {
    report.problem = native::missing_adapter_advice(**library, native::backend_name(*backend));
    return report;
  }
  if (!options.adapter.empty()) {
    Result<native::Choice> choice = native::choose_adapter(native::profiles_of(adapters), options.adapter);
    if (!choice) {
      report.problem = choice.error().message;
      return report;
    }
    report.adapters.push_back(report_on(std::move(adapters[choice->index]), options));
    return report;
  }
  for (native::Adapter& adapter : adapters) {
    report.adapters.push_back(report_on(std::move(adapter), options));
  }
  return report;
}

}  // namespace

std::vector<LibraryReport> list_adapters(const ContextOptions& options) {
  const std::string requested = native::requested_library(options.webgpu);
  std::vector<LibraryReport> reports;
  for (const std::string& name :
       requested.empty() ? std::vector<std::string>{"dawn", "wgpu"} : std::vector{requested}) {
    reports.push_back(report_on(name, options));
  }
  return reports;
}

}  // namespace wgemm
