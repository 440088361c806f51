#include "bench/outcome.hpp"

namespace wgemm::bench {
namespace {

Status status_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::unsupported:
      return Status::unsupported;
    case ErrorCode::device_lost:
    case ErrorCode::timeout:  // whatever holds the device up would hold up every row after it
      return Status::device_lost;
    default:
      return Status::failed;
  }
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::wrong:
      return "wrong";
    case Status::unsupported:
      return "unsupported";
    case Status::failed:
      return "failed";
    case Status::device_lost:
      return "device_lost";
    case Status::not_run:
      return "not_run";
  }
  return "";
}

void clear_time(Outcome& outcome) {
  outcome.time.reset();
  outcome.passes.clear();
  for (auto* figure :
       {&outcome.copies_ms, &outcome.gflops, &outcome.gigabytes_per_second, &outcome.roofline_share}) {
    figure->reset();
  }
}

void set_error(Outcome& outcome, const Error& error) {
  outcome.status = status_of(error);
  outcome.reason = error.message;
}

}  // namespace wgemm::bench
