#include "native/stream/stream.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/streaming/panels.hpp"
#include "core/streaming/parts.hpp"
#include "native/execute/record.hpp"
#include "native/execute/run.hpp"
#include "native/stream/gather.hpp"

namespace wgemm::native {

namespace {

/// Plans that differ in the size of their panels: inner ones and those at the edges, first, middle and last
/// along k.
constexpr std::size_t kKeptPlans = 4;

/// Work on the queue that the host need not wait for before it queues more.
constexpr double kShortMs = 500;

/// What of an input lies in a buffer: the start of the panel in the batch, along C and along k.
using Place = std::array<std::uint64_t, 3>;

/// Two buffers of an input: one is read while the other is filled.
struct Pair {
  std::array<DeviceBuffer, 2> buffers;
  std::array<std::optional<Place>, 2> holds;
  std::size_t current = 0;  ///< of the panel that is multiplied next
};

class Stream {
 public:
  Stream(Access::ContextImpl& context, const Problem& problem, const HostOperands& operands,
         PlanOptions options, const Streaming& streaming, const Wait& wait)
      : context_(context),
        whole_(problem),
        operands_(operands),
        options_(panel_options(std::move(options), streaming)),
        wait_(wait),
        streaming_(streaming) {}

  Result<void> run() {
    Panel panel = streaming_.first;
    Result<void> done = named(load_inputs(panel));
    for (std::uint64_t i = 1; done && i <= streaming_.count; ++i) {
      const bool is_last = i == streaming_.count;
      const Panel next = is_last ? Panel() : panel_at(whole_, streaming_, i);
      done = multiply(panel, is_last ? nullptr : &next);
      panel = next;
    }
    return done;
  }

 private:
  /// The result of a copy, whose error knows nothing of kernels and problems.
  [[nodiscard]] Result<void> named(Result<void> copied) const {
    if (!copied) {
      const std::string kernel = plans_.empty() ? "" : plans_.back().second.plan().kernel + " on ";
      copied.error().message = kernel + describe(whole_) + ": " + copied.error().message;
    }
    return copied;
  }

  [[nodiscard]] Part part_of(const Panel& panel, BufferRole role) const {
    return wgemm::part_of(whole_, panel, streaming_.c_type, role);
  }

  /// Makes a buffer large enough and copies bytes into it.
  Result<void> fill(DeviceBuffer& buffer, std::span<const std::byte> bytes) {
    if (Result<void> made = reserve(buffer, bytes.size()); !made) {
      return made;
    }
    return upload(buffer, 0, bytes, wait_);
  }

  /// Memory of its own, not the pool's: the cap counts it to the byte.
  Result<void> reserve(DeviceBuffer& buffer, std::uint64_t bytes) {
    if (buffer.size() > 0 && buffer.size() >= bytes) {
      return {};
    }
    buffer = DeviceBuffer();
    auto made = context_.pool->create(context_.device, bytes, kOperandUsage);
    if (!made) {
      return tl::unexpected(made.error());
    }
    buffer = std::move(*made);
    return {};
  }

  /// Fills the buffer of the pair that is not being read, unless one holds the panel already.
  template <typename Gather>
  Result<void> load(Pair& pair, const Place& place, const Gather& gather) {
    for (std::size_t i = 0; i < pair.holds.size(); ++i) {
      if (pair.holds.at(i) == place) {
        pair.current = i;
        return {};
      }
    }
    pair.current = 1 - pair.current;
    pair.holds.at(pair.current).reset();
    gather();
    if (Result<void> filled = fill(pair.buffers.at(pair.current), bytes_); !filled) {
      return filled;
    }
    pair.holds.at(pair.current) = place;
    return {};
  }

  Result<void> load_inputs(const Panel& panel) {
    const Place a{panel.batch0, panel.row0, panel.k0};
    const Place b{panel.batch0, panel.col0, panel.k0};
    const auto from = [&](BufferRole role, std::span<const std::byte> elements) {
      return [this, &panel, role, elements] { gather(part_of(panel, role), elements, bytes_); };
    };
    Result<void> done = load(a_, a, from(BufferRole::a, operands_.a));
    if (done) {
      done = load(b_, b, from(BufferRole::b, operands_.b));
    }
    if (done && whole_.quantization.block != 0) {
      done = load(scales_, b, from(BufferRole::scales, operands_.scales));
    }
    if (done && whole_.quantization.zeros) {
      done = load(zeros_, b, from(BufferRole::zeros, operands_.zeros));
    }
    return done;
  }

