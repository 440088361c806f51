// Figures as people read them: few digits, units that fit.
#pragma once

#include <optional>
#include <string>

#include "ladder/ladder.hpp"
#include "ladder/row.hpp"

namespace wgemm::cli {

/// About four digits: "0.0213", "1.234", "123.4", "45012".
std::string digits(double value);

/// "46.7 TFLOP/s", "4.27 TB/s", "32 KiB"
std::string rate(double flops_per_second);
std::string bandwidth(double bytes_per_second);
std::string byte_count(std::uint64_t bytes);

/// "12.3x"; empty where there is none.
std::string factor(const std::optional<double>& value);

/// "12.3 %"
std::string percent(double share);

/// "4096x4096x4096"
std::string sizes(const Problem& problem);

/// "timestamps", "host's clock"
std::string timing(TimingSource source);

/// Of an adapter: "discrete GPU", "software"
std::string type_in_words(AdapterType type);

/// "NVIDIA H200 (discrete GPU, vulkan through dawn)"
std::string in_words(const DeviceProfile& profile);

/// Operations per second that the device could reach on the report's product.
double attainable(const ladder::Report& report);
/// ": this product could reach 46.7 TFLOP/s"
std::string reach(const ladder::Report& report);

/// "±1.2 %" of a time's samples, with a tilde before it where it is more than wanted; empty for one sample.
std::string spread_of(const std::optional<Measurement>& time);

}  // namespace wgemm::cli
