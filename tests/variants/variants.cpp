#include "tests/variants/variants.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/kernels/kernel.hpp"
#include "core/probes/probes.hpp"
#include "tests/core/devices.hpp"
#include "wgemm/ladder.hpp"
#include "wgemm/planner.hpp"

namespace wgemm::testing {
namespace {

using kernels::Family;
using kernels::Kernel;

/// Does a device of the specification's minimum limits create a pipeline of it? The null adapter has just
/// those, and subgroups of up to 128 lanes.
bool fits_minimum(const Kernel& kernel, MatrixDialect dialect, DataType type) {
  auto profile = generous_device(kernel, dialect);
  profile.limits = Limits{};
  if (dialect != MatrixDialect::emulated) profile.subgroup_max_size = 128;
  return kernels::check(kernel, profile, type).has_value();
}

/// Valid kernels that among them have every value of every parameter, each as near to the standard as can be.
std::vector<Kernel> representatives(const Family& family) {
  auto all = kernels::enumerate(family);
  const auto invalid = [](const Kernel& kernel) {
    const auto profile = generous_device(kernel, MatrixDialect::emulated);
    return !kernels::check(kernel, profile, types_of(*kernel.family).front());
  };
  std::erase_if(all, invalid);
  const auto distance = [&](const Kernel& kernel) {
    int changed = 0;
    for (std::size_t i = 0; i < kernel.values.size(); ++i) {
      if (kernel.values[i] != family.parameters[i].standard) ++changed;
    }
    return changed;
  };
  std::ranges::stable_sort(all, [&](const Kernel& a, const Kernel& b) { return distance(a) < distance(b); });
  std::vector<Kernel> chosen;
  if (family.parameters.empty()) chosen = all;
  for (std::size_t i = 0; i < family.parameters.size(); ++i) {
    for (const auto value : family.parameters[i].values) {
      const auto nearest =
          std::ranges::find_if(all, [&](const Kernel& kernel) { return kernel.values[i] == value; });
      if (nearest == all.end()) {
        std::cerr << family.name << ": no valid kernel has " << family.parameters[i].name << value << '\n';
        continue;
      }
      chosen.push_back(*nearest);
    }
  }
  return chosen;
}

class Variants {
 public:
  Variants(Dialect shaders, const std::function<void(const Variant&)>& visit)
      : shaders_(shaders), visit_(visit) {}

  void kernel(const Kernel& kernel) {
    if (!seen_.insert(name(kernel)).second) return;
    if (!kernel.family->matrix_units) return dialect(kernel, MatrixDialect::none);
    for (const auto each : kMatrixDialects) {
      // naga knows no matrix units.
      if (shaders_ == Dialect::naga && each != MatrixDialect::emulated) continue;
      dialect(kernel, each);
      batches(kernel, each);
    }
  }

  /// Every kind of operand, sum and batch that is not in `kernel`.
  void types(const Kernel& kernel) {
    const auto profile = device_for(kernel, MatrixDialect::none);
    auto without_f16 = profile;
    without_f16.shader_f16 = false;
    const bool words = kernel.family->access == kernels::Access::words_along_k;
    // Aligned to vectors or not, and A and B exchanged or not.
    for (int bits = 0; bits < 8; ++bits) {
      Problem problem{64, 64, (bits & 1) != 0 ? 64U : 61U, {}, {}, {}};
      problem.a.order = kOrders[bits >> 1 & 1];
      problem.c.order = kOrders[bits >> 2];
      for (const auto a : {DataType::i8, DataType::u8}) {
        for (const auto b : {DataType::i8, DataType::u8}) integers(kernel, profile, problem, a, b);
      }
      if (words) continue;
      halfs(kernel, without_f16, problem);
      problem.a.type = problem.b.type = DataType::f16;
      problem.accumulate = Accumulate::f16;
      write(kernel, profile, problem, 3);
      problem.accumulate = Accumulate::standard;
      problem.batch.table = {{0, 0, 0, 0}, {4096, 4096, 4096, 4096}};
      problem.epilogue.add_residual = true;
      write(kernel, profile, problem);
      problem.batch = {};
      problem.epilogue.add_residual = false;
      problem.b.order = Order::col_major;
      for (const auto a : kTypes) {
        problem.a.type = a;
        for (const auto b : {DataType::i4, DataType::u4, DataType::i8, DataType::u8}) {
          problem.b.type = b;
          for (const bool zeros : {false, true}) {
            problem.quantization = {16, zeros ? DataType::f16 : DataType::f32, zeros};
            write(kernel, profile, problem, 2, EdgePolicy::checked);
            write(kernel, profile, problem, 1, EdgePolicy::padded);
            write(kernel, without_f16, problem);
          }
        }
      }
    }
  }

  void probe(const Result<Plan>& plan) {
    if (!plan) {
      std::cerr << plan.error().message << '\n';
      ++refused_;
      return;
    }
    for (const auto& shader : plan->shaders) write(shader, MatrixDialect::none, true);
  }

  [[nodiscard]] std::size_t refused() const { return refused_; }

