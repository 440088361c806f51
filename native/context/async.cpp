// Calls that a thread of the context carries out.
#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "native/context/context_impl.hpp"
#include "native/execute/run.hpp"

namespace wgemm {

namespace {

using native::Access;
using native::Wait;

Error named(Error error, const Plan& plan) { return native::about(std::move(error), plan); }
Error named(Error error, const PreparedPlan& prepared) {
  return prepared ? named(std::move(error), prepared.plan()) : error;
}
Error named(Error error, const Problem& problem) {
  error.message = describe(problem) + ": " + error.message;
  return error;
}

/// Queues `work`, which takes the subject (a prepared plan or a problem) and a Wait, and returns a Result<T>.
template <typename T, typename Subject, typename Work>
Task<T> start(native::Workers& workers, CallOptions call, Completion<T> done, Subject subject, Work work) {
  const std::stop_source stop;
  const std::stop_token outside = std::exchange(call.cancel, stop.get_token());
  auto promise = std::make_shared<std::promise<Result<T>>>();
  Task<T> task(promise->get_future(), stop);
  // The call's time runs from now on, queued or not.
  workers.add(stop, [stop, outside, promise, wait = Wait(call), done = std::move(done),
                     subject = std::move(subject), work = std::move(work)]() mutable {
    const std::stop_callback link(outside, [&stop] { stop.request_stop(); });
    const Result<void> begun = wait.check();
    Result<T> result = begun ? work(subject, wait) : Result<T>(tl::unexpected(named(begun.error(), subject)));
    if (done) {
      done(result);
    }
    promise->set_value(std::move(result));
  });
  return task;
}

/// A list of plans that several threads compile.
class Batch {
 public:
  using Plans = std::vector<PreparedPlan>;

  Batch(std::size_t count, Progress progress, Completion<Plans> done)
      : plans_(count), left_(count), progress_(std::move(progress)), done_(std::move(done)) {}

  Task<Plans> task() { return {promise_.get_future(), stop_}; }
  [[nodiscard]] const std::stop_source& stop() const { return stop_; }
  void cancel() { stop_.request_stop(); }

  void finish(std::size_t index, Result<PreparedPlan> prepared) {
    const std::lock_guard lock(mutex_);
    --left_;
    if (prepared) {
      plans_[index] = std::move(*prepared);
    } else if (!error_) {
      error_ = std::move(prepared.error());
      stop_.request_stop();
    }
    if (progress_ && !error_) {
      progress_(plans_.size() - left_, plans_.size());
    }
    if (left_ == 0) {
      tell();
    }
  }
  void tell() {
    Result<Plans> result = error_ ? Result<Plans>(tl::unexpected(*error_)) : Result<Plans>(std::move(plans_));
    if (done_) {
      done_(result);
    }
    promise_.set_value(std::move(result));
  }

 private:
  std::mutex mutex_;
  Plans plans_;
  std::size_t left_;
  std::optional<Error> error_;
  Progress progress_;
  Completion<Plans> done_;
  std::stop_source stop_;
  std::promise<Result<Plans>> promise_;
};

/// `prepare` takes an item, a plan or a problem, and a Wait.
template <typename Item, typename Prepare>
Task<Batch::Plans> start_batch(native::Workers& workers, std::vector<Item> items, Progress progress,
                               Completion<Batch::Plans> done, CallOptions call, const Prepare& prepare) {
  auto batch = std::make_shared<Batch>(items.size(), std::move(progress), std::move(done));
  Task<Batch::Plans> task = batch->task();
  if (items.empty()) {
    workers.add(batch->stop(), [batch] { batch->tell(); });
  }
  const std::stop_token outside = std::exchange(call.cancel, batch->stop().get_token());
  const Wait wait(call);
  for (std::size_t i = 0; i < items.size(); ++i) {
    workers.add(batch->stop(), [batch, i, prepare, outside, wait, item = std::move(items[i])] {
      const std::stop_callback link(outside, [&batch] { batch->cancel(); });
      const Result<void> begun = wait.check();
      batch->finish(
          i, begun ? prepare(item, wait) : Result<PreparedPlan>(tl::unexpected(named(begun.error(), item))));
    });
  }
  return task;
}

}  // namespace

Task<void> Context::multiply_async(const Problem& problem, const HostOperands& operands,
                                   const PlanOptions& options, const CallOptions& call,
                                   Completion<void> done) {
  return start<void>(impl_->runner, call, std::move(done), problem,
                     [impl = impl_.get(), operands, options](const Problem& of, const Wait& wait) {
                       return impl->multiply(of, operands, options, wait);
                     });
}

Task<void> Context::run_async(const PreparedPlan& prepared, const Operands& operands, const CallOptions& call,
                              Completion<void> done) {
  // Copies of the handles keep plan and buffers alive.
  const std::array given = {operands.a,        operands.b,      operands.c,    operands.bias,
                            operands.residual, operands.scales, operands.zeros};
  std::array<Buffer, kCallerBuffers> buffers;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given.at(i) != nullptr) {
      buffers.at(i) = *given.at(i);
    }
  }
  return start<void>(
      impl_->runner, call, std::move(done), prepared,
      [impl = impl_.get(), buffers = std::move(buffers)](const PreparedPlan& plan, const Wait& wait) {
        native::OperandViews views;
        for (std::size_t i = 0; i < views.size(); ++i) {
          views.at(i) = Access::view(&buffers.at(i));
        }
        return impl->run(plan, views, wait);
      });
}

Task<std::vector<PreparedPlan>> Context::prepare_async(std::vector<Plan> plans, Progress progress,
                                                       Completion<std::vector<PreparedPlan>> done,
                                                       const CallOptions& call) {
  return start_batch(
      impl_->compilers, std::move(plans), std::move(progress), std::move(done), call,
      [impl = impl_.get()](const Plan& plan, const Wait& wait) { return impl->prepare(plan, wait); });
}

Task<std::vector<PreparedPlan>> Context::prepare_async(std::vector<Problem> problems,
                                                       const PlanOptions& options, Progress progress,
                                                       Completion<std::vector<PreparedPlan>> done,
                                                       const CallOptions& call) {
  return start_batch(impl_->compilers, std::move(problems), std::move(progress), std::move(done), call,
                     [impl = impl_.get(), options](const Problem& problem, const Wait& wait) {
                       return impl->prepare(problem, options, wait);
                     });
}

}  // namespace wgemm
