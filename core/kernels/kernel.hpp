// A kernel: a family with a value for each of its parameters, and the name that says so.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernels/family.hpp"
#include "core/text/environment.hpp"
#include "wgemm/device_profile.hpp"
#include "wgemm/error.hpp"
#include "wgemm/problem.hpp"

namespace wgemm::kernels {

struct Kernel {
  const Family* family = nullptr;
  std::vector<std::int64_t> values;  ///< in the order of family->parameters
};

/// The full name: the family and every parameter, "tiled_TILE16_ROWS1_PAD0"; those that are implied only
/// where they have another value than the standard one.
std::string name(const Kernel& kernel);

/// Reads a full or abbreviated name; parameters left out take their standard value, and a rung's name
/// ("tiled-padded") stands for its configuration. Errors: not_found, invalid_argument (a parameter or its
/// value).
Result<Kernel> parse(std::string_view name);

/// The parameter's value, 0 where the family has none of that name.
std::int64_t value_of(const Kernel& kernel, std::string_view parameter);

/// Groups of a workgroup's invocations that each compute the whole block from a part of k.
std::uint32_t slices(const Kernel& kernel);

/// The parameters as names for expressions and texts.
text::Environment environment(const Kernel& kernel);

/// What planning derives from a configuration.
struct Geometry {
  std::uint32_t workgroup_x = 1;
  std::uint32_t workgroup_y = 1;
  std::uint32_t block_m = 1;
  std::uint32_t block_n = 1;
  std::uint32_t block_k = 1;
  std::uint32_t workgroup_bytes = 0;
  std::uint32_t registers = 0;
  std::uint32_t operations = 0;  ///< of matrix units; 0 elsewhere
  std::uint32_t reuse_m = 1;
  std::uint32_t reuse_n = 1;
};
Result<Geometry> geometry(const Kernel& kernel, DataType stored);

/// The one validity rule: the parameters' values, the family's constraints, the device's limits and features,
/// and for matrix units the shapes that the device reports. Selector, tuner and tests all ask this.
Result<Geometry> check(const Kernel& kernel, const DeviceProfile& profile, DataType stored);

/// Calls with every combination of the family's parameters that its constraints allow, whatever the device:
/// up to hundreds of thousands, which would take tens of megabytes together. The last parameter changes
/// fastest.
void for_each_configuration(const Family& family, const std::function<void(const Kernel&)>& visit);
/// All of them, in the same order.
std::vector<Kernel> enumerate(const Family& family);

}  // namespace wgemm::kernels
