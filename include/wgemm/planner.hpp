// From a problem and a device profile to a plan.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/plan.hpp"
#include "wgemm/problem.hpp"
#include "wgemm/tuning.hpp"

namespace wgemm {

/// Bounds: `checked` guards each load and store at the edges; `padded` copies the operands into scratch
/// rounded up to whole tiles, so that the kernel needs no guard, and crops the result. Both give the same C.
enum class EdgePolicy : std::uint8_t { checked, padded };
std::string_view to_string(EdgePolicy edges);

struct PlanOptions {
  /// A kernel by name ("tiled", "tiled_TILE32", "register-tile_BM64_BN64"); parameters left out take their
  /// defaults. Empty: the planner chooses. A named kernel that cannot run is an error, never replaced.
  std::string kernel;
  EdgePolicy edges = EdgePolicy::checked;
  /// Parts into which k is cut; their results are added in a fixed order by a second pass, so that the same
  /// bits come out on every run. 1: none, 0: the planner chooses.
  std::uint32_t split_k = 0;
  /// Bytes of scratch memory that the plan may use: the product is then done in more and smaller parts. 0: as
  /// much as the device's limits allow.
  std::uint64_t scratch_cap = 0;
  /// Floating-point operations that a dispatch may do, as in `split_dispatches`. 0: any number.
  double max_dispatch_flops = 0;
  /// Whether a quantised B is turned into numbers in scratch memory before the product, once in a run,
  /// instead of by the kernel whenever it loads an element. The numbers are f32, or f16 where sums are f16,
  /// and the same either way. What `Context::prepare_operand` takes out of the plan.
  bool dequantise = false;
};

/// Plans a problem. Errors: invalid_argument (the problem, an option, a limit of the profile that no device
/// has), not_found (no kernel of that name), unsupported (the kernel or the problem does not fit the device;
/// the message names the limit or the feature). Where the options name no kernel: the choice that `tuning`
/// holds for the problem, else the one that a model of the device expects to be the fastest. nullptr: no
/// measured choices.
Result<Plan> make_plan(const Problem& problem, const DeviceProfile& profile, const PlanOptions& options = {},
                       const TuningData* tuning = &shipped_tuning());

struct KernelParameter {
  std::string_view name;     ///< BM, BN, BK, TM, TN, TILE, …
  std::string_view meaning;  ///< one line
  std::int64_t standard = 0;
  std::vector<std::int64_t> values;  ///< the values that can be chosen
};

struct KernelInfo {
  std::string_view name;
  std::string_view summary;
  std::vector<KernelParameter> parameters;
};

/// Every kernel family, in the order of the ladder.
std::vector<KernelInfo> list_kernels();

/// Full names of every parameter combination of a family that is valid on the device for an operand type.
Result<std::vector<std::string>> list_configurations(std::string_view family, const DeviceProfile& profile,
                                                     DataType type);

/// The full name (every parameter written out, but for those that are implied where they have their standard
/// value: SLICES of register-tile and matrix-tile) of a kernel given by a full or abbreviated name.
Result<std::string> canonical_kernel_name(std::string_view name);

}  // namespace wgemm