  /// The old C, and what the epilogue reads, when a panel of C begins.
  Result<void> load_outputs(const Panel& panel) {
    const Part c = part_of(panel, BufferRole::c);
    if (Result<void> made = reserve(c_, c.bytes); !made) {
      return made;
    }
    const auto fill_from = [&](DeviceBuffer& buffer, const Part& part, std::span<const std::byte> elements) {
      gather(part, elements, bytes_);
      return fill(buffer, bytes_);
    };
    Result<void> done;
    if (whole_.beta != 0) {
      done = fill_from(c_, c, operands_.c);
    }
    if (done && whole_.epilogue.add_residual) {
      done = fill_from(residual_, part_of(panel, BufferRole::residual), operands_.residual);
    }
    if (done && whole_.epilogue.bias != Bias::none) {
      done = fill_from(bias_, part_of(panel, BufferRole::bias), operands_.bias);
    }
    return done;
  }

  /// The plan of a panel of that size and place along k.
  Result<PreparedPlan*> prepare(const Panel& panel) {
    const Problem part = panel_problem(whole_, panel, streaming_.c_type);
    // All of the problem: two panels of one size may differ in what their products share.
    ProblemKey key = key_of(part, options_);
    const auto found = std::ranges::find(plans_, key, &std::pair<ProblemKey, PreparedPlan>::first);
    if (found != plans_.end()) {
      std::rotate(found, found + 1, plans_.end());
      return &plans_.back().second;
    }
    Result<PreparedPlan> prepared = context_.plan(part, options_, wait_).and_then([&](const Plan& plan) {
      return context_.prepare(plan, wait_);
    });
    if (!prepared) {
      return tl::unexpected(prepared.error());
    }
    if (plans_.size() == kKeptPlans) {
      plans_.erase(plans_.begin());
    }
    plans_.emplace_back(std::move(key), std::move(*prepared));
    return &plans_.back().second;
  }

  /// Multiplies a panel whose inputs are there, and copies the inputs of the next in meanwhile.
  Result<void> multiply(const Panel& panel, const Panel* next) {
    if (panel.first_k) {
      if (Result<void> loaded = named(load_outputs(panel)); !loaded) {
        return loaded;
      }
    }
    Result<PreparedPlan*> prepared = prepare(panel);
    if (!prepared) {
      return tl::unexpected(prepared.error());
    }
    // The epilogue is the last panel's along k.
    const OperandView bias = panel.last_k ? view(bias_) : OperandView();
    const OperandView residual = panel.last_k ? view(residual_) : OperandView();
    const OperandViews device{view(current(a_)),      view(current(b_)),    view(c_), bias, residual,
                              view(current(scales_)), view(current(zeros_))};
    PreparedPlanData& data = Access::data(**prepared);
    // A first run compiles in most drivers; only later ones are short for sure.
    const double ms = data.estimate_ms;
    const bool is_short = ms > 0 && ms < kShortMs;
    if (Result<void> ran = is_short ? submit_once(data, device, wait_) : run_once(data, device, wait_);
        !ran) {
      return tl::unexpected(about(std::move(ran.error()), data.plan()));
    }
    if (next != nullptr) {
      if (Result<void> loaded = named(load_inputs(*next)); !loaded) {
        return loaded;
      }
      // No more than a panel ahead: the library holds what was copied until the device has taken it.
      if (Result<void> flushed = named(context_.device->flush_writes(wait_)); !flushed) {
        return flushed;
      }
    }
    return panel.last_k ? named(store(panel)) : Result<void>{};
  }

  Result<void> store(const Panel& panel) {
    const Part part = part_of(panel, BufferRole::c);
    bytes_.resize(part.bytes);
    if (Result<void> copied = download(*context_.pool, c_, 0, bytes_, wait_); !copied) {
      return copied;
    }
    scatter(part, bytes_, operands_.c);
    return {};
  }

  static const DeviceBuffer& current(const Pair& pair) { return pair.buffers.at(pair.current); }
  static OperandViews::value_type view(const DeviceBuffer& buffer) {
    return buffer.size() > 0 ? &buffer : nullptr;
  }

  Access::ContextImpl& context_;
  const Problem& whole_;
  const HostOperands& operands_;
  PlanOptions options_;
  const Wait& wait_;
  Streaming streaming_;
  std::vector<std::pair<ProblemKey, PreparedPlan>> plans_;  ///< the most recently used last
  std::vector<std::byte> bytes_;                            ///< of a panel, on their way
  Pair a_, b_, scales_, zeros_;
  DeviceBuffer c_, residual_, bias_;
};

}  // namespace

Result<void> multiply_in_panels(Access::ContextImpl& context, const Problem& problem,
                                const HostOperands& operands, const PlanOptions& options, const Wait& wait) {
  Result<Streaming> streaming =
      plan_streaming(problem, context.device->profile().limits, context.options.memory_cap);
  if (!streaming) {
    return tl::unexpected(streaming.error());
  }
  if (streaming->count == 0) {
    return {};
  }
  context.pool->trim();
  return Stream(context, problem, operands, options, *streaming, wait).run();
}

}  // namespace wgemm::native