 private:
  [[nodiscard]] DeviceProfile device_for(const Kernel& kernel, MatrixDialect matrix) const {
    auto profile = generous_device(kernel, matrix);
    profile.dialect = shaders_;
    return profile;
  }

  void dialect(const Kernel& kernel, MatrixDialect dialect) {
    const auto profile = device_for(kernel, dialect);
    // Whole tiles of every family; no multiple of a tile, but of four; no multiple of anything.
    for (const std::uint64_t size : {5376U, 5380U, 5381U}) {
      for (const auto type : types_of(*kernel.family)) {
        for (const auto c_type : kTypes) {
          for (int orders = 0; orders < 4; ++orders) {
            Problem problem{size, size, size, {}, {}, {}};
            problem.a = {type, kOrders[orders & 1], 0};
            problem.b = {type, kOrders[orders >> 1], 0};
            problem.c = {c_type, Order::row_major, 0};  // a col_major C only exchanges A and B
            write(kernel, profile, problem);
            if (!kernels::is_skinny(kernel.family->access)) continue;
            problem.n = 13;  // the transposed product, with a C by columns
            write(kernel, profile, problem);
          }
        }
      }
    }
  }

  /// What a text with matrices adds to its control flow: where a batch starts, and an epilogue.
  void batches(const Kernel& kernel, MatrixDialect dialect) {
    const auto profile = device_for(kernel, dialect);
    for (const std::uint64_t size : {5376U, 5381U}) {
      for (const auto type : types_of(*kernel.family)) {
        Problem problem{size, size, size, {}, {}, {}};
        problem.a.type = problem.b.type = type;
        problem.batch.rank = 1;
        problem.batch.extents = {2};
        problem.batch.c = {size * size};
        write(kernel, profile, problem);
        problem.epilogue.bias = Bias::per_column;
        problem.epilogue.activation = Activation::silu;
        write(kernel, profile, problem);
        problem.batch = {};
        problem.batch.table = {{0, 0, 0, 0}, {0, 0, size * size, 0}};
        write(kernel, profile, problem);
      }
    }
  }

  void integers(const Kernel& kernel, const DeviceProfile& profile, Problem problem, DataType a, DataType b) {
    problem.a.type = a;
    problem.b.type = b;
    for (const auto c : {DataType::i32, DataType::f32, DataType::f16}) {
      problem.c.type = c;
      problem.beta = 1;
      write(kernel, profile, problem, 3, EdgePolicy::padded);
      problem.beta = 0;
      write(kernel, profile, problem);
    }
  }

  /// f16 in words, in each place.
  void halfs(const Kernel& kernel, const DeviceProfile& profile, Problem problem) {
    for (auto* type :
         {&problem.a.type, &problem.c.type, &problem.epilogue.bias_type, &problem.epilogue.residual.type}) {
      *type = DataType::f16;
    }
    problem.b.type = DataType::f16;
    write(kernel, profile, problem);
    problem.beta = 2;
    problem.epilogue.bias = Bias::per_row;
    problem.epilogue.add_residual = true;
    write(kernel, profile, problem);
    write(kernel, profile, problem, 2, EdgePolicy::padded);
  }

  void write(const Kernel& kernel, const DeviceProfile& profile, const Problem& problem,
             std::uint32_t split_k = 1, EdgePolicy edges = EdgePolicy::checked) {
    const auto plan = make_plan(problem, profile, {name(kernel), edges, split_k});
    if (!plan) {
      std::cerr << name(kernel) << ": " << plan.error().message << '\n';
      ++refused_;
      return;
    }
    for (const auto& step : plan->steps) {
      const bool copies = step.kind != StepKind::multiply;
      write(plan->shaders[step.shader], profile.matrix_dialect,
            copies || fits_minimum(kernel, profile.matrix_dialect, problem.a.type));
    }
  }

  void write(const Shader& shader, MatrixDialect dialect, bool pipeline) {
    if (!seen_.insert(shader.wgsl).second) return;
    visit_({shader, dialect, pipeline});
  }

  Dialect shaders_;
  const std::function<void(const Variant&)>& visit_;
  std::set<std::string> seen_;  // names of kernels and texts: neither is ever the other
  std::size_t refused_ = 0;
};

}  // namespace

std::size_t for_each_variant(Dialect shaders, const std::function<void(const Variant&)>& visit) {
  Variants variants(shaders, visit);
  for (const auto& family : kernels::families()) {
    for (const auto& kernel : representatives(family)) variants.kernel(kernel);
    if (!family.matrix_units) variants.types(*kernels::parse(family.name));
  }
  for (const auto& rung : list_rungs()) {
    const auto kernel = kernels::parse(rung.kernel);
    if (kernel) variants.kernel(*kernel);
  }
  DeviceProfile device;
  device.dialect = shaders;
  variants.probe(noop_probe());
  variants.probe(copy_probe({.bytes = 1024}));
  variants.probe(fma_probe({}));
  variants.probe(subgroup_size_probe(device));
  variants.probe(lane_order_probe(device));
  return variants.refused();
}

}  // namespace wgemm::testing
