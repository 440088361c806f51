// The module's memory and its entry point.
#include <cstdlib>
#include <string>
#include <utility>

#include "wasm/call.hpp"
#include "wasm/interface.h"

#ifdef __wasm__
#define WGEMM_EXPORT(name) __attribute__((export_name(name)))
#else
#define WGEMM_EXPORT(name)
#endif

namespace {

/// The text beside what refers to it.
struct Answer : wgemm_answer {
  explicit Answer(std::string answer) : wgemm_answer{}, kept(std::move(answer)) {
    text = kept.data();
    bytes = kept.size();
  }
  std::string kept;
};

}  // namespace

extern "C" {

WGEMM_EXPORT("wgemm_allocate") void* wgemm_allocate(size_t bytes) { return std::malloc(bytes); }

WGEMM_EXPORT("wgemm_release") void wgemm_release(void* memory) { std::free(memory); }

WGEMM_EXPORT("wgemm_call") const wgemm_answer* wgemm_call(const char* request, size_t bytes) {
  return new Answer(wgemm::wasm::answer({request, bytes}));
}

WGEMM_EXPORT("wgemm_release_answer") void wgemm_release_answer(const wgemm_answer* answer) {
  delete static_cast<const Answer*>(answer);
}
}
