/* The C interface that the WebAssembly module exports: JSON in, JSON out. The web package calls it; so can
 * any host of WebAssembly. Addresses are of the module's memory. */
#ifndef WGEMM_WASM_INTERFACE_H
#define WGEMM_WASM_INTERFACE_H

/* NOLINTBEGIN: C has no `using`, no C++ headers, and names without namespaces. */
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** UTF-8 JSON, without a zero behind it. In WebAssembly two u32: address and length. */
typedef struct wgemm_answer {
  const char* text;
  size_t bytes;
} wgemm_answer;

/** Memory for a request; 0 where there is none left. */
void* wgemm_allocate(size_t bytes);
/** Takes back what wgemm_allocate gave; 0 is right too. */
void wgemm_release(void* memory);

/** Answers a request in UTF-8 JSON: {"call": NAME, ...arguments}. The answer is {"result": ...} or {"error":
 * {"code", "argument", "message"}}; it is the caller's until it is released, as the request is. */
const wgemm_answer* wgemm_call(const char* request, size_t bytes);
void wgemm_release_answer(const wgemm_answer* answer);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */
#endif
