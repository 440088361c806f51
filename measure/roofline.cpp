// The device's own ceilings, by wgemm's probe kernels: bandwidth, multiply-adds, and the cost of a dispatch.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/probes/probes.hpp"
#include "wgemm/measure.hpp"

namespace wgemm {

namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// Larger than any cache of a GPU; on a software adapter as small as says something about memory.
std::uint64_t copy_bytes(const DeviceProfile& profile) {
  const std::uint64_t wanted = (profile.type == AdapterType::software ? 48 : 256) * kMiB;
  const std::uint64_t limit =
      std::min(profile.limits.max_storage_buffer_binding_size, profile.limits.max_buffer_size) / kMiB * kMiB;
  return std::min(wanted, limit);
}

/// Short samples of several shapes say more than long ones of one: the best of them is the ceiling.
MeasureOptions probe_options(const DeviceProfile& profile, const MeasureOptions& options) {
  const bool software = profile.type == AdapterType::software;
  MeasureOptions probe;
  probe.minimum_span_ms = software ? 20 : 10;
  probe.minimum_samples = 3;
  probe.maximum_samples = 3;
  probe.budget_ms = software ? 300 : 200;
  probe.progress = options.progress;
  return probe;
}

class RooflineProbe {
 public:
  RooflineProbe(Context& context, const MeasureOptions& options)
      : context_(context), options_(probe_options(context.profile(), options)) {}

  Result<Roofline> run() {
    for (const auto part :
         {&RooflineProbe::dispatch, &RooflineProbe::copies, &RooflineProbe::multiply_adds}) {
      if (Result<void> done = (this->*part)(); !done) {
        return tl::unexpected(done.error());
      }
    }
    return roofline_;
  }

 private:
  Result<void> dispatch() {
    Result<Measurement> measured = measure_plan(noop_probe());
    if (!measured) {
      return tl::unexpected(measured.error());
    }
    roofline_.empty_dispatch_ms = measured->minimum_ms;
    roofline_.source = measured->source;
    return {};
  }

  Result<void> copies() {
    const DeviceProfile& profile = context_.profile();
    const bool software = profile.type == AdapterType::software;
    const std::uint64_t bytes = copy_bytes(profile);
    Result<Buffer> source = context_.create_buffer(bytes);
    Result<Buffer> target = context_.create_buffer(bytes);
    if (!source || !target) {
      return tl::unexpected(source ? target.error() : source.error());
    }
    // Memory that was never written may have no pages of its own, and reads of it never leave a cache.
    if (Result<void> filled = fill(*source, bytes); !filled) {
      return filled;
    }
    const std::vector<CopyShape> shapes =
        software ? std::vector<CopyShape>{{bytes, 64, 256}, {bytes, 256, 2048}}
                 : std::vector<CopyShape>{{bytes, 256, 4096}, {bytes, 256, 16384}, {bytes, 64, 16384}};
    for (const CopyShape& shape : shapes) {
      Result<Measurement> measured = measure_plan(copy_probe(shape), &*source, &*target);
      if (!measured) {
        return tl::unexpected(measured.error());
      }
      const double moved = 2.0 * static_cast<double>(bytes);
      roofline_.bytes_per_second =
          std::max(roofline_.bytes_per_second, moved / (measured->minimum_ms * 1e-3));
    }
    return {};
  }

  Result<void> multiply_adds() {
    const bool software = context_.profile().type == AdapterType::software;
    const std::vector<FmaShape> shapes = software
                                             ? std::vector<FmaShape>{{64, 256, 4, 16}, {64, 256, 8, 8}}
                                             : std::vector<FmaShape>{{256, 8192, 4, 64}, {256, 8192, 8, 32}};
    for (const FmaShape& shape : shapes) {
      Result<Plan> plan = fma_probe(shape);
      if (!plan) {
        return tl::unexpected(plan.error());
      }
      const double flops = plan->traffic.flops;
      Result<Buffer> sums = context_.create_buffer(plan->buffers.front().bytes);
      if (!sums) {
        return tl::unexpected(sums.error());
      }
      Result<Measurement> measured = measure_plan(std::move(plan), nullptr, &*sums);
      if (!measured) {
        return tl::unexpected(measured.error());
      }
      roofline_.flops_per_second =
          std::max(roofline_.flops_per_second, flops / (measured->minimum_ms * 1e-3));
    }
    return {};
  }

  Result<Measurement> measure_plan(Result<Plan> plan, const Buffer* a = nullptr, const Buffer* c = nullptr) {
    if (!plan) {
      return tl::unexpected(plan.error());
    }
    Result<PreparedPlan> prepared = context_.prepare(*plan);
    if (!prepared) {
      return tl::unexpected(prepared.error());
    }
    const Context::Operands operands{a, nullptr, c};
    return measure(context_, *prepared, {&operands, 1}, options_);
  }

  Result<void> fill(const Buffer& buffer, std::uint64_t bytes) {
    std::vector<std::uint32_t> words(kMiB);
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = static_cast<std::uint32_t>(i * 2654435761U);
    }
    const auto pattern = std::as_bytes(std::span(words));
    for (std::uint64_t at = 0; at < bytes; at += pattern.size()) {
      const auto piece = pattern.first(std::min<std::uint64_t>(pattern.size(), bytes - at));
      if (Result<void> copied = context_.upload(buffer, at, piece); !copied) {
        return copied;
      }
    }
    return {};
  }

  Context& context_;
  MeasureOptions options_;
  Roofline roofline_;
};

}  // namespace

double Roofline::attainable(double intensity) const {
  return std::min(flops_per_second, intensity * bytes_per_second);
}

Result<Roofline> measure_roofline(Context& context, const MeasureOptions& options) {
  return RooflineProbe(context, options).run();
}

}  // namespace wgemm
