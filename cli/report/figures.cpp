#include "cli/report/figures.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace wgemm::cli {
namespace {

/// `value` in the largest unit that leaves at least 1, each unit `step` of the one before.
template <std::size_t Count>
std::string in_units(double value, double step, const std::array<const char*, Count>& units) {
  std::size_t unit = 0;
  while (unit + 1 < Count && value >= step) {
    value /= step;
    ++unit;
  }
  return fmt::format("{:.3g} {}", value, units.at(unit));
}

}  // namespace

std::string digits(double value) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  constexpr int kDigits = 4;
  const int before = value == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  const int after = std::clamp(kDigits - before, 0, kDigits);
  return fmt::format("{:.{}f}", value, after);
}

std::string rate(double flops_per_second) {
  return in_units(flops_per_second * 1e-6, 1000,
                  std::array<const char*, 4>{"MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"});
}

std::string bandwidth(double bytes_per_second) {
  return in_units(bytes_per_second * 1e-6, 1000, std::array<const char*, 3>{"MB/s", "GB/s", "TB/s"});
}

std::string byte_count(std::uint64_t bytes) {
  return in_units(static_cast<double>(bytes), 1024, std::array<const char*, 4>{"B", "KiB", "MiB", "GiB"});
}

std::string factor(const std::optional<double>& value) {
  if (!value) return {};
  return fmt::format("{:.{}f}x", *value, *value < 10 ? 2 : *value < 100 ? 1 : 0);
}

std::string percent(double share) {
  const double value = share * 100;
  return fmt::format("{:.{}f} %", value, value < 0.1 ? 2 : value < 10 ? 1 : 0);
}

std::string sizes(const Problem& problem) { return fmt::format("{}x{}x{}", problem.m, problem.n, problem.k); }

std::string timing(TimingSource source) {
  return source == TimingSource::timestamps ? "timestamps of the device"
                                            : "the host's clock around a drained queue";
}

std::string type_in_words(AdapterType type) {
  switch (type) {
    case AdapterType::discrete:
      return "discrete GPU";
    case AdapterType::integrated:
      return "integrated GPU";
    case AdapterType::software:
      return "software";
    case AdapterType::unknown:
      return "unknown type";
  }
  return {};
}

std::string in_words(const DeviceProfile& profile) {
  return fmt::format("{} ({}, {} through {})", profile.name, type_in_words(profile.type), profile.backend,
                     profile.library);
}

double attainable(const ladder::Report& report) {
  const auto& problem = report.problem;
  const auto bytes = size_in_bytes(problem.a, problem.m, problem.k) +
                     size_in_bytes(problem.b, problem.k, problem.n) +
                     size_in_bytes(problem.c, problem.m, problem.n);
  return report.roofline.attainable(problem.flops() / static_cast<double>(bytes));
}

std::string reach(const ladder::Report& report) {
  return ": this product could reach " + rate(attainable(report));
}

std::string spread_of(const std::optional<Measurement>& time) {
  if (!time || time->samples < 2) return {};
  if (time->spread_reached) return fmt::format("±{:.1f} %", time->spread * 100);
  return fmt::format("~±{:.0f} %", time->spread * 100);
}

}  // namespace wgemm::cli
