// Measured choices: which kernel was the fastest for a problem on a device. Data that plans go by, as JSON
// text in and out; `wgemm tune` makes it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm {

/// The device that an entry is for. A field that is empty (or 0) holds for any: with only vendor and
/// architecture the entry is for all devices of that architecture, with nothing at all for every device.
struct TuningDevice {
  std::string vendor;        ///< as DeviceProfile has it: "nvidia"
  std::string architecture;  ///< "hopper"
  std::string name;          ///< of the device; it decides only where one side has no numbers
  std::uint32_t vendor_id = 0;
  std::uint32_t device_id = 0;
  std::string driver;
  std::string backend;
  std::string library;  ///< "dawn", "wgpu"
  std::string library_version;
  bool operator==(const TuningDevice&) const = default;
};

/// What the epilogue of a problem costs beside the product: nothing, arithmetic (alpha, bias, activation), or
/// reading a matrix of C's size too (beta, residual).
enum class EpilogueClass : std::uint8_t { none, arithmetic, reads_matrix };
std::string_view to_string(EpilogueClass epilogue);

/// What of a problem decides how fast a kernel is. All but the four sizes is its class: entries serve
/// problems of their own class only.
struct TuningProblem {
  std::uint64_t m = 0;
  std::uint64_t n = 0;
  std::uint64_t k = 0;
  std::uint64_t batch = 1;
  DataType a = DataType::f32;
  DataType b = DataType::f32;
  DataType c = DataType::f32;
  Accumulate accumulate = Accumulate::standard;
  Order a_order = Order::row_major;  ///< of op(A): a transposed operand counts as stored the other way round
  Order b_order = Order::row_major;  ///< of op(B)
  Order c_order = Order::row_major;
  bool aligned = true;             ///< four elements at a time can be read of A and of B, and written of C
  std::uint32_t quantization = 0;  ///< elements along k with one scale; 0: B is not quantised
  bool dequantise = false;         ///< PlanOptions::dequantise
  EpilogueClass epilogue = EpilogueClass::none;
  bool operator==(const TuningProblem&) const = default;
};

struct TuningEntry {
  TuningDevice device;
  TuningProblem problem;
  std::string kernel;              ///< full name
  std::uint32_t split_k = 1;       ///< parts of k
  double seconds = 0;              ///< median time of one product
  double heuristic_seconds = 0;    ///< of what the planner chooses without data; 0: it could not be measured
  bool unchecked_shaders = false;  ///< how both were measured
  std::string date;                ///< UTC, ISO 8601
  std::string tool;                ///< "wgemm 0.1.0"
  bool operator==(const TuningEntry&) const = default;
};

/// Entries for any number of devices. Which of them a plan goes by: those for the device come before those
/// for its architecture, then those for its vendor, then those for every device; among each, those that were
/// measured with or without bounds checks as the device runs shaders come first, then the nearest sizes, and
/// of those that are equally near the younger. Sizes are near where |log2| of the ratios of m, n, k and batch
/// add up to at most 1 (one of them twice as large, say). An entry for a device serves its architecture too.
/// An entry is used only where the planner can plan exactly the problem at hand with it; otherwise the next
/// is tried, and at last the heuristic.
struct TuningData {
  std::vector<TuningEntry> entries;

  /// Adds entries; one for the same device, problem and kind of shaders is replaced where the new one is
  /// younger.
  void merge(const TuningData& other);
};

/// The device of a profile, and what decides of a problem.
TuningDevice tuning_device(const DeviceProfile& profile);
TuningProblem tuning_problem(const Problem& problem, bool dequantise = false);

/// As JSON text with a version.
std::string to_json(const TuningData& data);

/// Errors: invalid_argument (no tuning data, or a damaged one; the argument is the field's path:
/// "entries[3].kernel"), unsupported (another version).
Result<TuningData> tuning_from_json(std::string_view text);

/// What is shipped with the library.
const TuningData& shipped_tuning();

}  // namespace wgemm
