#include "bench/conditions.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "bench/blas.hpp"
#include "native/library/library.hpp"
#include "native/library/search.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <sys/utsname.h>
#endif
#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace wgemm::bench {
namespace {

std::string cpu_name() {
#if defined(__APPLE__)
  std::string name(256, '\0');
  std::size_t size = name.size();
  if (sysctlbyname("machdep.cpu.brand_string", name.data(), &size, nullptr, 0) == 0) {
    name.resize(size > 0 ? size - 1 : 0);
    return name;
  }
#elif defined(_WIN32)
  if (const char* name = std::getenv("PROCESSOR_IDENTIFIER")) return name;
#else
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto value = line.find(": ");
    if (value != std::string::npos) return line.substr(value + 2);
  }
#endif
  return "unknown";
}

std::string os_name() {
#if defined(_WIN32)
  return "Windows";
#else
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return fmt::format("{} {} {}", names.sysname, names.release, names.machine);
#endif
}

std::string compiler_name() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#elif defined(_MSC_VER)
  return fmt::format("MSVC {}", _MSC_VER);
#else
  return "unknown";
#endif
}

}  // namespace

Conditions current_conditions(const Context& context) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  Conditions conditions{.profile = context.profile(),
                        .choice = std::string(context.choice()),
                        .library_version = {},
                        .library_path = {},
                        .minimum_limits = context.options().minimum_limits,
                        .timestamp_quantum_ns = context.timestamp_quantum_ns(),
                        .cpu = cpu_name(),
                        .cpu_threads = std::thread::hardware_concurrency(),
                        .blas = blas_description(),
                        .os = os_name(),
                        .compiler = compiler_name(),
                        .date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))};
  // The context has it open, so this only looks it up.
  const auto requested = native::requested_library(context.options().webgpu);
  if (const auto library =
          native::Library::open(requested.empty() ? conditions.profile.library : requested)) {
    conditions.library_version = (*library)->version();
    conditions.library_path = (*library)->path();
  }
  return conditions;
}

}  // namespace wgemm::bench
